"""Puts and gets of the product, measured against the bare driver making the same transactions.

    python -m tests.benchmarks.calls_benchmark [--calls 300] [--rounds 31]

Each round measures the driver and then the product; printed is the median ratio (product's speed / driver's speed).
MQSC_CALLS sets the default of --calls, the number of puts or gets of non-persistent messages in a round.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions
from store.constants import MQPMO
from tests.benchmarks.bare import BODY, Bare, opened, product
from tests.benchmarks.measuring import compare_each, each, options

CALLS = int(os.environ.get("MQSC_CALLS", "300"))
ROUNDS = 31


def compare_calls(persistence: int, calls: int = CALLS, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median ratio of each kind of call, by its name, for persistent or non-persistent messages."""
    with tempfile.TemporaryDirectory() as folder:
        return dict(_ratios(Path(folder), persistence, calls // (1 + 2 * persistence), rounds))


def _ratios(folder: Path, persistence: int, calls: int, rounds: int) -> Iterator[tuple[str, float]]:
    message = Message(BODY, MessageDescriptor(persistence=persistence))
    handle, path = product(folder)
    handle.put(message)
    handle.connection.disconnect()
    handle.connection.store.close()
    bare = Bare(path, durable=bool(persistence))
    handle = opened(path)
    plain, in_unit = GetMessageOptions(), PutMessageOptions(MQPMO.SYNCPOINT)
    thousand = [message] * 1000
    word = "persistent" if persistence else "non-persistent"

    def unit_of_100() -> None:
        each(100, lambda: handle.put(message, in_unit))
        handle.connection.commit()

    for name, number, ours, theirs in (
        ("put one per call", calls, lambda: handle.put(message), bare.put),
        ("get one per call", calls, lambda: handle.get(plain), bare.get),
        ("list of 1000 per call", 2, lambda: handle.put(thousand), lambda: bare.put_many(1000)),
        ("unit of 100 puts", max(1, calls // 100), unit_of_100, lambda: bare.unit(100)),
    ):
        yield name, compare_each(f"{name}, {word}", rounds, number, ours, theirs)
    handle.connection.store.close()


if __name__ == "__main__":
    chosen = options(__doc__, calls=CALLS, rounds=ROUNDS)
    for persistence in (0, 1):
        compare_calls(persistence, chosen.calls, chosen.rounds)

"""Puts and gets of the product, measured against the bare driver making the same transactions.

    python -m tests.benchmarks.calls_benchmark [--calls 300] [--rounds 31]

Each round measures the driver and then the product; printed is the median ratio (product's speed /
driver's speed). MQSC_CALLS sets the default of --calls, the number of puts or gets of
non-persistent messages in a round.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from mqsc.store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions
from mqsc.store.constants import MQGMO, MQPMO
from tests.benchmarks.bare import BODY, Bare, opened, product
from tests.benchmarks.measuring import compare_each, each, options

CALLS = int(os.environ.get("MQSC_CALLS", "300"))
ROUNDS = 31


def compare_calls(persistence: int, calls: int = CALLS, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median ratio of each kind of call, by its name, for persistent or
    non-persistent messages.
    """
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
    plain, thousand, units = GetMessageOptions(), [message] * 1000, max(1, calls // 100)
    put_in_unit = partial(handle.put, message, PutMessageOptions(MQPMO.SYNCPOINT))
    get_in_unit = partial(handle.get, GetMessageOptions(MQGMO.SYNCPOINT))
    word = "persistent" if persistence else "non-persistent"

    def unit_of_100(call: Callable[[], object]) -> None:
        each(100, call)
        handle.connection.commit()

    for name, number, ours, theirs in (
        ("put one per call", calls, lambda: handle.put(message), bare.put),
        ("get one per call", calls, lambda: handle.get(plain), bare.get),
        (
            "list of 1000 puts per call",
            2,
            lambda: handle.put(thousand),
            lambda: bare.put_many(1000),
        ),
        (
            "list of 1000 gets per call",
            2,
            lambda: handle.get_many(1000),
            lambda: bare.get_many(1000),
        ),
        ("unit of 100 puts", units, lambda: unit_of_100(put_in_unit), lambda: bare.unit(100)),
        (
            "unit of 100 gets",
            units,
            lambda: unit_of_100(get_in_unit),
            lambda: bare.unit_of_gets(100),
        ),
    ):
        yield name, compare_each(f"{name}, {word}", rounds, number, ours, theirs)
    handle.connection.store.close()


if __name__ == "__main__":
    chosen = options(__doc__, calls=CALLS, rounds=ROUNDS)
    for persistence in (0, 1):
        compare_calls(persistence, chosen.calls, chosen.rounds)

"""Puts and gets of the product against the bare driver making the same transactions, in one run.

    python tests/benchmarks/calls_benchmark.py [--calls 3000] [--rounds 5]

Prints the median ratio (product's speed / bare speed) of rounds in which both take turns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions
from store.constants import MQPMO
from tests.benchmarks.bare import BODY, Bare, opened, product
from tests.benchmarks.measuring import compare, each


def compare_calls(folder: Path, chosen: argparse.Namespace, persistence: int, word: str) -> None:
    """Every comparison with persistent messages, or with others."""
    message = Message(BODY, MessageDescriptor(persistence=persistence))
    handle, path = product(folder)
    handle.put(message)
    handle.connection.disconnect()
    handle.connection.store.close()
    bare = Bare(path, durable=bool(persistence))
    handle = opened(path)
    plain, in_unit = GetMessageOptions(), PutMessageOptions(MQPMO.SYNCPOINT)
    thousand = [message] * 1000
    calls = chosen.calls // (1 + 2 * persistence)

    def unit_of_100() -> None:
        each(100, lambda: handle.put(message, in_unit))
        handle.connection.commit()

    for name, number, ours, theirs in (
        ("put one per call", calls, lambda: handle.put(message), bare.put),
        ("get one per call", calls, lambda: handle.get(plain), bare.get),
        ("list of 1000 per call", 10, lambda: handle.put(thousand), lambda: bare.put_many(1000)),
        ("unit of 100 puts", calls // 100, unit_of_100, lambda: bare.unit(100)),
    ):
        compare(
            f"{name}, {word}",
            chosen.rounds,
            number,
            lambda n, work=ours: each(n, work),  # type: ignore[misc]
            lambda n, work=theirs: each(n, work),  # type: ignore[misc]
        )
    handle.connection.store.close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    for persistence, word in ((0, "non-persistent"), (1, "persistent")):
        with tempfile.TemporaryDirectory() as folder:
            compare_calls(Path(folder), chosen, persistence, word)


if __name__ == "__main__":
    main()

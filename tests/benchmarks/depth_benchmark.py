"""Puts and gets on queues of increasing depth, measured against the bare driver making the same
transactions.

    python -m tests.benchmarks.depth_benchmark [--depths 1000,10000] [--persistent]

The driver works on a copy of the product's store, so both have the same depth, rows, indexes and
history. Each round measures both; printed is the median ratio (product's speed / driver's speed).
For a get that first discards expired messages, the ratio covers the whole call. MQSC_DEPTHS sets
the default of --depths.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mqsc.store import GetMessageOptions, Message, MessageDescriptor
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQMO
from tests.benchmarks.bare import BODY, Bare, opened, product
from tests.benchmarks.measuring import compare_each, report, seconds

DEPTHS = os.environ.get("MQSC_DEPTHS", "1000,10000,100000,1000000")
CALLS, ROUNDS = 200, 15
LIST = 1000
# A tenth of a second.
EXPIRY = 1


class Work(NamedTuple):
    """The product's queue at some depth, and the bare driver's copy of it."""

    ours: ObjectHandle
    bare: Bare
    depth: int
    persistence: int

    def message(self, correl_id: bytes = b"", priority: int = 0) -> Message:
        return Message(
            BODY,
            MessageDescriptor(priority=priority, persistence=self.persistence, correl_id=correl_id),
        )


def numbered(number: int) -> bytes:
    return number.to_bytes(24, "big")


def spread(number: int) -> int:
    """Return the priority of message `number`: all ten occur equally often, in a mixed order."""
    return number * 7919 % 10007 % 10


@contextmanager
def filled(
    depth: int,
    persistence: int,
    *,
    mixed: bool = False,
    expired: bool = False,
) -> Iterator[Work]:
    """Yield a queue of `depth` messages, each with its own CorrelId; if `expired`, they have
    expired, and a live one follows.
    """
    with tempfile.TemporaryDirectory() as folder:
        handle, path = product(Path(folder))
        made = partial(MessageDescriptor, persistence=persistence, expiry=EXPIRY if expired else -1)
        for first in range(1, depth + 1, LIST):
            numbers = range(first, min(first + LIST, depth + 1))
            described = [
                made(correl_id=numbered(each), priority=spread(each) * mixed) for each in numbers
            ]
            handle.put([Message(BODY, each) for each in described])
        if expired:
            handle.put(Message(BODY, MessageDescriptor(persistence=persistence)))
            time.sleep(EXPIRY * 0.2)
        handle.connection.disconnect()
        handle.connection.store.close()
        work = Work(opened(path), Bare(path, durable=bool(persistence)), depth, persistence)
        try:
            yield work
        finally:
            work.ours.connection.store.close()
            work.bare.connection.close()


def puts_and_gets(work: Work) -> Iterator[float]:
    """Yield the ratios of puts at the end of the queue and of gets from its front, one message a
    call.
    """
    message, plain = work.message(numbered(0)), GetMessageOptions()
    where = f"depth {work.depth:9}"
    ours, theirs = partial(work.ours.put, message), partial(work.bare.put, numbered(0))
    yield compare_each(f"{where}  put", ROUNDS, CALLS, ours, theirs)
    yield compare_each(f"{where}  get", ROUNDS, CALLS, partial(work.ours.get, plain), work.bare.get)


def by_correl_id(work: Work) -> float:
    """Return the ratio of gets by CorrelId, for messages from anywhere in the queue."""
    rounds = min(ROUNDS, work.depth // CALLS)
    calls = CALLS // 2
    chosen = random.Random(work.depth).sample(range(1, work.depth + 1), calls * rounds)
    ours, theirs = iter(chosen), iter(chosen)

    def get() -> None:
        work.ours.get(
            GetMessageOptions(match_options=MQMO.MATCH_CORREL_ID, correl_id=numbered(next(ours))),
        )

    def bare_get() -> None:
        work.bare.get(numbered(next(theirs)))

    return compare_each(f"depth {work.depth:9}  get by CorrelId", rounds, calls, get, bare_get)


def priority_mix(work: Work) -> float:
    """Return the ratio of a put with any priority followed by a get of the first message."""
    messages = [work.message(numbered(0), priority) for priority in range(10)]
    plain = GetMessageOptions()
    ours, theirs = iter(range(1 << 30)), iter(range(1 << 30))

    def cycle() -> None:
        work.ours.put(messages[spread(next(ours))])
        work.ours.get(plain)

    def bare_cycle() -> None:
        work.bare.put(numbered(0), spread(next(theirs)))
        work.bare.get()

    name = f"depth {work.depth:9}  put and get, ten priorities"
    return compare_each(name, ROUNDS, CALLS // 2, cycle, bare_cycle)


def expired_in_front(depth: int, persistence: int) -> float:
    """Return the ratio of a get that discards all messages but the last, with a transaction for
    every thousand.
    """
    pairs = []
    for _ in range(max(1, min(5, 100_000 // depth))):
        with filled(depth, persistence, expired=True) as work:
            theirs = seconds(partial(discard, work.bare, depth))
            pairs.append((theirs, seconds(work.ours.get)))
    return report(f"depth {depth:9}  get behind expired ones", depth, pairs)


def discard(bare: Bare, depth: int) -> None:
    """Discard as the product does, then get the last message."""
    for _ in range(0, depth, LIST):
        bare.discard(min(LIST, depth))
    bare.get()


def at_depth(depth: int, persistence: int = 0) -> Iterator[float]:
    with filled(depth, persistence) as work:
        yield by_correl_id(work)
        yield from puts_and_gets(work)
    with filled(depth, persistence, mixed=True) as work:
        yield priority_mix(work)
    yield expired_in_front(depth, persistence)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--depths", default=DEPTHS)
    parser.add_argument("--persistent", action="store_true")
    chosen = parser.parse_args()
    for depth in chosen.depths.split(","):
        for _ in at_depth(int(depth), int(chosen.persistent)):
            pass

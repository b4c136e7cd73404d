"""The cost of triggering for a put, measured against a put to a queue without triggering.

    python -m tests.benchmarks.triggering_benchmark [--calls 200] [--rounds 60] [--messages 1000000]

Each round measures both queues; printed is the median of time to put / time to put to the plain
queue. Then comes the time of a put that must count the messages of sufficient priority, on queues
of increasing depth, as a ratio to the shortest queue. Times are processor times, so that other work
on the machine matters little.
"""

from __future__ import annotations

import argparse
import tempfile
from statistics import median

import mqsc
from mqsc.store import Message, MessageDescriptor, open_store
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO
from tests.benchmarks.measuring import each, options, took

BODY = b"x" * 200
URGENT = Message(BODY, MessageDescriptor(priority=7))
TO = "PROCESS(P1) INITQ(INIT1)"
# (the case, attributes of the queue, the promised limit of the ratio, or None)
PUTS = (
    ("NOTRIGGER, INITQ and PROCESS named", f"NOTRIGGER {TO}", 1.05),
    ("FIRST, messages wait", f"TRIGGER TRIGTYPE(FIRST) {TO}", 1.3),
    ("FIRST, TRIGMPRI(5), messages wait", f"TRIGGER TRIGTYPE(FIRST) TRIGMPRI(5) {TO}", 1.3),
    ("DEPTH not reached", f"TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(999999999) {TO}", 1.3),
    ("FIRST, no monitor", "TRIGGER TRIGTYPE(FIRST) PROCESS(P1) INITQ(NOBODY)", 1.3),
    ("a trigger message for every put (EVERY)", f"TRIGGER TRIGTYPE(EVERY) {TO}", None),
)
SHORTEST = 1000


ROOM = "MAXDEPTH(999999999)"
QUEUES = "\n".join(
    f"DEFINE QLOCAL(Q{number}) {ROOM} {attributes}"
    for number, (_, attributes, _) in enumerate(PUTS)
)
OBJECTS = (
    f"DEFINE QLOCAL(INIT1) {ROOM}\nDEFINE QLOCAL(NOBODY)\nDEFINE PROCESS(P1)\nDEFINE QLOCAL(PLAIN) "
    f"{ROOM}\n{QUEUES}"
)


def cost(name: str, chosen: argparse.Namespace, *handles: ObjectHandle, most: float | None) -> None:
    """Alternate puts to a queue with triggering and to another one; print the ratio of their
    times.
    """

    def puts(handle: ObjectHandle, calls: int = chosen.calls) -> float:
        return took(lambda: each(calls, lambda: handle.put(URGENT))).processor

    for handle in handles:
        puts(handle, 1)
    pairs = [tuple(map(puts, handles)) for _ in range(chosen.rounds)]
    ratios = sorted(ours / other for ours, other in pairs)
    low, high = ratios[len(ratios) // 4], ratios[-len(ratios) // 4]
    promised = f"   promised {most}" if most else ""
    print(
        f"{name:44} {median(ratios):5.2f}  (half of the rounds {low:.2f} to {high:.2f})   "
        f"{median(ours for ours, _ in pairs) / chosen.calls * 1e6:6.1f} µs{promised}",
        flush=True,
    )


def flatness(qmgr: QueueManager, chosen: argparse.Namespace, trigger: str) -> None:
    """Print how long a put takes that counts messages, on ever longer queues of messages whose
    priority is too low.

    The initiation queue has no monitor, so no trigger message is made and every put counts again,
    up to its limit.
    """
    attributes = f"{ROOM} ACCTQ(OFF) PROCESS(P1) INITQ(NOBODY) TRIGMPRI(5)"
    mqsc.run(qmgr, f"DEFINE QLOCAL(LONG) {attributes} {trigger} REPLACE")
    mqsc.run(qmgr, "CLEAR QLOCAL(LONG)")
    low = [Message(BODY, MessageDescriptor(priority=1))] * 1000
    with qmgr.connect() as connection:
        handle = connection.open("LONG", MQOO.OUTPUT)
        handle.put([URGENT] * 100)
        shortest, held, depth = 0.0, 0, SHORTEST
        while depth <= chosen.messages:
            each((depth - held) // 1000, lambda: handle.put(low))
            held = depth
            one = median(took(lambda: handle.put(URGENT)).processor for _ in range(401))
            shortest = shortest or one
            print(f"   {depth:9} messages {one / shortest:5.2f}   {one * 1e6:6.1f} µs", flush=True)
            depth *= 10


if __name__ == "__main__":
    chosen = options(__doc__, calls=200, rounds=60, messages=1_000_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(f"sqlite:///{folder}/bench.db") as store,
    ):
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, OBJECTS, check=True)
        with qmgr.connect("monitor") as monitor, qmgr.connect("putter") as connection:
            monitor.open("INIT1", MQOO.INPUT_SHARED)
            plain = connection.open("PLAIN", MQOO.OUTPUT)
            for number, (name, _, most) in enumerate(PUTS):
                cost(name, chosen, connection.open(f"Q{number}", MQOO.OUTPUT), plain, most=most)
            for trigger in ("TRIGGER TRIGTYPE(FIRST)", "TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(100)"):
                print(f"a put that counts, {trigger}")
                flatness(qmgr, chosen, trigger)

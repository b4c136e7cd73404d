"""How many Python functions a call of the MQI and a command run: more of them is the way in
which they become slow.

    python -m tests.benchmarks.functions_benchmark

The figures vary a little: every few milliseconds the writer lock also looks whether another program
goes next, which takes four functions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from types import FrameType

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQOT, MQPMO
from mqsc.store.message import Message, PutMessageOptions

MESSAGE, IN_UNIT = Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT)


def functions_run(work: Callable[[], object], prepare: Callable[[], object]) -> int:
    """The number of Python functions that the second of two calls runs, each after `prepare`."""
    prepare()
    work()
    prepare()
    calls = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def functions_of_calls(qmgr: QueueManager) -> Iterator[tuple[str, int]]:
    """Each call by its name, and how many functions it runs."""
    mqsc.run(qmgr, "DEFINE QLOCAL(Q); DEFINE QLOCAL(COPIES)")
    mqsc.run(qmgr, "DEFINE SUB(S) TOPICSTR('prices') DEST(COPIES)")
    connection = qmgr.connect()
    handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
    handle.put([MESSAGE] * 10)
    topic = connection.open("", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string="prices")
    numbers = count(1)
    calls: dict[str, Callable[[], object]] = {
        "put": lambda: handle.put(MESSAGE),
        "put in a unit": lambda: handle.put(MESSAGE, IN_UNIT),
        "publication": lambda: topic.put(MESSAGE),
        "get": handle.get,
        "commit": connection.commit,
        "DEFINE": lambda: mqsc.run(qmgr, f"DEFINE QLOCAL(Q{next(numbers)})"),
        "DEFINE REPLACE": lambda: mqsc.run(qmgr, "DEFINE QLOCAL(Q) REPLACE"),
        "ALTER": lambda: mqsc.run(qmgr, f"ALTER QLOCAL(Q) MAXDEPTH({next(numbers)})"),
    }
    for name, call in calls.items():
        prepare = calls["put in a unit"] if name == "commit" else connection.commit
        yield name, functions_run(call, prepare)


if __name__ == "__main__":
    with mqsc.open_store("sqlite://") as store:
        for name, number in functions_of_calls(store.create_queue_manager("QM1")):
            print(f"{name:<16}{number:>4}")

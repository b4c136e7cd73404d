"""How many Python functions a call of the MQI and a command run: more of them is the way in
which they become slow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

import mqsc
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.message import Message, PutMessageOptions

MESSAGE, IN_UNIT = Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT)


def functions_run(work: Callable[[], object], prepare: Callable[[], object]) -> int:
    """The number of Python functions that the second of two calls runs, each after `prepare`."""
    prepare()
    work()
    prepare()
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


# Up to twenty more than now: every few milliseconds the writer lock also looks whether another
# program goes next, which takes four, and in a store that was just opened the files are looked at
# closely, which takes twelve.
MOST = {
    "put": 62,
    "put in a unit": 67,
    "get": 68,
    "commit": 58,
    "DEFINE": 160,
    "DEFINE REPLACE": 165,
    "ALTER": 167,
}


@pytest.mark.parametrize(("name", "most"), MOST.items())
def test_a_call_runs_few_functions(qmgr: QueueManager, name: str, most: int) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    connection = qmgr.connect()
    handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
    handle.put([MESSAGE] * 3)
    names, depths = iter("AB"), iter("12")
    calls: dict[str, Callable[[], object]] = {
        "put": lambda: handle.put(MESSAGE),
        "put in a unit": lambda: handle.put(MESSAGE, IN_UNIT),
        "get": handle.get,
        "commit": connection.commit,
        "DEFINE": lambda: mqsc.run(qmgr, f"DEFINE QLOCAL({next(names)})"),
        "DEFINE REPLACE": lambda: mqsc.run(qmgr, "DEFINE QLOCAL(Q) REPLACE"),
        "ALTER": lambda: mqsc.run(qmgr, f"ALTER QLOCAL(Q) MAXDEPTH({next(depths)})"),
    }
    prepare = calls["put in a unit"] if name == "commit" else connection.commit
    assert functions_run(calls[name], prepare) <= most

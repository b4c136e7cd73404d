"""DISPLAY QSTATUS and RESET QSTATS: what is on a queue, who has it open, and what happened since
the last reset.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from mqsc.store.admin import statistics
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.statistics import queue_handles, queue_status, reset_queue_statistics
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.looking import Frozen, history, put, refused

QLOCAL, QALIAS = KINDS["QLOCAL"], KINDS["QALIAS"]
UNTOUCHED = {
    **{
        "QUEUE": "Q",
        "TYPE": "QUEUE",
        "CURDEPTH": 0,
        "EXPIRED": 0,
        "CURFSIZE": "",
        "CURMAXFS": "",
        "IPPROCS": 0,
    },
    **{
        "LGETDATE": "",
        "LGETTIME": "",
        "LPUTDATE": "",
        "LPUTTIME": "",
        "MEDIALOG": "",
        "MONQ": "OFF",
        "MSGAGE": "",
    },
    **{"OPPROCS": 0, "QTIME": " , ", "UNCOM": "NO"},
}


def status(qmgr: QueueManager, name: str = "Q") -> dict[str, Any]:
    (row,) = queue_status(qmgr, name)
    return row


def test_a_queue_that_nobody_uses(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    assert [*status(qmgr).items()] == [*UNTOUCHED.items()]


def test_what_is_on_a_queue(qmgr: QueueManager, environment: Frozen) -> None:
    create(qmgr, QLOCAL, "Q", {"MONQ": "MEDIUM"})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        connection.open("Q", MQOO.BROWSE)
        handle.put([Message(b"1"), Message(b"2", MessageDescriptor(expiry=5))])
        handle.put(Message(b"3"), PutMessageOptions(MQPMO.SYNCPOINT))
        environment.clock.advance(90)
        handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        assert status(qmgr) == {
            **{
                **UNTOUCHED,
                "CURDEPTH": 2,
                "EXPIRED": 1,
                "IPPROCS": 1,
                "OPPROCS": 1,
                "MONQ": "MEDIUM",
                "UNCOM": 2,
            },
            **{
                "LGETDATE": "2023-11-14",
                "LGETTIME": "22.14.50",
                "LPUTDATE": "2023-11-14",
                "LPUTTIME": "22.13.20",
            },
            **{"MSGAGE": 90, "QTIME": "90000000,90000000"},
        }
        connection.commit()
        assert status(qmgr)["UNCOM"] == "NO"


def test_monitoring_is_blank_unless_it_is_on(qmgr: QueueManager) -> None:
    for own, everywhere, level, age in (
        ("QMGR", "OFF", "OFF", ""),
        ("QMGR", "LOW", "LOW", 0),
        ("HIGH", "OFF", "HIGH", 0),
        ("HIGH", "NONE", "OFF", ""),
        ("OFF", "HIGH", "OFF", ""),
    ):
        create(qmgr, QLOCAL, name := f"{own}.{everywhere}", {"MONQ": own})
        change_queue_manager(qmgr, {"MONQ": everywhere})
        put(qmgr, name, b"x")
        row = status(qmgr, name)
        assert (row["MONQ"], row["MSGAGE"], bool(row["LPUTDATE"])) == (level, age, age != ""), name


def test_only_local_queues_that_match(qmgr: QueueManager) -> None:
    for name in ("Q_A", "Q.A", "Q"):
        create(qmgr, QLOCAL, name, {})
    create(qmgr, QALIAS, "A", {"TARGET": "Q"})
    for pattern, names in {
        "Q": ["Q"],
        "Q*": ["Q", "Q.A", "Q_A"],
        "Q_*": ["Q_A"],
        "Q%*": [],
        "A": [],
        "NONE": [],
    }.items():
        assert [row["QUEUE"] for row in queue_status(qmgr, pattern)] == names, pattern
        assert [row["QSTATS"] for row in reset_queue_statistics(qmgr, pattern)] == names, pattern


def test_pages_neither_lose_nor_repeat_anything(
    qmgr: QueueManager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statistics, "PAGE", 2)
    names = [f"Q{number}" for number in range(5)]
    with qmgr.connect() as connection:
        for name in names:
            create(qmgr, QLOCAL, name, {})
            for _ in range(3):
                connection.open(name, MQOO.OUTPUT)
        assert [row["QUEUE"] for row in queue_status(qmgr, "Q*")] == names
        assert [row["QUEUE"] for row in queue_handles(qmgr, "Q*")] == [
            name for name in names for _ in range(3)
        ]
        assert [row["QSTATS"] for row in reset_queue_statistics(qmgr, "Q*")] == names
        assert [row["QUEUE"] for row in queue_status(qmgr, "Q4")] == ["Q4"]


def test_who_has_a_queue_open(qmgr: QueueManager) -> None:
    """A handle on an alias counts for the queue behind it."""
    create(qmgr, QLOCAL, "Q", {})
    create(qmgr, QALIAS, "A", {"TARGET": "Q"})
    said: dict[str, object] = {
        **{
            "QUEUE": "Q",
            "TYPE": "HANDLE",
            "APPLDESC": "",
            "APPLTAG": "a program with a name that i",
            "APPLTYPE": "USER",
        },
        **{
            "ASTATE": "NONE",
            "CHANNEL": "",
            "CONNAME": "",
            "PID": os.getpid(),
            "HSTATE": "INACTIVE",
            "QMURID": "",
        },
        **{
            "TID": "",
            "URID": "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]",
            "URTYPE": "QMGR",
            "USERID": "alice",
        },
        **dict.fromkeys(("BROWSE", "INPUT", "INQUIRE", "OUTPUT", "SET"), "NO"),
    }
    for options, more in (
        (MQOO.INPUT_SHARED, {"INPUT": "SHARED"}),
        (MQOO.INPUT_EXCLUSIVE, {"INPUT": "EXCL"}),
        (MQOO.INPUT_AS_Q_DEF, {"INPUT": "SHARED"}),
        (MQOO.BROWSE, {"BROWSE": "YES"}),
        (MQOO.OUTPUT | MQOO.INQUIRE, {"OUTPUT": "YES", "INQUIRE": "YES"}),
        (MQOO.SET, {"SET": "YES"}),
    ):
        with qmgr.connect(
            application="a program with a name that is long",
            user="alice",
        ) as connection:
            connection.open("Q", options)
            assert list(queue_handles(qmgr, "Q")) == [said | more], options
        assert list(queue_handles(qmgr, "Q")) == []
    with qmgr.connect() as connection:
        connection.open("A", MQOO.OUTPUT)
        connection.open("A", MQOO.INQUIRE)
        assert [(row["QUEUE"], row["OUTPUT"]) for row in queue_handles(qmgr, "*")] == [("Q", "YES")]


def test_reset_answers_what_was_and_begins_again(qmgr: QueueManager, environment: Frozen) -> None:
    create(qmgr, QLOCAL, "Q", {})
    environment.clock.advance(7.9)
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put([Message(b"x")] * 3, PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()
        handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.back()
        handle.get()
    first = {"QSTATS": "Q", "HIQDEPTH": 3, "MSGSIN": 3, "MSGSOUT": 2, "RESETINT": 7}
    assert list(reset_queue_statistics(qmgr, "Q")) == [first]
    environment.clock.advance(2)
    second = {"QSTATS": "Q", "HIQDEPTH": 2, "MSGSIN": 0, "MSGSOUT": 0, "RESETINT": 2}
    assert list(reset_queue_statistics(qmgr, "Q")) == [second]
    assert [
        (each.cause, each.detail) for each in history(qmgr.store, "Q") if each.kind == "SET"
    ] == [
        ("reset", {"HIQDEPTH": [3, 2], "MSGSIN": [3, 0], "MSGSOUT": [2, 0]}),
        ("reset", {"HIQDEPTH": [2, 2], "MSGSIN": [0, 0], "MSGSOUT": [0, 0]}),
    ]


@pytest.mark.parametrize("command", [queue_status, queue_handles, reset_queue_statistics])
def test_a_queue_manager_that_does_not_run_answers_2059(qmgr: QueueManager, command: Any) -> None:
    qmgr.end()
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        command(qmgr, "*")

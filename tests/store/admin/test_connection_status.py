"""DISPLAY CONN and STOP CONN: the connections to a queue manager and their open handles."""

from __future__ import annotations

import os
from typing import Any

import pytest

from mqsc.store.admin import connection_status
from mqsc.store.admin.connection_status import connection_handles, connections, stop_connections
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO, MQOT, MQPMO, MQRC, MQRCCF
from mqsc.store.message import Message, PutMessageOptions
from tests.store.admin.looking import history, queue_row, refused

# AMQC, then QM1 in 12 characters.
EXTCONN = "414D5143514D31202020202020202020"
BLANK = (
    "APPLDESC CHANNEL CLIENTID CONNAME CONNTAG TID UOWLOG UOWLOGDA UOWLOGTI UOWSTDA UOWSTTI".split()
)


def test_a_connection_with_and_without_a_unit_of_work(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect(application="billing", user="alice") as connection:
        handle = connection.open("Q", MQOO.OUTPUT)
        idle = {
            **dict.fromkeys(BLANK, ""),
            **{
                "CONN": f"{connection.number:016X}",
                "EXTCONN": EXTCONN,
                "TYPE": "CONN",
                "PID": os.getpid(),
            },
            **{
                "APPLTAG": "billing",
                "APPLTYPE": "USER",
                "ASTATE": "NONE",
                "USERID": "alice",
                "CONNOPTS": [],
            },
            **{
                "EXTURID": "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]",
                "QMURID": "0.0",
                "UOWSTATE": "NONE",
                "URTYPE": "QMGR",
            },
        }
        assert list(connections(qmgr)) == [idle]
        handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        at_work = {**idle, "QMURID": f"{connection.number}.1", "UOWSTATE": "ACTIVE"}
        assert list(connections(qmgr)) == [at_work]
        connection.commit()
        assert list(connections(qmgr)) == [idle]
    assert list(connections(qmgr)) == []


def test_handles_of_a_connection(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    create(qmgr, KINDS["QALIAS"], "A", {"TARGET": "Q"})
    words = ("TYPE", "OBJNAME", "OBJTYPE", "OPENOPTS")
    with qmgr.connect() as connection:
        connection.open("A", MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
        connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        found = [tuple(row[word] for word in words) for row in connection_handles(qmgr)]
    assert found == [
        ("HANDLE", "A", "QUEUE", ["MQOO_OUTPUT", "MQOO_FAIL_IF_QUIESCING"]),
        ("HANDLE", "QM1", "QMGR", ["MQOO_INQUIRE"]),
    ]


def test_connections_by_their_identifier(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        number = connection.number
        for pattern in ("*", "0000*", f"{number:016X}", f"{number:016x}", f"{number:016X}*"):
            assert len(list(connections(qmgr, pattern))) == 1, pattern
        for pattern in ("0001*", "FFFF*", f"{number:X}", "", "no digits*", "0*0"):
            assert list(connections(qmgr, pattern)) == [], pattern
    for identifier, extended in (
        ("", ""),
        ("0000000000000099", ""),
        ("00", ""),
        ("", "FF"),
        ("zz", ""),
    ):
        with qmgr.connect(), refused(MQRCCF.CONNECTION_ID_ERROR):
            stop_connections(qmgr, identifier, extended)


def test_connections_of_each_by_pages(
    qmgr: QueueManager,
    monkeypatch: pytest.MonkeyPatch,
    store: Store,
) -> None:
    monkeypatch.setattr(connection_status, "PAGE", 2)
    several = [qmgr.connect() for _ in range(5)]
    assert [row["CONN"] for row in connections(qmgr)] == [f"{each.number:016X}" for each in several]
    for each in several:
        each.disconnect()
    other = store.create_queue_manager("QM2")
    with qmgr.connect(), other.connect(user="bob"):
        assert [row["USERID"] for row in connections(other)] == ["bob"]


def test_all_connections_of_the_queue_manager_are_stopped(qmgr: QueueManager) -> None:
    kept = [qmgr.connect() for _ in range(2)]
    extended = next(iter(connections(qmgr)))["EXTCONN"]
    assert (stop_connections(qmgr, "", extended), [*connections(qmgr)]) == (2, [])
    for connection in kept:
        with refused(MQRC.CONNECTION_BROKEN):
            connection.commit()


@pytest.mark.parametrize("command", [connections, connection_handles])
def test_a_queue_manager_that_does_not_run_answers_2059(qmgr: QueueManager, command: Any) -> None:
    qmgr.end()
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        command(qmgr)


def test_v06_a_unit_in_doubt_has_no_connection(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect(application="mover", user="alice") as connection:
        connection.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("TO.QM2", "7")
        number = connection.number
        first, *rest = connections(qmgr, "*")
        assert [list(row) for row in rest] == [list(first)]
    for pattern in ("*", "0000*", "0" * 16):
        (row,) = connections(qmgr, pattern)
        expected = {
            **{
                "CONN": "0" * 16,
                "APPLTAG": "mover",
                "CHANNEL": "TO.QM2",
                "PID": 0,
                "QMURID": f"{number}.1",
            },
            **{"EXTURID": "XA_FORMATID[] XA_GTRID[7] XA_BQUAL[]", "UOWSTATE": "PREPARED"},
        }
        assert {**row, **expected} == row, pattern
        assert list(connection_handles(qmgr, pattern)) == []
    assert list(connections(qmgr, f"{number:016X}")) == []


def test_a_connection_that_is_stopped_is_broken_and_its_work_backed_out(
    store: Store,
    qmgr: QueueManager,
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    connection, other = qmgr.connect(), qmgr.connect()
    handle = connection.open("Q", MQOO.OUTPUT)
    handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
    first, second = (row["CONN"] for row in connections(qmgr))
    assert stop_connections(qmgr, first) == 1
    with refused(MQRC.CONNECTION_BROKEN):
        handle.put(Message(b"y"))
    assert [row["CONN"] for row in connections(qmgr)] == [second]
    assert queue_row(qmgr, "Q").depth == 0
    assert [(each.kind, each.cause) for each in history(store, "Q") if each.kind == "CLOSE"] == [
        ("CLOSE", None),
    ]
    other.disconnect()

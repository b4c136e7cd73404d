"""DISPLAY CONN, APSTATUS and QMSTATUS, and STOP CONN."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from store.admin import status
from store.admin.defining import create
from store.admin.status import (
    application_status,
    connection_handles,
    connections,
    queue_manager_status,
    stop_connections,
)
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQOO, MQOT, MQPMO, MQRC, MQRCCF
from store.message import Message, PutMessageOptions
from tests.store.admin.looking import history, queue_row, refused

# AMQC, then QM1 in 12 characters.
EXTCONN = "414D5143514D31202020202020202020"


def test_a_connection_with_and_without_a_unit_of_work(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect(application="billing", user="alice") as connection:
        handle = connection.open("Q", MQOO.OUTPUT)
        idle = {
            "CONN": f"{connection.number:016X}",
            "EXTCONN": EXTCONN,
            "TYPE": "CONN",
            "APPLDESC": "",
            "APPLTAG": "billing",
            "APPLTYPE": "USER",
            "ASTATE": "NONE",
            "CHANNEL": "",
            "CLIENTID": "",
            "CONNAME": "",
            "CONNOPTS": [],
            "CONNTAG": "",
            "EXTURID": "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]",
            "PID": os.getpid(),
            "QMURID": "0.0",
            "TID": "",
            **dict.fromkeys(("UOWLOG", "UOWLOGDA", "UOWLOGTI", "UOWSTDA", "UOWSTTI"), ""),
            "UOWSTATE": "NONE",
            "URTYPE": "QMGR",
            "USERID": "alice",
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
    with qmgr.connect() as connection:
        connection.open("A", MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
        connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        found = [{word: row[word] for word in ("TYPE", "OBJNAME", "OBJTYPE", "OPENOPTS")}
                 for row in connection_handles(qmgr)]  # fmt: skip
    assert found == [
        {"TYPE": "HANDLE", "OBJNAME": "A", "OBJTYPE": "QUEUE", "OPENOPTS": ["MQOO_OUTPUT", "MQOO_FAIL_IF_QUIESCING"]},
        {"TYPE": "HANDLE", "OBJNAME": "QM1", "OBJTYPE": "QMGR", "OPENOPTS": ["MQOO_INQUIRE"]},
    ]


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("*", True),
        ("0000*", True),
        ("{number:016X}", True),
        ("{number:016x}", True),
        ("{number:016X}*", True),
        ("0001*", False),
        ("FFFF*", False),
        ("{number:X}", False),
        ("", False),
        ("no digits*", False),
        ("0*0", False),
    ],
)
def test_connections_by_their_identifier(qmgr: QueueManager, pattern: str, matches: bool) -> None:
    with qmgr.connect() as connection:
        found = list(connections(qmgr, pattern.format(number=connection.number)))
    assert len(found) == matches


def test_pages_neither_lose_nor_repeat_a_connection(qmgr: QueueManager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "PAGE", 2)
    several = [qmgr.connect() for _ in range(5)]
    assert [row["CONN"] for row in connections(qmgr)] == [f"{each.number:016X}" for each in several]
    for each in several:
        each.disconnect()


def test_every_queue_manager_has_its_own(store: Store, qmgr: QueueManager) -> None:
    other = store.create_queue_manager("QM2")
    with qmgr.connect(), other.connect(user="bob"):
        assert [row["USERID"] for row in connections(other)] == ["bob"]


# Another program: connects, then kills itself.
_PROGRAM = """
import os, sys
from store.client.api import open_store
connection = open_store(sys.argv[1]).queue_manager("QM1").connect()
os.kill(os.getpid(), 9)
"""


def test_a_dead_program_is_not_shown(qmgr: QueueManager, tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", _PROGRAM, f"sqlite:///{tmp_path / 'test.db'}"]
    ended = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (-9, "")
    assert list(connections(qmgr)) == []


@pytest.mark.parametrize("command", [connections, connection_handles])
def test_a_queue_manager_that_does_not_run_answers_2059(qmgr: QueueManager, command: Any) -> None:
    qmgr.end()
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        command(qmgr)


@pytest.mark.parametrize("pattern", ["*", "0000*", "0" * 16])
def test_v06_a_unit_in_doubt_has_no_connection(qmgr: QueueManager, pattern: str) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect(application="mover", user="alice") as connection:
        connection.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("TO.QM2", "7")
        number = connection.number
        listed = list(connections(qmgr, "*"))
        assert [list(row) for row in listed[1:]] == [list(listed[0])]
    (row,) = connections(qmgr, pattern)
    shown = {word: row[word] for word in ("CONN", "APPLTAG", "CHANNEL", "EXTURID", "PID", "QMURID", "UOWSTATE")}
    assert shown == {
        "CONN": "0" * 16,
        "APPLTAG": "mover",
        "CHANNEL": "TO.QM2",
        "EXTURID": "XA_FORMATID[] XA_GTRID[7] XA_BQUAL[]",
        "PID": 0,
        "QMURID": f"{number}.1",
        "UOWSTATE": "PREPARED",
    }
    assert list(connections(qmgr, f"{number:016X}")) == []
    assert list(connection_handles(qmgr, pattern)) == []


def test_applications_are_counted(qmgr: QueueManager) -> None:
    kept = [qmgr.connect(application=name) for name in ("billing", "web", "billing")]
    found = [(row["APPLNAME"], row["TYPE"], row["COUNT"]) for row in application_status(qmgr, "*")]
    assert found == [("billing", "APPL", 2), ("web", "APPL", 1)]
    assert [row["APPLNAME"] for row in application_status(qmgr, "w*")] == ["web"]
    assert [row["QMNAME"] for row in application_status(qmgr, "web", "QMGR")] == ["QM1"]
    local = [*application_status(qmgr, "billing", "LOCAL")]
    assert [(row["TYPE"], row["CONNS"], row["MOVABLE"]) for row in local] == [("LOCAL", 1, "NO")] * 2
    assert len({row["CONNTAG"] for row in local}) == 2
    for connection in kept:
        connection.disconnect()
    assert [*application_status(qmgr, "*")] == []


def test_the_queue_manager(qmgr: QueueManager) -> None:
    (row,) = queue_manager_status(qmgr)
    assert (row["QMNAME"], row["TYPE"], row["STATUS"], row["CONNS"]) == ("QM1", "QMGR", "RUNNING", 0)
    assert (row["STARTDA"], row["STARTTI"], row["DATPATH"]) == ("2023-11-14", "22.13.20", qmgr.store.path)
    with qmgr.connect():
        qmgr.end()
        (row,) = queue_manager_status(qmgr)
        assert (row["STATUS"], row["CONNS"]) == ("QUIESCING", 1)


@pytest.mark.parametrize("type", ["", "QMGR", "NATIVEHA"])
def test_an_ended_queue_manager_has_no_status(qmgr: QueueManager, type: str) -> None:
    qmgr.end(immediate=True)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        list(queue_manager_status(qmgr, "", type))


def test_there_are_no_replicas(qmgr: QueueManager) -> None:
    assert [*queue_manager_status(qmgr, "", "NATIVEHA")] == []


def test_a_connection_is_broken_and_its_work_backed_out(store: Store, qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    connection = qmgr.connect()
    other = qmgr.connect()
    handle = connection.open("Q", MQOO.OUTPUT)
    handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
    first, second = (row["CONN"] for row in connections(qmgr))
    assert stop_connections(qmgr, first) == 1
    with refused(MQRC.CONNECTION_BROKEN):
        handle.put(Message(b"y"))
    assert [row["CONN"] for row in connections(qmgr)] == [second]
    assert queue_row(qmgr, "Q").depth == 0
    assert [(each.kind, each.cause) for each in history(store, "Q") if each.kind == "CLOSE"] == [("CLOSE", None)]
    other.disconnect()


def test_all_of_the_queue_manager(qmgr: QueueManager) -> None:
    kept = [qmgr.connect() for _ in range(2)]
    extended = next(iter(connections(qmgr)))["EXTCONN"]
    assert stop_connections(qmgr, "", extended) == 2
    assert [*connections(qmgr)] == []
    for connection in kept:
        with refused(MQRC.CONNECTION_BROKEN):
            connection.commit()


@pytest.mark.parametrize(
    ("identifier", "extended"), [("", ""), ("0000000000000099", ""), ("00", ""), ("", "FF"), ("zz", "")]
)
def test_there_is_no_such_connection(qmgr: QueueManager, identifier: str, extended: str) -> None:
    with qmgr.connect(), refused(MQRCCF.CONNECTION_ID_ERROR):
        stop_connections(qmgr, identifier, extended)

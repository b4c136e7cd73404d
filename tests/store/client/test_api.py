"""The classes that programs use: opening, leaving a block, starting, closing, resolved names,
and wrong types.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mqsc
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.api import QueueManager, open_store
from mqsc.store.constants import MQOO, MQOT, MQPMO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import StoreError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql.connections import other_processes
from mqsc.store.sqlite.database import Reading
from tests.store.admin.looking import queue_row


def test_the_path_of_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in memory has none; a relative path and a tilde become absolute. A path is no URL,
    whatever it has.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    paths: dict[Any, str] = dict.fromkeys(
        (
            "a.db",
            tmp_path / "a.db",
            "~/a.db",
            "sqlite:///a.db",
            "sqlite:///~/a.db",
            f"sqlite:///{tmp_path}/a.db",
        ),
        str(tmp_path / "a.db"),
    )
    paths |= {name: str(tmp_path / name) for name in ("a?b%20c.db", "a\udcff.db")}
    for url, path in {"sqlite://": None, "sqlite:///:memory:": None, **paths}.items():
        with open_store(url) as store:
            assert store.path == path


def test_an_address_that_is_not_a_store() -> None:
    addresses = {
        "orders://": "a store is an SQLite file: write sqlite:///PATH",
        "sqlite:orders.db": (
            "'sqlite:orders.db' is not the address of a store; write sqlite:///PATH"
        ),
        "": "'' is not the address of a store",
        "postgresql://host/db": "write sqlite:///PATH, not postgresql://",
    }
    for url, said in addresses.items():
        with pytest.raises(StoreError, match=said):
            open_store(url)


def test_a_missing_store_is_created_only_if_asked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with pytest.raises(StoreError, match="there is no store at"):
        open_store(url, create=False)
    assert [*tmp_path.iterdir()] == []
    open_store(url).close()
    open_store(url, create=False).close()


SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def test_m1_9_disconnecting_closes_handles_and_commits(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_EXCLUSIVE).put(Message(b"x"), SYNCPOINT)
    connection.disconnect()
    left = queue_row(qmgr, "Q")
    assert (left.input_handles, left.output_handles, left.depth) == (0, 0, 1)
    with qmgr.connect() as other:
        assert other.open("Q", MQOO.INPUT_EXCLUSIVE).get().body == b"x"


def test_m1_9_leaving_the_block_disconnects(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT).put(Message(b"x"), SYNCPOINT)
    assert (connection.is_connected, queue_row(qmgr, "Q").depth) == (False, 1)


def work_and_fail(qmgr: QueueManager, *, end: bool) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED).put(Message(b"x"), SYNCPOINT)
        if end:
            qmgr.end(immediate=True)
        raise KeyError


@pytest.mark.parametrize("end", [False, True])
def test_m1_11_leaving_the_block_by_an_exception_backs_out(qmgr: QueueManager, end: bool) -> None:
    """A connection that is broken by then does not hide the exception."""
    with pytest.raises(KeyError):
        work_and_fail(qmgr, end=end)
    left = queue_row(qmgr, "Q")
    assert (left.depth, left.input_handles, left.output_handles) == (0, 0, 0)


def test_an_ended_queue_manager_does_not_run(qmgr: QueueManager) -> None:
    assert (qmgr.is_running, qmgr.start()) == (True, False)
    assert (qmgr.end(), qmgr.is_running, qmgr.start(), qmgr.is_running) == (
        "ENDED",
        False,
        True,
        True,
    )


def test_closing_a_store_takes_back_its_registration_unless_connections_are_left(
    qmgr: QueueManager,
    environment: Environment[FrozenClock],
) -> None:
    for keeps_a_connection in (False, True):
        program = open_store(f"sqlite:///{qmgr.store.path}", environment=environment)
        connection = program.queue_manager("QM1").connect()
        if not keeps_a_connection:
            connection.disconnect()
        before = program.process
        program.close()
        with Reading(qmgr.store.database) as reading:
            left = [number for number, _ in other_processes(reading, mine=0)]
        assert (before in left, program.process) == (keeps_a_connection, 0)
    assert qmgr.store.recover()
    assert not qmgr.store.recover()


WRONG: list[tuple[Callable[[Any], object], str]] = [
    (lambda handle: handle.put(Message(b"x"), MQPMO.SYNCPOINT), "options must be"),
    (lambda handle: handle.get(MQPMO.SYNCPOINT), "options must be"),
    (lambda handle: handle.inquire("DESCR"), "selectors are MQIA and MQCA numbers"),
    (lambda handle: handle.set([1]), "values by their selectors can be set, not list"),
    (lambda handle: handle.set({"PUT": 1}), "selectors are MQIA and MQCA numbers"),
    (lambda handle: handle.close("DELETE"), "options must be int, not str"),
]


def test_arguments_of_the_wrong_type_are_a_type_error(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED | MQOO.INQUIRE | MQOO.SET)
        for call, said in WRONG:
            with pytest.raises(TypeError, match=said):
                call(handle)
            handle.put(Message(b"the connection is free for the next call"))


SCRIPT = """
DEFINE QALIAS(A) TARGET(Q)
DEFINE QLOCAL(XQ) USAGE(XMITQ)
DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ)
DEFINE QALIAS(AR) TARGET(R)
"""


RESOLVED = {"Q": ("Q", "QM1"), "A": ("Q", "QM1"), "R": ("THERE", "QM2"), "AR": ("THERE", "QM2")}


def test_handles_and_placed_descriptors_tell_where_messages_go(qmgr: QueueManager) -> None:
    """An object that is not a queue has no resolved name."""
    mqsc.run(qmgr, SCRIPT, check=True)
    with qmgr.connect() as connection:
        for name, resolved in RESOLVED.items():
            handle = connection.open(name, MQOO.OUTPUT)
            placed = (
                handle.put(Message(b"x")),
                connection.put1(name, Message(b"x")),
                *handle.put([Message(b"x")]),
            )
            found = {(each.resolved_q_name, each.resolved_q_mgr_name) for each in placed}
            assert found == {(handle.resolved_q_name, handle.resolved_q_mgr_name)} == {resolved}
        handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        assert (handle.resolved_q_name, handle.resolved_q_mgr_name) == ("", "")

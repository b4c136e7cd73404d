"""The classes that programs use: connecting, leaving a `with` block, clocks, and arguments of the wrong type."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.client.open_store import open_store
from store.constants import MQOO, MQPMO, MQRC
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import Message, PutMessageOptions
from store.sql.connections import other_processes
from store.sqlite.database import Reading
from tests.conftest import START
from tests.store.admin.looking import queue_row
from tests.store.mqi.calls import reason_of

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def test_m1_1_two_connections_of_one_thread_are_independent(qmgr: QueueManager) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        one.open("Q", MQOO.OUTPUT).put(Message(b"x"), SYNCPOINT)

        assert (one.number == other.number, one.unit.is_open, other.unit.is_open) == (False, True, False)


def test_m1_3_a_blank_name_is_the_default_queue_manager(store: Store) -> None:
    with pytest.raises(MQError) as none:
        store.queue_manager()
    assert none.value.reason == MQRC.Q_MGR_NAME_ERROR

    store.create_queue_manager("FIRST")
    store.create_queue_manager("SECOND")
    with store.queue_manager("").connect() as connection:
        assert connection.qmgr.name == "FIRST"


def test_m1_4_an_unknown_name_is_2058(qmgr: QueueManager) -> None:
    assert reason_of(lambda: qmgr.store.queue_manager("ABSENT")) == MQRC.Q_MGR_NAME_ERROR


def test_m1_5_a_queue_manager_that_does_not_run_is_2059(qmgr: QueueManager) -> None:
    qmgr.end()

    assert reason_of(qmgr.connect) == MQRC.Q_MGR_NOT_AVAILABLE


def test_m1_6_a_quiescing_queue_manager_is_2161(qmgr: QueueManager) -> None:
    with qmgr.connect():
        qmgr.end()
        assert reason_of(qmgr.connect) == MQRC.Q_MGR_QUIESCING
    assert reason_of(qmgr.connect) == MQRC.Q_MGR_NOT_AVAILABLE


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"application": "half \ud83d a smile"}, "application has an unpaired surrogate at position 5"),
        ({"user": "\udc80"}, "user has an unpaired surrogate at position 0"),
        ({"application": 7}, "application must be str, not int"),
    ],
)
def test_a_name_that_no_character_set_can_encode_is_refused(
    qmgr: QueueManager, given: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        qmgr.connect(**given)
    with qmgr.connect("ein Programm für Čapek 🙂", "用户") as connection:
        connection.put1("Q", Message(b"x"))


def test_a_login_name_in_another_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "j\udcfcrgen")
    with open_store("sqlite://") as store, store.create_queue_manager("QM1").connect() as connection:
        assert connection.user == "j\ufffdrgen"


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


def work_and_fail(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED).put(Message(b"x"), SYNCPOINT)
        raise KeyError


def leave_by_an_exception(qmgr: QueueManager) -> None:
    with pytest.raises(KeyError):
        work_and_fail(qmgr)


def test_m1_11_leaving_the_block_by_an_exception_backs_out(qmgr: QueueManager) -> None:
    leave_by_an_exception(qmgr)

    left = queue_row(qmgr, "Q")
    assert (left.depth, left.input_handles, left.output_handles) == (0, 0, 0)


def lose_the_connection_and_fail(qmgr: QueueManager) -> None:
    with qmgr.connect():
        qmgr.end(immediate=True)
        raise KeyError


def test_an_exception_in_the_block_is_not_hidden_by_a_broken_connection(qmgr: QueueManager) -> None:
    with pytest.raises(KeyError):
        lose_the_connection_and_fail(qmgr)


def test_a_manual_clock_moves_only_when_it_is_set(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'manual.db'}") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        qmgr.advance_clock(250)
        qmgr.set_clock(qmgr.now() - 1000)
        assert qmgr.now() == START - 750
        with pytest.raises(ValueError, match="not negative"):
            qmgr.advance_clock(-1)
        assert store.bound().now == {"QM1": START - 750}


@pytest.mark.parametrize("call", ["set_clock", "advance_clock"])
def test_a_clock_shows_whole_microseconds(tmp_path: Path, call: str) -> None:
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        with pytest.raises(TypeError, match="must be int, not float"):
            getattr(qmgr, call)(2.5)
        assert qmgr.now() == START


def test_a_queue_manager_that_follows_real_time_has_no_clock_to_set(qmgr: QueueManager) -> None:
    with pytest.raises(ValueError, match="QM1 follows real time"):
        qmgr.set_clock(0)


def test_an_ended_queue_manager_does_not_run(qmgr: QueueManager) -> None:
    assert (qmgr.is_running, qmgr.start()) == (True, False)
    assert (qmgr.end(), qmgr.is_running, qmgr.start(), qmgr.is_running) == ("ENDED", False, True, True)


def test_closing_a_store_takes_back_its_registration_unless_connections_are_left(
    qmgr: QueueManager, environment: Environment[FrozenClock]
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


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda handle: handle.put(Message(b"x"), MQPMO.SYNCPOINT), "options must be"),
        (lambda handle: handle.get(MQPMO.SYNCPOINT), "options must be"),
        (lambda handle: handle.inquire("DESCR"), "selectors are MQIA and MQCA numbers"),
        (lambda handle: handle.set([1]), "values by their selectors can be set, not list"),
        (lambda handle: handle.set({"PUT": 1}), "selectors are MQIA and MQCA numbers"),
        (lambda handle: handle.close("DELETE"), "options must be int, not str"),
    ],
)
def test_arguments_of_the_wrong_type_are_a_type_error(
    qmgr: QueueManager, call: Callable[[Any], object], said: str
) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED | MQOO.INQUIRE | MQOO.SET)
        with pytest.raises(TypeError, match=said):
            call(handle)
        handle.put(Message(b"the connection is free for the next call"))

"""MQCONN and MQDISC: rows M1, with the contract that every connection is independent (2002 never occurs)."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

from store.admin import create
from store.catalog import KINDS
from store.client.api import Connection, ObjectHandle, QueueManager, Store
from store.client.open_store import open_store
from store.constants import MQGMO, MQOO, MQPMO, MQRC
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.looking import queue_row

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def reason_of(call: Callable[[], object]) -> int:
    """The reason for which a call fails; 0 when it does not."""
    try:
        call()
    except MQError as refused:
        return int(refused.reason) if refused.completion == 2 else -1
    return 0


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
def test_a_name_that_nothing_can_write(qmgr: QueueManager, given: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        qmgr.connect(**given)
    with qmgr.connect("ein Programm für Čapek 🙂", "用户") as connection:
        connection.put1("Q", Message(b"x"))


def test_a_login_name_in_another_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "j\udcfcrgen")
    with open_store("sqlite://") as store, store.create_queue_manager("QM1").connect() as connection:
        assert connection.user == "j\ufffdrgen"


Calls = dict[str, Callable[[Connection, ObjectHandle], object]]
CALLS: Calls = {
    "MQOPEN": lambda connection, _: connection.open("Q", MQOO.OUTPUT),
    "MQCLOSE": lambda _, handle: handle.close(),
    "MQPUT": lambda _, handle: handle.put(Message(b"")),
    "MQPUT1": lambda connection, _: connection.put1("Q", Message(b"")),
    "MQGET": lambda _, handle: handle.get(),
    "MQGET unlock": lambda _, handle: handle.get(GetMessageOptions(MQGMO.UNLOCK)),
    "MQINQ": lambda _, handle: handle.inquire(16),
    "MQSET": lambda _, handle: handle.set({10: 0}),
    "MQBEGIN": lambda connection, _: connection.begin(),
    "MQCMIT": lambda connection, _: connection.commit(),
    "MQBACK": lambda connection, _: connection.back(),
    "MQDISC": lambda connection, _: connection.disconnect(),
}
ALL_WAYS = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT | MQOO.INQUIRE | MQOO.SET


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_m1_8_a_connection_that_was_left_is_2018(
    qmgr: QueueManager, call: Callable[[Connection, ObjectHandle], object]
) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", ALL_WAYS)
    connection.disconnect()

    assert reason_of(lambda: call(connection, handle)) == MQRC.HCONN_ERROR


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_m1_8_a_connection_that_the_queue_manager_broke_is_2009(
    qmgr: QueueManager, call: Callable[[Connection, ObjectHandle], object]
) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", ALL_WAYS)
    qmgr.end(immediate=True)
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN

    qmgr.start()
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_m1_8_a_call_while_another_thread_is_in_one_is_2219(
    qmgr: QueueManager, call: Callable[[Connection, ObjectHandle], object]
) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", ALL_WAYS)
    reasons: list[int] = []
    with connection.call():
        thread = threading.Thread(target=lambda: reasons.append(reason_of(lambda: call(connection, handle))))
        thread.start()
        thread.join()

    assert reasons == [MQRC.CALL_IN_PROGRESS]
    connection.disconnect()


def test_m1_8_a_connection_may_pass_from_thread_to_thread(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", ALL_WAYS)
        thread = threading.Thread(target=lambda: handle.put(Message(b"x"), SYNCPOINT))
        thread.start()
        thread.join()
        connection.commit()

        assert handle.get().body == b"x"


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


def be_collected(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED).put(Message(b"x"), SYNCPOINT)
    del connection
    gc.collect()
    with qmgr.connect():
        pass


@pytest.mark.parametrize("end", [leave_by_an_exception, be_collected])
def test_m1_11_a_program_that_does_not_disconnect_is_backed_out(
    qmgr: QueueManager, end: Callable[[QueueManager], None]
) -> None:
    end(qmgr)

    left = queue_row(qmgr, "Q")
    assert (left.depth, left.input_handles, left.output_handles) == (0, 0, 0)


def test_a_handle_stays_open_when_nobody_holds_it(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.INPUT_SHARED)
        gc.collect()

        assert queue_row(qmgr, "Q").input_handles == 1


def lose_the_connection_and_fail(qmgr: QueueManager) -> None:
    with qmgr.connect():
        qmgr.end(immediate=True)
        raise KeyError


def test_an_exception_in_the_block_is_not_hidden_by_a_broken_connection(qmgr: QueueManager) -> None:
    with pytest.raises(KeyError):
        lose_the_connection_and_fail(qmgr)

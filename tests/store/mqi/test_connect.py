"""MQCONN."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager, Store, open_store
from store.constants import MQOO, MQPMO, MQRC
from store.error import MQError
from store.message import Message, PutMessageOptions
from tests.store.mqi.calls import reason_of
from tests.store.tables import rows

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


@rows(
    ({"application": "half \ud83d a smile"}, "application has an unpaired surrogate at position 5"),
    ({"user": "\udc80"}, "user has an unpaired surrogate at position 0"),
    ({"application": 7}, "application must be str, not int"),
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

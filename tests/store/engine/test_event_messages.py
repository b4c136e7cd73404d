"""Event messages as effects: the attributes they take from their queue and from the queue manager (events R1, R2)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from store.admin.altering import change, change_queue_manager
from store.admin.defining import create
from store.admin.deleting import delete
from store.catalog import KINDS
from store.client.api import QueueManager
from store.engine import queue_events
from store.engine.history import EVENT, Deliver
from store.engine.state import CallContext
from store.headers import pcf
from store.headers.pcf import Parameter
from store.rules.event_message import CONFIGURATION, QUEUE_MANAGER, EventPart
from store.sqlite.database import Transaction
from tests.store.tables import rows

QMGR_EVENT = "SYSTEM.ADMIN.QMGR.EVENT"
FACTS: dict[str, int | str] = {"QMgrName": "QM1", "QName": "Q", "ApplType": 6, "ApplName": "billing"}


@pytest.fixture
def tx(qmgr: QueueManager) -> Iterator[Transaction]:
    with Transaction(qmgr.store.database, durable=False) as transaction:
        yield transaction


@rows(("INHIBTEV", 2051, 2085), ("LOCALEV", 2085, 2051), ("REMOTEEV", 2087, 2085))
def test_an_event_is_enabled_by_the_queue_manager(qmgr: QueueManager, keyword: str, reason: int, others: int) -> None:
    before = call_of(qmgr)
    change_queue_manager(qmgr, {keyword: "ENABLED"})
    after = call_of(qmgr)
    assert [queue_events.is_enabled(call, each) for call in (before, after) for each in (reason, others)] == [
        False,
        False,
        True,
        False,
    ]


def call_of(qmgr: QueueManager) -> CallContext:
    with Transaction(qmgr.store.database, durable=False) as tx:
        return qmgr.call_context(tx)


def test_a_reason_without_an_event_is_not_enabled(qmgr: QueueManager) -> None:
    assert queue_events.is_enabled(call_of(qmgr), 2033) is False


def test_a_switch_without_a_column_is_read_from_the_definition(qmgr: QueueManager) -> None:
    def switch() -> str:
        with Transaction(qmgr.store.database, durable=False) as tx:
            return queue_events.switch(tx, "QM1", "STRSTPEV")

    assert switch() == "ENABLED"
    change_queue_manager(qmgr, {"STRSTPEV": "DISABLED"})
    assert switch() == "DISABLED"


def test_the_effect_of_an_event(qmgr: QueueManager, tx: Transaction) -> None:
    call = qmgr.call_context(tx)
    (effect,) = queue_events.event(tx, call, 2051, FACTS, "Q")
    assert isinstance(effect, Deliver)
    assert (effect.kind, effect.queue, effect.queue_manager, effect.about) == (EVENT, QMGR_EVENT, "", "Q")
    assert (effect.unit, effect.kept, effect.dead_letter, effect.cause) == (None, False, False, "")
    header, parameters = pcf.unpack(effect.body)
    assert (header.command, header.reason, header.control, header.msg_seq_number) == (QUEUE_MANAGER, 2051, pcf.LAST, 1)
    assert [each.value for each in parameters] == ["QM1", "Q", 6, "billing"]
    assert effect.descriptor.correl_id == bytes(24)
    assert effect.descriptor.reply_to_q_mgr == "QM1"
    assert effect.descriptor.coded_char_set_id == call.qmgr.ccsid


def test_priority_and_persistence_are_those_of_the_event_queue(qmgr: QueueManager) -> None:
    change(qmgr, KINDS["QLOCAL"], QMGR_EVENT, {"DEFPRTY": 7, "DEFPSIST": "YES"})
    with Transaction(qmgr.store.database, durable=False) as tx:
        (effect,) = queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q")
    assert isinstance(effect, Deliver)
    assert (effect.descriptor.priority, effect.descriptor.persistence) == (7, 1)


def test_priority_and_persistence_are_those_of_an_alias_in_its_place(qmgr: QueueManager) -> None:
    delete(qmgr, KINDS["QLOCAL"], QMGR_EVENT, purge=True)
    create(qmgr, KINDS["QLOCAL"], "EVENTS", {"DEFPRTY": 1})
    create(qmgr, KINDS["QALIAS"], QMGR_EVENT, {"TARGET": "EVENTS", "DEFPRTY": 5})
    with Transaction(qmgr.store.database, durable=False) as tx:
        (effect,) = queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q")
    assert isinstance(effect, Deliver)
    assert (effect.queue, effect.descriptor.priority) == (QMGR_EVENT, 5)


def test_without_its_queue_there_is_no_event(qmgr: QueueManager) -> None:
    delete(qmgr, KINDS["QLOCAL"], QMGR_EVENT, purge=True)
    with Transaction(qmgr.store.database, durable=False) as tx:
        assert queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q") == []


def test_a_message_of_several_that_belong_together(qmgr: QueueManager, tx: Transaction) -> None:
    content = EventPart(CONFIGURATION, 2368, [Parameter(1016, 1)], b"c" * 24, 2, pcf.NOT_LAST)
    (effect,) = queue_events.message(tx, qmgr.call_context(tx), content, "Q")
    assert isinstance(effect, Deliver)
    header, parameters = pcf.unpack(effect.body)
    assert (effect.queue, effect.descriptor.correl_id) == ("SYSTEM.ADMIN.CONFIG.EVENT", b"c" * 24)
    assert (header.reason, header.msg_seq_number, header.control) == (2368, 2, pcf.NOT_LAST)
    assert parameters == [Parameter(1016, 1)]

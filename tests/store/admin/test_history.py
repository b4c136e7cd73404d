"""Agents append events to the history, and read from it how often a message was moved."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from mqsc import run
from store.admin.defining import create
from store.admin.history import OF_OWNER, record, times_moved
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQGMO, MQOO
from store.descriptor import MessageDescriptor
from store.engine.dequeue import MessageOutcome
from store.message import GetMessageOptions, Message
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.conftest import START
from tests.store.admin.looking import history


def test_an_event_of_an_agent(qmgr: QueueManager) -> None:
    record(qmgr, "PROGRAM", "ended", detail={"exit_status": 3}, queue="APPQ", application="runmqtrm", user="ann")
    (found,) = history(qmgr.store, "APPQ")
    assert (found.kind, found.cause, found.queue, found.target) == ("PROGRAM", "ended", "APPQ", None)
    assert (found.detail, found.at, found.user) == ({"exit_status": 3}, START, "ann")


def test_an_event_about_a_shared_queue_belongs_to_its_group(store: Store) -> None:
    member = store.create_queue_manager("QM1", group="QSG1")
    run(member, "DEFINE CFSTRUCT(APPL1)\nDEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)\nDEFINE QLOCAL(DLQ)")
    record(member, "PROGRAM", "ended", OF_OWNER, detail={"exit_status": 3}, queue="SQ")
    record(member, "DEAD_LETTER", "monitor", OF_OWNER, detail={}, queue="SQ", target="DLQ")
    columns = event.c.qmgr, event.c.detail
    with Reading(store.database) as reading:
        chosen = select(*columns).where(event.c.queue == "SQ", event.c.kind != "DEFINE")
        found = reading.all(Statement(chosen.order_by(event.c.seq)))
    assert found == [("QSG1", '{"member": "QM1", "exit_status": 3}'), ("QM1", None)]


def test_a_queue_manager_that_has_ended_still_has_a_history(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    record(qmgr, "PROGRAM", "started", detail={}, queue="APPQ")
    (found,) = history(qmgr.store, "APPQ")
    assert (found.cause, found.detail, found.user) == ("started", None, "tester")


@pytest.mark.parametrize(("cause", "detail"), [("begun", {}), ("ended", {"status": 3})])
def test_only_what_is_published(qmgr: QueueManager, cause: str, detail: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"PROGRAM has no (begun|status)"):
        record(qmgr, "PROGRAM", cause, detail=detail, queue="APPQ")
    assert history(qmgr.store, "APPQ") == []


def test_how_often_a_message_was_moved(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "A", {})
    first, other = MessageDescriptor(msg_id=b"1"), MessageDescriptor(msg_id=b"1", correl_id=b"c")
    with qmgr.connect() as connection:
        handle = connection.open("A", MQOO.INPUT_SHARED)
        for kind in ("REQUEUE", "FORWARD", "DISCARD"):
            connection.put1("A", Message(b"data", first))
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.commit(MessageOutcome(kind, "command"))
    assert (times_moved(qmgr, "A", first), times_moved(qmgr, "A", other), times_moved(qmgr, "B", first)) == (2, 0, 0)

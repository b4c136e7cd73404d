"""The puts that other events lead back to."""

from __future__ import annotations

from mqsc.script import run
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.message_puts import MessagePuts
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.rules.message_trace import TracedEvent


def of_kind(qmgr: QueueManager, kind: str, queue: str | None = None) -> list[TracedEvent]:
    selection = EventSelection(queue=queue, kinds=frozenset({kind}))
    return [*events(qmgr.store, selection)]


def test_a_message_that_was_put_twice_was_got_where_it_was(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(Q); DEFINE QLOCAL(R)")
    with qmgr.connect("app") as connection:
        for name in ("Q", "R"):
            connection.put1(name, Message(b"data", MessageDescriptor(msg_id=b"M".ljust(24))))
        connection.open("Q", MQOO.INPUT_SHARED).get()
    (got,) = of_kind(qmgr, "GET", "Q")
    learned: list[TracedEvent] = []
    assert MessagePuts(qmgr.store).of(got, learned.append) == of_kind(qmgr, "PUT", "Q")[0]
    assert {each.queue for each in learned} >= {"Q", "R"}


def test_a_put_that_was_not_recorded(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(Q) ACCTQ(OFF)")
    with qmgr.connect("app") as connection:
        connection.put1("Q", Message(b"data"))
    run(qmgr, "ALTER QLOCAL(Q) ACCTQ(QMGR)")
    with qmgr.connect("app") as connection:
        connection.open("Q", MQOO.INPUT_SHARED).get()
    (got,) = of_kind(qmgr, "GET", "Q")
    assert MessagePuts(qmgr.store).of(got) is None


def test_a_backout_undoes_its_own_unit_of_work(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(Q)")
    with qmgr.connect("app") as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        for body in (b"one", b"two"):
            queue.put(Message(body))
            queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.back()
    for backout, got in zip(of_kind(qmgr, "BACKOUT"), of_kind(qmgr, "GET", "Q"), strict=True):
        assert [*MessagePuts(qmgr.store).undone_by(backout)] == [got]

"""Agents append events to the history; it says how often a message was moved, and where it came
from.
"""

from __future__ import annotations

import pytest
from sqlalchemy import select

from mqsc import run
from mqsc.store.admin import message_origins
from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.admin.history import OF_OWNER, record, times_moved
from mqsc.store.admin.message_origins import MessageOrigins
from mqsc.store.admin.peeking import peek
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.conftest import START
from tests.store.admin.backout_queue import BOQ, back_out, move, put
from tests.store.admin.looking import history


def test_an_event_of_an_agent(qmgr: QueueManager) -> None:
    record(
        qmgr,
        "PROGRAM",
        "ended",
        detail={"exit_status": 3},
        queue="APPQ",
        application="runmqtrm",
        user="ann",
    )
    (found,) = history(qmgr.store, "APPQ")
    assert (found.kind, found.cause, found.queue, found.target) == (
        "PROGRAM",
        "ended",
        "APPQ",
        None,
    )
    assert (found.detail, found.at, found.user) == ({"exit_status": 3}, START, "ann")


def test_an_event_about_a_shared_queue_belongs_to_its_group(store: Store) -> None:
    member = store.create_queue_manager("QM1", group="QSG1")
    run(
        member,
        "DEFINE CFSTRUCT(APPL1)\nDEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)\nDEFINE "
        "QLOCAL(DLQ)",
    )
    record(member, "PROGRAM", "ended", OF_OWNER, detail={"exit_status": 3}, queue="SQ")
    record(member, "DEAD_LETTER", "monitor", OF_OWNER, detail={}, queue="SQ", target="DLQ")
    columns = event.c.qmgr, event.c.detail
    with Reading(store.database) as reading:
        chosen = select(*columns).where(event.c.queue == "SQ", event.c.kind != "DEFINE")
        found = reading.all(text_of(chosen.order_by(event.c.seq)))
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
    assert (
        times_moved(qmgr, "A", first),
        times_moved(qmgr, "A", other),
        times_moved(qmgr, "B", first),
    ) == (2, 0, 0)


@pytest.fixture
def shop(qmgr: QueueManager) -> QueueManager:
    """QM1 with queues to move messages between."""
    for name in ("A", "B", BOQ):
        create(qmgr, KINDS["QLOCAL"], name, {})
    create(qmgr, KINDS["QALIAS"], "BOQ.ALIAS", {"TARGET": BOQ})
    return qmgr


def found(shop: QueueManager, queue: str = BOQ) -> list[str | None]:
    """Return the origin of each message, or the reason why it is unknown."""
    origins = MessageOrigins(shop, queue)
    each_origin = [origins.of(each.descriptor) for each in peek(shop, queue)]
    return [None if each is None else each.unknown or each.queue for each in each_origin]


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("target", [BOQ, "BOQ.ALIAS"])
def test_moved(shop: QueueManager, by_hand: bool, target: str) -> None:
    for queue in ("A", "B"):
        back_out(shop, queue, queue, by_hand=by_hand, target=target)
    assert found(shop) == ["A", "B"]


@pytest.mark.parametrize(
    ("off", "by_hand", "expected"),
    [
        (("A",), False, "A"),
        ((BOQ,), False, "A"),
        (("A", BOQ), False, "A"),
        (("A",), True, "put"),
        ((BOQ,), True, "unrecorded"),
    ],
)
def test_without_puts_and_gets(
    shop: QueueManager,
    off: tuple[str, ...],
    by_hand: bool,
    expected: str,
) -> None:
    for name in off:
        change(shop, KINDS["QLOCAL"], name, {"ACCTQ": "OFF"})
    back_out(shop, "A", "x", by_hand=by_hand, target="BOQ.ALIAS")
    assert found(shop) == [expected]


def test_a_program_that_skips_the_backout(shop: QueueManager) -> None:
    """MARK_SKIP_BACKOUT: the message is put on the backout queue in the unit of work after the
    one that got it.
    """
    put(shop, "A", "x")
    with shop.connect("batch", "ann") as connection:
        source = connection.open("A", MQOO.INPUT_SHARED)
        message = source.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT))
        connection.back()
        connection.put1(BOQ, message, PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()
    (message_on_queue,) = peek(shop, BOQ)
    origin = MessageOrigins(shop, BOQ).of(message_on_queue.descriptor)
    assert origin is not None
    assert origin.backouts is not None
    assert (origin.queue, origin.application, origin.backouts.times) == ("A", "batch", 1)


@pytest.mark.parametrize("format", ["MQDEAD", "MQXMIT"])
def test_a_message_with_a_header_of_its_own(shop: QueueManager, format: str) -> None:
    put(shop, "A", "not a header")
    with shop.connect() as connection:
        source = connection.open("A", MQOO.INPUT_SHARED)
        message = source.get(GetMessageOptions(MQGMO.SYNCPOINT))
        message.descriptor.format = format
        connection.put1(BOQ, message, PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()
    assert found(shop) == [None]


def test_a_message_that_arrives_during_a_run(shop: QueueManager) -> None:
    """New events are read when a message is asked for that was not on the queue before."""
    origins = MessageOrigins(shop, BOQ)
    for queue in ("A", "B"):
        back_out(shop, queue, queue)
        *_, last = peek(shop, BOQ)
        origin = origins.of(last.descriptor)
        assert origin is not None
        assert origin.queue == queue


def test_a_copy_for_a_stream_queue(shop: QueueManager) -> None:
    """The copy has the identifiers of the moved message, but was itself never on another queue."""
    change(shop, KINDS["QLOCAL"], "B", {"STREAMQ": BOQ})
    put(shop, "A", "x")
    move(shop, "A", "B", by_hand=True)
    assert found(shop) == ["copy"]


def test_a_long_history(shop: QueueManager, monkeypatch: pytest.MonkeyPatch) -> None:
    """The history is read in ranges; a unit of work may extend over several."""
    monkeypatch.setattr(message_origins, "RANGE", 2)
    for number in range(3):
        back_out(shop, "A", f"{number}", backouts=2, by_hand=True)
    with shop.connect() as connection:
        connection.put1(BOQ, Message(b"x"))
    assert found(shop) == ["A", "A", "A", "put"]

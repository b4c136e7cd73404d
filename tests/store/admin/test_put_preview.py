"""Previews say what a put, a look at a queue, and a consumer will find, and change nothing
(J1-J7, B22-B42).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

import mqsc
from mqsc.store.admin import poison_messages
from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.clearing import clear
from mqsc.store.admin.defining import create
from mqsc.store.admin.peeking import PAGE, peek
from mqsc.store.admin.poison_messages import PoisonPreview, poison_preview
from mqsc.store.admin.put_preview import PutPreview, leads_to
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.poison_message import LEADS_BACK, NOT_NAMED, Action
from tests.store.admin.looking import Frozen, queue_row, refused


@pytest.fixture
def shop(qmgr: QueueManager) -> QueueManager:
    """QM1 with queues of every kind."""
    must = {"STRMQOS": "MUSTDUP"}
    far = {"RNAME": "Q", "RQMNAME": "QM2"}
    for kind, name, given in (
        *(
            ("QLOCAL", "Q", {}),
            ("QLOCAL", "SHORT", {"MAXMSGL": 10}),
            ("QLOCAL", "TWO", {"MAXDEPTH": 2}),
        ),
        *(
            ("QLOCAL", "CLOSED", {"PUT": "DISABLED"}),
            ("QLOCAL", "XMIT", {"USAGE": "XMITQ"}),
            ("QMODEL", "MODEL", {}),
        ),
        *(
            ("QALIAS", "ALIAS", {"TARGET": "Q"}),
            ("QALIAS", "CLOSED.ALIAS", {"TARGET": "Q", "PUT": "DISABLED"}),
        ),
        *(("QALIAS", "NOWHERE", {"TARGET": "NONE"}), ("QALIAS", "TWO.ALIAS", {"TARGET": "TWO"})),
        *(
            ("QREMOTE", "FAR", {**far, "XMITQ": "XMIT"}),
            ("QREMOTE", "FAR.NOWHERE", {**far, "XMITQ": "NONE"}),
        ),
        ("QLOCAL", "COPIED", {"STREAMQ": "TWO", **must}),
        ("QLOCAL", "COPIED.TO.CLOSED", {"STREAMQ": "CLOSED", **must}),
        ("QLOCAL", "COPIED.NOWHERE", {"STREAMQ": "NONE", **must}),
        ("QLOCAL", "COPIED.IF.POSSIBLE", {"STREAMQ": "CLOSED"}),
    ):
        create(qmgr, KINDS[kind], name, given)
    return qmgr


PUTS: list[tuple[str, str, int, dict[str, Any], int]] = [
    *(
        (name, "", 5, {}, 0)
        for name in ("Q", "ALIAS", "FAR", "TWO", "COPIED", "COPIED.IF.POSSIBLE")
    ),
    *((name, "", 5, {}, 2085) for name in ("NONE", "", "A B", "COPIED.NOWHERE")),
    *((name, "", 5, {}, 2051) for name in ("CLOSED", "CLOSED.ALIAS", "COPIED.TO.CLOSED")),
    *(
        ("Q", "QM1", 5, {}, 0),
        ("Q", "A B", 5, {}, 2086),
        ("Q", "QM9", 5, {}, 2087),
        ("FAR.NOWHERE", "", 5, {}, 2196),
    ),
    *(
        ("NOWHERE", "", 5, {}, 2082),
        ("MODEL", "", 5, {}, 2057),
        ("SHORT", "", 10, {}, 0),
        ("SHORT", "", 11, {}, 2030),
    ),
    ("Q", "", 5, {"msg_type": 1}, 2027),
    ("Q", "", 5, {"feedback": -2}, 2014),
    ("Q", "", 5, {"priority": 12}, 2049),
]


def test_a_put(shop: QueueManager) -> None:
    for queue, manager, length, fields, reason in PUTS:
        descriptor = MessageDescriptor(**{"persistence": 0, **fields})
        assert PutPreview(shop).put(queue, manager, descriptor, length).reason == reason, (
            queue,
            manager,
            fields,
        )
        with shop.connect() as connection:
            assert (
                reason_of(connection, queue, Message(b"x" * length, descriptor), manager) == reason
            ), queue
            with suppress(MQError):
                clear(shop, queue)


def reason_of(connection: Connection, queue: str, message: Message, manager: str) -> int:
    """Put a message; return the reason."""
    try:
        connection.put1(queue, message, queue_manager=manager)
    except MQError as error:
        return int(error.reason)
    return message.reason


def test_persistent_messages_on_a_temporary_queue(shop: QueueManager) -> None:
    with shop.connect() as connection:
        name = connection.open("MODEL", MQOO.INPUT_SHARED, dynamic_name="D*").destination.queue.name  # type: ignore[union-attr]
        preview = PutPreview(shop)
        assert [
            preview.put(name, "", MessageDescriptor(persistence=each), 1).reason for each in (0, 1)
        ] == [0, 2048]


def test_messages_and_copies_before_it_count(shop: QueueManager) -> None:
    """Under either name: the queue has room for two."""
    preview, descriptor = PutPreview(shop), MessageDescriptor(persistence=0)
    outlooks = [
        preview.put(name, "", descriptor, 1) for name in ("TWO", "TWO.ALIAS", "TWO", "TWO.ALIAS")
    ]
    assert [(each.reason, each.queue) for each in outlooks] == [
        (0, "TWO"),
        (0, "TWO"),
        (2053, "TWO"),
        (2053, "TWO"),
    ]
    preview, descriptor = PutPreview(shop), MessageDescriptor(persistence=0)
    names = ("COPIED", "TWO", "TWO", "COPIED")
    assert [preview.put(name, "", descriptor, 1).reason for name in names] == [0, 0, 2053, 2053]


def test_a_message_that_goes_back_to_its_queue_needs_no_room(shop: QueueManager) -> None:
    """The message is got first; the space of one that goes elsewhere becomes free."""
    with shop.connect() as connection:
        for _ in range(2):
            connection.put1("TWO", Message(b""))
        preview, descriptor = PutPreview(shop, "TWO"), MessageDescriptor(persistence=0)
        assert [preview.put("TWO", "", descriptor, 1).reason for _ in range(3)] == [0, 0, 0]
        handle = connection.open("TWO", MQOO.INPUT_SHARED)
        handle.get(GetMessageOptions(2))
        connection.put1("TWO", Message(b""), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()


def test_a_preview_is_of_the_moment_it_was_begun(shop: QueueManager) -> None:
    preview = PutPreview(shop)
    assert preview.reason_for("Q", "") == 0
    change(shop, KINDS["QLOCAL"], "Q", {"PUT": "DISABLED"})
    assert preview.put("Q", "", MessageDescriptor(persistence=0), 1).reason == 0
    assert PutPreview(shop).put("Q", "", MessageDescriptor(persistence=0), 1).reason == 2051


def test_where_a_name_leads(shop: QueueManager) -> None:
    for queue, manager, local in (
        *(
            ("Q", "", "Q"),
            ("ALIAS", "QM1", "Q"),
            ("FAR", "", "XMIT"),
            ("NONE", "", ""),
            ("NOWHERE", "", ""),
        ),
        ("", "", ""),
    ):
        assert leads_to(shop, queue, manager) == local, queue
    change_queue_manager(shop, {"DEFXMITQ": "XMIT"})
    assert leads_to(shop, "ANY", "QM9") == "XMIT"


@pytest.fixture
def handle(qmgr: QueueManager) -> ObjectHandle:
    mqsc.run(
        qmgr,
        "DEFINE QLOCAL(Q)\nDEFINE QALIAS(A) TARGET(Q)\nDEFINE QALIAS(N) TARGET(NONE)\nDEFINE "
        "QMODEL(M)",
    )
    return qmgr.connect().open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE)


def bodies(qmgr: QueueManager, queue: str = "Q", most: int | None = None) -> list[bytes]:
    return [each.body for each in peek(qmgr, queue, most)]


@pytest.mark.parametrize("count", [0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE + 3])
def test_every_message_in_delivery_order(
    qmgr: QueueManager,
    handle: ObjectHandle,
    count: int,
) -> None:
    """With several priorities and pages, no message is repeated or omitted."""
    for number in range(count):
        handle.put(Message(b"%d" % number, MessageDescriptor(priority=number % 3)))
    expected = sorted(range(count), key=lambda number: (-(number % 3), number))
    assert bodies(qmgr) == [b"%d" % number for number in expected]
    assert bodies(qmgr, "A") == bodies(qmgr)


def test_the_beginning_of_the_data_and_names_that_lead_to_none(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    handle.put([Message(b"0123456789"), Message(b"01"), Message(b"")])
    for most, bodies in ((4, [b"0123", b"01", b""]), (0, [b"", b"", b""])):
        seen = list(peek(qmgr, "Q", most))
        assert [each.body for each in seen] == bodies
        assert [each.length for each in seen] == [10, 2, 0]
    for name, reason in (("NONE", 2085), ("N", 2085), ("M", 2045)):
        with refused(reason):
            list(peek(qmgr, name))


def test_what_comes_meanwhile_is_left_out(qmgr: QueueManager, handle: ObjectHandle) -> None:
    """Even in front of the page to be read next."""
    for number in range(2 * PAGE):
        handle.put(Message(b"%d" % number, MessageDescriptor(priority=5)))
    seen = peek(qmgr, "Q")
    first = next(seen)
    handle.put(Message(b"new", MessageDescriptor(priority=4)))
    assert [first.body, *(each.body for each in seen)] == [
        b"%d" % number for number in range(2 * PAGE)
    ]


def test_uncommitted_messages_are_not_there(
    qmgr: QueueManager,
    handle: ObjectHandle,
    environment: Frozen,
) -> None:
    """Locked and expired ones are."""
    handle.put([Message(b"locked"), Message(b"expired", MessageDescriptor(expiry=20))])
    handle.get(GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK))
    with qmgr.connect() as other:
        other.put1("Q", Message(b"uncommitted"), PutMessageOptions(MQPMO.SYNCPOINT))
        environment.clock.advance(1.9)
        found = [(each.body, each.is_expired, each.descriptor.expiry) for each in peek(qmgr, "Q")]
        assert found == [(b"locked", False, -1), (b"expired", False, 1)]
        environment.clock.advance(0.1)
        assert [each.is_expired for each in peek(qmgr, "Q")] == [False, True]
        other.back()
    assert bodies(qmgr) == [b"locked", b"expired"]


OBJECTS = (
    "DEFINE QLOCAL(BOQ)\nDEFINE QLOCAL(DLQ)\nDEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(BOQ)\nALTER QMGR "
    "DEADQ(DLQ)\n"
)
FULL, NO_PUT = int(MQRC.Q_FULL), int(MQRC.PUT_INHIBITED)
# (commands, report, persistence, backouts, action, outcome at BOQNAME, outcome at DEADQ)
ROWS: dict[str, tuple[str, int, int, int, Action, int, int]] = {
    "J1": ("ALTER QLOCAL(Q) BOTHRESH(0)", 0, 0, 9, Action.DELIVER, 0, 0),
    "J2": ("", 0, 0, 1, Action.DELIVER, 0, 0),
    "J3": ("", 0, 0, 2, Action.REQUEUE, 0, 0),
    "J4": ("ALTER QLOCAL(BOQ) PUT(DISABLED)", MQRO.DISCARD_MSG, 0, 2, Action.DISCARD, NO_PUT, 0),
    "J5": ("ALTER QLOCAL(Q) BOQNAME(' ')", 0, 0, 2, Action.DEAD_LETTER, NOT_NAMED, 0),
    "J5 full": ("ALTER QLOCAL(BOQ) MAXDEPTH(0)", 0, 0, 2, Action.DEAD_LETTER, FULL, 0),
    "J6 kept": (
        "ALTER QLOCAL(BOQ) MAXDEPTH(0)\nALTER QLOCAL(DLQ) PUT(DISABLED)",
        0,
        1,
        2,
        Action.KEEP,
        FULL,
        NO_PUT,
    ),
    "J6": (
        "ALTER QLOCAL(Q) BOQNAME(' ')\nALTER QMGR DEADQ(' ')",
        0,
        0,
        2,
        Action.DISCARD,
        NOT_NAMED,
        NOT_NAMED,
    ),
    "B38": ("DEFINE QMODEL(M)\nALTER QLOCAL(Q) BOQNAME(M)", 0, 0, 2, Action.DEAD_LETTER, 2057, 0),
    "B42": ("ALTER QLOCAL(BOQ) BOQNAME(Q)", 0, 0, 2, Action.DEAD_LETTER, LEADS_BACK, 0),
    "B42 DLQ": (
        "ALTER QMGR DEADQ(Q)\nALTER QLOCAL(Q) BOQNAME(Q)",
        0,
        1,
        2,
        Action.KEEP,
        LEADS_BACK,
        LEADS_BACK,
    ),
    "too long": (
        "ALTER QLOCAL(DLQ) MAXMSGL(10)\nALTER QLOCAL(Q) BOQNAME(X)",
        0,
        1,
        2,
        Action.KEEP,
        2085,
        2030,
    ),
}
WENT = {
    Action.REQUEUE: ["BOQ"],
    Action.DEAD_LETTER: ["DLQ"],
    Action.DISCARD: [],
    Action.KEEP: ["Q"],
}


def failing(qmgr: QueueManager, *backouts: int, report: int = 0, persistence: int = 0) -> None:
    """Put messages m0, m1 ... and back each out the given number of times."""
    with qmgr.connect("failing", "alice") as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        for number, times in enumerate(backouts):
            name = b"m%d" % number
            queue.put(
                Message(
                    name,
                    MessageDescriptor(msg_id=name, report=report, persistence=persistence),
                ),
            )
            for _ in range(times):
                queue.get(GetMessageOptions(MQGMO.SYNCPOINT, match_options=1, msg_id=name))
                connection.back()


def seen(qmgr: QueueManager, pattern: str = "Q") -> list[PoisonPreview]:
    found = poison_preview(qmgr, pattern)
    assert found is not None
    return list(found)


@pytest.mark.parametrize("name", ROWS)
def test_the_preview_and_what_then_happens(qmgr: QueueManager, name: str) -> None:
    commands, report, persistence, backouts, action, requeue, dead_letter = ROWS[name]
    mqsc.run(qmgr, OBJECTS + commands)
    failing(qmgr, backouts, report=report, persistence=persistence)
    (found,) = seen(qmgr)
    assert (found.action, found.requeue_reason, found.dead_letter_reason) == (
        action,
        requeue,
        dead_letter,
    )
    assert found.last
    assert (found.last.application, found.last.user, found.last.cause) == (
        "failing",
        "alice",
        "application",
    )
    consumer = qmgr.connect().consumer("Q", wait=0)
    if action is Action.KEEP:
        with pytest.raises(MQError, match="2362"):
            consumer.receive()
    else:
        assert (consumer.receive() is not None) == (action is Action.DELIVER)
    if action is not Action.DELIVER:
        assert [name for name in ("Q", "BOQ", "DLQ") if queue_row(qmgr, name).depth] == WENT[action]


def test_messages_that_would_be_moved_before_count(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "ALTER QLOCAL(BOQ) MAXDEPTH(1)")
    failing(qmgr, 2, 1, 0, 2)
    assert [each.action for each in seen(qmgr)] == [
        Action.REQUEUE,
        Action.DELIVER,
        Action.DEAD_LETTER,
    ]


def test_an_expired_message(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "ALTER QLOCAL(Q) CAPEXPRY(10)")
    failing(qmgr, 2)
    qmgr.store.environment.clock.advance(seconds=2)
    assert [each.action for each in seen(qmgr)] == [None]


def test_a_message_that_another_program_has_locked(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "ALTER QLOCAL(Q) CAPEXPRY(10)")
    failing(qmgr, 2)
    with qmgr.connect() as other:
        other.open("Q", MQOO.BROWSE).get(GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK))
        assert [(each.action, each.is_locked) for each in seen(qmgr)] == [(None, True)]
        assert qmgr.connect().consumer("Q", wait=0).receive() is None
    assert [(each.action, each.is_locked) for each in seen(qmgr)] == [(Action.REQUEUE, False)]


def test_a_backout_long_ago(qmgr: QueueManager, monkeypatch: pytest.MonkeyPatch) -> None:
    """The history is read backwards in parts, and the last backout of each message counts."""
    monkeypatch.setattr(poison_messages, "EVENTS", 3)
    mqsc.run(qmgr, OBJECTS)
    failing(qmgr, 2, 1, 3)
    with qmgr.connect("other", "bob") as connection:
        connection.open("Q", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.back()
    assert [each.last and each.last.application for each in seen(qmgr)] == [
        "other",
        "failing",
        "failing",
    ]


def test_a_message_that_skipped_a_backout_was_returned_by_the_next(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS)
    clock = qmgr.store.environment.clock
    with qmgr.connect("failing") as connection:
        connection.put1("Q", Message(b"x"))
        connection.open("Q", MQOO.INPUT_SHARED).get(
            GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT),
        )
        connection.back()
        clock.advance(seconds=60)
        connection.back()
    assert [each.last and each.last.at for each in seen(qmgr)] == [qmgr.now()]


def test_a_history_without_gets_does_not_say_who(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "ALTER QLOCAL(Q) ACCTQ(OFF)")
    failing(qmgr, 2)
    assert [each.last for each in seen(qmgr)] == [None]


def test_names(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "DEFINE QALIAS(IN) TARGET(Q)")
    failing(qmgr, 1)
    assert [each.queue for name in ("Q", "IN", "*", "Q*") for each in seen(qmgr, name)] == ["Q"] * 4
    assert poison_preview(qmgr, "NONE") is None
    assert seen(qmgr, "BOQ") == []

"""Events about single messages."""

from __future__ import annotations

from msgspec.structs import replace

from mqsc.script import run
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQOT
from mqsc.store.descriptor import FIELDS, NO_ID, NO_TOKEN, MessageDescriptor
from mqsc.store.engine.history import cause_of, message_event
from mqsc.store.engine.stored_message import DESCRIPTOR, descriptor_of
from mqsc.store.headers import mqdlh
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql import messages, queues
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import Happened, history

LETTER = mqdlh.DeadLetterHeader(
    2053,
    "LOST",
    "QM9",
    546,
    1208,
    "",
    6,
    "app",
    "20231114",
    "22132000",
)
LETTERED = Message(mqdlh.pack_mqdlh(LETTER) + b"data", MessageDescriptor(format="MQDEAD"))


def puts(qmgr: QueueManager) -> list[Happened]:
    return [each for each in history(qmgr.store, "Q") if each.kind == "PUT"]


def test_the_event_of_a_message_names_its_putter_and_who_causes_the_event(
    qmgr: QueueManager,
) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q) · put m priority=3 expiry=20 correl_id=C msg_id=M")
    with Transaction(qmgr.store.database, durable=False) as tx:
        message = messages.by_id(tx, 2)
        assert message is not None
        call = replace(
            qmgr.call_context(tx),
            now=START + 5,
            connection=8,
            application="agent",
            user="bob",
        )
        event = message_event(call, "EXPIRE", "Q", message, cause="get", detail={"report": "full"})
        queue = queues.by_name(tx, "QM1", "Q")
        assert queue is not None
        about = cause_of(call, queue)
    assert event._asdict() == {
        **{
            "at": START + 5,
            "qmgr": "QM1",
            "kind": "EXPIRE",
            "cause": "get",
            "queue": "Q",
            "target": None,
        },
        **{
            "msg_id": b"M".ljust(24, b"\0"),
            "correl_id": b"C".ljust(24, b"\0"),
            "priority": 3,
            "persistence": 0,
        },
        **{
            "length": 1,
            "put_at": START,
            "expires_at": START + 2_000_000,
            "put_application": "A",
            "put_user": "a",
        },
        **{
            "unit": None,
            "connection": 8,
            "application": "agent",
            "user": "bob",
            "reason": None,
            "rule": None,
        },
        "detail": '{"report": "full"}',
    }
    assert about == (START + 5, "QM1", "Q", 8, "agent", "bob")


def test_a_dead_letter_is_recorded_with_its_reason_and_destination_among_other_messages(
    qmgr: QueueManager,
) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · open Q output as Q")
    plain, claims = Message(b"x"), Message(b"short", MessageDescriptor(format="MQDEAD"))
    lists = ([LETTERED, plain, plain, LETTERED], [plain, claims], [plain, LETTERED, plain])
    for given in lists:
        play.handles["A", "Q", "put"].put(given)
    detail = {"destination": "LOST", "destination_queue_manager": "QM9"}
    with Reading(qmgr.store.database) as reading:
        found = reading.connection.execute(
            "SELECT id FROM published_message WHERE queue = 'Q'",
        ).fetchall()
    numbers = [number for (number,) in found]
    numbered = zip((message for given in lists for message in given), numbers, strict=True)
    expected = [
        {**detail, "message_number": number} if each is LETTERED else None
        for each, number in numbered
    ]
    assert [each.detail for each in puts(qmgr)] == expected


def test_copies_of_a_publication_are_recorded_in_their_order_with_what_their_data_says(
    qmgr: QueueManager,
) -> None:
    run(
        qmgr,
        """
        DEFINE QLOCAL(Q)
        DEFINE QLOCAL(FULL) MAXDEPTH(0)
        ALTER QMGR DEADQ(Q)
        DEFINE SUB(A) TOPICSTR(T) DEST(Q)
        DEFINE SUB(B) TOPICSTR(T) DEST(FULL)
        DEFINE SUB(C) TOPICSTR(T) DEST(Q)
        DEFINE SUB(D) TOPICSTR(T) DEST(Q)
        DEFINE SUB(E) TOPICSTR(T) DEST(FULL)
        """,
        check=True,
    )
    topic = qmgr.connect().open("", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string="T")
    for _ in range(2):
        topic.put(Message(b"x"))
    found = [(each.detail["subscription"], each.reason) for each in puts(qmgr)]
    assert found == [("A", None), ("B", 2053), ("C", None), ("D", None), ("E", 2053)] * 2
    numbers = [each.detail.get("message_number") for each in puts(qmgr)]
    with Reading(qmgr.store.database) as reading:
        found_ids = reading.connection.execute(
            "SELECT id FROM published_message WHERE queue = 'Q' ORDER BY id"
        ).fetchall()
    ids = [id for (id,) in found_ids]
    assert [number for number in numbers if number] == [ids[at] for at in (1, 4, 6, 9)]
    msg_ids = [each.msg_id for each in puts(qmgr)]
    queue = topic.connection.open("Q", MQOO.INPUT_SHARED)
    assert msg_ids == [queue.get().descriptor.msg_id for _ in msg_ids]


def test_a_row_holds_the_fields_of_a_descriptor_together_and_in_order() -> None:
    assert list(StoredMessage._fields)[DESCRIPTOR] == list(FIELDS)


def stored(qmgr: QueueManager, fields: str) -> StoredMessage:
    """Put a message with these fields; return its row."""
    Play(qmgr).run(f"DEFINE QLOCAL(Q) · put m {fields}")
    with Reading(qmgr.store.database) as reading:
        found = messages.by_id(reading, 2)
    assert found is not None
    return found


# (Expiry as put, seconds since the put, Expiry as got)
@rows(
    (-1, 99, -1),
    (50, 0, 50),
    (50, 0.09, 50),
    (50, 0.1, 49),
    (50, 4.9, 1),
    (50, 5, 1),
    (50, 9, 1),
    (50, -1, 50),
)
def test_expiry_is_what_remains_and_at_least_1(
    qmgr: QueueManager,
    expiry: int,
    seconds: float,
    left: int,
) -> None:
    found = stored(qmgr, f"expiry={expiry}")
    assert descriptor_of(found, START + round(seconds * 1_000_000)).expiry == left


def test_ids_that_are_not_stored_are_zero(qmgr: QueueManager) -> None:
    found = stored(qmgr, "priority=3 msg_id=M no-context")
    assert (found.correl_id, found.accounting_token, found.group_id) == (None, None, None)
    made = descriptor_of(found, START + 5)
    assert (made.correl_id, made.accounting_token, made.group_id) == (NO_ID, NO_TOKEN, NO_ID)
    assert (made.priority, made.msg_id, made.put_at) == (3, b"M".ljust(24, b"\0"), START)


def test_ids_that_are_stored_are_kept_and_the_time_of_the_put_tells_its_date(
    qmgr: QueueManager,
) -> None:
    made = descriptor_of(stored(qmgr, "correl_id=C group_id=G flags=MSG_IN_GROUP"), START)
    assert (made.correl_id[:1], made.group_id[:1], made.put_date) == (b"C", b"G", "20231114")


TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def traced(connection: Connection, value: str | int) -> PutMessageOptions:
    handle = connection.create_message_handle()
    handle.set("traceparent", value)
    return PutMessageOptions(message_handle=handle)


def test_a_put_has_the_trace_that_the_program_names(qmgr: QueueManager) -> None:
    run(
        qmgr,
        "DEFINE QLOCAL(Q); DEFINE QLOCAL(XQ) USAGE(XMITQ)\n"
        "DEFINE QREMOTE(FAR) RNAME(Q) RQMNAME(QM2) XMITQ(XQ)",
    )
    with qmgr.connect("app") as connection:
        queue, far = (connection.open(each, MQOO.OUTPUT) for each in ("Q", "FAR"))
        queue.put(Message(b"plain"))
        queue.put(Message(b"data"), traced(connection, TRACEPARENT))
        queue.put(Message(b"data"), traced(connection, "00-secret"))
        queue.put(Message(b"data"), traced(connection, 7))
        far.put(Message(b"data"), traced(connection, TRACEPARENT))
    told = {"traceparent": TRACEPARENT}
    assert [each.detail for each in puts(qmgr)] == [None, told, None, None]
    (sent,) = (each for each in history(qmgr.store, "XQ") if each.kind == "PUT")
    assert sent.detail == told


def test_a_dead_letter_has_its_trace_and_its_destination(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(SOURCE); DEFINE QLOCAL(Q)")
    with qmgr.connect("app") as connection:
        source = connection.open("SOURCE", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        source.put(Message(b"data"), traced(connection, TRACEPARENT))
        got = source.get(GetMessageOptions(property_control="FORCE"))
        letter = replace(LETTER, format=got.descriptor.format, encoding=got.descriptor.encoding)
        body = mqdlh.pack_mqdlh(letter) + got.body
        connection.open("Q", MQOO.OUTPUT).put(Message(body, MessageDescriptor(format="MQDEAD")))
    (put,) = puts(qmgr)
    assert (put.detail["destination"], put.detail["traceparent"]) == ("LOST", TRACEPARENT)
    assert put.reason == 2053

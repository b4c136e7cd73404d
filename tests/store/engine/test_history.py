"""Events about single messages."""

from __future__ import annotations

from msgspec.structs import replace

from store.client.api import QueueManager
from store.descriptor import MessageDescriptor
from store.engine.history import cause_of, message_event
from store.headers import mqxqh
from store.message import Message
from store.sql import messages, queues
from store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.scenarios.play import Play
from tests.store.admin.looking import Happened, history

LETTER = mqxqh.DeadLetterHeader(2053, "LOST", "QM9", 546, 1208, "", 6, "app", "20231114", "22132000")
LETTERED = Message(mqxqh.pack_mqdlh(LETTER) + b"data", MessageDescriptor(format="MQDEAD"))


def puts(qmgr: QueueManager) -> list[Happened]:
    return [each for each in history(qmgr.store, "Q") if each.kind == "PUT"]


def test_the_event_of_a_message_names_its_putter_and_who_causes_the_event(qmgr: QueueManager) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q)\nput m priority=3 expiry=20 correl_id=C msg_id=M")
    with Transaction(qmgr.store.database, durable=False) as tx:
        message = messages.by_id(tx, 2)
        assert message is not None
        call = replace(qmgr.call_context(tx), now=START + 5, connection=8, application="agent", user="bob")
        event = message_event(call, "EXPIRE", "Q", message, cause="get", detail='{"report": "full"}')
        queue = queues.by_name(tx, "QM1", "Q")
        assert queue is not None
        about = cause_of(call, queue)
    assert event._asdict() == {
        "at": START + 5,
        "qmgr": "QM1",
        "kind": "EXPIRE",
        "cause": "get",
        "queue": "Q",
        "target": None,
        "msg_id": b"M".ljust(24, b"\0"),
        "correl_id": b"C".ljust(24, b"\0"),
        "priority": 3,
        "persistence": 0,
        "length": 1,
        "put_at": START,
        "expires_at": START + 2_000_000,
        "put_application": "A",
        "put_user": "a",
        "unit": None,
        "connection": 8,
        "application": "agent",
        "user": "bob",
        "reason": None,
        "rule": None,
        "detail": '{"report": "full"}',
    }
    assert about == (START + 5, "QM1", "Q", 8, "agent", "bob")


def test_a_dead_letter_is_recorded_with_its_reason_and_destination_among_other_messages(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nopen Q output as Q")
    plain, claims = Message(b"x"), Message(b"short", MessageDescriptor(format="MQDEAD"))
    lists = ([LETTERED, plain, plain, LETTERED], [plain, claims], [plain, LETTERED, plain])
    for given in lists:
        play.handles["A", "Q", "put"].put(given)
    detail = {"destination": "LOST", "destination_queue_manager": "QM9"}
    with Reading(qmgr.store.database) as reading:
        numbers = [
            number
            for (number,) in reading.connection.execute("SELECT id FROM published_message WHERE queue = 'Q'").fetchall()
        ]
    numbered = zip((message for given in lists for message in given), numbers, strict=True)
    expected = [{**detail, "message_number": number} if each is LETTERED else None for each, number in numbered]
    assert [each.detail for each in puts(qmgr)] == expected

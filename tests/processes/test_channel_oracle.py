"""Each point of the oracle detects its faults: a channel runs correctly, then the test corrupts one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text

from mqsc.channels.end import RECEIVER, SENDER, ChannelEnd
from mqsc.channels.sync_record import SyncRecord, SyncRecords
from store.client.api import Connection, QueueManager
from store.constants import MQFB, MQMO, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.rules.channel.numbers import PartnerIdentity
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement
from tests.processes.channel_oracle import POINTS, Sent, faults, identifier
from tests.processes.channel_world import MESSAGES, UNDELIVERABLE, Bench, Kind, World, nothing, opened, set_speed

Break = Callable[[World], object]


@pytest.fixture
def world(bench: Bench) -> Iterator[World]:
    """Two queue managers in one store, before the first run."""
    with opened(bench.begin(two=False)) as world:
        yield world


def moved(world: World, kind: Kind = Kind.MIXED) -> list[Sent]:
    """Put messages and move them to QM2."""
    set_speed(world, kind)
    sent = world.put(kind, range(1, MESSAGES + 1))
    assert not world.run(nothing).failed
    return sent


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_nothing_is_wrong_with_a_channel_that_did_well(world: World, kind: Kind) -> None:
    assert faults(world.route(), moved(world, kind)) == []


def take(qmgr: QueueManager, queue: str, number: int) -> Message:
    """Get message `number` of the channel."""
    options = GetMessageOptions(match_options=MQMO.MATCH_MSG_ID, msg_id=identifier("C", number))
    with qmgr.connect("breaker") as connection:
        return connection.open(queue, MQOO.INPUT_SHARED).get(options)


def put(qmgr: QueueManager, queue: str, message: Message) -> None:
    """Put a message with all its context, including its MsgId."""
    with qmgr.connect("breaker") as connection:
        handle = connection.open(queue, MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT)
        handle.put(message, PutMessageOptions(MQPMO.SET_ALL_CONTEXT))


def again(number: int, queue: str = "Q") -> Break:
    """Duplicate a message."""

    def act(world: World) -> None:
        message = take(world.qm2, queue, number)
        put(world.qm2, queue, message)
        put(world.qm2, queue, message)

    return act


def last(number: int) -> Break:
    """Move a message behind the others of its priority."""
    return lambda world: put(world.qm2, "Q", take(world.qm2, "Q", number))


def lost(number: int, queue: str = "Q") -> Break:
    return lambda world: take(world.qm2, queue, number)


def with_another_id(world: World) -> None:
    """Change the MsgId of a message, but not its data."""
    message = take(world.qm2, "Q", 4)
    message.descriptor.msg_id = identifier("C", 99)
    put(world.qm2, "Q", message)


def with_another_number(world: World) -> None:
    """Change the number in a message's data, but not its MsgId."""
    message = take(world.qm2, "Q", 4)
    put(world.qm2, "Q", Message(b"C 8 " + message.body[4:], message.descriptor))


def other_record(qmgr: QueueManager, role: str, change: Callable[[SyncRecord], SyncRecord]) -> None:
    """Replace the record of an end by another."""
    with qmgr.connect("breaker") as connection:
        end, partner = ChannelEnd(qmgr, "C", role, {}, print), PartnerIdentity("QM2" if role == SENDER else "QM1")
        records = SyncRecords(connection, end, partner)
        records.replace(change(records.read()), 0)
        connection.commit()


def of_another_batch(world: World) -> None:
    other_record(world.qm2, RECEIVER, lambda record: SyncRecord(record.luwid, 7))


def erased(world: World) -> None:
    other_record(world.qm1, SENDER, lambda record: SyncRecord())


def in_doubt(world: World) -> None:
    """Leave a prepared unit of the channel."""
    with world.qm1.connect("breaker") as connection:
        handle = connection.open("REPLIES", MQOO.OUTPUT)
        handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("C", "6553F10000990010")


def still_there(world: World) -> None:
    """Leave an unsent message on the transmission queue."""
    world.put(Kind.PERSISTENT, [4])


_KEPT: list[Connection] = []


def open_handle(world: World) -> None:
    """Leave the target open."""
    connection = world.qm2.connect("breaker")
    connection.open("Q", MQOO.OUTPUT)
    _KEPT.append(connection)


def wrong_depth(world: World) -> None:
    execute(world, "UPDATE queue SET depth = depth + 1 WHERE owner = 'QM2' AND name = 'Q'")


def execute(world: World, statement: str) -> None:
    """Change the store's tables directly."""
    with Transaction(world.store.database, durable=False) as tx:
        tx.run(Statement(text(statement)))


BATCH_EVENT = "kind = 'CHANNEL' AND cause = 'batch' AND qmgr = '{}'"


def no_event(qmgr: str) -> Break:
    """Delete a batch event from the history of one end."""
    first = f"(SELECT min(seq) FROM event WHERE {BATCH_EVENT.format(qmgr)})"
    return lambda world: execute(world, f"DELETE FROM event WHERE seq = {first}")


def two_events(qmgr: str) -> Break:
    """Duplicate a batch event in the history of one end."""
    columns = "at, qmgr, kind, cause, queue, target, connection, application, user, detail"
    return lambda world: execute(
        world, f"INSERT INTO event ({columns}) SELECT {columns} FROM event WHERE {BATCH_EVENT.format(qmgr)} LIMIT 1"
    )


def false_report(world: World) -> None:
    """Put an expiration report for a delivered message."""
    told = MessageDescriptor(feedback=int(MQFB.EXPIRATION), correl_id=identifier("C", 4), persistence=1)
    put(world.qm1, "REPLIES", Message(b"", told))


def false_expiration(world: World) -> None:
    """Record a delivered message as expired."""
    execute(
        world,
        "INSERT INTO event (at, qmgr, kind, cause, queue, msg_id, application, user) VALUES"
        f" (0, 'QM2', 'EXPIRE', 'scan', 'Q', x'{identifier('C', 4).hex()}', '', '')",
    )


FAULTS: list[tuple[str, Kind, Break, str]] = [
    ("exactly once", Kind.NORMAL, lost(4), "message 4 is lost"),
    ("exactly once", Kind.PERSISTENT, lost(UNDELIVERABLE, "DLQ"), "message 2 is lost"),
    ("exactly once", Kind.PERSISTENT, again(4), "message 4 is there 2 times"),
    ("exactly once", Kind.PERSISTENT, again(UNDELIVERABLE, "DLQ"), "message 2 is there 2 times"),
    ("exactly once", Kind.PERSISTENT, with_another_id, "was never put"),
    ("exactly once", Kind.PERSISTENT, with_another_number, "message 8 is there 2 times"),
    ("order", Kind.PERSISTENT, last(4), "number 4 of priority 4 is behind 8"),
    ("order", Kind.PERSISTENT, lost(6), "number 6 of priority 4 is missing between others"),
    ("FAST", Kind.FAST, again(4), "FAST message 4 is there 2 times"),
    ("FAST", Kind.FAST, last(4), "number 4 of priority 4 is behind 8"),
    ("FAST", Kind.FAST, lost(4), "FAST message 4 is lost in a batch that was committed"),
    ("records", Kind.PERSISTENT, of_another_batch, "the sender's record is"),
    ("records", Kind.PERSISTENT, erased, "the sender's record is"),
    ("records", Kind.PERSISTENT, in_doubt, "the batch 6553F10000990010 is in doubt"),
    ("nothing left", Kind.PERSISTENT, in_doubt, "is prepared"),
    ("nothing left", Kind.PERSISTENT, still_there, "X holds 1 messages"),
    ("nothing left", Kind.PERSISTENT, open_handle, "Q at QM2 has 1 handles"),
    ("nothing left", Kind.PERSISTENT, open_handle, "breaker is connected to QM2"),
    ("nothing left", Kind.PERSISTENT, wrong_depth, "CURDEPTH of Q at QM2 is 8, but it holds 7"),
    ("one event a batch", Kind.PERSISTENT, no_event("QM1"), "has an event at only one end"),
    ("one event a batch", Kind.PERSISTENT, no_event("QM2"), "has an event at only one end"),
    ("one event a batch", Kind.PERSISTENT, two_events("QM1"), "has 2 events at the sender and 1 at the receiver"),
    ("one event a batch", Kind.PERSISTENT, two_events("QM2"), "hold 11 messages, but 8 have arrived"),
    ("no false expiration", Kind.PERSISTENT, false_report, "there is an expiration report for message 4"),
    ("no false expiration", Kind.PERSISTENT, false_expiration, "message 4 has expired, but was delivered"),
]


@pytest.mark.parametrize(("point", "kind", "action", "fault"), FAULTS)
def test_what_is_wrong_is_found(world: World, point: str, kind: Kind, action: Break, fault: str) -> None:
    sent = moved(world, kind)
    action(world)
    found = faults(world.route(), sent)
    assert any(each.startswith(f"{point}: ") and fault in each for each in found), found


def test_a_fast_message_that_was_never_got_is_no_loss_in_flight(world: World) -> None:
    sent = [*moved(world, Kind.FAST), Sent(99, 4, fast=True)]
    assert faults(world.route(), sent) == ["FAST: FAST message 99 is lost, and the channel has never got it"]


def test_a_fast_message_in_flight_may_be_lost(world: World) -> None:
    """It was got, and its process committed no batch afterwards."""
    sent = world.put(Kind.FAST, [1])
    with world.qm1.connect("breaker") as connection:
        connection.open("X", MQOO.INPUT_SHARED).get()
    assert faults(world.route(), sent) == []


def test_every_point_is_tested() -> None:
    assert list(POINTS) == list(dict.fromkeys(point for point, *_ in FAULTS))

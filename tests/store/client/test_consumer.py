"""Consumers as Python objects: arguments, iteration, how they end, and the state after a
failure.
"""

from __future__ import annotations

import logging
import random
from typing import Any

import pytest

import mqsc
from mqsc.store.client.connection import Connection
from mqsc.store.client.consumer import OPEN_OPTIONS, Consumer
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.looking import waiting_on
from tests.store.admin.looking import events, queue_row

SYNCPOINT_PUT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    list(
        mqsc.run(
            qmgr,
            "DEFINE QLOCAL(BOQ)\nDEFINE QLOCAL(Q) BOTHRESH(1) BOQNAME(BOQ) DEFPSIST(YES)",
        ),
    )
    return qmgr.connect("consumer", "me")


def put(connection: Connection, *bodies: bytes) -> None:
    queue = connection.open("Q", MQOO.OUTPUT)
    queue.put([Message(body) for body in bodies])
    queue.close()


def run(connection: Connection, *commands: str) -> None:
    mqsc.run(connection.qmgr, "\n".join(commands), check=True)


def on(connection: Connection, queue: str) -> list[str]:
    return waiting_on(connection.qmgr, queue)


def make_poison(connection: Connection, *bodies: bytes) -> None:
    """Put messages, and back out all messages of the queue once."""
    put(connection, *bodies)
    queue = connection.open("Q", MQOO.INPUT_SHARED)
    for _ in on(connection, "Q"):
        queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    connection.back()
    queue.close()


def test_iteration_ends_when_no_message_comes(connection: Connection) -> None:
    put(connection, b"m1", b"m2")
    with connection.consumer("Q", wait=0) as consumer:
        assert [message.body for message in consumer] == [b"m1", b"m2"]
        assert consumer.delivered == 2
    connection.commit()
    assert queue_row(connection.qmgr, "Q").depth == 0


def test_the_limit_counts_messages_given_to_the_program(connection: Connection) -> None:
    make_poison(connection, b"poison")
    put(connection, b"m1", b"m2", b"m3")
    consumer = connection.consumer("Q", wait=0, limit=2)
    assert [message.body for message in consumer] == [b"m1", b"m2"]
    assert consumer.receive() is None


def test_leaving_the_block_closes_the_queue_and_leaves_the_unit_open(
    connection: Connection,
) -> None:
    put(connection, b"m1")
    with connection.consumer("Q", wait=0) as consumer:
        consumer.receive()
    assert queue_row(connection.qmgr, "Q").input_handles == 0
    connection.back()
    assert on(connection, "Q") == ["m1"]


def test_a_wait_ends_by_the_clock(connection: Connection) -> None:
    make_poison(connection, b"m1")
    connection.qmgr.store.environment.clock.advance(seconds=1)
    assert connection.consumer("Q", wait=0).receive() is None
    assert on(connection, "BOQ") == ["m1"]


@pytest.mark.parametrize(
    ("name", "least", "given"),
    [("wait", -1, -2), ("limit", 0, -1), ("batch", 1, 0)],
)
def test_settings_are_checked(connection: Connection, name: str, least: int, given: int) -> None:
    settings: Any = {name: given}
    with pytest.raises(ValueError, match=f"{name} must be {least} or more, not {given}"):
        connection.consumer("Q", **settings)


def test_a_queue_that_another_program_has_exclusively(connection: Connection) -> None:
    """Of an alias, only its base is named."""
    run(connection, "DEFINE QALIAS(IN) TARGET(Q)")
    with connection.consumer("IN") as consumer:
        assert consumer.queue == "Q"
    other = connection.qmgr.connect()
    other.open("Q", MQOO.INPUT_EXCLUSIVE)
    with pytest.raises(MQError) as refused:
        connection.consumer("Q")
    assert refused.value.reason == MQRC.OBJECT_IN_USE


def test_a_failing_listener_is_logged_and_goes_on(
    connection: Connection,
    caplog: pytest.LogCaptureFixture,
) -> None:
    put(connection, b"bad", b"good")
    given = []

    def deliver(message: Message) -> None:
        given.append(message.body)
        if message.body == b"bad":
            raise ValueError("no such customer")

    with caplog.at_level(logging.ERROR):
        connection.consumer("Q", wait=0).listen(deliver)
    assert given == [b"bad", b"good"]
    assert "no such customer" in caplog.text
    assert on(connection, "BOQ") == ["bad"]


def test_a_listener_puts_in_the_same_unit_of_work(connection: Connection) -> None:
    run(connection, "DEFINE QLOCAL(OUT)")
    out = connection.open("OUT", MQOO.OUTPUT)
    put(connection, b"bad", b"good")

    def deliver(message: Message) -> None:
        out.put(Message(b"reply to " + message.body), SYNCPOINT_PUT)
        if message.body == b"bad":
            raise ValueError

    connection.consumer("Q", wait=0).listen(deliver, lambda message, error: None)
    assert on(connection, "OUT") == ["reply to good"]


def test_an_interruption_backs_nothing_out_by_itself(connection: Connection) -> None:
    """It ends the listener, but the unit of work stays open until the program or the end of the
    connection decides.
    """
    put(connection, b"m1")

    def deliver(message: Message) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), connection:
        connection.consumer("Q", wait=0).listen(deliver)
    assert on(connection, "Q") == ["m1"]


def test_a_stopped_listener_commits_what_it_has_delivered(connection: Connection) -> None:
    put(connection, b"m1", b"m2", b"m3")
    run(connection, "ALTER QLOCAL(Q) BOTHRESH(5)")
    consumer = connection.consumer("Q", wait=0, batch=3)
    consumer.listen(lambda message: consumer.stop() if message.body == b"m2" else None)
    assert on(connection, "Q") == ["m3"]
    assert consumer.receive() is None


def test_a_full_unit_of_work_loses_no_message(connection: Connection) -> None:
    """MAXUMSGS makes the put to the backout queue fail with 2024, and the get is undone."""
    make_poison(connection, b"m1")
    run(connection, "DEFINE QLOCAL(OUT)\nALTER QMGR MAXUMSGS(2)")
    connection.put1("OUT", Message(b"work"), SYNCPOINT_PUT)
    with pytest.raises(MQError) as refused:
        connection.consumer("Q", wait=0).receive()
    assert refused.value.reason == MQRC.SYNCPOINT_LIMIT_REACHED
    connection.commit()
    assert on(connection, "Q") == ["m1"]
    assert on(connection, "OUT") == []


def test_a_batch_ends_where_the_unit_of_work_is_full(connection: Connection) -> None:
    """MAXUMSGS may be lower than the batch size; an error would back out the program's work."""
    run(connection, "ALTER QMGR MAXUMSGS(2)\nALTER QLOCAL(Q) BOTHRESH(5)")
    put(connection, b"m1", b"m2")
    put(connection, b"m3")
    consumer = connection.consumer("Q", wait=0, batch=10)
    assert [each.body for each in next(consumer.units())] == [b"m1", b"m2"]
    connection.back()
    seen: list[bytes] = []
    alone = connection.consumer("Q", wait=0, batch=10)
    alone.listen(lambda message: seen.append(message.body))
    assert (seen, alone.committed) == ([b"m1", b"m2", b"m3"], 3)
    assert on(connection, "Q") == []


def test_what_is_backed_out_with_a_failing_message_is_not_committed(connection: Connection) -> None:
    run(connection, "ALTER QLOCAL(Q) BOTHRESH(2)")
    put(connection, b"m1", b"bad", b"m3")
    consumer = connection.consumer("Q", wait=0, batch=3)
    consumer.listen(lambda message: 1 / (message.body != b"bad"), lambda message, error: None)
    assert (consumer.delivered, consumer.committed) == (5, 2)


def test_a_unit_of_work_ends_before_a_message_that_was_backed_out(connection: Connection) -> None:
    """Two new bad messages in front of a good one, one after the other, must not take it to its
    threshold.
    """
    run(connection, "ALTER QLOCAL(Q) BOTHRESH(2)")
    consumer = connection.consumer("Q", wait=0, batch=4)
    put(connection, b"good")
    for number, bodies in enumerate(([b"bad0", b"good"], [b"bad1"], [b"bad2"])):
        connection.put1("Q", Message(bodies[0], MessageDescriptor(priority=number + 1)))
        assert [each.body for each in next(consumer.units())] == bodies
        connection.back()
    processed: list[bytes] = []
    for unit in consumer.units():
        if any(each.body.startswith(b"bad") for each in unit):
            connection.back()
        else:
            processed += [each.body for each in unit]
            connection.commit()
    assert processed == [b"good"]
    assert on(connection, "BOQ") == ["bad2", "bad1", "bad0"]


@pytest.mark.parametrize("seed", range(3))
def test_innocent_messages_do_not_become_poison(connection: Connection, seed: int) -> None:
    """Two consumers take units in turn and back out those with a bad message."""
    run(connection, "ALTER QLOCAL(Q) BOTHRESH(2)")
    chance = random.Random(seed)
    put(connection, *(b"good" if chance.random() < 0.6 else b"bad" for _ in range(60)))
    connections = [connection.qmgr.connect() for _ in range(2)]
    consumers = [each.consumer("Q", wait=0, batch=5) for each in connections]
    held: list[list[Message]] = [[], []]
    idle = 0
    while idle < 10:
        number = chance.randrange(2)
        if held[number]:
            bad = any(each.body == b"bad" for each in held[number])
            (connections[number].back if bad else connections[number].commit)()
            held[number] = []
            continue
        held[number] = next(consumers[number].units(), [])
        idle = 0 if held[number] or held[1 - number] else idle + 1
    assert set(on(connection, "BOQ")) == {"bad"}


def test_the_history_tells_why_a_message_moved(connection: Connection) -> None:
    make_poison(connection, b"m1")
    connection.consumer("Q", wait=0).receive()
    (moved,) = events(connection.qmgr.store, "REQUEUE")
    assert (moved.cause, moved.queue, moved.target, moved.reason) == ("poison", "Q", "BOQ", None)
    assert moved.detail == {"backout_count": 1, "threshold": 1, "backout_queue": "BOQ"}


def test_the_history_tells_which_queue_refused_a_message(connection: Connection) -> None:
    make_poison(connection, b"m1")
    run(
        connection,
        "ALTER QLOCAL(BOQ) MAXDEPTH(0)",
        "DEFINE QLOCAL(D) PUT(DISABLED)",
        "ALTER QMGR DEADQ(D)",
    )
    with pytest.raises(MQError):
        connection.consumer("Q", wait=0).receive()
    detail = next(
        each.detail for each in events(connection.qmgr.store, "BACKOUT") if each.cause == "poison"
    )
    assert detail["Q"] == {"puts": 0, "gets": 1}
    message = {
        "queue": "Q",
        "msg_id": detail["kept message"]["msg_id"],
        "backout_count": 1,
        "threshold": 1,
    }
    assert detail["kept message"] == {
        **{**message, "backout_queue": "BOQ", "backout_queue_reason": MQRC.Q_FULL},
        **{"dead_letter_queue": "D", "dead_letter_reason": MQRC.PUT_INHIBITED},
    }


def test_an_interrupted_listener_backs_out(connection: Connection) -> None:
    def interrupted(message: Message) -> None:
        raise KeyboardInterrupt

    put(connection, b"x")
    with pytest.raises(KeyboardInterrupt), connection.consumer("Q", wait=0) as consumer:
        consumer.listen(interrupted)
    connection.disconnect()
    assert on(connection, "Q") == ["x"]


def test_a_listener_that_is_interrupted_between_two_messages_backs_out(
    connection: Connection,
) -> None:
    """The first message of the unit had been processed, but not committed."""
    seen: list[bytes] = []

    def got(options: GetMessageOptions) -> Message:
        if seen:
            raise KeyboardInterrupt
        return handle.get(options)

    run(connection, "ALTER QLOCAL(Q) BOTHRESH(5)")
    put(connection, b"x")
    handle = connection.open("Q", OPEN_OPTIONS)
    consumer = Consumer(connection, handle, got, handle.close, wait=0, batch=2)
    with pytest.raises(KeyboardInterrupt):
        consumer.listen(lambda message: seen.append(message.body))
    connection.disconnect()
    assert (seen, on(connection, "Q")) == ([b"x"], ["x"])


def test_a_listener_does_not_join_an_open_unit_of_work(connection: Connection) -> None:
    """And it calls only what can be called."""
    put(connection, b"x")
    with connection.consumer("Q", wait=0) as consumer:
        wrong: Any = (None,), (print, 5)
        for each in wrong:
            with pytest.raises(TypeError, match="must be callable"):
                consumer.listen(*each)
        assert consumer.receive() is not None
        with pytest.raises(MQError) as refused:
            consumer.listen(print)
        assert refused.value.reason == MQRC.UOW_IN_PROGRESS
        connection.back()
    assert on(connection, "Q") == ["x"]

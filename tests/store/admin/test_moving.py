"""MOVE QLOCAL: the messages of one queue become those of another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from store.admin import create, move, refresh_expiry
from store.admin.clearing import BATCH
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQGMO, MQOO, MQPMO, MQRC, MQRCCF
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.looking import history, queue_row

QLOCAL = KINDS["QLOCAL"]


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    for name in ("HERE", "THERE"):
        create(qmgr, QLOCAL, name, {})
    create(qmgr, QLOCAL, "SMALL", {"MAXDEPTH": 2, "MAXMSGL": 5})
    create(qmgr, QLOCAL, "FIFO", {"MSGDLVSQ": "FIFO", "DEFPRTY": 4})
    create(qmgr, KINDS["QALIAS"], "ALIAS", {"TARGET": "HERE"})
    return qmgr


def put(qmgr: QueueManager, queue: str, *texts: str, **fields: int) -> None:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT)
        handle.put([Message(text.encode(), MessageDescriptor(**fields)) for text in texts])  # type: ignore[arg-type]


def got(qmgr: QueueManager, queue: str) -> Iterator[Message]:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.INPUT_SHARED)
        while True:
            try:
                yield handle.get(GetMessageOptions(MQGMO.NO_WAIT))
            except MQError:
                return


def bodies(qmgr: QueueManager, queue: str) -> list[str]:
    return [message.body.decode() for message in got(qmgr, queue)]


def test_messages_keep_everything_but_their_queue(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    put(qmgr, "HERE", "low", priority=1)
    environment.clock.advance(5)
    put(qmgr, "HERE", "high", priority=7, expiry=600)
    assert move(qmgr, "HERE", "THERE") == 2
    here, there = queue_row(qmgr, "HERE"), queue_row(qmgr, "THERE")
    assert (here.depth, here.earliest_expiry, there.depth, there.puts, here.gets) == (0, None, 2, 0, 0)
    assert there.earliest_expiry is not None
    high, low = got(qmgr, "THERE")
    assert [high.body, low.body] == [b"high", b"low"]
    assert (high.descriptor.priority, high.descriptor.expiry) == (7, 600)
    assert low.descriptor.put_time < high.descriptor.put_time


def test_they_stand_behind_those_that_are_there(qmgr: QueueManager) -> None:
    put(qmgr, "HERE", "c", "d")
    put(qmgr, "THERE", "a", "b")
    assert move(qmgr, "HERE", "THERE", add=True) == 2
    put(qmgr, "THERE", "e")
    assert bodies(qmgr, "THERE") == ["a", "b", "c", "d", "e"]


def test_the_target_says_by_which_priority_they_stand(qmgr: QueueManager) -> None:
    put(qmgr, "HERE", "low", priority=1)
    put(qmgr, "HERE", "high", priority=7)
    move(qmgr, "HERE", "FIFO")
    put(qmgr, "FIFO", "later", priority=9)
    move(qmgr, "FIFO", "THERE")
    put(qmgr, "THERE", "last", priority=1)
    assert bodies(qmgr, "THERE") == ["later", "high", "low", "last"]


def test_a_fifo_queue_keeps_the_order_of_arrival(qmgr: QueueManager) -> None:
    put(qmgr, "HERE", "low", priority=1)
    put(qmgr, "HERE", "high", priority=7)
    move(qmgr, "HERE", "FIFO")
    assert bodies(qmgr, "FIFO") == ["low", "high"]


@pytest.mark.parametrize(
    ("source", "target", "reason", "name"),
    [
        ("HERE", "HERE", MQRCCF.OBJECT_NAME_ERROR, "HERE"),
        ("HERE", "NONE", MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ("NONE", "HERE", MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ("ALIAS", "THERE", MQRCCF.OBJECT_WRONG_TYPE, "ALIAS"),
        ("HERE", "ALIAS", MQRCCF.OBJECT_WRONG_TYPE, "ALIAS"),
        ("THERE", "HERE", MQRC.Q_NOT_EMPTY, "HERE"),
        ("HERE", "SMALL", MQRC.Q_FULL, "SMALL"),
        ("LONG", "SMALL", MQRC.MSG_TOO_BIG_FOR_Q, "SMALL"),
    ],
)
def test_refused(qmgr: QueueManager, source: str, target: str, reason: int, name: str) -> None:
    create(qmgr, QLOCAL, "LONG", {})
    put(qmgr, "HERE", "1", "2", "3")
    put(qmgr, "LONG", "too long")
    with pytest.raises(MQError) as caught:
        move(qmgr, source, target)
    assert (caught.value.reason, caught.value.object_name) == (reason, name)
    assert queue_row(qmgr, "HERE").depth == 3


@pytest.mark.parametrize("opened", ["HERE", "THERE", "ALIAS"])
def test_nobody_may_have_either_open(qmgr: QueueManager, opened: str) -> None:
    with qmgr.connect() as connection:
        connection.open(opened, MQOO.BROWSE)
        with pytest.raises(MQError) as caught:
            move(qmgr, "HERE", "THERE")
    assert caught.value.reason == MQRC.OBJECT_IN_USE


@pytest.mark.parametrize("queue", ["HERE", "THERE"])
def test_no_unit_of_work_may_hold_messages_of_either(qmgr: QueueManager, queue: str) -> None:
    put(qmgr, "HERE", "x")
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT)
        handle.put(Message(b"y"), PutMessageOptions(MQPMO.SYNCPOINT))
        handle.close()
        with pytest.raises(MQError) as caught:
            move(qmgr, "HERE", "THERE")
        connection.back()
    assert caught.value.reason == MQRC.Q_NOT_EMPTY
    assert move(qmgr, "HERE", "THERE") == 1


def test_what_was_moved_expires_where_it_is(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    put(qmgr, "HERE", "x", expiry=10)
    move(qmgr, "HERE", "THERE")
    environment.clock.advance(2)
    assert [scan.discarded for scan in refresh_expiry(qmgr, "THERE")] == [1]


def test_a_long_queue_moves_in_parts_and_in_order(store: Store, qmgr: QueueManager) -> None:
    count = BATCH + 10
    texts = [str(number) for number in range(count)]
    create(qmgr, QLOCAL, "LONG", {"MAXDEPTH": count})
    create(qmgr, QLOCAL, "LONGER", {"MAXDEPTH": count})
    put(qmgr, "LONG", *texts)
    assert move(qmgr, "LONG", "LONGER") == count
    told = [(each.kind, each.target, each.detail) for each in history(store, "LONG") if each.kind == "MOVE"]
    assert told == [("MOVE", "LONGER", {"messages": BATCH}), ("MOVE", "LONGER", {"messages": 10})]
    assert bodies(qmgr, "LONGER") == texts


def test_an_empty_queue(store: Store, qmgr: QueueManager) -> None:
    assert move(qmgr, "HERE", "THERE") == 0
    assert [each.detail for each in history(store, "HERE") if each.kind == "MOVE"] == [{"messages": 0}]

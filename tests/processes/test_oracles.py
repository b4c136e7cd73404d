"""The oracles of channels and of owners find every kind of mistake that they are there for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mqsc.store.client.connection import Connection
from mqsc.store.constants import MQFB, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql.core.schema import message
from mqsc.store.sqlite.database import Transaction
from tests.processes.campaign import Broken
from tests.processes.channel_oracle import POINTS, Sent, faults, identifier
from tests.processes.channel_world import (
    MESSAGES,
    UNDELIVERABLE,
    Bench,
    Kind,
    World,
    nothing,
    opened,
    set_speed,
)
from tests.processes.owner_driver import HistoryRow, Life, Oracle
from tests.rows import rows

Break = Callable[[World], object]


@pytest.fixture
def world(bench: Bench) -> Iterator[World]:
    """Two queue managers in one store, before the first run."""
    with opened(bench.begin(two=False)) as world:
        yield world


def moved(world: World, kind: Kind = Kind.MIXED) -> list[Sent]:
    set_speed(world, kind)
    sent = world.put(kind, range(1, MESSAGES + 1))
    assert not world.run(nothing).failed
    return sent


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_nothing_is_wrong_with_a_channel_that_did_well(world: World, kind: Kind) -> None:
    assert faults(world.route(), moved(world, kind)) == []


QUEUE = "(SELECT id FROM queue WHERE owner = '{}' AND name = '{}')"
MESSAGE = f"substr(msg_id, 1, 3) = CAST('C.{{}}' AS BLOB) AND queue = {QUEUE.format('QM2', '{}')}"
COLUMNS = ", ".join(
    column.name for column in message.columns if column.name not in ("id", "sequence")
)
BATCH_EVENT = "kind = 'CHANNEL' AND cause = 'batch' AND qmgr = '{}'"
TOLD = "at, qmgr, kind, cause, queue, target, connection, application, user, detail"


def changed(statement: str) -> Break:

    def change(world: World) -> None:
        with Transaction(world.store.database, durable=False) as tx:
            tx.run(statement)

    return change


def lost(number: int, queue: str = "Q") -> Break:
    return changed(f"DELETE FROM message WHERE {MESSAGE.format(number, queue)}")


def again(number: int, queue: str = "Q") -> Break:
    copied = f"SELECT {COLUMNS}, sequence + 1000 FROM message WHERE {MESSAGE.format(number, queue)}"
    return changed(f"INSERT INTO message ({COLUMNS}, sequence) {copied}")


def with_another(column: str, value: str) -> Break:
    """Change message 4: its MsgId, the number in its data, or its place behind the others of its
    priority.
    """
    return changed(f"UPDATE message SET {column} = {value} WHERE {MESSAGE.format(4, 'Q')}")


def without_record(qmgr: str) -> Break:
    return changed(
        f"DELETE FROM message WHERE queue = {QUEUE.format(qmgr, 'SYSTEM.CHANNEL.SYNCQ')}",
    )


def in_doubt(world: World) -> None:
    with world.qm1.connect("breaker") as connection:
        connection.put1("REPLIES", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("C", "6553F10000990010")


_KEPT: list[Connection] = []


def open_handle(world: World) -> None:
    _KEPT.append(world.qm2.connect("breaker"))
    _KEPT[-1].open("Q", MQOO.OUTPUT)


def no_event(qmgr: str) -> Break:
    return changed(
        "DELETE FROM event WHERE seq = (SELECT min(seq) FROM event WHERE "
        f"{BATCH_EVENT.format(qmgr)})",
    )


def two_events(qmgr: str) -> Break:
    return changed(
        f"INSERT INTO event ({TOLD}) SELECT {TOLD} FROM event WHERE {BATCH_EVENT.format(qmgr)} "
        "LIMIT 1",
    )


def false_report(world: World) -> None:
    told = MessageDescriptor(
        feedback=int(MQFB.EXPIRATION),
        correl_id=identifier("C", 4),
        persistence=1,
    )
    with world.qm1.connect("breaker") as connection:
        options = PutMessageOptions(MQPMO.SET_ALL_CONTEXT)
        connection.open("REPLIES", MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT).put(
            Message(b"", told),
            options,
        )


WRONG_DEPTH = "UPDATE queue SET depth = depth + 1 WHERE owner = 'QM2' AND name = 'Q'"
FALSE_EXPIRATION = f"""
    INSERT INTO event (at, qmgr, kind, cause, queue, msg_id, application, user)
    VALUES (0, 'QM2', 'EXPIRE', 'scan', 'Q', x'{identifier("C", 4).hex()}', '', '')
"""
FAULTS: list[tuple[str, Kind, Break, str]] = [
    ("exactly once", Kind.NORMAL, lost(4), "message 4 is lost"),
    ("exactly once", Kind.PERSISTENT, lost(UNDELIVERABLE, "DLQ"), "message 2 is lost"),
    ("exactly once", Kind.PERSISTENT, again(4), "message 4 is there 2 times"),
    ("exactly once", Kind.PERSISTENT, again(UNDELIVERABLE, "DLQ"), "message 2 is there 2 times"),
    (
        "exactly once",
        Kind.PERSISTENT,
        with_another("msg_id", "CAST('C.99' AS BLOB)"),
        "was never put",
    ),
    (
        "exactly once",
        Kind.PERSISTENT,
        with_another("body", "CAST('C 8 ' AS BLOB)"),
        "message 8 is there 2 times",
    ),
    (
        "order",
        Kind.PERSISTENT,
        with_another("sequence", "999"),
        "number 4 of priority 4 is behind 8",
    ),
    ("order", Kind.PERSISTENT, lost(6), "number 6 of priority 4 is missing between others"),
    ("FAST", Kind.FAST, again(4), "FAST message 4 is there 2 times"),
    ("FAST", Kind.FAST, with_another("sequence", "999"), "number 4 of priority 4 is behind 8"),
    ("FAST", Kind.FAST, lost(4), "FAST message 4 is lost in a batch that was committed"),
    ("records", Kind.PERSISTENT, without_record("QM2"), "the sender's record is"),
    ("records", Kind.PERSISTENT, without_record("QM1"), "the sender's record is"),
    ("records", Kind.PERSISTENT, in_doubt, "the batch 6553F10000990010 is in doubt"),
    ("nothing left", Kind.PERSISTENT, in_doubt, "is prepared"),
    (
        "nothing left",
        Kind.PERSISTENT,
        lambda world: world.put(Kind.PERSISTENT, [4]),
        "X holds 1 messages",
    ),
    ("nothing left", Kind.PERSISTENT, open_handle, "Q at QM2 has 1 handles"),
    ("nothing left", Kind.PERSISTENT, open_handle, "breaker is connected to QM2"),
    (
        "nothing left",
        Kind.PERSISTENT,
        changed(WRONG_DEPTH),
        "CURDEPTH of Q at QM2 is 8, but it holds 7",
    ),
    ("one event a batch", Kind.PERSISTENT, no_event("QM1"), "has an event at only one end"),
    ("one event a batch", Kind.PERSISTENT, no_event("QM2"), "has an event at only one end"),
    (
        "one event a batch",
        Kind.PERSISTENT,
        two_events("QM1"),
        "has 2 events at the sender and 1 at the receiver",
    ),
    (
        "one event a batch",
        Kind.PERSISTENT,
        two_events("QM2"),
        "hold 11 messages, but 8 have arrived",
    ),
    (
        "no false expiration",
        Kind.PERSISTENT,
        false_report,
        "there is an expiration report for message 4",
    ),
    (
        "no false expiration",
        Kind.PERSISTENT,
        changed(FALSE_EXPIRATION),
        "message 4 has expired, but was delivered",
    ),
]


@rows(*FAULTS)
def test_what_is_wrong_is_found(
    world: World,
    point: str,
    kind: Kind,
    action: Break,
    fault: str,
) -> None:
    sent = moved(world, kind)
    action(world)
    found = faults(world.route(), sent)
    assert any(each.startswith(f"{point}: ") and fault in each for each in found), found


def test_a_fast_message_that_was_never_got_is_no_loss_in_flight(world: World) -> None:
    sent = [*moved(world, Kind.FAST), Sent(99, 4, fast=True)]
    assert faults(world.route(), sent) == [
        "FAST: FAST message 99 is lost, and the channel has never got it",
    ]


def test_a_fast_message_in_flight_may_be_lost(world: World) -> None:
    """It was got, and its process committed no batch afterwards."""
    sent = world.put(Kind.FAST, [1])
    with world.qm1.connect("breaker") as connection:
        connection.open("X", MQOO.INPUT_SHARED).get()
    assert faults(world.route(), sent) == []


def test_every_point_is_tested() -> None:
    assert list(POINTS) == list(dict.fromkeys(point for point, *_ in FAULTS))


def row(
    kind: str,
    qmgr: str,
    cause: str | None = None,
    *,
    target: str | None = None,
    **detail: Any,
) -> HistoryRow:
    return HistoryRow(0, kind, cause, qmgr, None, target, b"M", json.dumps(detail))


def alter(member: str, value: int | str) -> HistoryRow:
    return row("ALTER", member, EXPRYINT=["OFF", value])


def owner(cause: str, target: str | None, member: str, before: str = "") -> HistoryRow:
    return row(
        "OWNER",
        "QSG1",
        cause,
        target=target,
        member=member,
        **({"from": before} if before else {}),
    )


def expire(member: str, cause: str = "interval") -> HistoryRow:
    return row("EXPIRE", "QSG1", cause, member=member)


def judge(rows: list[HistoryRow], *lives: Life) -> Oracle:
    oracle = Oracle("QSG1", list(lives))
    oracle.read(each._replace(seq=number) for number, each in enumerate(rows, start=1))
    return oracle


BOTH = [
    row("START", "QM1"),
    row("START", "QM2"),
    alter("QM2", 5),
    owner("alter", "QM2", "QM2"),
    alter("QM1", 5),
]
# The number of the event after those.
NEXT = len(BOTH) + 1


def test_a_history_without_a_mistake() -> None:
    history = [
        *BOTH,
        *(
            row("PUT", "QSG1"),
            expire("QM2"),
            owner("takeover", "QM1", "QM1", "QM2"),
            row("END", "QM1"),
        ),
        *(
            owner("end", "QM2", "QM1", "QM1"),
            alter("QM2", "OFF"),
            owner("alter", None, "QM2", "QM2"),
        ),
        *(row("START", "QM1"), owner("start", "QM1", "QM1")),
    ]
    oracle = judge(history, Life("QM2", 0, NEXT + 1), Life("QM2", NEXT + 2, 99))
    oracle.finish()
    assert oracle.changes == {"alter": 2, "takeover": 1, "end": 1, "start": 1}


@rows(
    ([expire("QM1")], "QM1 scanned, the owner is QM2"),
    ([expire("QM2"), expire("QM2")], "expired twice"),
    ([expire("QM1", "restart")], "QM1 scanned at its start while"),
    ([row("END", "QM2"), expire("QM1")], "the owner is QM2, candidates"),
    ([row("END", "QM2"), owner("end", None, "QM2", "QM2")], "makes None the owner"),
    ([owner("takeover", "QM1", "QM1", "QM2")], "for which a serve runs"),
    ([owner("takeover", "QM3", "QM3", "QM2")], "makes QM3 the owner"),
    ([owner("alter", "QM1", "QM1", "QM2")], "makes QM1 the owner"),
    ([owner("alter", "QM2", "QM1", "QM1")], "makes QM2 the owner"),
    (
        [
            alter("QM2", "OFF"),
            owner("alter", "QM1", "QM2", "QM2"),
            row("START", "QM3"),
            expire("QM2"),
        ],
        "QM2 scanned",
    ),
)
def test_mistakes_that_it_finds(rows: list[HistoryRow], said: str) -> None:
    with pytest.raises(Broken, match=said):
        judge([*BOTH, *rows], Life("QM2", 0, 99))


def test_a_message_that_nobody_discarded() -> None:
    with pytest.raises(Broken, match="1 messages have no EXPIRE event"):
        judge([*BOTH, row("PUT", "QSG1")]).finish()

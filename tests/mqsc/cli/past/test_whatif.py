"""`mqsc whatif`: what other definitions, rules and scans would have changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mqsc import run
from mqsc.store.admin.imported_records import FoundRecord, add_records
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql.rows import EventRow
from mqsc.store.sqlite.database import Reading
from tests.mqsc.conftest import Command

START = 1_772_355_600_000_000  # 2026-03-01T09:00
SINCE = "2026-03-01T09:00"
MINUTE = 60_000_000
DEFINITIONS = """DEFINE QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(BACK)
DEFINE QLOCAL(BACK)
DEFINE QLOCAL(OTHER)
DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(SMALL) MAXDEPTH(1)
DEFINE QLOCAL(INIT)
DEFINE PROCESS(P)
ALTER QMGR DEADQ(DLQ)"""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[QueueManager]:
    """A queue manager in the store of `mqsc`, with a manual clock."""
    environment = Environment.frozen(at=START, user="anna", application="shop")
    with open_store(f"sqlite:///{tmp_path}/store.db", environment) as store:
        made = store.create_queue_manager("SHOP", manual_clock_at=START)
        run(made, DEFINITIONS, check=True)
        yield made


def later(shop: QueueManager, minutes: float = 1) -> None:
    at = shop.now() + round(minutes * MINUTE)
    shop.store.environment.clock.set(at)
    shop.set_clock(at)


def put(shop: QueueManager, queue: str, number: int, expiry: int = -1) -> None:
    with shop.connect("shop") as connection:
        connection.put1(
            queue,
            Message(b"x", MessageDescriptor(msg_id=bytes([number]) * 24, expiry=expiry)),
        )


def get(shop: QueueManager, queue: str, backouts: int = 0) -> None:
    """Get a message, after backing it out some times."""
    with shop.connect("billing") as connection:
        source = connection.open(queue, int(MQOO.INPUT_SHARED))
        for _ in range(backouts):
            source.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
            connection.back()
        source.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))


class Rows(list[dict[str, Any]]):
    """The rows of an answer."""

    def of(self, type: str, *columns: str) -> list[tuple[Any, ...]]:
        return [tuple(row[each] for each in columns) for row in self if row["type"] == type]


def answer(mqsc: Command, *arguments: str) -> Rows:
    ended = mqsc("whatif", "--since", SINCE, "--format", "jsonl", *arguments)
    assert ended.code in (0, 2), ended.err
    found = Rows(map(json.loads, ended.out.splitlines()))
    assert (ended.code == 2) == bool(found)
    return found


def _rows(shop: QueueManager) -> list[Any]:
    with Reading(shop.store.database) as reading:
        return [
            reading.execute(f"SELECT * FROM {each}", ()).fetchall()
            for each in ("event", "message", "queue")
        ]


def test_a_smaller_queue(shop: QueueManager, mqsc: Command) -> None:
    for number in range(1, 5):
        later(shop)
        put(shop, "ORDERS", number)
    get(shop, "ORDERS")
    was = _rows(shop)
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) MAXDEPTH(2)")
    assert found.of("call", "call", "queue", "at", "reason", "name", "application") == [
        ("MQPUT", "ORDERS", "2026-03-01T09:03:00Z", MQRC.Q_FULL, "MQRC_Q_FULL", "shop"),
        ("MQPUT", "ORDERS", "2026-03-01T09:04:00Z", MQRC.Q_FULL, "MQRC_Q_FULL", "shop"),
    ]
    assert found.of(
        "depth",
        "queue",
        "greatest",
        "would_be_greatest",
        "at_end",
        "would_be_at_end",
    ) == [
        ("ORDERS", 4, 2, 3, 1),
    ]
    assert _rows(shop) == was
    assert answer(mqsc, "ALTER QLOCAL(ORDERS) MAXDEPTH(4)") == []
    lines = mqsc("whatif", "--since", SINCE, "ALTER QLOCAL(ORDERS) PUT(DISABLED)").lines
    assert "5 calls would have failed:" in lines
    assert "2051 MQRC_PUT_INHIBITED" in lines[3]


def test_a_program_that_is_no_longer_followed(shop: QueueManager, mqsc: Command) -> None:
    later(shop)
    with shop.connect("feeder") as feeder:
        target = feeder.open("ORDERS", int(MQOO.OUTPUT))
        for number in range(1, 5):
            target.put(Message(b"x", MessageDescriptor(msg_id=bytes([number]) * 24)))
            later(shop)
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) MAXDEPTH(1)")
    assert found.of("call", "at", "reason") == [("2026-03-01T09:02:00Z", MQRC.Q_FULL)]
    assert found.of("program", "application", "not_played") == [("feeder", 2)]
    text = mqsc("whatif", "--since", SINCE, "ALTER QLOCAL(ORDERS) MAXDEPTH(1)").out
    assert "no longer followed after that:\n  feeder, connection 1: 2 calls\n" in text


def test_expiry(shop: QueueManager, mqsc: Command) -> None:
    later(shop)
    put(shop, "ORDERS", 1)
    put(shop, "ORDERS", 2, expiry=600)
    later(shop, 2)
    put(shop, "ORDERS", 3)
    get(shop, "ORDERS")
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) CAPEXPRY(900)")
    assert found.of("message", "fate", "would_have", "queue", "msg_id") == [
        ("expired", True, "ORDERS", "01" * 24),
    ]
    assert found.of("call", "call", "received") == [("MQGET", "03" * 24)]
    # A scan finds the second message before the get does.
    for how in (["ALTER QMGR EXPRYINT(30)"], ["--refresh", "every 30s"]):
        assert answer(mqsc, *how).of("message", "fate", "at", "before") == [
            ("been discarded at another time", "2026-03-01T09:02:00Z", "2026-03-01T09:03:00Z"),
        ]
    later(shop, 10)
    put(shop, "OTHER", 4, expiry=600)
    later(shop, 10)
    get_nothing = shop.connect("billing")
    with pytest.raises(Exception, match="2033"):
        get_nothing.open("OTHER", int(MQOO.INPUT_SHARED)).get()
    get_nothing.disconnect()
    for how in (["ALTER QMGR EXPRYINT(30)"], ["--refresh", "every 30s"]):
        assert answer(mqsc, *how).of("message", "fate", "queue", "at", "before")[1:] == [
            (
                "been discarded at another time",
                "OTHER",
                "2026-03-01T09:14:00Z",
                "2026-03-01T09:23:00Z",
            ),
        ]


def test_backouts(shop: QueueManager, mqsc: Command) -> None:
    later(shop)
    put(shop, "ORDERS", 1)
    get(shop, "ORDERS", backouts=2)
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) BOTHRESH(1)")
    gone = "gone to a backout queue"
    assert found.of("message", "fate", "would_have", "target", "msg_id") == [
        (gone, True, "BACK", "01" * 24),
    ]
    assert found.of("call", "call", "reason", "received") == [("MQGET", None, None)]
    later(shop)
    put(shop, "ORDERS", 2)
    with shop.connect("worker") as connection:
        consumer = connection.consumer("ORDERS", wait=0)
        for _ in consumer.units():
            connection.back()
    assert answer(mqsc, "ALTER QLOCAL(ORDERS) BOTHRESH(3)") == []
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) BOQNAME(OTHER)")
    assert found.of("message", "would_have", "target") == [(True, "OTHER"), (False, "BACK")]
    assert [row[0] for row in found.of("depth", "queue")] == ["BACK", "OTHER"]
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) BOTHRESH(9)")
    assert found.of("message", "fate", "would_have", "msg_id") == [(gone, False, "02" * 24)]
    assert found.of("call", "received") == [("02" * 24,)]


def test_triggers(shop: QueueManager, mqsc: Command) -> None:
    run(shop, "ALTER QLOCAL(ORDERS) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)", check=True)
    later(shop)
    with shop.connect("monitor") as monitor:
        monitor.open("INIT", int(MQOO.INPUT_SHARED))
        for number in range(1, 4):
            put(shop, "ORDERS", number)
            later(shop)
    since = "2026-03-01T09:00"
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) TRIGTYPE(EVERY)")
    assert found.of("message", "fate", "would_have", "at") == [
        ("triggered", True, "2026-03-01T09:02:00Z"),
        ("triggered", True, "2026-03-01T09:03:00Z"),
    ]
    text = mqsc("whatif", "--since", since, "ALTER QLOCAL(ORDERS) NOTRIGGER").out
    assert "1 time would not have triggered:\n  2026-03-01T09:01:00Z  ORDERS to INIT" in text


def test_rules(shop: QueueManager, mqsc: Command, tmp_path: Path) -> None:
    later(shop)
    with shop.connect("mover") as mover:
        # In a unit of work, as channels put dead letters.
        mover.open("DLQ", MQOO.INPUT_SHARED)
        letter = Message(
            _header("ORDERS") + b"data",
            MessageDescriptor(format="MQDEAD", msg_id=b"\7" * 24),
        )
        mover.put1("DLQ", letter, PutMessageOptions(MQPMO.SYNCPOINT))
        mover.open("ORDERS", MQOO.INPUT_SHARED)
        mover.commit()
    (tmp_path / "new.rul").write_text("REASON(MQRC_Q_FULL) ACTION(FWD) FWDQ(OTHER) HEADER(NO)\n")
    found = answer(mqsc, "--rules", "new.rul")
    assert found.of("message", "fate", "would_have", "target", "msg_id") == [
        ("been moved or discarded by the handler", True, "OTHER", "07" * 24),
    ]
    assert [row[0] for row in found.of("depth", "queue")] == ["DLQ", "OTHER"]
    # The rules that ran are replaced.
    (tmp_path / "old.rul").write_text("INPUTQ(DLQ) WAIT(NO)\nREASON(MQRC_Q_FULL) ACTION(DISCARD)\n")
    assert mqsc("dlq", "run", "old.rul").code == 0
    assert len(answer(mqsc, "--rules", "new.rul").of("message", "would_have")) == 2
    # Their data is gone, unless it was kept.
    warning = "messages gone since have data only if it was kept"
    assert warning in mqsc("whatif", "--since", SINCE, "--rules", "new.rul").err
    assert warning not in mqsc("whatif", "--since", SINCE, "ALTER QLOCAL(SMALL) DESCR('x')").err
    (tmp_path / "bad.rul").write_text("ACTION(NONSENSE)\n")
    assert mqsc("whatif", "--since", SINCE, "--rules", "bad.rul").code == 10


def test_a_dead_letter_whose_destination_would_take_it(shop: QueueManager, mqsc: Command) -> None:
    later(shop)
    put(shop, "SMALL", 1)
    with shop.connect("mover") as mover:
        mover.put1(
            "DLQ",
            Message(
                _header("SMALL") + b"data",
                MessageDescriptor(format="MQDEAD", msg_id=b"\7" * 24),
            ),
        )
    found = answer(mqsc, "ALTER QLOCAL(SMALL) MAXDEPTH(2)")
    assert found.of("call", "call", "queue", "reason", "msg_id") == [
        ("MQPUT", "DLQ", None, "07" * 24),
    ]
    assert not answer(mqsc, "ALTER QLOCAL(SMALL) DESCR('x')")
    text = mqsc("whatif", "--since", SINCE, "ALTER QLOCAL(SMALL) MAXDEPTH(2)").out
    assert (
        "1 dead letter would not have been put, because the destination would take the message:"
        in text
    )


def _header(destination: str) -> bytes:
    return (
        b"DLH \1\0\0\0"
        + (2053).to_bytes(4, "little")
        + destination.encode().ljust(48)
        + b"SHOP".ljust(48)
        + (546).to_bytes(4, "little")
        + (1208).to_bytes(4, "little")
        + b"MQSTR   "
        + (6).to_bytes(4, "little")
        + b"mover".ljust(28)
        + b"2026030109000000"
    )


def test_what_was_changed_later_stays_as_tried(shop: QueueManager, mqsc: Command) -> None:
    later(shop)
    run(shop, "ALTER QLOCAL(ORDERS) MAXDEPTH(100) DESCR('later')", check=True)
    put(shop, "ORDERS", 1)
    put(shop, "ORDERS", 2)
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) MAXDEPTH(1)")
    assert found.of("call", "reason") == [(MQRC.Q_FULL,)]


def test_mistakes(shop: QueueManager, mqsc: Command) -> None:
    later(shop)
    put(shop, "ORDERS", 1)
    alter = "ALTER QLOCAL(ORDERS) MAXDEPTH(1)"
    assert mqsc("whatif", "--since", SINCE).code == 20
    assert mqsc("whatif", alter).code == 20
    assert mqsc("whatif", "--since", SINCE, "--until", SINCE, alter).code == 20
    assert mqsc("whatif", "--since", "2020-01-01", alter).code == 10
    failed = mqsc("whatif", "--since", SINCE, "ALTER QLOCAL(NONE) MAXDEPTH(1)")
    assert (failed.code, failed.out) == (10, "")
    assert "ALTER QLOCAL(NONE) MAXDEPTH(1)" in failed.err
    for schedule in ("5m", "every", "every x", "every 0s"):
        assert mqsc("whatif", "--since", SINCE, "--refresh", schedule).code == 20


def test_a_msg_id_that_expires_again_expires_at_no_other_time(
    shop: QueueManager,
    mqsc: Command,
) -> None:
    for _ in range(2):
        put(shop, "ORDERS", 7, expiry=600)
        later(shop, 5)
        run(shop, "REFRESH QMGR TYPE(EXPIRY)", check=True)
    assert answer(mqsc, "ALTER QLOCAL(ORDERS) DESCR('x')") == []


def test_depths_are_those_of_the_queues_of_the_queue_manager(
    shop: QueueManager,
    mqsc: Command,
) -> None:
    other = shop.store.create_queue_manager("OTHER", manual_clock_at=shop.now())
    run(other, "DEFINE QLOCAL(ORDERS)", check=True)
    later(shop)
    for number in range(1, 4):
        put(shop, "ORDERS", number)
        put(other, "ORDERS", number)
    found = answer(mqsc, "ALTER QLOCAL(ORDERS) MAXDEPTH(2)")
    columns = ("queue", "greatest", "would_be_greatest", "at_end", "would_be_at_end")
    assert found.of("depth", *columns) == [("ORDERS", 3, 2, 3, 2)]


def test_imported_events_are_no_calls(shop: QueueManager, mqsc: Command) -> None:
    later(shop)
    elsewhere = EventRow(1, "ELSEWHERE", "PUT", queue="ORDERS", msg_id=bytes([9]) * 24, put_at=1)
    add_records(shop.store, [FoundRecord("1", [elsewhere])])
    put(shop, "ORDERS", 1)
    ended = mqsc("whatif", "--since", SINCE, "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    assert "does not say enough" not in ended.err
    assert "1 call would have failed:" in ended.lines
    assert "  ORDERS: at most 0 in place of 1, at the end 0 in place of 1" in ended.lines

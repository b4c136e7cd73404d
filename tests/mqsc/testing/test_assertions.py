"""The assertions for tests of programs: when they hold, and what they say when they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import mqsc
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQFMT, MQGMO, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.layout import NATIVE
from mqsc.store.headers.mqdlh import DeadLetterHeader, pack_mqdlh
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.testing import (
    assert_dead_lettered,
    assert_depth_stayed_below,
    assert_expired,
    assert_on_queue,
    assert_quiet,
    assert_triggered,
    made_queue_manager,
)
from tests.rows import rows

SCRIPT = """
DEFINE QLOCAL(ORDERS) MAXDEPTH(5) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)
DEFINE QALIAS(ALIAS) TARGET(ORDERS)
DEFINE QLOCAL(INIT)
DEFINE QLOCAL(DLQ)
DEFINE PROCESS(P) APPLICID('/bin/true')
"""


@pytest.fixture
def qmgr() -> Iterator[QueueManager]:
    """A queue manager with a manual clock, which the frozen environment of other tests would
    override.
    """
    with mqsc.open_store("sqlite://") as store:
        yield made_queue_manager(store, script=SCRIPT)


@pytest.fixture
def billing(qmgr: QueueManager) -> Connection:
    return qmgr.connect("billing", "alice")


def put(
    connection: Connection,
    *bodies: bytes,
    queue: str = "ORDERS",
    options: int = 0,
    **fields: Any,
) -> None:
    for body in bodies:
        connection.put1(
            queue,
            Message(body, MessageDescriptor(**fields)),
            PutMessageOptions(options),
        )


def said(call: Callable[[], object]) -> list[str]:
    """What a failing assertion says, without times."""
    with pytest.raises(AssertionError) as failure:
        call()
    return [
        line.strip().partition("Z  ")[2] or line.strip() for line in str(failure.value).splitlines()
    ]


def test_what_is_on_a_queue(qmgr: QueueManager, billing: Connection) -> None:
    assert_on_queue(qmgr, "ORDERS", count=0)
    put(billing, b"first", "é".encode())
    assert [each.body for each in assert_on_queue(qmgr, "ORDERS", b"first", "é")] == [
        b"first",
        "é".encode(),
    ]
    assert_on_queue(qmgr, "ALIAS", count=2)
    assert_on_queue(qmgr, "ORDERS")


def test_a_message_that_is_not_there_any_more(qmgr: QueueManager, billing: Connection) -> None:
    put(billing, b"x")
    billing.open("ORDERS", MQOO.INPUT_SHARED).get()
    first, *_, last = said(lambda: assert_on_queue(qmgr, "ORDERS", b"x"))
    assert first == "ORDERS should hold b'x', but is empty"
    assert last.startswith("message got from ORDERS; by billing, user alice")


def test_a_message_that_was_backed_out(qmgr: QueueManager, billing: Connection) -> None:
    put(billing, b"x")
    billing.open("ORDERS", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
    billing.back()
    *_, got, backed_out = said(lambda: assert_on_queue(qmgr, "ORDERS", count=0))
    assert got.startswith("message got from ORDERS; ")
    assert backed_out.startswith("unit of work backed out; the application asked for it")


def test_other_messages_than_expected(qmgr: QueueManager, billing: Connection) -> None:
    put(billing, b"a" * 70, priority=3)
    put(billing, b"late", expiry=1)
    put(billing, b"open", options=MQPMO.SYNCPOINT)
    qmgr.advance_clock(1_000_000)
    lines = said(lambda: assert_on_queue(qmgr, "ORDERS", count=2))
    body = f"{b'a' * 60!r} and 10 more bytes"
    assert lines[:5] == [
        f"ORDERS should hold 2 messages, but holds 1 message: {body}",
        f"1: {body}, priority 3, put by billing",
        "2: b'late', priority 0, expired, put by billing",
        "and 1 message that an open unit of work has put",
        "what happened to ORDERS:",
    ]


def test_a_message_that_an_open_unit_of_work_has_got(
    qmgr: QueueManager,
    billing: Connection,
) -> None:
    lines = said(lambda: assert_on_queue(qmgr, "ORDERS"))
    assert lines == [
        "ORDERS should hold a message, but is empty",
        "nothing has happened to ORDERS yet",
    ]
    put(billing, b"x")
    billing.open("ORDERS", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
    lines = said(lambda: assert_on_queue(qmgr, "ORDERS", b"x"))
    assert lines[:2] == [
        "ORDERS should hold b'x', but is empty",
        "without 1 message that an open unit of work has got",
    ]


@rows(
    ("NONE", "QM1 has no local queue NONE"),
    ("orders", "QM1 has no local queue orders. Did you mean ORDERS?"),
    ("ORDRES", "QM1 has no local queue ORDRES. Did you mean ORDERS?"),
)
def test_a_queue_that_does_not_exist(qmgr: QueueManager, name: str, says: str) -> None:
    for each in (assert_on_queue, assert_expired, assert_triggered):
        assert said(lambda each=each: each(qmgr, name)) == [says]  # type: ignore[misc]


def test_properties_are_no_data(qmgr: QueueManager, billing: Connection) -> None:
    handle = billing.create_message_handle()
    handle.set("color", "red")
    message = Message(b"hi", MessageDescriptor(format="MQSTR"))
    billing.put1("ORDERS", message, PutMessageOptions(message_handle=handle))
    (found,) = assert_on_queue(qmgr, "ORDERS", b"hi")
    assert found.descriptor.format == "MQSTR"


def test_arguments_that_make_no_sense(qmgr: QueueManager) -> None:
    with pytest.raises(TypeError, match="the first argument must be QueueManager, not str"):
        assert_on_queue("QM1", "ORDERS")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not both"):
        assert_on_queue(qmgr, "ORDERS", b"x", count=1)
    for each in (assert_on_queue, assert_expired, assert_triggered, assert_dead_lettered):
        with pytest.raises(TypeError, match="count is a number of messages, not '3'"):
            each(qmgr, "ORDERS", count="3")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bytes or str, not int"):
        assert_on_queue(qmgr, "ORDERS", 1)  # type: ignore[arg-type]


def test_what_has_expired(qmgr: QueueManager, billing: Connection) -> None:
    put(billing, b"z")
    assert said(lambda: assert_expired(qmgr, "ORDERS"))[1] == "the messages there never expire"
    put(billing, b"x", b"y", expiry=50)
    assert said(lambda: assert_expired(qmgr, "ORDERS"))[:2] == [
        "a message of ORDERS should have expired, but none did",
        "the next one expires in 5 s, by the clock of the queue manager",
    ]
    qmgr.advance_clock(5_000_000)
    assert assert_expired(qmgr, "ORDERS") == 2
    billing.open("ORDERS", MQOO.INPUT_SHARED).get()
    assert assert_expired(qmgr, "ORDERS", count=2) == 2
    (first, *_) = said(lambda: assert_expired(qmgr, "ORDERS", count=3))
    assert first == "3 messages of ORDERS should have expired, but 2 did"


def test_what_has_triggered(qmgr: QueueManager, billing: Connection) -> None:
    put(billing, b"unseen")
    lines = said(lambda: assert_triggered(qmgr, "ORDERS"))
    assert lines[0] == "ORDERS should have triggered at least once, but it did not at all"
    [monitor] = [line for line in lines if line.startswith("✗") and " C8 " in line]
    assert "IPPROCS(0) on INIT" in monitor
    billing.open("INIT", MQOO.INPUT_SHARED)
    assert [found.target for found in assert_triggered(qmgr, "ORDERS")] == ["INIT"]
    assert_triggered(qmgr, "ORDERS", count=1)
    (first, *_) = said(lambda: assert_triggered(qmgr, "ORDERS", count=0))
    assert first == "ORDERS should have triggered not at all, but it did once"


def test_dead_letters_of_the_queue_manager(qmgr: QueueManager, billing: Connection) -> None:
    assert said(lambda: assert_dead_lettered(qmgr, "ORDERS"))[:2] == [
        "a message for ORDERS should have been dead-lettered, but none was",
        "QM1 has no dead-letter queue: ALTER QMGR DEADQ(...)",
    ]
    mqsc.run(qmgr, "ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(INIT) PUT(DISABLED)", check=True)
    billing.open("INIT", MQOO.INPUT_SHARED)
    put(billing, b"x")
    assert_triggered(qmgr, "ORDERS", count=0)


def put_dead_letter(connection: Connection, qmgr: str) -> None:
    header = DeadLetterHeader(
        MQRC.Q_FULL,
        "ORDERS",
        qmgr,
        NATIVE,
        1208,
        "MQSTR",
        6,
        "shop",
        "20260101",
        "00000000",
    )
    put(connection, pack_mqdlh(header) + b"x", queue="DLQ", format=MQFMT.DEAD_LETTER_HEADER)


def test_dead_letters_of_programs(qmgr: QueueManager, billing: Connection) -> None:
    put_dead_letter(billing, "QM1")
    [found] = assert_dead_lettered(qmgr, "ORDERS", reason=MQRC.Q_FULL)
    assert (found.queue, found.reason) == ("DLQ", MQRC.Q_FULL)
    lines = said(lambda: assert_dead_lettered(qmgr, "ORDERS", reason=MQRC.PUT_INHIBITED))
    assert lines[0].endswith(
        "should have been dead-lettered with 2051 MQRC_PUT_INHIBITED, but none was",
    )
    assert lines[1] == "other dead letters:"
    assert "reason 2053 MQRC_Q_FULL" in lines[2]


def test_dead_letters_of_another_queue_manager_do_not_count(qmgr: QueueManager) -> None:
    other = made_queue_manager(qmgr.store, name="QM2", script=SCRIPT)
    with other.connect() as connection:
        put_dead_letter(connection, "QM2")
    assert_dead_lettered(other, "ORDERS")
    assert_dead_lettered(qmgr, "ORDERS", count=0)


def test_a_report_that_cannot_be_put_is_a_dead_letter_of_its_queue(
    qmgr: QueueManager,
    billing: Connection,
) -> None:
    mqsc.run(qmgr, "ALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(REPLIES) PUT(DISABLED)", check=True)
    put(billing, b"x", report=MQRO.COA, reply_to_q="REPLIES")
    billing.open("ORDERS", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_WAIT))
    [found] = assert_dead_lettered(qmgr, "ORDERS", reason=MQRC.PUT_INHIBITED, count=1)
    assert found.target == "DLQ"


def test_quiet_queues(qmgr: QueueManager, billing: Connection) -> None:
    put(billing, b"before")
    with assert_quiet(qmgr, "ORDERS", "ALIAS", "INIT"):
        put(billing, b"x", queue="DLQ")
        handle = billing.open("ORDERS", MQOO.INPUT_SHARED | MQOO.BROWSE)
        handle.get(GetMessageOptions(MQGMO.BROWSE_FIRST))
        mqsc.run(qmgr, "ALTER QLOCAL(ORDERS) DESCR('x')")

    def run(change: Callable[[], object]) -> None:
        with assert_quiet(qmgr, "DLQ", "ORDERS"):
            change()

    changes: dict[str, Callable[[], object]] = {
        "message got from ORDERS": lambda: handle.get(GetMessageOptions(MQGMO.SYNCPOINT)),
        "unit of work backed out": billing.back,
        "messages of ORDERS moved": lambda: (
            handle.close(),
            mqsc.run(qmgr, "MOVE QLOCAL(ORDERS) TOQLOCAL(DLQ) TYPE(ADD)"),
        ),
        "DLQ cleared": lambda: mqsc.run(qmgr, "CLEAR QLOCAL(DLQ)"),
        "message put on ORDERS": lambda: put(billing, b"y", b"z"),
    }
    for event, change in changes.items():
        first, second, *_ = said(lambda change=change: run(change))  # type: ignore[misc]
        assert "should have been quiet, but event" in first
        assert event in second, second
    assert "and 1 other event" in first


def test_an_error_in_a_quiet_block_is_that_error(qmgr: QueueManager, billing: Connection) -> None:
    with pytest.raises(ZeroDivisionError), assert_quiet(qmgr, "ORDERS"):  # noqa: PT012
        put(billing, b"x")
        raise ZeroDivisionError


def test_a_depth_that_stayed_below(qmgr: QueueManager, billing: Connection) -> None:
    assert assert_depth_stayed_below(qmgr, "ORDERS", 1) == 0
    put(billing, b"a", b"b", b"c", options=int(MQPMO.SYNCPOINT))
    billing.back()
    put(billing, b"d")
    assert assert_depth_stayed_below(qmgr, "ORDERS", 4) == 3
    first, second, *_ = said(lambda: assert_depth_stayed_below(qmgr, "ALIAS", 2))
    assert first.startswith("the depth of ORDERS should have stayed below 2, but was 2 after event")
    assert first.endswith("and 3 later")
    assert second.startswith("message put on ORDERS; by billing, user alice")
    qmgr.advance_clock(1_000_000)
    assert assert_depth_stayed_below(qmgr, "ORDERS", 2, since=qmgr.now()) == 1
    put(billing, b"e")
    (first, *_) = said(lambda: assert_depth_stayed_below(qmgr, "ORDERS", 1, since=qmgr.now()))
    assert first.endswith("but was 1 at the beginning")


def test_queues_that_the_history_does_not_know_are_refused(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "ALTER QLOCAL(ORDERS) ACCTQ(OFF)")
    with pytest.raises(ValueError, match=r"ORDERS has ACCTQ\(OFF\)"):
        assert_depth_stayed_below(qmgr, "ORDERS", 5)
    with pytest.raises(ValueError, match=r"ACCTQ\(OFF\)"), assert_quiet(qmgr, "ORDERS"):
        pass
    with pytest.raises(TypeError, match="name the queues"), assert_quiet(qmgr):
        pass
    with pytest.raises(AssertionError, match="has no local queue NOPE"), assert_quiet(qmgr, "NOPE"):
        pass

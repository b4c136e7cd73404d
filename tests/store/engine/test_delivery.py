"""Generated messages are delivered, put on the dead-letter queue, or lost."""

from __future__ import annotations

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.delivery import deliver, room_for
from mqsc.store.engine.effects import (
    EVENT,
    REPORT,
    TRIGGER,
    Arrival,
    CopyToStream,
    Deliver,
    Placement,
)
from mqsc.store.engine.enqueue import enqueue
from mqsc.store.engine.name_resolution import Size
from mqsc.store.headers import mqdlh, mqxqh
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.looking import happened, waiting_on
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import history, queue_row


def test_a_copy_comes_before_the_other_effects_and_is_not_copied_again(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {"STREAMQ": "B"})
    arrivals = [
        Arrival(MessageDescriptor(report=0x100, reply_to_q="R", priority=0, persistence=0), b"x"),
    ]
    with Transaction(qmgr.store.database, durable=False) as tx:
        call, queue = qmgr.call_context(tx), queue_row(qmgr, "Q")
        copy, report = enqueue(tx, call, queue, arrivals, Placement(7, kept=True))
    assert copy == CopyToStream("B", arrivals, 7, True)
    assert isinstance(report, Deliver)
    with Transaction(qmgr.store.database, durable=False) as tx:
        effects = enqueue(tx, call, queue_row(qmgr, "Q"), arrivals, Placement(copies=True))
    assert not any(isinstance(each, CopyToStream) for each in effects)


def test_a_queue_in_the_chain_is_not_triggered_again(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr)
    arrival = Arrival(MessageDescriptor(priority=0, persistence=0), b"x")
    with Transaction(qmgr.store.database, durable=False) as tx:
        call, queue = qmgr.call_context(tx), queue_row(qmgr, "APPQ")
        assert enqueue(tx, call, queue, [arrival], Placement(chain=frozenset({"APPQ"}))) == []
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue.depth = 0
        how = Placement(chain=frozenset({"OTHER"}), dead_letter_triggers=False)
        (effect,) = enqueue(tx, call, queue, [arrival], how)
    assert isinstance(effect, Deliver)
    assert (effect.kind, effect.queue, effect.about, effect.dead_letter) == (
        TRIGGER,
        "INIT1",
        "APPQ",
        False,
    )
    assert effect.chain == frozenset({"APPQ", "OTHER"})


OBJECTS = """
    DEFINE QLOCAL(R) · DEFINE QLOCAL(SHUT) PUT(DISABLED) · DEFINE QLOCAL(SHORT) MAXMSGL(3)
    DEFINE QLOCAL(FULL) MAXDEPTH(0) · DEFINE QLOCAL(DLQ) · DEFINE QLOCAL(XQ) USAGE(XMITQ)
    DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ) · ALTER QMGR DEADQ(DLQ)
"""


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    play = Play(qmgr)
    play.run(OBJECTS)
    return play


def effect(queue: str, kind: str = REPORT, **fields: object) -> Deliver:
    """Return the delivery of a generated message with the data `made`, about the queue Q."""
    descriptor = MessageDescriptor(priority=0, persistence=0, msg_id=b"M")
    made = Deliver(kind, queue, "", descriptor, b"made", cause="coa", about="Q", reason=259)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def delivered(qmgr: QueueManager, *effects: Deliver) -> int:
    with Transaction(qmgr.store.database, durable=False) as tx:
        return deliver(tx, qmgr.call_context(tx), effects)


RECORDED = ("REPORT", "REPORT_LOST", "TRIGGER", "TRIGGER_LOST", "DEAD_LETTER", "EVENT")


# (effect, the event that records it as (cause, queue, reason), depths of R and DLQ afterwards)
@rows(
    (effect("R"), ("REPORT", "coa", "Q", 259), (1, 0)),
    (effect("R", TRIGGER), ("TRIGGER", "coa", "Q", 259), (1, 0)),
    (effect("R", EVENT), None, (1, 0)),
    (effect("NONE"), ("DEAD_LETTER", "coa", "Q", 2085), (0, 1)),
    (effect("SHUT"), ("DEAD_LETTER", "coa", "Q", 2051), (0, 1)),
    (effect("SHORT"), ("DEAD_LETTER", "coa", "Q", 2030), (0, 1)),
    (effect("FULL", TRIGGER), ("DEAD_LETTER", "coa", "Q", 2053), (0, 1)),
    (effect("FULL", TRIGGER, dead_letter=False), ("TRIGGER_LOST", "coa", "Q", 2053), (0, 0)),
    (effect("FULL", dead_letter=False), ("REPORT_LOST", "coa", "Q", 2053), (0, 0)),
    (effect("FULL", EVENT, dead_letter=False), None, (0, 0)),
)
def test_where_a_generated_message_ends(
    qmgr: QueueManager,
    play: Play,
    given: Deliver,
    recorded: tuple[object, ...] | None,
    depths: tuple[int, int],
) -> None:
    delivered(qmgr, given)
    assert happened(qmgr.store, *RECORDED) == ([] if recorded is None else [recorded])
    assert (queue_row(qmgr, "R").depth, queue_row(qmgr, "DLQ").depth) == depths


def test_the_history_says_where_it_went(qmgr: QueueManager, play: Play) -> None:
    delivered(
        qmgr,
        effect("R", detail={"data": "full"}),
        effect("NONE"),
        effect("SHUT", dead_letter=False),
    )
    with Reading(qmgr.store.database) as reading:
        put = reading.connection.execute(
            "SELECT seq FROM event WHERE kind = 'PUT' AND queue = 'DLQ'",
        ).fetchone()[0]
    assert [(each.kind, each.target, each.detail) for each in history(qmgr.store, "Q")] == [
        ("REPORT", "R", {"data": "full"}),
        ("DEAD_LETTER", "DLQ", {"put_event": put}),
        ("REPORT_LOST", "SHUT", None),
    ]


def test_a_dead_letter_queue_that_records_no_puts(qmgr: QueueManager, play: Play) -> None:
    play.run("ALTER QLOCAL(DLQ) ACCTQ(OFF)")
    delivered(qmgr, effect("NONE"))
    assert [each.detail for each in history(qmgr.store, "Q")] == [{"put_event": 0}]


def test_the_dead_letter_header_names_the_queue_and_the_reason(
    qmgr: QueueManager,
    play: Play,
) -> None:
    delivered(qmgr, effect("NONE"))
    body = waiting_on(qmgr, "DLQ")[0].encode("latin_1")
    header = mqdlh.unpack_mqdlh(body)
    assert (header.dest_q_name, header.dest_q_mgr_name, header.reason) == ("NONE", "QM1", 2085)
    putter = (header.put_appl_type, header.put_appl_name, header.put_date, header.put_time)
    assert putter == (7, "QM1", "20231114", "22132000")
    assert body[mqdlh.MQDLH_LENGTH :] == b"made"


@rows(
    ("ALTER QMGR DEADQ('')", None),
    ("ALTER QMGR DEADQ(NONE)", {"dead_letter_queue": "NONE", "dead_letter_reason": 2085}),
    ("ALTER QLOCAL(DLQ) MAXDEPTH(0)", {"dead_letter_queue": "DLQ", "dead_letter_reason": 2053}),
    # The dead letter is longer than the message by its header.
    (
        f"ALTER QLOCAL(DLQ) MAXMSGL({mqdlh.MQDLH_LENGTH + 3})",
        {"dead_letter_queue": "DLQ", "dead_letter_reason": 2030},
    ),
)
def test_without_a_usable_dead_letter_queue_it_is_lost(
    qmgr: QueueManager,
    play: Play,
    line: str,
    refused: dict[str, object] | None,
) -> None:
    """The history has the reason of the target queue and that of the dead-letter queue."""
    play.run(line)
    assert delivered(qmgr, effect("NONE", unit=9)) == 0
    assert happened(qmgr.store, *RECORDED) == [("REPORT_LOST", "coa", "Q", 2085)]
    (lost,) = [each for each in history(qmgr.store, "Q") if each.kind == "REPORT_LOST"]
    assert (lost.target, lost.detail) == ("NONE", refused)


def test_what_goes_to_another_queue_manager_gets_a_transmission_header(
    qmgr: QueueManager,
    play: Play,
) -> None:
    delivered(qmgr, effect("FAR"), effect("THERE", queue_manager="XQ"))
    play.run("ALTER QMGR DEADQ(FAR)")
    delivered(qmgr, effect("NONE"))
    headers = [mqxqh.unpack(each.encode("latin_1")) for each in waiting_on(qmgr, "XQ")]
    found = [
        (each.remote_q_name, each.remote_q_mgr_name, each.descriptor.format) for each in headers
    ]
    assert found == [("THERE", "QM2", ""), ("THERE", "XQ", ""), ("THERE", "QM2", "MQDEAD")]


def test_messages_that_joined_the_unit_of_work_are_counted(qmgr: QueueManager, play: Play) -> None:
    assert delivered(qmgr, effect("R", unit=9), effect("R"), effect("NONE", unit=9)) == 2
    assert waiting_on(qmgr, "R") == ["made"]
    assert (queue_row(qmgr, "R").depth, queue_row(qmgr, "DLQ").depth) == (2, 1)


def test_the_copy_of_a_generated_message_comes_before_what_was_generated_later(
    qmgr: QueueManager,
    play: Play,
) -> None:
    play.run("DEFINE QLOCAL(COPIES) · ALTER QLOCAL(R) STREAMQ(COPIES)")
    delivered(qmgr, effect("R", body=b"first"), effect("COPIES", body=b"second"))
    assert waiting_on(qmgr, "COPIES") == ["first", "second"]


def test_a_dead_letter_triggers_but_its_trigger_message_is_never_a_dead_letter(
    qmgr: QueueManager,
    play: Play,
) -> None:
    """Otherwise a full initiation queue and a dead-letter queue that triggers would cause an
    endless loop.
    """
    play.run("""
        DEFINE PROCESS(P) · DEFINE QLOCAL(INIT) MAXDEPTH(0)
        ALTER QLOCAL(DLQ) TRIGGER TRIGTYPE(EVERY) INITQ(INIT) PROCESS(P) · open INIT input-shared
    """)
    delivered(qmgr, effect("NONE"))
    assert happened(qmgr.store, *RECORDED) == [
        ("DEAD_LETTER", "coa", "Q", 2085),
        ("TRIGGER_LOST", "put", "DLQ", 2053),
    ]
    assert queue_row(qmgr, "DLQ").depth == 1


@rows(
    ("SHORT", 3, 0, 0),
    ("SHORT", 4, 0, 2030),
    ("SHORT", 3, 72, 0),
    ("NONE", 0, 0, 2085),
    ("FAR", 3, 72, 0),
)
def test_room_for_a_message(
    qmgr: QueueManager,
    play: Play,
    queue: str,
    length: int,
    more: int,
    reason: int,
) -> None:
    with Reading(qmgr.store.database) as reading:
        found = room_for(reading, qmgr.call_context(reading), queue, "", Size(0, length, more))
    assert (found[0], found[1] is None) == (reason, bool(reason))


def test_what_is_delivered_was_put_by_nobody_but_now(qmgr: QueueManager, play: Play) -> None:
    delivered(qmgr, effect("R"))
    (event,) = history(qmgr.store, "Q")
    assert (event.at, event.user) == (START, "tester")

"""Messages leave a queue: got, or discarded because they have expired; what their history says of them."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQIA, MQMF, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.published import KINDS as EVENTS
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import history
from tests.store.mqi.calls import reason_of
from tests.store.plays import plays

_EXPIRED = text_of(
    select(event.c.msg_id, event.c.cause, event.c.queue, event.c.connection, event.c.detail)
    .where(event.c.kind == "EXPIRE")
    .order_by(event.c.seq),
)

_ON_THE_WAY = text_of(
    select(
        event.c.kind,
        event.c.cause,
        event.c.msg_id,
        event.c.put_application,
        event.c.length,
        event.c.detail,
    )
    .where(event.c.queue == "XQ", (event.c.kind == "PUT") | (event.c.kind == "EXPIRE"))
    .order_by(event.c.seq),
)


def test_expired_messages_in_front_go_in_their_order_whether_they_ask_for_reports_or_not(
    qmgr: QueueManager,
) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q) · DEFINE QLOCAL(REPLIES)")
    asking = dict.fromkeys((2, 3, 6), MQRO.EXPIRATION)
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        for number in range(1, 9):
            given = MessageDescriptor(
                expiry=1,
                msg_id=bytes([number]),
                report=asking.get(number, 0),
                reply_to_q="REPLIES",
            )
            handle.put(Message(b"x", given))
        handle.put(Message(b"live"))
        Play(qmgr).run("advance 1")
        assert handle.get(GetMessageOptions(MQGMO.NO_WAIT)).body == b"live"
        replies = connection.open("REPLIES", MQOO.INPUT_SHARED)
        reported = [replies.get().descriptor.correl_id[0] for _ in asking]
        with Reading(qmgr.store.database) as reading:
            rows = reading.all(_EXPIRED)
        number = connection.number
    assert [row[0][0] for row in rows] == list(range(1, 9))
    assert {row[1:4] for row in rows} == {("get", "Q", number)}
    assert [row[0][0] for row in rows if row[4]] == list(asking) == reported


def test_a_queue_of_expired_messages_is_empty_and_counts_none(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.INQUIRE)
        # More than one transaction can discard.
        handle.put([Message(b"x", MessageDescriptor(expiry=1))] * 1001)
        Play(qmgr).run("advance 1")
        assert reason_of(lambda: handle.get()) == MQRC.NO_MSG_AVAILABLE
        assert handle.inquire(MQIA.CURRENT_Q_DEPTH) == {MQIA.CURRENT_Q_DEPTH: 0}


SCENARIOS = {
    "a get removes the message": "put m1 · get => m1 · depth Q => 0 · history GET Q => None",
    "a get under syncpoint reserves it": """
        put m1 · get syncpoint => m1 · depth Q => 0 · B: get => 2/2033
        back · on Q => m1
    """,
    "a COD report goes with the get": (
        "put m1 report=COD_WITH_FULL_DATA reply_to_q=R · get => m1 · on R => m1"
    ),
    "a COD report under syncpoint waits for the commit": """
        put m1 report=COD_WITH_FULL_DATA reply_to_q=R · get syncpoint => m1 · on R => nothing
        commit · on R => m1
    """,
    "no history where the queue wants none": """
        ALTER QLOCAL(Q) ACCTQ(OFF) · put m1 · get => m1 · history GET Q => nothing
    """,
}

test_gets = plays("DEFINE QLOCAL(Q) · DEFINE QLOCAL(R)", SCENARIOS)


def test_the_expiry_event_says_how_much_the_report_repeats(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · DEFINE QLOCAL(R)")
    for report in ("EXPIRATION", "EXPIRATION_WITH_DATA", "EXPIRATION_WITH_FULL_DATA", "COD"):
        play.run(f"put m expiry=1 report={report} reply_to_q=R")
    play.run("advance 0.1 · get => 2/2033")
    details = [each.detail for each in history(qmgr.store, "Q") if each.kind == "EXPIRE"]
    assert details == [{"report": "plain"}, {"report": "data"}, {"report": "full"}, None]


@rows((1, 0), (2, 1))
def test_a_late_get_raises_a_service_interval_event(
    qmgr: QueueManager,
    seconds: int,
    count: int,
) -> None:
    Play(qmgr).run(f"""
        ALTER QMGR PERFMEV(ENABLED) · DEFINE QLOCAL(Q) QSVCIEV(HIGH) QSVCINT(1500) · put m1 m2 · advance {seconds}
        get => m1 · depth SYSTEM.ADMIN.PERFM.EVENT => {count}
    """)


HOW_DISCARDED = {
    "a get": ("get from XQ => 2/2033", "get"),
    "a scan": ("REFRESH QMGR TYPE(EXPIRY)", "refresh"),
}


@pytest.mark.parametrize(("how", "cause"), HOW_DISCARDED.values(), ids=HOW_DISCARDED)
@pytest.mark.parametrize("report", [False, True], ids=["silent", "reported"])
@pytest.mark.parametrize("group", [False, True], ids=["alone", "in a group"])
def test_the_expiry_of_a_message_on_a_transmission_queue_names_its_sender(
    qmgr: QueueManager,
    how: str,
    cause: str,
    report: bool,
    group: bool,
) -> None:
    """Like its PUT, the event has the identifiers, origin and length of the message on the
    queue.
    """
    play = Play(qmgr)
    play.run("""
        DEFINE QLOCAL(R) · DEFINE QLOCAL(XQ) USAGE(XMITQ) · DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ)
    """)
    with qmgr.connect(application="billing") as connection:
        far = connection.open("FAR", MQOO.OUTPUT)
        asked = int(MQRO.EXPIRATION) if report else 0
        flags = int(MQMF.MSG_IN_GROUP) if group else 0
        far.put(
            Message(
                b"four",
                MessageDescriptor(expiry=10, report=asked, reply_to_q="R", msg_flags=flags),
            ),
        )
    play.run(f"advance 1 · {how} · depth XQ => 0 · depth R => {int(report)}")
    with Reading(qmgr.store.database) as reading:
        put, expired = reading.all(_ON_THE_WAY)
    assert (put[:5], expired[:2]) == (("PUT", None, *expired[2:5]), ("EXPIRE", cause))
    assert (expired[3], expired[4]) == ("QM1", 428 + 4 + (72 if group else 0))
    told = {"application": "billing", "length": 4, **({"report": "plain"} if report else {})}
    assert json.loads(expired[5]) == told


def test_what_has_no_transmission_header_expires_as_it_is(qmgr: QueueManager) -> None:
    Play(qmgr).run("""
        DEFINE QLOCAL(XQ) USAGE(XMITQ) · put1 m on XQ expiry=10 · advance 1 · REFRESH QMGR TYPE(EXPIRY)
        depth XQ => 0 · history EXPIRE XQ => refresh
    """)
    with Reading(qmgr.store.database) as reading:
        assert reading.all(_EXPIRED)[0][4] is None


_HISTORY = text_of(select(event).order_by(event.c.seq))
SYNCPOINT = GetMessageOptions(MQGMO.SYNCPOINT)
REQUEUED = MessageOutcome("REQUEUE", "handler", "OTHER.Q", 2053, "7", {"destination": "A"})


def dispositions(qmgr: QueueManager) -> list[dict[str, Any]]:
    with Reading(qmgr.store.database) as reading:
        rows = [dict(zip(event.columns.keys(), row, strict=True)) for row in reading.all(_HISTORY)]
    return [row for row in rows if row["kind"] in ("REQUEUE", "EXPIRE", "COMMIT")]


def test_every_message_got_has_its_event(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "A", {})
    create(qmgr, KINDS["QLOCAL"], "B", {"ACCTQ": "OFF"})
    with qmgr.connect("agent", "alice") as connection:
        for name, ids in (("A", (b"1", b"2")), ("B", (b"3",))):
            for each in ids:
                connection.put1(
                    name,
                    Message(b"data", MessageDescriptor(msg_id=each, correl_id=b"c", expiry=50)),
                )
        for name in ("A", "A", "B"):
            connection.open(name, MQOO.INPUT_SHARED).get(SYNCPOINT)
        connection.put1("A", Message(b"new"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit(REQUEUED)
    requeued = [row for row in dispositions(qmgr) if row["kind"] == "REQUEUE"]
    found = [(row["queue"], row["msg_id"].rstrip(b"\0"), row["length"]) for row in requeued]
    assert found == [("A", b"1", 4), ("A", b"2", 4), ("B", b"3", 4)]
    for row in requeued:
        assert (row["cause"], row["target"], row["reason"], row["rule"]) == (
            "handler",
            "OTHER.Q",
            2053,
            "7",
        )
        assert (json.loads(row["detail"]), row["application"], row["user"]) == (
            {"destination": "A"},
            "agent",
            "alice",
        )
        assert row["expires_at"] == row["put_at"] + 5_000_000
    assert len({row["unit"] for row in dispositions(qmgr)}) == 1
    assert dispositions(qmgr)[-1]["kind"] == "COMMIT"


def test_nothing_is_said_of_a_unit_that_is_backed_out_or_empty(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "A", {})
    with qmgr.connect() as connection:
        connection.put1("A", Message(b"data"))
        connection.open("A", MQOO.INPUT_SHARED).get(SYNCPOINT)
        connection.back()
        connection.commit(REQUEUED)
    assert [row["kind"] for row in dispositions(qmgr)] == []


def test_an_agent_is_the_cause_of_what_it_lets_expire(qmgr: QueueManager) -> None:
    """By browse and by get; without an agent, the cause is the call."""
    create(qmgr, KINDS["QLOCAL"], "A", {})
    for agent in ("handler", ""):
        with qmgr.connect(agent=agent) as connection:
            handle = connection.open("A", MQOO.INPUT_SHARED | MQOO.BROWSE)
            for options in (MQGMO.BROWSE_FIRST, MQGMO.NO_SYNCPOINT):
                Play(qmgr).run("put m on A expiry=1 · advance 0.1")
                assert (
                    reason_of(partial(handle.get, GetMessageOptions(options)))
                    == MQRC.NO_MSG_AVAILABLE
                )
    causes = [row["cause"] for row in dispositions(qmgr) if row["kind"] == "EXPIRE"]
    assert causes == ["handler", "handler", "browse", "get"]
    assert set(causes) <= set(EVENTS["EXPIRE"].causes)

"""The handler on a queue (dlq-rules §4). Traps are cited by number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mqsc.dlq.handler import HANDLER_OPEN_OPTIONS, Handler
from mqsc.dlq.notices import Notice
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO
from mqsc.store.descriptor import FIELDS
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.headers import mqdlh
from tests.conftest import START
from tests.mqsc.dlq.handler_system import DLQ, HEADER, SECOND, HandlerSystem, dead_letter
from tests.mqsc.dlq.tables import table
from tests.rows import rows

MQDEAD = "MQDEAD"
RETRY = "WAIT(NO)\nACTION(RETRY)\n"
THREE_THEN_TWO = (
    "WAIT(NO)\nREASON(2053) ACTION(RETRY) RETRY(3)\nACTION(FWD) FWDQ(ALSO.FULL) RETRY(2)\n"
)


def test_every_action(system: HandlerSystem) -> None:
    system.define("Q1", "REST", "OTHER")
    for destination in ("Q1", "THROWN", "KEPT", "ELSEWHERE", "BARE"):
        system.put_dead_letter(destination.lower(), dest_q_name=destination)
    ran = system.run(
        "WAIT(NO)\n"
        "DESTQ(Q1) ACTION(RETRY)\n"
        "DESTQ(THROWN) ACTION(DISCARD)\n"
        "DESTQ(KEPT) ACTION(IGNORE)\n"
        "DESTQ(BARE) ACTION(FWD) FWDQ(OTHER) HEADER(NO)\n"
        "ACTION(FWD) FWDQ(REST)\n",
    )
    assert (ran.code, ran.ids) == (0, [])
    assert [text for _, _, text in ran.said] == [
        f"The dead-letter handler has started on queue {DLQ} of queue manager QM1.",
        *(
            f"Rule in line {line}: moved or discarded 1, failed attempts 0."
            for line in (2, 3, 5, 6)
        ),
        f"Queue {DLQ}: moved or discarded 4; still on the queue: 0 after failed attempts, 1 that "
        "no rule moves.",
        "The dead-letter handler is ending.",
    ]
    found = [
        (system.on(name), system.seen(name)[0].body[:4] == b"DLH ")
        for name in ("Q1", DLQ, "OTHER", "REST")
    ]
    assert found == [
        (["q1"], False),
        (["kept"], True),
        (["bare"], False),
        (["elsewhere"], True),
    ]  # T10


def test_the_worked_example(system: HandlerSystem) -> None:
    """T06, T07 and the bytes of §4.4: a header in big-endian CCSID 437, data in CCSID 819."""
    system.define("Q1")
    header = mqdlh.DeadLetterHeader(
        2053,
        "Q1",
        "QM1",
        546,
        819,
        "MQSTR",
        6,
        "mover",
        "20240102",
        "03040506",
    )
    system.put_dead_letter(b"h\xe9llo", header=header, header_encoding=273, header_ccsid=437)
    assert system.run("WAIT(NO)\nREASON(2053) FORMAT(MQSTR) ACTION(RETRY)\n").code == 0
    (moved,) = system.seen("Q1")
    d = moved.descriptor
    assert (moved.body, d.format, d.encoding, d.coded_char_set_id) == (
        b"h\xe9llo",
        "MQSTR",
        546,
        819,
    )


def test_a_message_forwarded_with_its_header_keeps_every_byte(system: HandlerSystem) -> None:
    system.define("REST")
    system.put_dead_letter(b"\xff\x00hello", header_encoding=273, header_ccsid=500)
    (before,) = system.seen(DLQ)
    assert system.run("WAIT(NO)\nDESTQ(Q1) ACTION(FWD) FWDQ(REST)\n").code == 0
    (after,) = system.seen("REST")
    assert (after.body, after.descriptor.format, after.descriptor.encoding) == (
        before.body,
        MQDEAD,
        273,
    )


# T11, T12: every field except Format, Encoding and CodedCharSetId is passed on, version 2 fields
# too.
GIVEN: dict[str, Any] = {
    **{"report": 64, "msg_type": 1, "feedback": 0, "priority": 3, "persistence": 1, "msg_flags": 8},
    **{"msg_id": b"m" * 24, "correl_id": b"c" * 24, "group_id": b"g" * 24, "msg_seq_number": 7},
    **{
        "reply_to_q": "ANSWERS",
        "reply_to_q_mgr": "QM2",
        "user_identifier": "alice",
        "accounting_token": b"t" * 32,
    },
    **{
        "appl_identity_data": "identity",
        "put_appl_type": 11,
        "put_appl_name": "billing",
        "appl_origin_data": "orig",
    },
    **{"put_date": "20240101", "put_time": "00000001"},
}


@pytest.mark.parametrize("putaut", ["DEF", "CTX"])
@pytest.mark.parametrize(
    "rule",
    ["ACTION(RETRY)", "ACTION(FWD) FWDQ(Q1) HEADER(NO)", "ACTION(FWD) FWDQ(Q1)"],
)
def test_descriptor_and_context_are_passed_on(
    system: HandlerSystem,
    rule: str,
    putaut: str,
) -> None:
    system.define("Q1")
    system.put_dead_letter("x", **GIVEN)
    assert system.run(f"WAIT(NO)\n{rule} PUTAUT({putaut})\n").code == 0
    (moved,) = system.seen("Q1")
    assert (
        {name: getattr(moved.descriptor, name) for name in GIVEN},
        moved.descriptor.backout_count,
    ) == (GIVEN, 0)
    assert set(GIVEN) < set(FIELDS)


@rows(("E36", 30, 1, 20), ("T13", 30, 2, 10), ("unlimited", -1, 5, -1))
def test_expiry_continues(
    system: HandlerSystem,
    case: str,
    expiry: int,
    after: int,
    left: int,
) -> None:
    system.define("Q1")
    system.put_dead_letter("x", expiry=expiry)
    system.clock.advance(after)
    assert (system.run(RETRY).code, system.seen("Q1")[0].descriptor.expiry) == (0, left)


def test_an_expired_message_is_never_matched(system: HandlerSystem) -> None:
    """E37, T22: the browse discards it and sends the requested report, but not another dead
    letter.
    """
    system.define("Q1", "REPORTS")
    system.put_dead_letter(
        "late",
        expiry=30,
        report=0x00200000,
        reply_to_q="REPORTS",
        reply_to_q_mgr="QM1",
    )
    system.put_dead_letter("fresh", expiry=300)
    system.clock.advance(3)
    assert (system.run(RETRY).code, system.on("Q1"), system.on(DLQ)) == (0, ["fresh"], [])
    (report,) = system.seen("REPORTS")
    assert (report.descriptor.feedback, report.descriptor.msg_type) == (258, 4)
    (event,) = system.history("EXPIRE")
    assert (event["cause"], event["queue"], event["application"]) == ("handler", DLQ, "runmqdlq")
    assert system.history("DEAD_LETTER") == []


def test_attempts(system: HandlerSystem) -> None:
    """T03, T04 over RETRYINT: three attempts by the first rule, two by the next, then none."""
    system.define("ALSO.FULL", MAXDEPTH=0)
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    ran = system.run("RETRYINT(10) " + THREE_THEN_TWO)
    said = [
        (seconds, text.split(" failed")[0])
        for seconds, message_id, text in ran.said
        if message_id == "AMQ8722"
    ]
    first, second = (
        "The put by the rule in line 2 to NOWHERE on QM1",
        "The put by the rule in line 3 to ALSO.FULL",
    )
    assert said == [(0, first), (10, first), (20, first), (30, second), (40, second)]
    assert (ran.code, ran.said[-1][0], system.on(DLQ)) == (0, 40, ["x"])


def test_attempts_are_counted_from_zero_after_a_restart(system: HandlerSystem) -> None:
    """T26: while the handler runs, a message whose attempts are used up is not retried."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    assert system.run("RETRYINT(1) WAIT(30)\nACTION(RETRY) RETRY(2)\n").times("AMQ8722") == [0, 1]
    began = system.clock.seconds
    assert system.run("RETRYINT(1) WAIT(NO)\nACTION(RETRY) RETRY(2)\n").times("AMQ8722") == [
        began,
        began + 1,
    ]


def test_attempts_are_forgotten_with_the_message(system: HandlerSystem) -> None:
    """§4.3: a later message with the same identifiers starts with all attempts."""
    system.put_dead_letter("first", msg_id=b"same", dest_q_name="LATER")
    system.clock.schedule(5, lambda: system.define("LATER"))
    system.clock.schedule(15, lambda: system.delete("LATER"))
    system.clock.schedule(
        15,
        lambda: system.put_dead_letter("second", msg_id=b"same", dest_q_name="LATER"),
    )
    ran = system.run("RETRYINT(10) WAIT(30)\nACTION(RETRY) RETRY(2)\n")
    assert (ran.times("AMQ8722"), system.on(DLQ)) == ([0, 15, 25], ["second"])


def test_a_retry_that_succeeds(system: HandlerSystem) -> None:
    """The first attempt is at 0, with up to four more at intervals of RETRYINT. The queue has
    room again at 150 s.
    """
    system.define("Q1", MAXDEPTH=0)
    system.put_dead_letter("x")
    system.clock.schedule(150, lambda: system.alter("Q1", MAXDEPTH=10))
    ran = system.run("WAIT(NO)\nREASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(5)\n")
    assert (ran.code, ran.ids, system.clock.seconds, system.on("Q1")) == (
        0,
        ["MQSC0038"] * 3,
        180,
        ["x"],
    )
    (event,) = system.history("REQUEUE")
    assert json.loads(event["detail"])["attempt"] == 4


def test_wait_no_runs_while_attempts_are_left(system: HandlerSystem) -> None:
    """T24: RETRY(5) with RETRYINT(60) takes four minutes."""
    system.define("Q1", MAXDEPTH=0)
    system.put_dead_letter("x")
    assert system.run("WAIT(NO)\nACTION(RETRY) RETRY(5)\n").said[-1][0] == 240


def test_a_failed_put_is_not_retried_when_the_next_rule_is_ignore(system: HandlerSystem) -> None:
    """T05: with WAIT(NO) the handler therefore ends at once."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    ran = system.run("WAIT(NO)\nACTION(RETRY)\nACTION(IGNORE)\n")
    assert (ran.times("AMQ8722"), ran.times("AMQ8709"), system.on(DLQ)) == ([0], [0], ["x"])


def test_same_ids_share_their_attempts(system: HandlerSystem) -> None:
    """T25: two messages with the same MsgId and CorrelId share three attempts; a third message
    has its own.
    """
    for data, correl_id in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        system.put_dead_letter(data, msg_id=b"same", correl_id=correl_id, dest_q_name="NOWHERE")
    assert (
        len(system.run("WAIT(NO) RETRYINT(5)\nACTION(RETRY) RETRY(3)\n").times("AMQ8722")) == 3 + 3
    )


def test_ignore_ends_the_search(system: HandlerSystem) -> None:
    """T05: later rules do not apply."""
    system.put_dead_letter("x")
    assert (
        system.run("WAIT(NO)\nREASON(2053) ACTION(IGNORE)\nACTION(DISCARD)\n").code,
        system.on(DLQ),
    ) == (0, ["x"])
    assert system.history("DISCARD") == []


@pytest.mark.parametrize("rule", ["ACTION(IGNORE)", "REASON(1) ACTION(DISCARD)"])
def test_a_message_that_stays_is_only_browsed(system: HandlerSystem, rule: str) -> None:
    """T23: it is never got, so neither its descriptor nor the history shows the handler."""
    system.put_dead_letter("x", persistence=1)
    (before,) = system.seen(DLQ)
    assert (system.run(f"RETRYINT(1) WAIT(30)\n{rule}\n").ids, system.seen(DLQ)) == ([], [before])
    assert system.history("GET", "BACKOUT", "COMMIT") == []


def test_a_message_that_waits_for_its_retry_is_only_browsed(system: HandlerSystem) -> None:
    """Only attempts are backed out."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    system.run("RETRYINT(10) WAIT(300)\nACTION(RETRY) RETRY(2)\n")
    assert (len(system.history("GET")), len(system.history("BACKOUT"))) == (2, 2)
    assert system.seen(DLQ)[0].descriptor.backout_count == 2


def test_a_message_without_a_header_stays(system: HandlerSystem) -> None:
    """T21: no rule applies. It is reported when it is first browsed, not backed out, and not
    locked.
    """
    system.put(DLQ, b"no header at all", msg_id=b"odd")
    system.put_dead_letter("x")
    ran = system.run("RETRYINT(1) WAIT(15)\nACTION(DISCARD)\n")
    # Not again after 10 RETRYINTs, when the whole queue is read again.
    assert ran.times("AMQ8721") == [0]
    assert f"MsgId {b'odd'.hex().upper()}" in ran.said[1][2]
    (left,) = system.seen(DLQ)
    assert (left.body, left.descriptor.backout_count) == (b"no header at all", 0)
    system.clock.schedule(system.clock.seconds + 1, system.take)
    assert system.run("WAIT(5)\nACTION(DISCARD)\n").ids == ["AMQ8721"]
    assert system.on(DLQ) == []


def test_a_message_without_a_header_is_reported_once_though_the_queue_is_read_to_the_end_again(
    system: HandlerSystem,
) -> None:
    system.put(DLQ, b"no header at all", msg_id=b"odd")
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    assert system.run("WAIT(NO)\nACTION(DISCARD)\n").ids == ["AMQ8721"]
    assert system.run("RETRYINT(1) WAIT(NO)\nACTION(RETRY) RETRY(3)\n").ids == ["AMQ8721"]


def test_a_message_that_was_moved_at_last_is_not_among_those_that_stay(
    system: HandlerSystem,
) -> None:
    """Also when the handler is stopped before it reads the queue again."""
    system.define("Q1", PUT="DISABLED")
    system.put_dead_letter("x")
    system.clock.schedule(5, lambda: system.alter("Q1", PUT="ENABLED"))
    ran = system.run("RETRYINT(10) WAIT(YES)\nACTION(RETRY) RETRY(2)\n", end=15)
    assert (ran.ids, system.on("Q1")) == (["AMQ8722"], ["x"])
    counts = (
        "moved or discarded 1; still on the queue: 0 after failed attempts, 0 that no rule moves."
    )
    assert ran.totals[-1].endswith(counts)


@rows(
    (2085, "ACTION(RETRY)", ["MQSC0038"]),
    (2085, "ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)", ["MQSC0038"]),
    (2053, "ACTION(RETRY)", ["AMQ8722"]),
    (2085, "ACTION(FWD) FWDQ(NOWHERE)", ["AMQ8722"]),
)
def test_a_failure_that_the_header_records_is_reported_differently(
    system: HandlerSystem,
    reason: int,
    rule: str,
    said: list[str],
) -> None:
    """T27: as in MQ, without AMQ8722; but every failure is reported in some way."""
    system.put_dead_letter("x", dest_q_name="NOWHERE", reason=reason)
    assert system.run(f"WAIT(NO)\n{rule}\n").ids == said


def test_a_warning_from_the_put_is_a_failure(system: HandlerSystem) -> None:
    """T28: priority 12 counts as 9, with the warning 2049; the message stays on the dead-letter
    queue.
    """
    system.define("Q1")
    system.put_dead_letter("x", priority=12)
    ran = system.run(RETRY)
    assert ran.ids == ["AMQ8722"]
    assert "2049 MQRC_PRIORITY_EXCEEDS_MAXIMUM" in ran.said[1][2]
    assert (system.on("Q1"), system.on(DLQ)) == ([], ["x"])


@pytest.mark.parametrize("action", ["DISCARD", "FWD) FWDQ(REST", "RETRY"])
def test_no_report_is_sent(system: HandlerSystem, action: str) -> None:
    """T31: actions send no exception, expiration or COD reports."""
    system.define("Q1", "REST", "REPORTS")
    system.put_dead_letter(
        "x",
        report=0x01000000 | 0x00200000 | 0x00000800,
        reply_to_q="REPORTS",
        reply_to_q_mgr="QM1",
    )
    assert (
        system.run(f"WAIT(NO)\nACTION({action})\n").code,
        system.on("REPORTS"),
        system.on(DLQ),
    ) == (0, [], [])


def test_forwarding_to_the_queue_itself_ends(system: HandlerSystem) -> None:
    """T30: a message that returns is new to the handler, but the history shows that it came back
    ten times.
    """
    system.define("BACK", kind="QALIAS", TARGET=DLQ)
    system.put_dead_letter("x")
    ran = system.run("WAIT(NO)\nREASON(2053) ACTION(FWD) FWDQ(BACK)\n")
    assert (ran.code, ran.ids) == (0, ["MQSC0031"])
    assert (len(system.history("FORWARD")), system.on(DLQ)) == (10, ["x"])


def test_an_alias_that_is_altered_to_lead_back(system: HandlerSystem) -> None:
    """T30: names are resolved again at each scan."""
    system.define("REST")
    system.define("AWAY", kind="QALIAS", TARGET="REST")
    system.put_dead_letter("first")
    system.clock.schedule(5, lambda: system.alter("AWAY", kind="QALIAS", TARGET=DLQ))
    system.clock.schedule(110, lambda: system.put_dead_letter("second"))
    ran = system.run("RETRYINT(10) WAIT(150)\nREASON(2053) ACTION(FWD) FWDQ(AWAY)\n")
    assert (ran.times("MQSC0031"), system.on("REST"), system.on(DLQ)) == (
        [110],
        ["first"],
        ["second"],
    )


def test_a_queue_that_led_back_when_it_was_tried_is_tried_again_once_it_leads_elsewhere(
    system: HandlerSystem,
) -> None:
    """What a queue leads to is looked up again with each scan of the whole queue, here after 100
    seconds.
    """
    system.define("OTHER")
    system.define("AWAY", kind="QALIAS", TARGET=DLQ)
    system.put_dead_letter("x")
    system.clock.schedule(50, lambda: system.alter("AWAY", kind="QALIAS", TARGET="OTHER"))
    ran = system.run("RETRYINT(10) WAIT(200)\nACTION(FWD) FWDQ(AWAY) HEADER(NO) RETRY(99)\n")
    assert (system.on("OTHER"), system.on(DLQ), bool(ran.ids)) == (["x"], [], True)


@pytest.mark.parametrize("rule", ["ACTION(RETRY)", "ACTION(FWD) FWDQ(BACK) HEADER(NO)"])
def test_a_message_for_the_queue_itself_keeps_its_header(system: HandlerSystem, rule: str) -> None:
    """Without the header, no rule would apply to it any more. A later rule may move it."""
    system.define("REST")
    system.define("BACK", kind="QALIAS", TARGET=DLQ)
    system.put_dead_letter("x", dest_q_name=DLQ)
    (before,) = system.seen(DLQ)
    assert (system.run(f"WAIT(NO)\n{rule}\n").ids, system.seen(DLQ)) == (["MQSC0039"], [before])
    assert system.run(f"WAIT(NO) RETRYINT(0)\n{rule}\nACTION(FWD) FWDQ(REST)\n").ids == ["MQSC0039"]
    assert system.on("REST") == ["x"]


THERE, BACK_AGAIN = (
    "WAIT(NO)\nACTION(FWD) FWDQ(DLQ2)\n",
    f"WAIT(NO) INPUTQ(DLQ2)\nACTION(FWD) FWDQ({DLQ})\n",
)


@pytest.mark.parametrize("seconds", [0, 60])
def test_two_handlers_that_forward_to_each_other_are_stopped(
    system: HandlerSystem,
    seconds: int,
) -> None:
    """The history shows the loop, even to handlers that are started anew. After ten rounds it is
    a failure.
    """
    system.define("DLQ2", "REST")
    system.put_dead_letter("x")
    reported = []
    for _ in range(15):
        reported += system.run(THERE).ids
        system.clock.advance(seconds)
        reported += system.run(BACK_AGAIN).ids
        system.clock.advance(seconds)
    assert (set(reported), len(system.history("FORWARD")), system.on(DLQ)) == (
        {"MQSC0031"},
        20,
        ["x"],
    )
    assert system.run(THERE).totals == [
        "Rule in line 2: moved or discarded 0, failed attempts 1.",
        f"Queue {DLQ}: moved or discarded 0; still on the queue: 1 after failed attempts, 0 that "
        "no rule moves.",
    ]
    assert system.run(THERE + "ACTION(FWD) FWDQ(REST)\n").code == 0
    assert system.on("REST") == ["x"], "another target is not part of the circle"


def test_messages_with_the_same_ids_are_no_circle(system: HandlerSystem) -> None:
    """Only moves before a message's arrival count for it."""
    system.define("REST")
    system.put_dead_letters(*"abcdefghijklmno", msg_id=b"same")
    system.clock.advance(1)
    assert (system.run("WAIT(NO)\nACTION(FWD) FWDQ(REST)\n").ids, len(system.on("REST"))) == (
        [],
        15,
    )


def test_a_rule_is_reached_behind_three_thousand_messages_that_stay(system: HandlerSystem) -> None:
    """A scan is finished although the next one, and the retry of a failed put, are always due."""
    system.define("REST")
    messages = [dead_letter("x", number, reason=2030) for number in range(1, 3001)]
    with system.qmgr.connect() as connection:
        connection.open(DLQ, MQOO.OUTPUT).put(messages)
    system.put_dead_letter("failing", dest_q_name="NOWHERE", reason=2053, priority=9)
    system.put_dead_letter("last", dest_q_name="WANTED")
    now, browsed = system.clock.now, 0

    def slow() -> int:
        """Advance the clock now and then, so that a scan lasts longer than the interval between
        scans.
        """
        nonlocal browsed
        browsed += 1
        system.clock.advance(1) if browsed % 500 == 0 else None
        return now()

    system.clock.now = slow  # type: ignore[method-assign]
    ran = system.run(
        "WAIT(NO) RETRYINT(0)\n"
        "REASON(2053) DESTQ(NOWHERE) ACTION(RETRY) RETRY(3)\n"
        "DESTQ(WANTED) ACTION(FWD) FWDQ(REST)\n",
    )
    assert (ran.code, system.on("REST"), len(ran.times("AMQ8722"))) == (0, ["last"], 3)
    assert len(system.seen(DLQ)) == 3001


@pytest.mark.parametrize(("leaves", "returns"), [(20, 150), (20, 25)])
def test_a_message_that_comes_back_has_all_its_attempts(
    system: HandlerSystem,
    leaves: int,
    returns: int,
) -> None:
    """Either a scan in between did not find it, or it returned after the last scan that found
    it.
    """
    again: dict[str, Any] = {"msg_id": b"same", "dest_q_name": "NOWHERE"}
    system.put_dead_letter("x", **again)
    system.put_dead_letter("stays", dest_q_name="KEPT")
    system.clock.schedule(leaves, system.take)
    system.clock.schedule(returns, lambda: system.put_dead_letter("x", **again))
    assert system.run("RETRYINT(10) WAIT(200)\nDESTQ(NOWHERE) ACTION(RETRY)\n").times(
        "AMQ8722",
    ) == [0, returns]


@pytest.mark.parametrize(("gone", "left"), [(3, 2), (5, 0)])
def test_messages_that_are_gone_are_forgotten(system: HandlerSystem, gone: int, left: int) -> None:
    """The totals count what the last scan found, even if that was nothing."""
    for number in range(5):
        system.put_dead_letter("x", dest_q_name=f"KEPT{number}")
    system.clock.schedule(20, lambda: system.take(gone))
    ran = system.run("RETRYINT(10) WAIT(150)\nREASON(1) ACTION(RETRY)\n")
    assert ran.totals[-1].endswith(
        f"still on the queue: 0 after failed attempts, {left} that no rule moves.",
    )


class ExactClock(FrozenClock):
    """A clock on which a pause takes exactly as long as was asked."""

    def pause(self, seconds: float) -> None:
        self.advance(seconds)


def test_a_wait_for_part_of_a_millisecond_is_rounded_up(tmp_path: Path) -> None:
    """Rounded down it would be no wait, and the handler would browse again and again until the
    time has come.
    """
    environment = Environment(ExactClock(START), "tester", "mqsc")
    with open_store(f"sqlite:///{tmp_path / 'exact.db'}", environment=environment) as store:
        qmgr = store.create_queue_manager("QM1")
        create(qmgr, KINDS["QLOCAL"], DLQ, {})
        with qmgr.connect() as connection:
            connection.put1(DLQ, dead_letter("x", 1, dest_q_name="NOWHERE"))
            failures: list[Notice] = []
            queue, rules = (
                connection.open(DLQ, HANDLER_OPEN_OPTIONS),
                table("RETRYINT(10)\nACTION(RETRY) RETRY(2)\n"),
            )
            browses = 0

            def may_continue() -> bool:
                nonlocal browses
                browses += 1
                if browses == 2:
                    environment.clock.advance(0.0005)
                return browses < 20 and len(failures) < 2

            Handler(queue, rules, failures.append, lambda *target: False, lambda *_: 0).run(
                may_continue,
            )
            assert (len(failures), qmgr.now() - START) == (2, 10 * SECOND + 500)


def test_totals(system: HandlerSystem) -> None:
    """By rule, then for the queue. Messages with the same identifiers are counted individually."""
    system.define("Q1")
    for destination in ("Q1", "NOWHERE", "NOWHERE", "KEPT"):
        system.put_dead_letter(
            "x",
            dest_q_name=destination,
            reason=2085,
            msg_id=destination.encode(),
        )
    system.put(DLQ, b"odd")
    assert system.run(
        "WAIT(NO) RETRYINT(1)\nDESTQ(KEPT) ACTION(IGNORE)\nACTION(RETRY) RETRY(2)\n",
    ).totals == [
        "Rule in line 3: moved or discarded 1, failed attempts 2.",
        f"Queue {DLQ}: moved or discarded 1; still on the queue: 2 after failed attempts, 2 that "
        "no rule moves.",
    ]


def test_context_and_header_fields_are_distinguished(system: HandlerSystem) -> None:
    """T01, T02: FORMAT is the header's; APPLNAME and APPLTYPE are the descriptor's."""
    header = mqdlh.DeadLetterHeader(
        2053,
        "Q1",
        "QM1",
        546,
        1208,
        "MQSTR",
        28,
        "header",
        "20240102",
        "03040506",
    )
    for name in ("right", "wrong"):
        system.put_dead_letter(
            name,
            header=header,
            put_appl_name="billing",
            put_appl_type=6,
            correl_id=name.encode(),
        )
    assert (
        system.run(
            "WAIT(NO)\nFORMAT(MQDEAD) ACTION(DISCARD)\nAPPLNAME('header') ACTION(DISCARD)\n",
        ).code
        == 0
    )
    assert system.on(DLQ) == ["right", "wrong"]
    assert (
        system.run("WAIT(NO)\nFORMAT(MQSTR) APPLNAME('billing') APPLTYPE(6) ACTION(DISCARD)\n").code
        == 0
    )
    assert system.on(DLQ) == []


def test_new_messages_before_the_cursor_are_found_by_the_next_scan(system: HandlerSystem) -> None:
    """§4.5: a message of higher priority is found when the whole queue is read again."""
    system.define("Q1", MAXDEPTH=0)
    system.put_dead_letter("stays", priority=0)
    system.clock.schedule(
        30,
        lambda: system.put_dead_letter("new", priority=9, dest_q_name="THROWN"),
    )
    ran = system.run(
        "RETRYINT(10) WAIT(YES)\nDESTQ(THROWN) ACTION(DISCARD)\nDESTQ(Q1) ACTION(IGNORE)\n",
        end=150,
    )
    assert ran.code == 0
    (event,) = system.history("DISCARD")
    assert (event["at"] - system.clock.began) // 1_000_000 == 100


def test_the_history_records_each_action(system: HandlerSystem) -> None:
    """With reason, rule and attempt, in the unit of work that moves the message."""
    system.define("Q1", "REST")
    for destination in ("Q1", "GONE", "X"):
        system.put_dead_letter(
            "hello",
            dest_q_name=destination,
            put_appl_name="billing",
            user_identifier="alice",
        )
    system.run(
        "WAIT(NO)\nDESTQ(Q1) ACTION(RETRY)\nDESTQ(GONE) ACTION(DISCARD)\n\nACTION(FWD) "
        "FWDQ(REST)\n",
    )
    moves = system.history("REQUEUE", "DISCARD", "FORWARD")
    assert [
        tuple(row[each] for each in ("kind", "cause", "queue", "target", "rule", "reason"))
        for row in moves
    ] == [
        ("REQUEUE", "handler", DLQ, "Q1", "2", 2053),
        ("DISCARD", "handler", DLQ, None, "3", 2053),
        ("FORWARD", "handler", DLQ, "REST", "5", 2053),
    ]
    detail = {"destination": "Q1", "destination_queue_manager": "QM1", "attempt": 1}
    assert json.loads(moves[0]["detail"]) == detail
    assert (moves[0]["length"], moves[0]["put_application"], moves[0]["put_user"]) == (
        177,
        "billing",
        "alice",
    )
    units = {row["unit"]: row["kind"] for row in system.history("GET", "COMMIT")}
    assert [units[row["unit"]] for row in moves] == ["COMMIT"] * 3


def test_the_put_date_is_passed_on(system: HandlerSystem) -> None:
    """The put date of the message is not replaced by the time of the queue manager's clock."""
    system.define("Q1")
    system.put_dead_letter("x", put_date="20200202", put_time="01020304")
    system.run(RETRY)
    (moved,) = system.seen("Q1")
    assert (moved.descriptor.put_date, moved.descriptor.put_time) == ("20200202", "01020304")
    assert HEADER.put_date == "20240102"

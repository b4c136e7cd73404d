"""The handler at work on a queue (dlq-rules §4), every trap that touches one under its number."""

from __future__ import annotations

import json
from typing import Any

import pytest

from store.admin import change, delete
from store.catalog import KINDS
from store.descriptor import FIELDS, MessageDescriptor
from store.headers import mqdlh
from tests.mqsc.dlq.desk import DLQ, HEADER, Desk

MQDEAD = "MQDEAD"
RETRY = "WAIT(NO)\nACTION(RETRY)\n"
THREE_THEN_TWO = "WAIT(NO)\nREASON(2053) ACTION(RETRY) RETRY(3)\nACTION(FWD) FWDQ(ALSO.FULL) RETRY(2)\n"


def test_every_action(desk: Desk) -> None:
    desk.define("Q1", "REST", "OTHER")
    for destination in ("Q1", "THROWN", "KEPT", "ELSEWHERE", "BARE"):
        desk.letter(destination.lower(), dest_q_name=destination)
    ran = desk.run(
        "WAIT(NO)\n"
        "DESTQ(Q1) ACTION(RETRY)\n"
        "DESTQ(THROWN) ACTION(DISCARD)\n"
        "DESTQ(KEPT) ACTION(IGNORE)\n"
        "DESTQ(BARE) ACTION(FWD) FWDQ(OTHER) HEADER(NO)\n"
        "ACTION(FWD) FWDQ(REST)\n"
    )
    assert (ran.code, ran.ids) == (0, [])
    assert [text for _, _, text in ran.said] == [
        f"The dead-letter handler has started on queue {DLQ} of queue manager QM1.",
        "The dead-letter handler is ending.",
    ]
    assert (desk.on("Q1"), desk.on(DLQ), desk.on("OTHER"), desk.on("REST")) == (
        ["q1"],
        ["kept"],
        ["bare"],
        ["elsewhere"],
    )
    assert desk.seen("REST")[0].body.startswith(b"DLH ")  # T10
    assert not desk.seen("Q1")[0].body.startswith(b"DLH ")


def test_the_worked_example(desk: Desk) -> None:
    """T06, T07 and the bytes of §4.4: a header in big-endian CCSID 437, data in CCSID 819."""
    desk.define("Q1")
    header = mqdlh.DeadLetterHeader(2053, "Q1", "QM1", 546, 819, "MQSTR", 6, "mover", "20240102", "03040506")
    desk.letter(b"h\xe9llo", header=header, header_encoding=273, header_ccsid=437)
    assert desk.run("WAIT(NO)\nREASON(2053) FORMAT(MQSTR) ACTION(RETRY)\n").code == 0
    (moved,) = desk.seen("Q1")
    d = moved.descriptor
    assert (moved.body, d.format, d.encoding, d.coded_char_set_id) == (b"h\xe9llo", "MQSTR", 546, 819)


def test_what_goes_on_with_its_header_keeps_every_byte(desk: Desk) -> None:
    desk.define("REST")
    desk.letter(b"\xff\x00hello", header_encoding=273, header_ccsid=500)
    (before,) = desk.seen(DLQ)
    assert desk.run("WAIT(NO)\nDESTQ(Q1) ACTION(FWD) FWDQ(REST)\n").code == 0
    (after,) = desk.seen("REST")
    assert after.body == before.body
    assert (after.descriptor.format, after.descriptor.encoding) == (MQDEAD, 273)


# T11, T12: everything but Format, Encoding and CodedCharSetId goes on as it is; version 2 fields too.
GIVEN: dict[str, Any] = {
    "report": 64,
    "msg_type": 1,
    "feedback": 0,
    "priority": 3,
    "persistence": 1,
    "msg_id": b"m" * 24,
    "correl_id": b"c" * 24,
    "reply_to_q": "ANSWERS",
    "reply_to_q_mgr": "QM2",
    "user_identifier": "alice",
    "accounting_token": b"t" * 32,
    "appl_identity_data": "identity",
    "put_appl_type": 11,
    "put_appl_name": "billing",
    "put_date": "20240101",
    "put_time": "00000001",
    "appl_origin_data": "orig",
    "group_id": b"g" * 24,
    "msg_seq_number": 7,
    "msg_flags": 8,
}


@pytest.mark.parametrize("putaut", ["DEF", "CTX"])
@pytest.mark.parametrize("rule", ["ACTION(RETRY)", "ACTION(FWD) FWDQ(Q1) HEADER(NO)", "ACTION(FWD) FWDQ(Q1)"])
def test_descriptor_and_context_go_on(desk: Desk, rule: str, putaut: str) -> None:
    desk.define("Q1")
    desk.letter("x", **GIVEN)
    assert desk.run(f"WAIT(NO)\n{rule} PUTAUT({putaut})\n").code == 0
    (moved,) = desk.seen("Q1")
    assert {name: getattr(moved.descriptor, name) for name in GIVEN} == GIVEN
    assert moved.descriptor.backout_count == 0
    assert set(GIVEN) < set(FIELDS)


@pytest.mark.parametrize(
    ("case", "expiry", "after", "left"), [("E36", 30, 1, 20), ("T13", 30, 2, 10), ("unlimited", -1, 5, -1)]
)
def test_expiry_runs_on(desk: Desk, case: str, expiry: int, after: int, left: int) -> None:
    desk.define("Q1")
    desk.letter("x", expiry=expiry)
    desk.clock.advance(after)
    assert desk.run(RETRY).code == 0
    assert desk.seen("Q1")[0].descriptor.expiry == left


def test_an_expired_letter_is_never_matched(desk: Desk) -> None:
    """E37, T22: the browse discards it, with the report that it asked for; no second dead letter comes of it."""
    desk.define("Q1", "REPORTS")
    desk.letter("late", expiry=30, report=0x00200000, reply_to_q="REPORTS", reply_to_q_mgr="QM1")
    desk.letter("fresh", expiry=300)
    desk.clock.advance(3)
    assert desk.run(RETRY).code == 0
    assert (desk.on("Q1"), desk.on(DLQ)) == (["fresh"], [])
    (report,) = desk.seen("REPORTS")
    assert (report.descriptor.feedback, report.descriptor.msg_type) == (258, 4)
    (event,) = desk.history("EXPIRE")
    assert (event["cause"], event["queue"], event["application"]) == ("handler", DLQ, "runmqdlq")
    assert desk.history("DEAD_LETTER") == []


def test_attempts(desk: Desk) -> None:
    """T03, T04 over RETRYINT: three attempts of the first rule, two of the next, then the message is left alone."""
    desk.define("ALSO.FULL", MAXDEPTH=0)
    desk.letter("x", dest_q_name="NOWHERE")
    ran = desk.run("RETRYINT(10) " + THREE_THEN_TWO)
    assert ran.code == 0
    said = [(seconds, text.split(" failed")[0]) for seconds, _, text in ran.said[1:-1]]
    first, second = "The put of the rule in line 2 to NOWHERE on QM1", "The put of the rule in line 3 to ALSO.FULL"
    assert said == [(0, first), (10, first), (20, first), (30, second), (40, second)]
    assert ran.said[-1][0] == 40
    assert desk.on(DLQ) == ["x"]


def test_attempts_begin_anew_with_the_process(desk: Desk) -> None:
    """T26: and while one runs, a message that was given up is not tried again."""
    desk.letter("x", dest_q_name="NOWHERE")
    assert desk.run("RETRYINT(1) WAIT(30)\nACTION(RETRY) RETRY(2)\n").times("AMQ8722") == [0, 1]
    began = desk.clock.seconds
    assert desk.run("RETRYINT(1) WAIT(NO)\nACTION(RETRY) RETRY(2)\n").times("AMQ8722") == [began, began + 1]


def test_attempts_are_forgotten_with_the_message(desk: Desk) -> None:
    """§4.3: one with the same ids that comes after it was moved has all attempts again."""
    desk.letter("first", msg_id=b"same", dest_q_name="LATER")
    desk.clock.arrange(5, lambda: desk.define("LATER"))
    desk.clock.arrange(15, lambda: delete(desk.qmgr, KINDS["QLOCAL"], "LATER", purge=True))
    desk.clock.arrange(15, lambda: desk.letter("second", msg_id=b"same", dest_q_name="LATER"))
    ran = desk.run("RETRYINT(10) WAIT(30)\nACTION(RETRY) RETRY(2)\n")
    assert (ran.times("AMQ8722"), desk.on(DLQ)) == ([0, 15, 25], ["second"])


def test_a_retry_that_succeeds_meanwhile(desk: Desk) -> None:
    """The first attempt at 0 and four more at intervals of RETRYINT: the queue has room again at 150 s."""
    desk.define("Q1", MAXDEPTH=0)
    desk.letter("x")
    desk.clock.arrange(150, lambda: desk.alter("Q1", MAXDEPTH=10))
    ran = desk.run("WAIT(NO)\nREASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(5)\n")
    assert (ran.code, ran.ids, desk.clock.seconds, desk.on("Q1")) == (0, [], 180, ["x"])
    (event,) = desk.history("REQUEUE")
    assert json.loads(event["detail"])["attempt"] == 4


def test_wait_no_lasts_while_attempts_are_left(desk: Desk) -> None:
    """T24: RETRY(5) with RETRYINT(60) lasts four minutes."""
    desk.define("Q1", MAXDEPTH=0)
    desk.letter("x")
    assert desk.run("WAIT(NO)\nACTION(RETRY) RETRY(5)\n").said[-1][0] == 240


def test_same_ids_share_their_attempts(desk: Desk) -> None:
    """T25: two messages with one MsgId and CorrelId have three attempts together, a third one has its own."""
    for data, correl_id in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        desk.letter(data, msg_id=b"same", correl_id=correl_id, dest_q_name="NOWHERE")
    ran = desk.run("WAIT(NO) RETRYINT(5)\nACTION(RETRY) RETRY(3)\n")
    assert len(ran.times("AMQ8722")) == 3 + 3


def test_ignore_ends_the_search(desk: Desk) -> None:
    """T05, T23: the rules behind it never see the message, and each look at it raises its backout count."""
    desk.letter("x")
    assert desk.run("WAIT(NO)\nREASON(2053) ACTION(IGNORE)\nACTION(DISCARD)\n").code == 0
    (left,) = desk.seen(DLQ)
    # The first look, and one in the reading of the whole queue that shows that nothing is left to do.
    assert left.descriptor.backout_count == 2
    assert desk.history("DISCARD") == []


def test_no_rule_is_like_ignore(desk: Desk) -> None:
    desk.letter("x")
    assert desk.run("WAIT(NO)\nREASON(1) ACTION(DISCARD)\n").ids == []
    assert desk.seen(DLQ)[0].descriptor.backout_count == 2


def test_a_message_without_header_is_left(desk: Desk) -> None:
    """T21: an action-only rule never takes it; it is reported each time it is met, and not backed out."""
    desk.put(DLQ, b"no header at all", msg_id=b"odd")
    desk.letter("x")
    ran = desk.run("RETRYINT(1) WAIT(15)\nACTION(DISCARD)\n")
    # Met first, and 10 RETRYINTs later, when the whole queue is read again.
    assert ran.times("AMQ8721") == [0, 10]
    assert f"MsgId {b'odd'.hex().upper()}" in ran.said[1][2]
    (left,) = desk.seen(DLQ)
    assert (left.body, left.descriptor.backout_count) == (b"no header at all", 0)


def test_a_message_without_header_is_not_kept_locked(desk: Desk) -> None:
    desk.put(DLQ, b"odd")
    got: list[bytes] = []

    def take() -> None:
        with desk.qmgr.connect() as connection:
            got.append(connection.open(DLQ, 2).get().body)

    desk.clock.arrange(1, take)
    desk.run("WAIT(5)\nACTION(DISCARD)\n")
    assert got == [b"odd"]


@pytest.mark.parametrize(
    ("trap", "reason", "rule", "said"),
    [
        ("T27", 2085, "ACTION(RETRY)", []),
        ("T27", 2085, "ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)", []),
        ("T27", 2053, "ACTION(RETRY)", ["AMQ8722"]),
        ("T27", 2085, "ACTION(FWD) FWDQ(NOWHERE)", ["AMQ8722"]),
    ],
)
def test_a_failure_that_says_nothing_new_is_not_reported(
    desk: Desk, trap: str, reason: int, rule: str, said: list[str]
) -> None:
    desk.letter("x", dest_q_name="NOWHERE", reason=reason)
    assert desk.run(f"WAIT(NO)\n{rule}\n").ids == said


def test_a_warning_of_the_put_is_a_failure(desk: Desk) -> None:
    """T28: priority 12 counts as 9, with the warning 2049; the message stays on the dead-letter queue."""
    desk.define("Q1")
    desk.letter("x", priority=12)
    ran = desk.run(RETRY)
    assert ran.ids == ["AMQ8722"]
    assert "2049 MQRC_PRIORITY_EXCEEDS_MAXIMUM" in ran.said[1][2]
    assert (desk.on("Q1"), desk.on(DLQ)) == ([], ["x"])


@pytest.mark.parametrize("action", ["DISCARD", "FWD) FWDQ(REST", "RETRY"])
def test_no_report_is_made(desk: Desk, action: str) -> None:
    """T31: neither exception nor expiration reports, nor a confirmation of delivery, come of an action."""
    desk.define("Q1", "REST", "REPORTS")
    desk.letter("x", report=0x01000000 | 0x00200000 | 0x00000800, reply_to_q="REPORTS", reply_to_q_mgr="QM1")
    assert desk.run(f"WAIT(NO)\nACTION({action})\n").code == 0
    assert (desk.on("REPORTS"), desk.on(DLQ)) == ([], [])


def test_forwarding_to_the_queue_itself_ends(desk: Desk) -> None:
    """T30: a message that comes back is new to the handler; ten times are enough, by whatever name."""
    desk.define("BACK", kind="QALIAS", TARGET=DLQ)
    desk.letter("x")
    ran = desk.run("WAIT(NO)\nREASON(2053) ACTION(FWD) FWDQ(BACK)\n")
    assert ran.code == 0
    assert ran.ids == ["MQSC0031"]
    assert (len(desk.history("FORWARD")), desk.on(DLQ)) == (10, ["x"])


def test_an_alias_that_comes_to_lead_back(desk: Desk) -> None:
    """T30: where names lead is looked up anew whenever the whole queue is read."""
    desk.define("REST")
    desk.define("AWAY", kind="QALIAS", TARGET="REST")
    desk.letter("first")
    desk.clock.arrange(5, lambda: change(desk.qmgr, KINDS["QALIAS"], "AWAY", {"TARGET": DLQ}))
    desk.clock.arrange(110, lambda: desk.letter("second"))
    ran = desk.run("RETRYINT(10) WAIT(150)\nREASON(2053) ACTION(FWD) FWDQ(AWAY)\n")
    assert (ran.times("MQSC0031"), desk.on("REST"), desk.on(DLQ)) == ([110], ["first"], ["second"])


def test_context_and_header_fields_are_told_apart(desk: Desk) -> None:
    """T01, T02: FORMAT is that of the header, APPLNAME and APPLTYPE those of the descriptor."""
    header = mqdlh.DeadLetterHeader(2053, "Q1", "QM1", 546, 1208, "MQSTR", 28, "header", "20240102", "03040506")
    for name in ("right", "wrong"):
        desk.letter(name, header=header, put_appl_name="billing", put_appl_type=6, correl_id=name.encode())
    assert desk.run("WAIT(NO)\nFORMAT(MQDEAD) ACTION(DISCARD)\nAPPLNAME('header') ACTION(DISCARD)\n").code == 0
    assert desk.on(DLQ) == ["right", "wrong"]
    assert desk.run("WAIT(NO)\nFORMAT(MQSTR) APPLNAME('billing') APPLTYPE(6) ACTION(DISCARD)\n").code == 0
    assert desk.on(DLQ) == []


def test_new_messages_behind_the_cursor_are_found_in_the_end(desk: Desk) -> None:
    """§4.5: a message of higher priority is met when the whole queue is read again."""
    desk.define("Q1", MAXDEPTH=0)
    desk.letter("stays", priority=0)
    desk.clock.arrange(30, lambda: desk.letter("new", priority=9, dest_q_name="THROWN"))
    ran = desk.run("RETRYINT(10) WAIT(YES)\nDESTQ(THROWN) ACTION(DISCARD)\nDESTQ(Q1) ACTION(IGNORE)\n", end=150)
    assert ran.code == 0
    (event,) = desk.history("DISCARD")
    assert (event["at"] - desk.clock.began) // 1_000_000 == 100


def test_the_history_says_what_became_of_each(desk: Desk) -> None:
    """Reason, rule and attempt stand beside the message, in the unit of work that moved it."""
    desk.define("Q1", "REST")
    for destination in ("Q1", "GONE", "X"):
        desk.letter("hello", dest_q_name=destination, put_appl_name="billing", user_identifier="alice")
    desk.run("WAIT(NO)\nDESTQ(Q1) ACTION(RETRY)\nDESTQ(GONE) ACTION(DISCARD)\n\nACTION(FWD) FWDQ(REST)\n")
    told = [
        (row["kind"], row["cause"], row["queue"], row["target"], row["rule"], row["reason"])
        for row in desk.history("REQUEUE", "DISCARD", "FORWARD")
    ]
    assert told == [
        ("REQUEUE", "handler", DLQ, "Q1", "2", 2053),
        ("DISCARD", "handler", DLQ, None, "3", 2053),
        ("FORWARD", "handler", DLQ, "REST", "5", 2053),
    ]
    event = desk.history("REQUEUE")[0]
    assert json.loads(event["detail"]) == {"destination": "Q1", "destination_queue_manager": "QM1", "attempt": 1}
    assert (event["length"], event["put_application"], event["put_user"]) == (177, "billing", "alice")
    units = {row["unit"]: row["kind"] for row in desk.history("GET", "COMMIT")}
    assert [units[row["unit"]] for row in desk.history("REQUEUE", "DISCARD", "FORWARD")] == ["COMMIT"] * 3


def test_the_descriptor_browsed_is_that_of_the_message(desk: Desk) -> None:
    """A descriptor that tells its own put date keeps it: the clock of the queue manager does not get into it."""
    desk.define("Q1")
    placed = desk.letter("x", put_date="20200202", put_time="01020304")
    assert isinstance(placed, MessageDescriptor)
    desk.run(RETRY)
    (moved,) = desk.seen("Q1")
    assert (moved.descriptor.put_date, moved.descriptor.put_time) == ("20200202", "01020304")
    assert HEADER.put_date == "20240102"

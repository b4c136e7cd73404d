"""Trials of a table: which rule each message would get, and the result as text."""

from __future__ import annotations

from mqsc.dlq.dead_letter import DeadLetter, dead_letters_from_messages, dead_letters_on_queue
from mqsc.dlq.trial import CountedPut, TrialAction, TrialCounts, TrialResult, try_table
from mqsc.dlq.trial_text import (
    consequence,
    count_lines,
    count_rows,
    later_text,
    put_text,
    trial_lines,
    trial_row,
)
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh
from mqsc.store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HEADER, HandlerSystem
from tests.mqsc.dlq.tables import facts, table
from tests.rows import rows

RULES = (
    "WAIT(NO)\n"
    "DESTQ(THROWN) ACTION(DISCARD)\n"
    "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)\n"
    "REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) HEADER(NO)\n"
    "MSGTYPE(MQMT_REPORT) ACTION(IGNORE)\n"
)


def put_messages(system: HandlerSystem) -> None:
    """Put dead letters for every rule, one that matches no rule, one without a header, and an
    expired one.
    """
    system.define("Q1", MAXDEPTH=1)
    system.define("ANSWERS")
    system.put_dead_letters("a", "b")
    system.put_dead_letter("c", dest_q_name="THROWN")
    system.put_dead_letter("d", reason=2051, reply_to_q="ANSWERS")
    system.put_dead_letter("e", reason=2051, msg_type=4)
    system.put_dead_letter("f", reason=2051)
    system.put(DLQ, b"odd")
    system.put_dead_letter("g", expiry=1)
    system.clock.advance(1)


def tried(system: HandlerSystem) -> list[TrialResult]:
    letters = dead_letters_on_queue(system.seen(DLQ))
    return list(try_table(table(RULES), letters, PutPreview(system.qmgr, DLQ)))


def counted(found: list[TrialResult]) -> TrialCounts:
    counts = TrialCounts()
    for result in found:
        counts.count(result)
    return counts


def test_results_and_counts(system: HandlerSystem) -> None:
    put_messages(system)
    found = tried(system)
    assert [
        (result.rule.line if result.rule else None, result.target, result.reason)
        for result in found
    ] == [
        *(
            (3, ("Q1", "QM1"), 0),
            (3, ("Q1", "QM1"), 2053),
            (2, None, None),
            (4, ("ANSWERS", ""), 0),
            (5, None, None),
        ),
        *[(None, None, None)] * 3,
    ]
    counts = counted(found)
    assert (counts.messages, counts.unmatched, counts.without_header, counts.expired) == (
        8,
        1,
        1,
        1,
    )
    assert counts.rules == {2: 1, 3: 2, 4: 1, 5: 1}
    assert counts.reasons == {
        (2053, "Q1", "QM1"): 2,
        (2053, "THROWN", "QM1"): 1,
        (2051, "Q1", "QM1"): 3,
    }
    assert {(put.target, put.reason): count for put, count in counts.puts.items()} == {
        (("Q1", "QM1"), 0): 1,
        (("Q1", "QM1"), 2053): 1,
        (("ANSWERS", ""), 0): 1,
    }
    lines = list(count_lines(table(RULES), counts))
    assert (lines[0].split(), lines[2]) == (
        ["RULE", "MESSAGES", "WHAT"],
        "line 3           2  REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)",
    )
    shown = {
        "       3  2051 MQRC_PUT_INHIBITED  Q1 on QM1",
        "       1  Q1 on QM1    fails with 2053 MQRC_Q_FULL; after 2 attempts: no rule, stays on the "
        "queue",
    }
    assert shown <= {*lines}


def test_the_handler_does_what_the_trial_predicts(system: HandlerSystem) -> None:
    put_messages(system)
    tried(system)
    assert [len(system.seen(name)) for name in (DLQ, "Q1", "ANSWERS")] == [8, 0, 0]
    assert system.history("GET", "EXPIRE", "BACKOUT") == []
    system.run(RULES.replace("RETRY(2)", "RETRY(1)"))
    assert [system.on(name) for name in (DLQ, "Q1", "ANSWERS")] == [
        ["b", "e", "f", "odd"],
        ["a"],
        ["d"],
    ]


LADDER = (
    "WAIT(NO) RETRYINT(1)\n"
    "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(3)\n"
    "ACTION(FWD) FWDQ(SMALL) HEADER(YES)\n"
    "ACTION(FWD) FWDQ(SAVE) HEADER(YES)\n"
)


def test_where_messages_go_once_the_attempts_of_a_rule_are_used_up(system: HandlerSystem) -> None:
    """Of six messages, one fits on the full queue again, and the two rules after RETRY take
    the others; the handler then does the same.
    """
    system.define("Q1", MAXDEPTH=1)
    system.define("SMALL", MAXDEPTH=2)
    system.define("SAVE")
    system.put_dead_letters(*"abcdef")
    rules = table(LADDER)
    letters = dead_letters_on_queue(system.seen(DLQ))
    found = list(try_table(rules, letters, PutPreview(system.qmgr, DLQ)))
    counts = counted(found)
    assert (counts.rules, counts.later_rules) == ({2: 6}, {3: 5, 4: 3})
    assert [consequence(result) for result in found[:4]] == [
        "would go to Q1 on QM1: succeeds",
        *["would go to Q1 on QM1: fails with 2053 MQRC_Q_FULL; after 3 attempts: line 3, to SMALL"]
        * 2,
        "would go to Q1 on QM1: fails with 2053 MQRC_Q_FULL; after 3 attempts: line 3, to SMALL, "
        "which fails with 2053 MQRC_Q_FULL; after 4 attempts: line 4, to SAVE",
    ]
    lines = list(count_lines(rules, counts))
    assert lines[3] == ("line 4           0  ACTION(FWD) FWDQ(SAVE) (and 3 after failed attempts)")
    assert trial_row(rules, found[1])["later"] == [
        {
            "after_attempts": 3,
            "rule": 3,
            "action": "FWD",
            "target": "SMALL",
            "target_queue_manager": "",
            "put_reason": 0,
        },
    ]
    system.run(LADDER)
    assert [len(system.on(name)) for name in (DLQ, "Q1", "SMALL", "SAVE")] == [0, 1, 2, 3]


def test_a_later_action_takes_no_room_from_a_first_one(system: HandlerSystem) -> None:
    """The handler reads to the end of the queue before it retries: the last message gets the only
    place.
    """
    system.define("Q1", MAXDEPTH=0)
    system.define("SMALL", MAXDEPTH=1)
    system.put_dead_letters("a")
    system.put_dead_letter("b", reason=2051)
    letters = dead_letters_on_queue(system.seen(DLQ))
    found = list(try_table(table(LADDER), letters, PutPreview(system.qmgr, DLQ)))
    assert [(result.target, result.reason) for result in found] == [
        (("Q1", "QM1"), 2053),
        (("SMALL", ""), 0),
    ]


def test_without_a_queue_manager_the_result_of_a_put_is_unknown() -> None:
    given = [
        Message(mqdlh.pack_mqdlh(HEADER) + b"x", MessageDescriptor(coded_char_set_id=1208)),
        Message(b"odd"),
    ]
    first, second = try_table(table(RULES), dead_letters_from_messages(given), None)
    assert (first.target, first.reason, second.rule) == (("Q1", "QM1"), None, None)
    assert consequence(first).endswith("unknown without a queue manager")


def test_explanations(system: HandlerSystem) -> None:
    put_messages(system)
    found = tried(system)
    lines = [list(trial_lines(table(RULES), result)) for result in found]
    assert lines[3][1:] == [
        "   line 2: no match: DESTQ(THROWN), but MQDLH.DestQName is Q1",
        "   line 3: no match: REASON(MQRC_Q_FULL), but MQDLH.Reason is 2051 MQRC_PUT_INHIBITED",
        "   line 4: chosen: REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) HEADER(NO)",
        "   would go to ANSWERS: succeeds",
    ]
    assert [consequence(result) for result in found[1:6]] == [
        "would go to Q1 on QM1: fails with 2053 MQRC_Q_FULL; after 2 attempts: no rule, stays on "
        "the queue",
        "would be discarded",
        "would go to ANSWERS: succeeds",
        "would stay on the queue",
        "no rule applies: it would stay on the queue",
    ]
    assert "AMQ8721" in lines[6][0]
    assert "expired" in lines[7][0]


def test_as_objects(system: HandlerSystem) -> None:
    put_messages(system)
    found = tried(system)
    row = trial_row(table(RULES), found[1])
    assert (row["message"], row["rule"], row["action"]) == (2, 3, "RETRY")
    assert (row["target"], row["target_queue_manager"], row["put_reason"]) == ("Q1", "QM1", 2053)
    mismatch = {"keyword": "DESTQ", "field": "MQDLH.DestQName", "pattern": "THROWN", "value": "Q1"}
    assert row["rules"][0] == {"rule": 2, "outcome": "no match", "mismatches": [mismatch]}
    rows = list(count_rows(table(RULES), counted(found)))
    assert [(each["rule"], each["messages"]) for each in rows[:4]] == [
        (2, 1),
        (3, 2),
        (4, 1),
        (5, 1),
    ]
    assert [each["of"] for each in rows if "rule" in each] == ["rule"] * 4
    assert {each["of"]: each["messages"] for each in rows[4:7]} == {
        "left": 1,
        "no header": 1,
        "expired": 1,
    }


def test_names_with_control_characters_are_printable(system: HandlerSystem) -> None:
    system.put_dead_letter("x", dest_q_name="A\nB", dest_q_mgr_name="\x1b[2J")
    found = tried(system)
    for line in [*trial_lines(table(RULES), found[0]), *count_lines(table(RULES), counted(found))]:
        assert line.isprintable()


TABLE = table("DESTQ(THROWN) ACTION(DISCARD)\nREASON(MQRC_Q_FULL) ACTION(RETRY)\nACTION(IGNORE)\n")
DISCARD, RETRY, IGNORE = TABLE.rules
LETTER = DeadLetter(3, MessageDescriptor(msg_id=b"m" * 24, correl_id=b"c" * 24), b"", 0, HEADER)
ID = "6D" * 24


@rows(
    (None, "unknown without a queue manager"),
    (0, "succeeds"),
    (2053, "fails with 2053 MQRC_Q_FULL"),
)
def test_the_outcome_of_a_put(reason: int | None, text: str) -> None:
    assert put_text(reason) == text


@rows(
    (TrialResult(LETTER), "no rule applies: it would stay on the queue"),
    (
        TrialResult(LETTER, rule=RETRY, target=("Q1", "QM2"), reason=0),
        "would go to Q1 on QM2: succeeds",
    ),
    (TrialResult(LETTER, rule=DISCARD), "would be discarded"),
    (TrialResult(LETTER, rule=IGNORE), "would stay on the queue"),
)
def test_consequences(result: TrialResult, text: str) -> None:
    assert consequence(result) == text


@rows(
    (TrialAction(1, None, None, None), "after 1 attempt: no rule, stays on the queue"),
    (TrialAction(2, DISCARD, None, None), "after 2 attempts: line 1, discarded"),
    (TrialAction(2, IGNORE, None, None), "after 2 attempts: line 3, stays on the queue"),
)
def test_what_follows_without_a_put(action: TrialAction, text: str) -> None:
    assert later_text(action) == text


def test_a_message_with_every_rule_up_to_the_one_that_applies() -> None:
    result = TrialResult(LETTER, facts(dest_q_name="Q1"), RETRY, ("Q1", "QM1"), 0)
    assert list(trial_lines(TABLE, result)) == [
        f"message 3, MsgId {ID}: 2053 MQRC_Q_FULL, for Q1 on QM1",
        "   line 1: no match: DESTQ(THROWN), but MQDLH.DestQName is Q1",
        "   line 2: chosen: REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "   would go to Q1 on QM1: succeeds",
    ]


@rows(
    (LETTER._replace(is_expired=True), "expired; the handler discards it when it browses"),
    (
        LETTER._replace(header=None, fault="too short"),
        "too short; reported as AMQ8721, stays on the queue",
    ),
)
def test_a_message_that_no_rule_is_asked_about(letter: DeadLetter, line: str) -> None:
    assert list(trial_lines(TABLE, TrialResult(letter))) == [f"message 3, MsgId {ID}: {line}"]


def test_a_result_as_an_object() -> None:
    mismatch = {
        "keyword": "DESTQ",
        "field": "MQDLH.DestQName",
        "pattern": "THROWN",
        "value": "ORDERS",
    }
    assert trial_row(TABLE, TrialResult(LETTER, facts(), RETRY, ("Q1", "QM1"), 2053)) == {
        **{
            "message": 3,
            "msg_id": ID.lower(),
            "correl_id": "63" * 24,
            "locked": False,
            "expired": False,
            "fault": "",
        },
        **{
            "reason": 2053,
            "dest_q_name": "Q1",
            "dest_q_mgr_name": "QM1",
            "rule": 2,
            "action": "RETRY",
        },
        **{"target": "Q1", "target_queue_manager": "QM1", "put_reason": 2053, "later": []},
        "rules": [
            {"rule": 1, "outcome": "no match", "mismatches": [mismatch]},
            {"rule": 2, "outcome": "chosen", "mismatches": []},
        ],
    }
    row = trial_row(
        TABLE,
        TrialResult(LETTER._replace(header=None, fault="too short", is_expired=True)),
    )
    empty = ("reason", "dest_q_name", "dest_q_mgr_name", "rule", "action", "target", "put_reason")
    assert {row[name] for name in empty} == {None}
    assert (row["fault"], row["expired"], row["rules"]) == ("too short", True, [])


def test_a_message_that_another_program_has_locked_is_not_found(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letters("a", "b")
    with system.locking(b"letter 1"):
        first, second = tried(system)
        counts = counted([first, second])
        system.run(RULES + "ACTION(FWD) FWDQ(Q1)\n")
        assert (system.on(DLQ), system.on("Q1")) == (["a"], ["b"])
    assert (first.rule, second.target, counts.locked, counts.unmatched) == (
        None,
        ("Q1", "QM1"),
        1,
        0,
    )
    (line,) = trial_lines(table(RULES), first)
    assert line.endswith(": locked by another program; the handler does not find it")
    assert "locked           1  locked by another program, not found" in count_lines(
        table(RULES),
        counts,
    )
    assert (
        trial_row(table(RULES), first)["locked"],
        trial_row(table(RULES), second)["locked"],
    ) == (True, False)


def test_totals_with_what_the_codes_in_them_mean() -> None:
    counts = TrialCounts(messages=6, unmatched=1, without_header=2, expired=3)
    counts.rules.update({2: 4})
    counts.reasons.update({(2053, "Q1", "QM1"): 1, (2085, "Q2", ""): 3})
    counts.puts.update({CountedPut(("Q1", "QM1"), 2053): 1, CountedPut(("Q2", ""), 0): 3})
    *totals, blank, first, second = count_lines(TABLE, counts)
    assert totals == [
        "RULE      MESSAGES  WHAT",
        "line 1           0  DESTQ(THROWN) ACTION(DISCARD)",
        "line 2           4  REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "line 3           0  ACTION(IGNORE)",
        "no rule          1  stays on the queue",
        "no MQDLH         2  reported as AMQ8721, stays on the queue",
        "expired          3  discarded by the browse",
        "",
        "MESSAGES  REASON                         DESTINATION",
        "       3  2085 MQRC_UNKNOWN_OBJECT_NAME  Q2",
        "       1  2053 MQRC_Q_FULL               Q1 on QM1",
        "",
        "MESSAGES  WOULD GO TO  PUT",
        "       3  Q2           succeeds",
        "       1  Q1 on QM1    fails with 2053 MQRC_Q_FULL",
    ]
    assert (blank, first[:17], second[:30]) == (
        "",
        "2053 MQRC_Q_FULL:",
        "2085 MQRC_UNKNOWN_OBJECT_NAME:",
    )


def test_totals_of_nothing() -> None:
    words = [line.split()[0] for line in count_lines(TABLE, TrialCounts())]
    assert words == ["RULE", "line", "line", "line", "no", "no"]


def test_totals_as_objects() -> None:
    counts = TrialCounts(messages=6, unmatched=1, without_header=2, expired=3)
    counts.rules.update({2: 4})
    counts.reasons.update({(2053, "Q1", "QM1"): 1})
    counts.puts.update({CountedPut(("Q1", "QM1"), 2053): 1})
    _, second, _, *others = count_rows(TABLE, counts)
    rule = {
        "of": "rule",
        "rule": 2,
        "text": "REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "action": "RETRY",
        "retry": 1,
    }
    assert second == {**rule, "messages": 4, "messages_later": 0}
    full = {
        "reason": 2053,
        "reason_name": "MQRC_Q_FULL",
        "dest_q_name": "Q1",
        "dest_q_mgr_name": "QM1",
    }
    assert others == [
        *(
            {"of": "left", "messages": 1},
            {"of": "no header", "messages": 2},
            {"of": "expired", "messages": 3},
        ),
        {"of": "locked", "messages": 0},
        {"of": "reason", **full, "messages": 1},
        {
            "of": "target",
            "target": "Q1",
            "target_queue_manager": "QM1",
            "put_reason": 2053,
            "later": [],
            "messages": 1,
        },
    ]

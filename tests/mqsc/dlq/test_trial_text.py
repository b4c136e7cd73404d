"""Results and totals of a trial as text and as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.dlq.redrive import DeadLetter
from mqsc.dlq.trial import (
    TrialCounts,
    TrialResult,
    consequence,
    count_lines,
    count_rows,
    put_text,
    trial_lines,
    trial_row,
)
from store.descriptor import MessageDescriptor
from tests.mqsc.dlq.handler_system import HEADER, HandlerSystem
from tests.mqsc.dlq.tables import facts, table
from tests.mqsc.dlq.test_trial import RULES, counted, put_messages, tried


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
        "would go to Q1 on QM1: fails with 2053 MQRC_Q_FULL",
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
    assert row["rules"][0] == {
        "rule": 2,
        "outcome": "no match",
        "mismatches": [{"keyword": "DESTQ", "field": "MQDLH.DestQName", "pattern": "THROWN", "value": "Q1"}],
    }
    rows = list(count_rows(table(RULES), counted(found)))
    assert [(each["rule"], each["messages"]) for each in rows if each["of"] == "rule"] == [
        (2, 1),
        (3, 2),
        (4, 1),
        (5, 1),
    ]
    assert {each["of"]: each["messages"] for each in rows[4:7]} == {"left": 1, "no header": 1, "expired": 1}


def test_counts_as_text(system: HandlerSystem) -> None:
    put_messages(system)
    lines = list(count_lines(table(RULES), counted(tried(system))))
    assert lines[0].split() == ["RULE", "MESSAGES", "WHAT"]
    assert lines[2] == "line 3           2  REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)"
    assert "       3  2051 MQRC_PUT_INHIBITED  Q1 on QM1" in lines
    assert "       1  Q1 on QM1    fails with 2053 MQRC_Q_FULL" in lines


@pytest.mark.parametrize("fields", [{"dest_q_name": "A\nB", "dest_q_mgr_name": "\x1b[2J"}])
def test_names_with_control_characters_are_printable(system: HandlerSystem, fields: dict[str, Any]) -> None:
    system.put_dead_letter("x", **fields)
    found = tried(system)
    for line in [*trial_lines(table(RULES), found[0]), *count_lines(table(RULES), counted(found))]:
        assert line.isprintable()


TABLE = table("DESTQ(THROWN) ACTION(DISCARD)\nREASON(MQRC_Q_FULL) ACTION(RETRY)\nACTION(IGNORE)\n")
DISCARD, RETRY, IGNORE = TABLE.rules
LETTER = DeadLetter(3, MessageDescriptor(msg_id=b"m" * 24, correl_id=b"c" * 24), b"", 0, HEADER)
ID = "6D" * 24


@pytest.mark.parametrize(
    ("reason", "text"),
    [(None, "unknown without a queue manager"), (0, "succeeds"), (2053, "fails with 2053 MQRC_Q_FULL")],
)
def test_the_outcome_of_a_put(reason: int | None, text: str) -> None:
    assert put_text(reason) == text


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (TrialResult(LETTER), "no rule applies: it would stay on the queue"),
        (TrialResult(LETTER, rule=RETRY, target=("Q1", "QM2"), reason=0), "would go to Q1 on QM2: succeeds"),
        (TrialResult(LETTER, rule=DISCARD), "would be discarded"),
        (TrialResult(LETTER, rule=IGNORE), "would stay on the queue"),
    ],
)
def test_consequences(result: TrialResult, text: str) -> None:
    assert consequence(result) == text


def test_a_message_with_every_rule_up_to_the_one_that_applies() -> None:
    result = TrialResult(LETTER, facts(dest_q_name="Q1"), RETRY, ("Q1", "QM1"), 0)
    assert list(trial_lines(TABLE, result)) == [
        f"message 3, MsgId {ID}: 2053 MQRC_Q_FULL, for Q1 on QM1",
        "   line 1: no match: DESTQ(THROWN), but MQDLH.DestQName is Q1",
        "   line 2: chosen: REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "   would go to Q1 on QM1: succeeds",
    ]


@pytest.mark.parametrize(
    ("letter", "line"),
    [
        (LETTER._replace(is_expired=True), "expired; the handler discards it when it browses"),
        (LETTER._replace(header=None, fault="too short"), "too short; reported as AMQ8721, stays on the queue"),
    ],
)
def test_a_message_that_no_rule_is_asked_about(letter: DeadLetter, line: str) -> None:
    assert list(trial_lines(TABLE, TrialResult(letter))) == [f"message 3, MsgId {ID}: {line}"]


def test_a_result_as_an_object() -> None:
    assert trial_row(TABLE, TrialResult(LETTER, facts(), RETRY, ("Q1", "QM1"), 2053)) == {
        "message": 3,
        "msg_id": ID.lower(),
        "correl_id": "63" * 24,
        "expired": False,
        "fault": "",
        "reason": 2053,
        "dest_q_name": "Q1",
        "dest_q_mgr_name": "QM1",
        "rule": 2,
        "action": "RETRY",
        "target": "Q1",
        "target_queue_manager": "QM1",
        "put_reason": 2053,
        "rules": [
            {
                "rule": 1,
                "outcome": "no match",
                "mismatches": [
                    {"keyword": "DESTQ", "field": "MQDLH.DestQName", "pattern": "THROWN", "value": "ORDERS"}
                ],
            },
            {"rule": 2, "outcome": "chosen", "mismatches": []},
        ],
    }


def test_a_result_without_header_or_rule_as_an_object() -> None:
    row = trial_row(TABLE, TrialResult(LETTER._replace(header=None, fault="too short", is_expired=True)))
    empty = ("reason", "dest_q_name", "dest_q_mgr_name", "rule", "action", "target", "put_reason")
    assert {row[name] for name in empty} == {None}
    assert (row["fault"], row["expired"], row["rules"]) == ("too short", True, [])


def test_totals_with_what_the_codes_in_them_mean() -> None:
    counts = TrialCounts(messages=6, unmatched=1, without_header=2, expired=3)
    counts.rules.update({2: 4})
    counts.reasons.update({(2053, "Q1", "QM1"): 1, (2085, "Q2", ""): 3})
    counts.puts.update({(("Q1", "QM1"), 2053): 1, (("Q2", ""), 0): 3})
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
    assert (blank, first[:17], second[:30]) == ("", "2053 MQRC_Q_FULL:", "2085 MQRC_UNKNOWN_OBJECT_NAME:")


def test_totals_of_nothing() -> None:
    assert [line.split()[0] for line in count_lines(TABLE, TrialCounts())] == [
        "RULE",
        "line",
        "line",
        "line",
        "no",
        "no",
    ]


def test_totals_as_objects() -> None:
    counts = TrialCounts(messages=6, unmatched=1, without_header=2, expired=3)
    counts.rules.update({2: 4})
    counts.reasons.update({(2053, "Q1", "QM1"): 1})
    counts.puts.update({(("Q1", "QM1"), 2053): 1})
    rows = list(count_rows(TABLE, counts))
    assert rows[1] == {
        "of": "rule",
        "rule": 2,
        "text": "REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "action": "RETRY",
        "retry": 1,
        "messages": 4,
    }
    assert rows[3:6] == [
        {"of": "left", "messages": 1},
        {"of": "no header", "messages": 2},
        {"of": "expired", "messages": 3},
    ]
    assert rows[6:] == [
        {
            "of": "reason",
            "reason": 2053,
            "reason_name": "MQRC_Q_FULL",
            "dest_q_name": "Q1",
            "dest_q_mgr_name": "QM1",
            "messages": 1,
        },
        {"of": "target", "target": "Q1", "target_queue_manager": "QM1", "put_reason": 2053, "messages": 1},
    ]

"""Dry runs of a rules table: the handler then does what they predict."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.dlq.dead_letters import dead_letters_from_messages, dead_letters_on_queue
from mqsc.dlq.trial import TrialCounts, TrialResult, try_table
from mqsc.dlq.trial_text import consequence, count_lines, count_rows, trial_lines, trial_row
from store.admin.put_preview import PutPreview
from store.descriptor import MessageDescriptor
from store.headers import mqdlh
from store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HEADER, HandlerSystem
from tests.mqsc.dlq.tables import table

RULES = (
    "WAIT(NO)\n"
    "DESTQ(THROWN) ACTION(DISCARD)\n"
    "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)\n"
    "REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) HEADER(NO)\n"
    "MSGTYPE(MQMT_REPORT) ACTION(IGNORE)\n"
)


def put_messages(system: HandlerSystem) -> None:
    """Dead letters for every rule, one that no rule matches, one without a header, and an expired one."""
    system.define("Q1", MAXDEPTH=1)
    system.define("ANSWERS")
    system.put_dead_letter("a")
    system.put_dead_letter("b")
    system.put_dead_letter("c", dest_q_name="THROWN")
    system.put_dead_letter("d", reason=2051, reply_to_q="ANSWERS")
    system.put_dead_letter("e", reason=2051, msg_type=4)
    system.put_dead_letter("f", reason=2051)
    system.put(DLQ, b"odd")
    system.put_dead_letter("g", expiry=1)
    system.clock.advance(1)


def tried(system: HandlerSystem, rules: str = RULES) -> list[TrialResult]:
    return list(try_table(table(rules), dead_letters_on_queue(system.seen(DLQ)), PutPreview(system.qmgr, DLQ)))


def counted(found: list[TrialResult]) -> TrialCounts:
    counts = TrialCounts()
    for result in found:
        counts.count(result)
    return counts


def test_results(system: HandlerSystem) -> None:
    put_messages(system)
    told = [(result.rule.line if result.rule else None, result.target, result.reason) for result in tried(system)]
    assert told == [
        (3, ("Q1", "QM1"), 0),
        (3, ("Q1", "QM1"), 2053),
        (2, None, None),
        (4, ("ANSWERS", ""), 0),
        (5, None, None),
        (None, None, None),
        (None, None, None),
        (None, None, None),
    ]


def test_counts(system: HandlerSystem) -> None:
    put_messages(system)
    counts = counted(tried(system))
    assert (counts.messages, counts.unmatched, counts.without_header, counts.expired) == (8, 1, 1, 1)
    assert counts.rules == {2: 1, 3: 2, 4: 1, 5: 1}
    assert counts.reasons == {(2053, "Q1", "QM1"): 2, (2053, "THROWN", "QM1"): 1, (2051, "Q1", "QM1"): 3}
    assert counts.puts == {(("Q1", "QM1"), 0): 1, (("Q1", "QM1"), 2053): 1, (("ANSWERS", ""), 0): 1}


def test_the_handler_does_what_the_trial_predicts(system: HandlerSystem) -> None:
    put_messages(system)
    tried(system)
    assert [len(system.seen(name)) for name in (DLQ, "Q1", "ANSWERS")] == [8, 0, 0]
    assert system.history("GET", "EXPIRE", "BACKOUT") == []
    system.run(RULES.replace("RETRY(2)", "RETRY(1)"))
    assert [system.on(name) for name in (DLQ, "Q1", "ANSWERS")] == [["b", "e", "f", "odd"], ["a"], ["d"]]


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


def test_without_a_queue_manager_the_result_of_a_put_is_unknown() -> None:
    given = [Message(mqdlh.pack(HEADER) + b"x", MessageDescriptor(coded_char_set_id=1208)), Message(b"odd")]
    first, second = try_table(table(RULES), dead_letters_from_messages(given), None)
    assert (first.target, first.reason, second.rule) == (("Q1", "QM1"), None, None)
    assert consequence(first).endswith("unknown without a queue manager")


@pytest.mark.parametrize("fields", [{"dest_q_name": "A\nB", "dest_q_mgr_name": "\x1b[2J"}])
def test_names_with_control_characters_are_printable(system: HandlerSystem, fields: dict[str, Any]) -> None:
    system.put_dead_letter("x", **fields)
    found = tried(system)
    for line in [*trial_lines(table(RULES), found[0]), *count_lines(table(RULES), counted(found))]:
        assert line.isprintable()

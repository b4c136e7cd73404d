"""A rules table tried on messages: what is foreseen is what the handler then does."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.dlq.dead_letters import letters_given, letters_seen
from mqsc.dlq.trial import Fate, Tally, fates
from mqsc.dlq.trial_text import consequence, fate_lines, fate_row, tally_lines, tally_rows
from store.admin.put_preview import PutPreview
from store.descriptor import MessageDescriptor
from store.headers import mqdlh
from store.message import Message
from tests.mqsc.dlq.desk import DLQ, HEADER, Desk
from tests.mqsc.dlq.tables import table

RULES = (
    "WAIT(NO)\n"
    "DESTQ(THROWN) ACTION(DISCARD)\n"
    "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)\n"
    "REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) HEADER(NO)\n"
    "MSGTYPE(MQMT_REPORT) ACTION(IGNORE)\n"
)


def lay_out(desk: Desk) -> None:
    """Letters for every rule, one for none, one without header, one that has expired."""
    desk.define("Q1", MAXDEPTH=1)
    desk.define("ANSWERS")
    desk.letter("a")
    desk.letter("b")
    desk.letter("c", dest_q_name="THROWN")
    desk.letter("d", reason=2051, reply_to_q="ANSWERS")
    desk.letter("e", reason=2051, msg_type=4)
    desk.letter("f", reason=2051)
    desk.put(DLQ, b"odd")
    desk.letter("g", expiry=1)
    desk.clock.advance(1)


def tried(desk: Desk, rules: str = RULES) -> list[Fate]:
    return list(fates(table(rules), letters_seen(desk.seen(DLQ)), PutPreview(desk.qmgr, DLQ)))


def counted(found: list[Fate]) -> Tally:
    tally = Tally()
    for fate in found:
        tally.count(fate)
    return tally


def test_every_fate(desk: Desk) -> None:
    lay_out(desk)
    told = [(fate.rule.line if fate.rule else None, fate.target, fate.reason) for fate in tried(desk)]
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


def test_the_tally(desk: Desk) -> None:
    lay_out(desk)
    tally = counted(tried(desk))
    assert (tally.messages, tally.left, tally.without_header, tally.expired) == (8, 1, 1, 1)
    assert tally.rules == {2: 1, 3: 2, 4: 1, 5: 1}
    assert tally.reasons == {(2053, "Q1", "QM1"): 2, (2053, "THROWN", "QM1"): 1, (2051, "Q1", "QM1"): 3}
    assert tally.puts == {(("Q1", "QM1"), 0): 1, (("Q1", "QM1"), 2053): 1, (("ANSWERS", ""), 0): 1}


def test_the_handler_then_does_what_was_foreseen(desk: Desk) -> None:
    lay_out(desk)
    tried(desk)
    assert [len(desk.seen(name)) for name in (DLQ, "Q1", "ANSWERS")] == [8, 0, 0]
    assert desk.history("GET", "EXPIRE", "BACKOUT") == []
    desk.run(RULES.replace("RETRY(2)", "RETRY(1)"))
    assert [desk.on(name) for name in (DLQ, "Q1", "ANSWERS")] == [["b", "e", "f", "odd"], ["a"], ["d"]]


def test_explanations(desk: Desk) -> None:
    lay_out(desk)
    found = tried(desk)
    lines = [list(fate_lines(table(RULES), fate)) for fate in found]
    assert lines[3][1:] == [
        "   line 2: no match: DESTQ(THROWN), but MQDLH.DestQName is Q1",
        "   line 3: no match: REASON(MQRC_Q_FULL), but MQDLH.Reason is 2051 MQRC_PUT_INHIBITED",
        "   line 4: chosen: REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) HEADER(NO)",
        "   would go to ANSWERS: succeeds",
    ]
    assert [consequence(fate) for fate in found[1:6]] == [
        "would go to Q1 on QM1: fails with 2053 MQRC_Q_FULL",
        "would be thrown away",
        "would go to ANSWERS: succeeds",
        "would stay",
        "no rule is left: it stays",
    ]
    assert "AMQ8721" in lines[6][0]
    assert "expired" in lines[7][0]


def test_as_objects(desk: Desk) -> None:
    lay_out(desk)
    found = tried(desk)
    row = fate_row(table(RULES), found[1])
    assert (row["message"], row["rule"], row["action"]) == (2, 3, "RETRY")
    assert (row["target"], row["target_queue_manager"], row["put_reason"]) == ("Q1", "QM1", 2053)
    assert row["rules"][0] == {
        "rule": 2,
        "outcome": "no match",
        "mismatches": [{"keyword": "DESTQ", "field": "MQDLH.DestQName", "pattern": "THROWN", "value": "Q1"}],
    }
    rows = list(tally_rows(table(RULES), counted(found)))
    assert [(each["rule"], each["messages"]) for each in rows if each["of"] == "rule"] == [
        (2, 1),
        (3, 2),
        (4, 1),
        (5, 1),
    ]
    assert {each["of"]: each["messages"] for each in rows[4:7]} == {"left": 1, "no header": 1, "expired": 1}


def test_the_page_of_counts(desk: Desk) -> None:
    lay_out(desk)
    lines = list(tally_lines(table(RULES), counted(tried(desk))))
    assert lines[0].split() == ["RULE", "MESSAGES", "WHAT"]
    assert lines[2] == "line 3            2  REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)"
    assert "       3  2051 MQRC_PUT_INHIBITED  Q1 on QM1" in lines
    assert "       1  Q1 on QM1    fails with 2053 MQRC_Q_FULL" in lines


def test_without_a_queue_manager_a_put_is_not_known() -> None:
    given = [Message(mqdlh.pack(HEADER) + b"x", MessageDescriptor(coded_char_set_id=1208)), Message(b"odd")]
    first, second = fates(table(RULES), letters_given(given), None)
    assert (first.target, first.reason, second.rule) == (("Q1", "QM1"), None, None)
    assert consequence(first).endswith("not known without a queue manager")


@pytest.mark.parametrize("fields", [{"dest_q_name": "A\nB", "dest_q_mgr_name": "\x1b[2J"}])
def test_names_do_not_steer_the_terminal(desk: Desk, fields: dict[str, Any]) -> None:
    desk.letter("x", **fields)
    found = tried(desk)
    for line in [*fate_lines(table(RULES), found[0]), *tally_lines(table(RULES), counted(found))]:
        assert line.isprintable()

"""Advice: every row of it by its own examples, then what the examples leave open."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.diagnostic import Description
from mqsc.dlq.check import ADVICE, DESCRIPTIONS, Advice, check_table
from mqsc.dlq.errors import ERRORS
from mqsc.dlq.lint.hit import Surroundings
from mqsc.dlq.read import read_table

REST = "ACTION(FWD) FWDQ(REST)\n"
DEFINED = {("REST", ""), ("AWAY", "QM2")}
AROUND = Surroundings("QM1", "SYSTEM.DEAD.LETTER.QUEUE", lambda queue, manager: (queue, manager) in DEFINED)


def advised(text: str, surroundings: Surroundings | None = None) -> list[tuple[str, int]]:
    """Ids and lines of all advice on a table without errors."""
    reading = check_table([text], "rules.txt", surroundings)
    assert reading.table is not None, reading.findings
    return [(finding.rule_id, finding.line) for finding in reading.findings]


@pytest.mark.parametrize("advice", ADVICE, ids=lambda advice: advice.rule_id)
def test_every_piece_of_advice_has_a_bad_and_a_good_table(advice: Advice) -> None:
    around = AROUND if advice.rule_id == "DLQ11" else None
    found = [each for each in check_table([advice.bad], "bad", around).findings if each.rule_id == advice.rule_id]
    assert [(each.severity, each.file) for each in found] == [(advice.severity, "bad")]
    assert found[0].message
    assert found[0].right
    assert advice.rule_id not in [each.rule_id for each in check_table([advice.good], "good", around).findings]


@pytest.mark.parametrize("error", ERRORS.values(), ids=lambda error: error.rule_id)
def test_every_error_has_a_bad_table(error: Description) -> None:
    assert error.rule_id in [finding.rule_id for finding in read_table([error.bad]).findings]


def test_ids_are_unique_and_in_order() -> None:
    numbers = [each.rule_id for each in DESCRIPTIONS]
    assert len(set(numbers)) == len(numbers)
    assert [each.rule_id for each in ADVICE] == [f"DLQ{number:02}" for number in range(1, len(ADVICE) + 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (REST, []),
        ("REASON(2053) ACTION(RETRY) RETRY(5)\n" + REST, []),
        # Shadows.
        ("DESTQ(A*) ACTION(DISCARD)\nDESTQ(AB) REASON(2053) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("DESTQ(AB) ACTION(DISCARD)\nDESTQ(A*) ACTION(RETRY)\n" + REST, []),
        ("DESTQ(*B) ACTION(DISCARD)\nDESTQ(A*B) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("MSGTYPE(1) ACTION(DISCARD)\nMSGTYPE(*) ACTION(RETRY)\n" + REST, []),
        ("MSGTYPE(1) ACTION(DISCARD)\nMSGTYPE(1) DESTQ(A) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("REPLYQ(' ') ACTION(DISCARD)\nREPLYQ(' ') DESTQ(A) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("DESTQ(A) ACTION(RETRY)\nDESTQ(A) ACTION(DISCARD)\nACTION(DISCARD)\n", []),
        ("MSGTYPE(*) DESTQ(*) ACTION(DISCARD)\n" + REST, [("DLQ01", 2)]),
        # A wider FWD first; two equal ones are a fallback on purpose.
        ("DESTQ(A*) ACTION(FWD) FWDQ(Q)\nDESTQ(AB) ACTION(RETRY)\n" + REST, [("DLQ02", 2)]),
        ("ACTION(FWD) FWDQ(Q)\n" + REST, []),
        # Whatever is left.
        ("ACTION(RETRY)\n", [("DLQ03", 1)]),
        ("DESTQ(*) ACTION(DISCARD)\n", []),
        ("ACTION(IGNORE)\n", [("DLQ03", 1), ("DLQ05", 1)]),
        # Forwarding in a circle.
        ("INPUTQ(DLQ)\nDESTQ(DLQ) ACTION(FWD) FWDQ(&DESTQ)\n" + REST, [("DLQ06", 2), ("DLQ13", 2)]),
        ("INPUTQ(DLQ) INPUTQM(QM1)\nACTION(FWD) FWDQ(DLQ) FWDQM(QM2)\n", []),
        ("INPUTQ(DLQ) INPUTQM(QM1)\nACTION(FWD) FWDQ(DLQ) FWDQM(QM1) HEADER(NO)\n", [("DLQ06", 2), ("DLQ14", 2)]),
        ("ACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", []),
        # The reply queue.
        ("REPLYQ(A?*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, []),
        ("REPLYQ(*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, [("DLQ07", 1)]),
        ("REPLYQ(' ') ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, [("DLQ07", 1)]),
        # What no field holds.
        ("MSGTYPE(0) ACTION(RETRY)\n" + REST, [("DLQ08", 1)]),
        ("DESTQ('A B') REPLYQM('é*') ACTION(RETRY)\n" + REST, [("DLQ08", 1), ("DLQ08", 1)]),
        ("INPUTQ('A&B')\nACTION(FWD) FWDQ('A B') FWDQM('B-C')\n", [("DLQ08", 1), ("DLQ08", 2), ("DLQ08", 2)]),
        # Lower case.
        ("inputq(dlq) wait(no)\naction(fwd) fwdq(rest) header(yes)\n", [("DLQ09", 1), ("DLQ09", 2)]),
        ("reason(mqrc_q_full) action(retry)\nreplyq(?*) action(fwd) fwdq(&replyq) fwdqm(&replyqm)\n" + REST, []),
        # Columns: comments are free.
        (f"* {'x' * 90}\n{REST}", []),
        (f"{REST[:-1]}{' ' * 90}\n", []),
        # No effect.
        ("DESTQ(A) ACTION(DISCARD) PUTAUT(DEF) RETRY(1)\n" + REST, [("DLQ12", 1), ("DLQ12", 1)]),
    ],
)
def test_advice(text: str, expected: list[tuple[str, int]]) -> None:
    assert advised(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", [("DLQ06", 1), ("DLQ11", 1)]),
        ("INPUTQ(DLQ)\nACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", [("DLQ11", 2)]),
        ("ACTION(FWD) FWDQ(AWAY) FWDQM(QM2)\n", []),
        ("ACTION(FWD) FWDQ(AWAY) FWDQM(QM3)\n", [("DLQ11", 1)]),
        ("DESTQ(X) ACTION(FWD) FWDQ(&DESTQ) FWDQM(QM2)\n" + REST, [("DLQ11", 1)]),
        ("ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)\n", []),
        ("ACTION(RETRY)\n" + REST, []),
    ],
)
def test_advice_that_knows_the_queue_manager(text: str, expected: list[tuple[str, int]]) -> None:
    assert advised(text, AROUND) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ACTION(FWD) FWDQ(BACK)\n", [("DLQ06", 1)]),
        ("INPUTQ(BACK)\nACTION(FWD) FWDQ(DLQ)\n", [("DLQ06", 2)]),
        ("ACTION(FWD) FWDQ(BACK) FWDQM(QM1)\n", [("DLQ06", 1)]),
        ("ACTION(FWD) FWDQ(BACK) FWDQM(QM2)\n", []),
        ("ACTION(FWD) FWDQ(REST)\n", []),
        ("INPUTQ(NOWHERE)\nACTION(FWD) FWDQ(ALSO.NOWHERE)\n", []),
        ("DESTQM(QM1) ACTION(FWD) FWDQ(BACK) FWDQM(&DESTQM)\n" + REST, [("DLQ06", 1)]),
        ("ACTION(FWD) FWDQ(BACK) FWDQM(&DESTQM)\n", []),
    ],
)
def test_a_circle_by_another_name(text: str, expected: list[tuple[str, int]]) -> None:
    local = {"DLQ": "DLQ", "BACK": "DLQ", "REST": "REST"}
    around = Surroundings(
        "QM1", "DLQ", leads_to=lambda queue, manager: local.get(queue, "") if manager in ("", "QM1") else ""
    )
    assert advised(text, around) == expected


def test_a_table_with_errors_gets_no_advice() -> None:
    findings = check_table(["PERSIST(5) ACTION(DISCARD)\nACTION(WAIT)\n"]).findings
    assert {finding.severity for finding in findings} == {"error"}


def test_ten_thousand_rules_are_compared() -> None:
    lines = [f"DESTQ(A{n}.*) USERID('*u{n}') REASON(2053) ACTION(DISCARD)\n" for n in range(5_000)]
    lines += [f"DESTQ(A{n}.B) USERID('xu{n}') REASON(2053) ACTION(RETRY)\n" for n in range(5_000)]
    assert sum(each.rule_id == "DLQ01" for each in check_table(lines).findings) == 5_000


def test_real_tables_have_no_dead_rules(corpus: Path) -> None:
    found = set()
    for path in (corpus / "dlq").iterdir():
        with path.open("rb") as lines:
            found |= {each.rule_id for each in check_table(lines, path.name).findings if each.severity != "error"}
    assert found == {"DLQ03", "DLQ09"}

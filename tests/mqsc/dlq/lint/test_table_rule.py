"""Lint rules on rules tables: their own examples, and more."""

from __future__ import annotations

from mqsc.dlq.lint import TABLE_RULES
from mqsc.dlq.lint.table_rule import QueueManagerFacts, TableLintRule
from tests.mqsc.dlq.tables import check_table
from tests.rows import rows

REST = "ACTION(FWD) FWDQ(REST)\n"
DEFINED = {("REST", ""), ("AWAY", "QM2")}
KNOWN = QueueManagerFacts(
    "QM1",
    "SYSTEM.DEAD.LETTER.QUEUE",
    lambda queue, manager: (queue, manager) in DEFINED,
)


def violations(text: str, manager_facts: QueueManagerFacts | None = None) -> list[tuple[str, int]]:
    """Return ids and lines of all violations of a table without errors."""
    parsed = check_table([text], "rules.txt", manager_facts)
    assert parsed.table is not None, parsed.diagnostics
    return [(each.rule_id, each.line) for each in parsed.diagnostics]


def test_every_rule_reports_its_bad_table_and_accepts_its_good_one() -> None:
    assert [rule.rule_id for rule in TABLE_RULES if fails_own_examples(rule)] == []


def fails_own_examples(rule: TableLintRule) -> bool:
    manager_facts = KNOWN if rule.rule_id == "DLQ11" else None
    bad = [
        each
        for each in check_table([rule.bad], "bad", manager_facts).diagnostics
        if each.rule_id == rule.rule_id
    ]
    good = [each.rule_id for each in check_table([rule.good], "good", manager_facts).diagnostics]
    is_reported = [(each.severity, each.file) for each in bad] == [(rule.severity, "bad")]
    return not (is_reported and bad[0].message and bad[0].suggestion and rule.rule_id not in good)


@rows(
    # Tables without violations.
    (REST, []),
    ("REASON(2053) ACTION(RETRY) RETRY(5)\n" + REST, []),
    # Rules that never apply.
    ("DESTQ(A*) ACTION(DISCARD)\nDESTQ(AB) REASON(2053) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
    ("DESTQ(AB) ACTION(DISCARD)\nDESTQ(A*) ACTION(RETRY)\n" + REST, []),
    ("DESTQ(*B) ACTION(DISCARD)\nDESTQ(A*B) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
    ("MSGTYPE(1) ACTION(DISCARD)\nMSGTYPE(*) ACTION(RETRY)\n" + REST, []),
    ("MSGTYPE(1) ACTION(DISCARD)\nMSGTYPE(1) DESTQ(A) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
    ("REPLYQ(' ') ACTION(DISCARD)\nREPLYQ(' ') DESTQ(A) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
    ("DESTQ(A) ACTION(RETRY)\nDESTQ(A) ACTION(DISCARD)\nACTION(DISCARD)\n", []),
    ("MSGTYPE(*) DESTQ(*) ACTION(DISCARD)\n" + REST, [("DLQ01", 2)]),
    # Rules after a wider forward: two equal forwards are accepted as an intended fallback.
    ("DESTQ(A*) ACTION(FWD) FWDQ(Q)\nDESTQ(AB) ACTION(RETRY)\n" + REST, [("DLQ02", 2)]),
    ("ACTION(FWD) FWDQ(Q)\n" + REST, []),
    # Tables without a rule for the remaining messages.
    ("ACTION(RETRY)\n", [("DLQ03", 1)]),
    ("DESTQ(*) ACTION(DISCARD)\n", []),
    ("ACTION(IGNORE)\n", [("DLQ03", 1), ("DLQ05", 1)]),
    # Forwarding to the queue being processed.
    ("INPUTQ(DLQ)\nDESTQ(DLQ) ACTION(FWD) FWDQ(&DESTQ)\n" + REST, [("DLQ06", 2), ("DLQ13", 2)]),
    ("INPUTQ(DLQ) INPUTQM(QM1)\nACTION(FWD) FWDQ(DLQ) FWDQM(QM2)\n", []),
    (
        "INPUTQ(DLQ) INPUTQM(QM1)\nACTION(FWD) FWDQ(DLQ) FWDQM(QM1) HEADER(NO)\n",
        [("DLQ06", 2), ("DLQ14", 2)],
    ),
    ("ACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", []),
    # Retries of messages that were backed out too often.
    ("REASON(2362) ACTION(RETRY)\n" + REST, [("DLQ15", 1)]),
    ("REASON(2362) ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM) HEADER(NO)\n" + REST, [("DLQ15", 1)]),
    ("REASON(2362) ACTION(DISCARD)\nREASON(2053) ACTION(RETRY)\n" + REST, []),
    ("REASON(*) ACTION(RETRY)\n" + REST, []),
    # Reply queues that may be blank.
    ("REPLYQ(A?*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, []),
    ("REPLYQ(*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, [("DLQ07", 1)]),
    ("REPLYQ(' ') ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, [("DLQ07", 1)]),
    # Impossible values.
    ("MSGTYPE(0) ACTION(RETRY)\n" + REST, [("DLQ08", 1)]),
    ("DESTQ('A B') REPLYQM('é*') ACTION(RETRY)\n" + REST, [("DLQ08", 1), ("DLQ08", 1)]),
    (
        "INPUTQ('A&B')\nACTION(FWD) FWDQ('A B') FWDQM('B-C')\n",
        [("DLQ08", 1), ("DLQ08", 2), ("DLQ08", 2)],
    ),
    # Lower case outside quotes.
    ("inputq(dlq) wait(no)\naction(fwd) fwdq(rest) header(yes)\n", [("DLQ09", 1), ("DLQ09", 2)]),
    (
        "reason(mqrc_q_full) action(retry)\nreplyq(?*) action(fwd) fwdq(&replyq) fwdqm(&replyqm)\n"
        + REST,
        [],
    ),
    # Long comments and trailing blanks are accepted.
    (f"* {'x' * 90}\n{REST}", []),
    (f"{REST[:-1]}{' ' * 90}\n", []),
    # Keywords without effect.
    ("DESTQ(A) ACTION(DISCARD) PUTAUT(DEF) RETRY(1)\n" + REST, [("DLQ12", 1), ("DLQ12", 1)]),
)
def test_the_violations_of_a_table(text: str, expected: list[tuple[str, int]]) -> None:
    assert violations(text) == expected


LOCAL = {"DLQ": "DLQ", "BACK": "DLQ", "REST": "REST"}
WITH_ALIAS = QueueManagerFacts(
    "QM1",
    "DLQ",
    leads_to=lambda queue, manager: LOCAL.get(queue, "") if manager in ("", "QM1") else "",
)


@rows(
    # Forwarding to the queue being processed by another name.
    ("ACTION(FWD) FWDQ(BACK)\n", [("DLQ06", 1)]),
    ("INPUTQ(BACK)\nACTION(FWD) FWDQ(DLQ)\n", [("DLQ06", 2)]),
    ("ACTION(FWD) FWDQ(BACK) FWDQM(QM1)\n", [("DLQ06", 1)]),
    ("ACTION(FWD) FWDQ(BACK) FWDQM(QM2)\n", []),
    ("ACTION(FWD) FWDQ(REST)\n", []),
    ("INPUTQ(NOWHERE)\nACTION(FWD) FWDQ(ALSO.NOWHERE)\n", []),
    ("DESTQM(QM1) ACTION(FWD) FWDQ(BACK) FWDQM(&DESTQM)\n" + REST, [("DLQ06", 1)]),
    ("ACTION(FWD) FWDQ(BACK) FWDQM(&DESTQM)\n", []),
)
def test_violations_where_other_names_lead_to_the_queue(
    text: str,
    expected: list[tuple[str, int]],
) -> None:
    assert violations(text, WITH_ALIAS) == expected


@rows(
    # Targets that the queue manager does not have.
    ("ACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", [("DLQ06", 1), ("DLQ11", 1)]),
    ("INPUTQ(DLQ)\nACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", [("DLQ11", 2)]),
    ("ACTION(FWD) FWDQ(AWAY) FWDQM(QM2)\n", []),
    ("ACTION(FWD) FWDQ(AWAY) FWDQM(QM3)\n", [("DLQ11", 1)]),
    ("DESTQ(X) ACTION(FWD) FWDQ(&DESTQ) FWDQM(QM2)\n" + REST, [("DLQ11", 1)]),
    ("ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)\n", []),
    ("ACTION(RETRY)\n" + REST, []),
)
def test_violations_where_the_targets_are_known(text: str, expected: list[tuple[str, int]]) -> None:
    assert violations(text, KNOWN) == expected


def test_a_thousand_rules_are_compared() -> None:
    lines = [f"DESTQ(A{n}.*) USERID('*u{n}') REASON(2053) ACTION(DISCARD)\n" for n in range(500)]
    lines += [f"DESTQ(A{n}.B) USERID('xu{n}') REASON(2053) ACTION(RETRY)\n" for n in range(500)]
    assert sum(each.rule_id == "DLQ01" for each in check_table(lines).diagnostics) == 500

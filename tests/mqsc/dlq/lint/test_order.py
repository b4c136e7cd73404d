"""Lint rules on the order of the rules, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.dlq.lint.violations import REST, Case, wrong


def test_tables_without_violations() -> None:
    cases: list[Case] = [
        (REST, []),
        ("REASON(2053) ACTION(RETRY) RETRY(5)\n" + REST, []),
    ]
    assert wrong(cases) == []


def test_rules_that_never_apply() -> None:
    cases: list[Case] = [
        ("DESTQ(A*) ACTION(DISCARD)\nDESTQ(AB) REASON(2053) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("DESTQ(AB) ACTION(DISCARD)\nDESTQ(A*) ACTION(RETRY)\n" + REST, []),
        ("DESTQ(*B) ACTION(DISCARD)\nDESTQ(A*B) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("MSGTYPE(1) ACTION(DISCARD)\nMSGTYPE(*) ACTION(RETRY)\n" + REST, []),
        ("MSGTYPE(1) ACTION(DISCARD)\nMSGTYPE(1) DESTQ(A) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("REPLYQ(' ') ACTION(DISCARD)\nREPLYQ(' ') DESTQ(A) ACTION(RETRY)\n" + REST, [("DLQ01", 2)]),
        ("DESTQ(A) ACTION(RETRY)\nDESTQ(A) ACTION(DISCARD)\nACTION(DISCARD)\n", []),
        ("MSGTYPE(*) DESTQ(*) ACTION(DISCARD)\n" + REST, [("DLQ01", 2)]),
    ]
    assert wrong(cases) == []


def test_rules_after_a_wider_forward() -> None:
    """Two equal forwards are accepted as an intended fallback."""
    cases: list[Case] = [
        ("DESTQ(A*) ACTION(FWD) FWDQ(Q)\nDESTQ(AB) ACTION(RETRY)\n" + REST, [("DLQ02", 2)]),
        ("ACTION(FWD) FWDQ(Q)\n" + REST, []),
    ]
    assert wrong(cases) == []


def test_tables_without_a_rule_for_the_remaining_messages() -> None:
    cases: list[Case] = [
        ("ACTION(RETRY)\n", [("DLQ03", 1)]),
        ("DESTQ(*) ACTION(DISCARD)\n", []),
        ("ACTION(IGNORE)\n", [("DLQ03", 1), ("DLQ05", 1)]),
    ]
    assert wrong(cases) == []

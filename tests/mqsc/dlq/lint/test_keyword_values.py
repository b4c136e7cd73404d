"""Lint rules on single values, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.dlq.lint.violations import REST, Case, wrong


def test_impossible_values() -> None:
    cases: list[Case] = [
        ("MSGTYPE(0) ACTION(RETRY)\n" + REST, [("DLQ08", 1)]),
        ("DESTQ('A B') REPLYQM('é*') ACTION(RETRY)\n" + REST, [("DLQ08", 1), ("DLQ08", 1)]),
        ("INPUTQ('A&B')\nACTION(FWD) FWDQ('A B') FWDQM('B-C')\n", [("DLQ08", 1), ("DLQ08", 2), ("DLQ08", 2)]),
    ]
    assert wrong(cases) == []


def test_lower_case_outside_quotes() -> None:
    cases: list[Case] = [
        ("inputq(dlq) wait(no)\naction(fwd) fwdq(rest) header(yes)\n", [("DLQ09", 1), ("DLQ09", 2)]),
        ("reason(mqrc_q_full) action(retry)\nreplyq(?*) action(fwd) fwdq(&replyq) fwdqm(&replyqm)\n" + REST, []),
    ]
    assert wrong(cases) == []


def test_long_comments_and_trailing_blanks_are_accepted() -> None:
    cases: list[Case] = [
        (f"* {'x' * 90}\n{REST}", []),
        (f"{REST[:-1]}{' ' * 90}\n", []),
    ]
    assert wrong(cases) == []


def test_keywords_without_effect() -> None:
    cases: list[Case] = [
        ("DESTQ(A) ACTION(DISCARD) PUTAUT(DEF) RETRY(1)\n" + REST, [("DLQ12", 1), ("DLQ12", 1)]),
    ]
    assert wrong(cases) == []

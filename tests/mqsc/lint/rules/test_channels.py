"""Lint rules on listeners and topics, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.lint.violations import Case, wrong


def test_listeners() -> None:
    cases: list[Case] = [
        (["DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(MANUAL)"], []),
        (["DEFINE LISTENER(L) TRPTYPE(TCP)", "START LISTENER(L)"], []),
        (["DEFINE LISTENER(L) TRPTYPE(TCP)", "START LISTENER(M)"], [("C35", 1)]),
        (
            ["DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)", "DEFINE LISTENER(M) TRPTYPE(TCP) CONTROL(QMGR)"],
            [("C36", 2)],
        ),
        (
            [f"DEFINE LISTENER({name}) TRPTYPE(TCP) CONTROL(QMGR) IPADDR('10.0.0.{name}')" for name in (1, 2)],
            [],
        ),
    ]
    assert wrong(cases) == []


def test_topics() -> None:
    cases: list[Case] = [
        (["DEFINE TOPIC(A) TOPICSTR('a')", "DEFINE TOPIC(B) TOPICSTR('A')"], []),
        (["DEFINE TOPIC(A) TOPICSTR('a')", "DELETE TOPIC(A)", "DEFINE TOPIC(B) TOPICSTR('a')"], []),
    ]
    assert wrong(cases) == []

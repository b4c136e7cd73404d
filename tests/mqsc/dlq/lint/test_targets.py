"""Lint rules on the targets of ACTION(FWD), beyond their own examples."""

from __future__ import annotations

from mqsc.dlq.lint.table_rule import QueueManagerFacts
from tests.mqsc.dlq.lint.violations import KNOWN, REST, Case, wrong

LOCAL = {"DLQ": "DLQ", "BACK": "DLQ", "REST": "REST"}
WITH_ALIAS = QueueManagerFacts(
    "QM1", "DLQ", leads_to=lambda queue, manager: LOCAL.get(queue, "") if manager in ("", "QM1") else ""
)


def test_forwarding_to_the_queue_being_processed() -> None:
    cases: list[Case] = [
        ("INPUTQ(DLQ)\nDESTQ(DLQ) ACTION(FWD) FWDQ(&DESTQ)\n" + REST, [("DLQ06", 2), ("DLQ13", 2)]),
        ("INPUTQ(DLQ) INPUTQM(QM1)\nACTION(FWD) FWDQ(DLQ) FWDQM(QM2)\n", []),
        ("INPUTQ(DLQ) INPUTQM(QM1)\nACTION(FWD) FWDQ(DLQ) FWDQM(QM1) HEADER(NO)\n", [("DLQ06", 2), ("DLQ14", 2)]),
        ("ACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", []),
    ]
    assert wrong(cases) == []


def test_forwarding_to_the_queue_being_processed_by_another_name() -> None:
    cases: list[Case] = [
        ("ACTION(FWD) FWDQ(BACK)\n", [("DLQ06", 1)]),
        ("INPUTQ(BACK)\nACTION(FWD) FWDQ(DLQ)\n", [("DLQ06", 2)]),
        ("ACTION(FWD) FWDQ(BACK) FWDQM(QM1)\n", [("DLQ06", 1)]),
        ("ACTION(FWD) FWDQ(BACK) FWDQM(QM2)\n", []),
        ("ACTION(FWD) FWDQ(REST)\n", []),
        ("INPUTQ(NOWHERE)\nACTION(FWD) FWDQ(ALSO.NOWHERE)\n", []),
        ("DESTQM(QM1) ACTION(FWD) FWDQ(BACK) FWDQM(&DESTQM)\n" + REST, [("DLQ06", 1)]),
        ("ACTION(FWD) FWDQ(BACK) FWDQM(&DESTQM)\n", []),
    ]
    assert wrong(cases, WITH_ALIAS) == []


def test_retries_of_messages_that_were_backed_out_too_often() -> None:
    cases: list[Case] = [
        ("REASON(2362) ACTION(RETRY)\n" + REST, [("DLQ15", 1)]),
        ("REASON(2362) ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM) HEADER(NO)\n" + REST, [("DLQ15", 1)]),
        ("REASON(2362) ACTION(DISCARD)\nREASON(2053) ACTION(RETRY)\n" + REST, []),
        ("REASON(*) ACTION(RETRY)\n" + REST, []),
    ]
    assert wrong(cases) == []


def test_reply_queues_that_may_be_blank() -> None:
    cases: list[Case] = [
        ("REPLYQ(A?*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, []),
        ("REPLYQ(*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, [("DLQ07", 1)]),
        ("REPLYQ(' ') ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + REST, [("DLQ07", 1)]),
    ]
    assert wrong(cases) == []


def test_targets_that_the_queue_manager_does_not_have() -> None:
    cases: list[Case] = [
        ("ACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", [("DLQ06", 1), ("DLQ11", 1)]),
        ("INPUTQ(DLQ)\nACTION(FWD) FWDQ(SYSTEM.DEAD.LETTER.QUEUE)\n", [("DLQ11", 2)]),
        ("ACTION(FWD) FWDQ(AWAY) FWDQM(QM2)\n", []),
        ("ACTION(FWD) FWDQ(AWAY) FWDQM(QM3)\n", [("DLQ11", 1)]),
        ("DESTQ(X) ACTION(FWD) FWDQ(&DESTQ) FWDQM(QM2)\n" + REST, [("DLQ11", 1)]),
        ("ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)\n", []),
        ("ACTION(RETRY)\n" + REST, []),
    ]
    assert wrong(cases, KNOWN) == []

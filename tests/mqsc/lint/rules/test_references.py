"""Lint rules on the names of other objects, beyond their own examples."""

from __future__ import annotations

import pytest

from mqsc.lint.script_check import check_script
from tests.mqsc.lint.violations import Case, wrong


def test_references() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)"], []),
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)", "DEFINE QLOCAL(C)", "ALTER QLOCAL(D) GET(DISABLED)"], []),
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)", "DEFINE QALIAS(B) TARGET(C)", "DEFINE QLOCAL(C)"], []),
        (["DEFINE QALIAS(A) TARGET(B)", "DEFINE QALIAS(B) TARGET(C)", "DEFINE QLOCAL(C)"], [("C13", 1)]),
        (["DEFINE QALIAS(A) TARGET(T) TARGTYPE(TOPIC)", "DEFINE QALIAS(T) TARGET(A)"], [("C13", 2)]),
        (["ALTER QMGR DEADQ(DLQ)", "DEFINE QLOCAL(DLQ) USAGE(XMITQ)"], [("C13", 1)]),
        (["ALTER QMGR DEADQ(DLQ)", "DEFINE QMODEL(DLQ)"], [("C13", 1)]),
        (["ALTER QMGR DEADQ(SYSTEM.DEFAULT.MODEL.QUEUE)"], [("C13", 1)]),
        (["ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"], []),
        (["ALTER QMGR DEADQ(DLQ)", "DEFINE QLOCAL(DLG)", "DEFINE QLOCAL(A)"], [("C11", 1)]),
        (["DEFINE QLOCAL(A)", "DELETE QLOCAL(A)", "DEFINE QALIAS(C) TARGET(A)", "DEFINE QLOCAL(D)"], [("C11", 3)]),
        (["DEFINE QREMOTE(R) RNAME(FAR) RQMNAME(QM2)", "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)"], []),
    ]
    assert wrong(cases) == []


@pytest.mark.parametrize(
    ("name", "right"),
    [("ORDRES", "DEFINE QLOCAL(ORDRES), or TARGET(ORDERS)"), ("X", "DEFINE QLOCAL(X), or correct the name")],
)
def test_a_similar_name_is_suggested(name: str, right: str) -> None:
    found = check_script(["DEFINE QLOCAL(ORDERS)\n", f"DEFINE QALIAS(A) TARGET({name})\n", "DEFINE QLOCAL(B)\n"])
    assert [(each.rule_id, each.suggestion) for each in found] == [("MQSC-C11", right)]

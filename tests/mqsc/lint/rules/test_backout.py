"""Lint rules on backout queues, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.lint.violations import Case, wrong


def test_backout_queues() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(B)", "DEFINE QLOCAL(A) BOTHRESH(1)"], [("C08", 2)]),
        (["DEFINE QLOCAL(B)", "DEFINE QLOCAL(A) BOTHRESH(0)"], []),
        (["DEFINE QLOCAL(B)", "DEFINE QMODEL(A) BOQNAME(B)"], [("C09", 2)]),
        (["DEFINE QLOCAL(A) BOTHRESH(2)", "ALTER QLOCAL(A) BOQNAME(A)"], [("C10", 2)]),
    ]
    assert wrong(cases) == []

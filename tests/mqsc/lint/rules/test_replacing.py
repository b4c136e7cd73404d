"""Lint rules on repeated definitions, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.lint.violations import Case, wrong


def test_repeated_definitions() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(A) REPLACE MAXDEPTH(5)", "DEFINE QLOCAL(A) REPLACE MAXDEPTH(6)"], []),
        (["DEFINE QLOCAL(A) REPLACE MAXDEPTH(5000)", "DEFINE QLOCAL(A) REPLACE"], []),
        (["DEFINE QLOCAL(A) MAXDEPTH(5)", "DEFINE QLOCAL(A) LIKE(B) REPLACE"], [("C14", 1)]),
        (["DEFINE QLOCAL(A)", "ALTER QLOCAL(A) GET(DISABLED)", "DEFINE QLOCAL(A) REPLACE"], [("C14", 1), ("C15", 3)]),
        (["DEFINE QLOCAL(A)", "DEFINE PROCESS(A)"], []),
    ]
    assert wrong(cases) == []

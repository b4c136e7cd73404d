"""Lint rules on the text of a script, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.lint.violations import Case, wrong


def test_lower_case_and_placeholders() -> None:
    cases: list[Case] = [
        (["define qlocal(a)"], []),
        (["Define QLocal(a)"], [("C18", 1)]),
        (["DEFINE QLOCAL(A) DESCR(text) BOQNAME(b) BOTHRESH(1)"], [("C18", 1)]),
        (["define process(p) applicid(run.sh)"], [("C19", 1)]),
        (["DEFINE QLOCAL(${NAME})"], [("AMQ8424E", 1)]),
    ]
    assert wrong(cases) == []


def test_commands_after_end() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(A)", "end", "* a comment", ""], []),
        (["end", "end"], [("C21", 2)]),
    ]
    assert wrong(cases) == []

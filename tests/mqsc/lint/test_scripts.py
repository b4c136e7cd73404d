"""The state that several scripts define together, as lint rules see it."""

from __future__ import annotations

from tests.mqsc.lint.violations import Case, wrong


def test_scripts_without_violations() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(A)"], []),
        ([], []),
    ]
    assert wrong(cases) == []


def test_later_commands_count() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(A) BOTHRESH(3)", "DEFINE QLOCAL(B)", "ALTER QLOCAL(A) BOQNAME(B)"], []),
        (["DEFINE QLOCAL(A) BOTHRESH(3)", "ALTER QLOCAL(A) BOTHRESH(0)"], []),
        (["DEFINE QLOCAL(A)", "ALTER QLOCAL(A) BOTHRESH(2)"], [("C08", 2)]),
    ]
    assert wrong(cases) == []


def test_objects_with_unknown_attributes_are_not_linted() -> None:
    cases: list[Case] = [
        (["ALTER QLOCAL(A) TRIGGER BOTHRESH(5)"], []),
        (["DEFINE QLOCAL(A) LIKE(OURS) TRIGGER BOTHRESH(5)"], []),
    ]
    assert wrong(cases) == []


def test_attributes_copied_with_like_count() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)", "DEFINE QLOCAL(B) LIKE(A)"], [("C10", 2)]),
        (["DEFINE QLOCAL(A)", "DEFINE QLOCAL(B) LIKE(A) BOTHRESH(3)"], [("C08", 2)]),
    ]
    assert wrong(cases) == []


def test_system_objects_have_their_shipped_attributes() -> None:
    cases: list[Case] = [
        (["ALTER QLOCAL(SYSTEM.CICS.INITIATION.QUEUE) TRIGGER"], [("C01", 1), ("C02", 1)]),
    ]
    assert wrong(cases) == []

"""Errors and lint warnings of whole tables."""

from __future__ import annotations

from pathlib import Path

from mqsc.dlq.entry import DESCRIPTIONS, ERRORS, check_table, parse_table
from mqsc.dlq.lint import TABLE_RULES


def test_every_error_is_reported_for_its_bad_table() -> None:
    unreported = [
        error.rule_id
        for error in ERRORS.values()
        if error.rule_id not in [each.rule_id for each in parse_table([error.bad]).diagnostics]
    ]
    assert unreported == []


def test_ids_are_unique_and_in_order() -> None:
    ids = [each.rule_id for each in DESCRIPTIONS]
    assert len(set(ids)) == len(ids)
    assert [each.rule_id for each in TABLE_RULES] == [f"DLQ{number:02}" for number in range(1, len(TABLE_RULES) + 1)]


def test_a_table_with_errors_is_not_linted() -> None:
    diagnostics = check_table(["PERSIST(5) ACTION(DISCARD)\nACTION(WAIT)\n"]).diagnostics
    assert {each.severity for each in diagnostics} == {"error"}


def test_real_tables_have_no_dead_rules(corpus: Path) -> None:
    found = set()
    for path in (corpus / "dlq").iterdir():
        with path.open("rb") as lines:
            found |= {each.rule_id for each in check_table(lines, path.name).diagnostics if each.severity != "error"}
    assert found == {"DLQ03", "DLQ09"}

"""Checks a rules table without messages: its errors, or its lint warnings when it has none."""

from __future__ import annotations

from collections.abc import Iterable

from mqsc.diagnostic import Description, Diagnostic
from mqsc.dlq.errors import ERRORS
from mqsc.dlq.lint import TABLE_RULES
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.rules import RulesTable
from mqsc.dlq.table_parser import ParsedTable, parse_table

# The description of every id that a diagnostic on a rules table may have.
DESCRIPTIONS: tuple[Description, ...] = (*ERRORS.values(), *TABLE_RULES)


def check_table(
    lines: Iterable[bytes | str], file: str = "", manager_facts: QueueManagerFacts | None = None
) -> ParsedTable:
    """The table with its errors, or with its lint warnings when it has none."""
    parsed = parse_table(lines, file)
    if parsed.table is None:
        return parsed
    return ParsedTable(parsed.table, lint_table(parsed.table, manager_facts or QueueManagerFacts()))


def lint_table(table: RulesTable, manager_facts: QueueManagerFacts) -> tuple[Diagnostic, ...]:
    """The violations of all lint rules, in the order of the file."""
    found = (rule.diagnostic(each) for rule in TABLE_RULES for each in rule.check(table, manager_facts))
    return tuple(sorted(found, key=lambda each: (each.line, each.column, each.rule_id)))

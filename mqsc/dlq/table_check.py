"""Checks a rules table without messages: its errors, or its lint warnings when it has none."""

from mqsc.diagnostic import Description, Diagnostic
from mqsc.dlq.lint import TABLE_RULES
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.rules_table import RulesTable
from mqsc.dlq.table_errors import ERRORS

# The description of every id that a diagnostic on a rules table may have.
DESCRIPTIONS: tuple[Description, ...] = (*ERRORS.values(), *TABLE_RULES)


def lint_table(table: RulesTable, manager_facts: QueueManagerFacts) -> tuple[Diagnostic, ...]:
    """The violations of all lint rules, in the order of the file."""
    diagnostics = (
        rule.diagnostic(each) for rule in TABLE_RULES for each in rule.check(table, manager_facts)
    )
    return tuple(sorted(diagnostics, key=lambda each: (each.line, each.column, each.rule_id)))

"""The lint rules for valid rules tables: each is a function that yields violations, with its examples beside it."""

from __future__ import annotations

from mqsc.dlq.lint import keyword_values, order, targets
from mqsc.dlq.lint.table_rule import TableLintRule

TABLE_RULES: tuple[TableLintRule, ...] = tuple(
    sorted((*order.RULES, *targets.RULES, *keyword_values.RULES), key=lambda rule: rule.rule_id)
)

"""The lint rules for valid rules tables by number. To add a rule, write its function, and declare
above it its number, severity and title.
"""

from mqsc.dlq.lint import table_rule, values
from mqsc.dlq.lint.table_rule import DECLARED, TableLintRule

SUBJECTS = (table_rule, values)
TABLE_RULES: tuple[TableLintRule, ...] = tuple(
    sorted(DECLARED.values(), key=lambda rule: rule.rule_id),
)

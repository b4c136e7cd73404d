"""The lint rules for valid rules tables by number. To add a rule, write its function, and declare
above it its number, severity and title.
"""

from mqsc.dlq.lint import order, targets, values
from mqsc.dlq.lint.table_rule import DECLARED, TableLintRule

# Importing a file declares its rules.
SUBJECTS = (order, targets, values)
TABLE_RULES: tuple[TableLintRule, ...] = tuple(
    sorted(DECLARED.values(), key=lambda rule: rule.rule_id),
)

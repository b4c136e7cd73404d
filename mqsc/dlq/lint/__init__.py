"""The lint rules for valid rules tables by number. To add a rule, write its function, and a row
of rules.csv.
"""

from mqsc.diagnostic import rules_of
from mqsc.dlq.lint.table_rule import TableLintRule

TABLE_RULES: tuple[TableLintRule, ...] = tuple(rules_of(__name__, __file__, TableLintRule))

"""The lint rules for valid rules tables by number. To add a rule, write its function."""

from importlib import import_module
from pkgutil import iter_modules

from mqsc.dlq.lint.table_rule import FOUND, TableLintRule

for _subject in iter_modules(__path__):
    import_module(f"{__name__}.{_subject.name}")

TABLE_RULES: tuple[TableLintRule, ...] = tuple(sorted(FOUND, key=lambda rule: rule.rule_id))

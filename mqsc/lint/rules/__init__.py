"""The lint rules for MQSC scripts by number, a file for each subject.

To add a rule, write its function, and a row of rules.csv with its number. Ids of rules that no longer exist are not
used again: MQSC-C16 and MQSC-C37 are now errors.
"""

from importlib import import_module

from mqsc.diagnostic import Description, explained_by
from mqsc.lint.script_command import FOUND_ELSEWHERE
from mqsc.lint.scripts import LintRule
from store.table import cells


def _rule(rule_id: str, severity: str, of: str, place: str, title: str) -> LintRule:
    subject, _, name = place.partition(".")
    check = getattr(import_module(f"{__name__}.{subject}"), name)
    return LintRule(rule_id, severity, title, *explained_by(check), of, check)  # type: ignore[arg-type]


# Every rule that is found by a function.
FOUND = [_rule(*row) for row in cells(__file__, "rules.csv")]
RULES: tuple[Description, ...] = tuple(sorted((*FOUND, *FOUND_ELSEWHERE), key=lambda rule: rule.rule_id))

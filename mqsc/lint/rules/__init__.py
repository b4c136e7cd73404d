"""The lint rules for MQSC scripts by number, a file for each subject.

To add a rule, write its function, and a row of rules.csv with its number. Ids of rules that no
longer exist are not used again: MQSC-C16 and MQSC-C37 are now errors.
"""

from mqsc.diagnostic import Description, rules_of
from mqsc.lint.script_command import FOUND_ELSEWHERE
from mqsc.lint.scripts import LintRule

# Every rule that is found by a function.
FOUND = rules_of(__name__, __file__, LintRule)
RULES: tuple[Description, ...] = tuple(
    sorted((*FOUND, *FOUND_ELSEWHERE), key=lambda rule: rule.rule_id),
)

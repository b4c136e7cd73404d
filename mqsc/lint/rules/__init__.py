"""The lint rules for MQSC scripts by number, a file for each subject.

To add a rule, write its function in the file of its subject, and declare above it its number,
severity, what it is about, and title. Ids of rules that no longer exist are not used again:
MQSC-C16 and MQSC-C37 are now errors.
"""

from mqsc.diagnostic import Description
from mqsc.lint.rules import authority, channels, queues, references, triggering, wording
from mqsc.lint.script_command import FOUND_ELSEWHERE
from mqsc.lint.scripts import DECLARED, LintRule

SUBJECTS = (authority, channels, queues, references, triggering, wording)
# Every rule that is found by a function.
FUNCTION_RULES: list[LintRule] = sorted(DECLARED.values(), key=lambda rule: rule.rule_id)
RULES: tuple[Description, ...] = tuple(
    sorted((*FUNCTION_RULES, *FOUND_ELSEWHERE), key=lambda rule: rule.rule_id),
)

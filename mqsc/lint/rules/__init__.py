"""The lint rules for MQSC scripts by number, a file for each subject.

To add a rule, write its function in the file of its subject, and declare above it its number,
severity, what it is about, and title. Ids of rules that no longer exist are not used again:
MQSC-C16 and MQSC-C37 are now errors.
"""

from mqsc.diagnostic import Description
from mqsc.lint.lint_rule import DECLARED, LintRule
from mqsc.lint.rules import (
    access,
    authority,
    backout_queues,
    channels,
    platforms,
    queue_manager,
    queues,
    references,
    repeated_definitions,
    triggering,
    wording,
)
from mqsc.lint.script_errors import FOUND_ELSEWHERE

# Importing a file declares its rules.
SUBJECTS = (
    access,
    authority,
    backout_queues,
    channels,
    platforms,
    queue_manager,
    queues,
    references,
    repeated_definitions,
    triggering,
    wording,
)
# Every rule that is found by a function.
FUNCTION_RULES: list[LintRule] = sorted(DECLARED.values(), key=lambda rule: rule.rule_id)
RULES: tuple[Description, ...] = tuple(
    sorted((*FUNCTION_RULES, *FOUND_ELSEWHERE), key=lambda rule: rule.rule_id),
)

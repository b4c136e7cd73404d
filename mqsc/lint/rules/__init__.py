"""The lint rules for MQSC scripts by number, a file for each subject. To add a rule, add its function and its row.

Ids of rules that no longer exist are not used again: MQSC-C16 and MQSC-C37 are now errors."""

from __future__ import annotations

from mqsc.lint.lint_rule import LintRule
from mqsc.lint.rules import (
    backout,
    channels,
    dependencies,
    platforms,
    queues,
    references,
    replacing,
    security,
    suppressing,
    triggering,
    wording,
)

RULES: tuple[LintRule, ...] = tuple(
    sorted(
        (
            *triggering.RULES,
            *backout.RULES,
            *references.RULES,
            *replacing.RULES,
            *wording.RULES,
            *platforms.RULES,
            *security.RULES,
            *queues.RULES,
            *channels.RULES,
            *dependencies.RULES,
            *suppressing.RULES,
        ),
        key=lambda rule: rule.rule_id,
    )
)

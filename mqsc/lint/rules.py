"""Every piece of advice on MQSC, in the order of the numbers. To add one: a function, and a row beside it."""

from __future__ import annotations

from mqsc.lint import backout, channels, platforms, queues, references, replacing, security, triggering, wording
from mqsc.lint.rule import Rule

RULES: tuple[Rule, ...] = (
    *triggering.RULES,
    *backout.RULES,
    *references.RULES,
    *replacing.RULES,
    *wording.RULES,
    *platforms.RULES,
    *security.RULES,
    *queues.RULES,
    *channels.RULES,
)

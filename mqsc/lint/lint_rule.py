"""A lint rule for MQSC scripts: a function that finds violations, with its reason and examples as
docstring.

The function gets one command (with the state that the scripts have before it), one object (as all
commands leave it), or all the scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias, TypeVar

from mqsc.diagnostic import Description, Severity, Violation, explained_by

Check: TypeAlias = Callable[..., Iterator[Violation]]
Subject = Literal["command", "object", "scripts"]


class LintRule(Description, frozen=True):
    """`check` gets each thing that the rule is `of`, and the scripts."""

    of: Subject
    check: Check


DeclaredCheck = TypeVar("DeclaredCheck", bound=Check)
# The rules by number that functions are declared to be, when their modules are imported.
DECLARED: dict[str, LintRule] = {}


def lint_rule(
    rule_id: str,
    severity: Severity,
    of: Subject,
    title: str,
) -> Callable[[DeclaredCheck], DeclaredCheck]:
    """Declare a function to be the lint rule with this number, which no other may have."""

    def declare(check: DeclaredCheck) -> DeclaredCheck:
        if rule_id in DECLARED:
            raise ValueError(f"there are two lint rules {rule_id}")
        reason, bad, good = explained_by(check)
        DECLARED[rule_id] = LintRule(rule_id, severity, title, reason, bad, good, of, check)
        return check

    return declare

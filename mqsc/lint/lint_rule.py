"""A lint rule for MQSC scripts: a numbered function that finds violations, with its reason and examples as docstring.

The function gets one command (with the state that the scripts have before it), one object (as all commands leave it),
or all the scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias, TypeVar

from mqsc.diagnostic import Description, Severity, Violation, explained_by

Check: TypeAlias = Callable[..., Iterator[Violation]]
Subject = Literal["command", "object", "scripts"]
F = TypeVar("F", bound=Check)


class LintRule(Description, frozen=True):
    """`check` gets each thing that the rule is `of`, and the scripts."""

    of: Subject
    check: Check


# Every rule that is found by a function, in the order in which their modules are loaded.
FOUND: list[LintRule] = []


def lint_rule(rule_id: str, severity: Severity, title: str, *, of: Subject) -> Callable[[F], F]:
    """Make a function the check of a rule."""

    def decorate(check: F) -> F:
        FOUND.append(LintRule(rule_id, severity, title, *explained_by(check), of, check))
        return check

    return decorate

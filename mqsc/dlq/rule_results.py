"""Why a rule applies to a message or not: the fields that differ from the patterns of each rule."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from mqsc.dlq.facts import DeadLetterFacts
from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.matching import applicable_rule
from mqsc.dlq.rules_table import Pattern, Rule, RulesTable
from mqsc.dlq.text_patterns import matches_text
from mqsc.dlq.value_types import TextPattern

RuleOutcome = Literal["chosen", "no match", "attempts used up"]


class Mismatch(Struct, frozen=True):
    """A pattern that a field does not match. `field` is the name of MQ for it; pattern and value
    are as written in a rules table.
    """

    keyword: str
    field: str
    pattern: str
    value: str

    def __str__(self) -> str:
        return f"{self.keyword}({self.pattern}), but {self.field} is {self.value}"


class RuleResult(Struct, frozen=True):
    """`mismatches` is empty unless the outcome is "no match"."""

    rule: Rule
    outcome: RuleOutcome
    mismatches: tuple[Mismatch, ...] = ()

    def __str__(self) -> str:
        reasons = "; ".join(map(str, self.mismatches))
        return f"line {self.rule.line}: {self.outcome}" + (f": {reasons}" if reasons else "")


def explain(table: RulesTable, facts: DeadLetterFacts, attempts: int = 0) -> Iterator[RuleResult]:
    """The rules in table order, up to and including the one that applies; all of them when no
    rule applies.
    """
    matching: list[Rule] = []
    for rule in table.rules:
        mismatches = mismatches_of(rule, facts)
        if mismatches:
            yield RuleResult(rule, "no match", mismatches)
            continue
        matching.append(rule)
        if applicable_rule(matching, attempts):
            yield RuleResult(rule, "chosen")
            return
        yield RuleResult(rule, "attempts used up")


def mismatches_of(rule: Rule, facts: DeadLetterFacts) -> tuple[Mismatch, ...]:
    """Every pattern of the rule that the message does not match."""
    return tuple(mismatch for pattern in rule.patterns if (mismatch := _mismatch(pattern, facts)))


def _mismatch(pattern: Pattern, facts: DeadLetterFacts) -> Mismatch | None:
    definition = KEYWORDS[pattern.keyword]
    value = getattr(facts, definition.field)
    if isinstance(definition.type, TextPattern):
        matches = matches_text(str(pattern.value), value, definition.type.length)
    else:
        matches = pattern.value in (None, value)
    if matches:
        return None
    name = definition.write(value)
    written = f"{value} {name}" if isinstance(value, int) and name != str(value) else name
    return Mismatch(pattern.keyword, definition.source, definition.write(pattern.value), written)

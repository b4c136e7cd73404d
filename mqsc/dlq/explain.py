"""Why a message meets the rule it meets: each earlier rule with the fields, patterns and values that did not agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.matching import chosen
from mqsc.dlq.message import DeadLetterFacts
from mqsc.dlq.patterns import matches_text
from mqsc.dlq.rules import Pattern, Rule, RulesTable
from mqsc.dlq.values import TextPattern

Outcome = Literal["chosen", "no match", "attempts used up"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A field that did not match: the keyword, the field as MQ calls it, the pattern and the value as written."""

    keyword: str
    source: str
    pattern: str
    value: str

    def __str__(self) -> str:
        return f"{self.keyword}({self.pattern}), but {self.source} is {self.value}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One rule and what became of it; `mismatches` only when it does not match."""

    rule: Rule
    outcome: Outcome
    mismatches: tuple[Mismatch, ...] = ()

    def __str__(self) -> str:
        reasons = "; ".join(map(str, self.mismatches))
        return f"line {self.rule.line}: {self.outcome}" + (f": {reasons}" if reasons else "")


def explain(table: RulesTable, facts: DeadLetterFacts, attempts: int = 0) -> Iterator[Verdict]:
    """The rules in the order of the table up to the one that is chosen; all of them when none is."""
    matching: list[Rule] = []
    for rule in table.rules:
        mismatches = mismatches_of(rule, facts)
        if mismatches:
            yield Verdict(rule, "no match", mismatches)
            continue
        matching.append(rule)
        if chosen(matching, attempts):
            yield Verdict(rule, "chosen")
            return
        yield Verdict(rule, "attempts used up")


def mismatches_of(rule: Rule, facts: DeadLetterFacts) -> tuple[Mismatch, ...]:
    """Every pattern of the rule that the message does not match; none when the rule matches."""
    return tuple(_mismatch(pattern, facts) for pattern in rule.patterns if not agrees(pattern, facts))


def agrees(pattern: Pattern, facts: DeadLetterFacts) -> bool:
    """Whether the field that a pattern is for matches it."""
    row = KEYWORDS[pattern.keyword]
    value = getattr(facts, row.field)
    if isinstance(row.type, TextPattern):
        return matches_text(str(pattern.value), value, row.type.length)
    return pattern.value is None or bool(value == pattern.value)


def _mismatch(pattern: Pattern, facts: DeadLetterFacts) -> Mismatch:
    row = KEYWORDS[pattern.keyword]
    value = getattr(facts, row.field)
    name = row.write(value)
    written = f"{value} {name}" if isinstance(value, int) and name != str(value) else name
    return Mismatch(pattern.keyword, row.source, row.write(pattern.value), written)

"""Finds the rule of a table that applies to a message.

Attempts are counted per message, not per rule; the matching rules use them up in table order
(dlq-rules §7, 3 and 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mqsc.dlq.facts import DeadLetterFacts
from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.dlq.text_patterns import (
    TextTest,
    is_wild,
    literal_end,
    literal_start,
    matches_everything,
    text_test,
)
from mqsc.dlq.value_types import TextPattern

# Reasons, queues and users repeat from message to message. The limit bounds memory when they do
# not.
CACHE_SIZE = 4096


def applicable_rule(matching: Iterable[Rule], attempts: int) -> Rule | None:
    """The rule for a message after `attempts` attempts. `matching` are the rules that match it, in
    table order.

    IGNORE always applies and so ends the search: later rules are not tried (dlq-rules §7, 5). None
    means that no rule has attempts left.
    """
    total = 0
    for rule in matching:
        total += rule.retry
        if rule.effect.does_nothing or total > attempts:
            return rule
    return None


class RuleTurn(NamedTuple):
    """The rule whose turn it is after `after` failed attempts at a message; without one, the
    message stays.
    """

    after: int
    rule: Rule | None


def rule_turns(matching: Iterable[Rule]) -> Iterator[RuleTurn]:
    """The rules that a message would meet if every attempt failed, up to one that does nothing or
    to the end of the attempts. `matching` is as in applicable_rule, which decides.
    """
    rules = tuple(matching)
    attempts = 0
    while True:
        rule = applicable_rule(rules, attempts)
        yield RuleTurn(attempts, rule)
        if rule is None or rule.effect.does_nothing:
            return
        attempts += rule.retry


class RuleMatcher:
    """Finds the rules of a table that match a message. A set of rules is an int with one bit per
    rule.

    Caches which rules match each value of each field: for values seen before, the cost of a message
    does not depend on the number of rules.
    """

    def __init__(self, table: RulesTable) -> None:
        self._rules = table.rules
        self._all_rules = (1 << len(table.rules)) - 1
        tested: dict[str, dict[str | int, int]] = {}
        for index, rule in enumerate(table.rules):
            for pattern in rule.patterns:
                if pattern.value is not None and not matches_everything(pattern.value):
                    with_value = tested.setdefault(pattern.keyword, {})
                    with_value[pattern.value] = with_value.get(pattern.value, 0) | 1 << index
        self._caches = tuple(
            (
                DeadLetterFacts._fields.index(KEYWORDS[keyword].field),
                _FieldCache(keyword, sets, self._all_rules),
            )
            for keyword, sets in tested.items()
        )

    def rule_for(self, facts: DeadLetterFacts, attempts: int = 0) -> Rule | None:
        """See applicable_rule."""
        return applicable_rule(self.matching(facts), attempts)

    def matching(self, facts: DeadLetterFacts) -> Iterator[Rule]:
        """The rules that match the message, in table order."""
        remaining = self._all_rules
        for position, cache in self._caches:
            remaining &= cache[facts[position]]
        while remaining:
            lowest = remaining & -remaining
            yield self._rules[lowest.bit_length() - 1]
            remaining ^= lowest


class _FieldCache(dict[Any, int]):
    """Maps a value of one field to the rules that match it or do not test the field."""

    def __init__(self, keyword: str, sets: Mapping[str | int, int], all_rules: int) -> None:
        super().__init__()
        type = KEYWORDS[keyword].type
        length = type.length if isinstance(type, TextPattern) else 0
        # Patterns without wildcards are looked up. The others are found by the literal text that
        # every match begins or ends with, by its length (negative for the end): with 2000 rules,
        # that is twice as fast as to test them all.
        self._exact: dict[Any, int] = {}
        self._wild: dict[int, dict[str, list[tuple[TextTest, int]]]] = {}
        self._untested = all_rules
        for value, rules in sets.items():
            self._untested &= ~rules
            if isinstance(value, str) and is_wild(value):
                start, end = literal_start(value), literal_end(value)
                size, literal = (len(start), start) if len(start) >= len(end) else (-len(end), end)
                tests = self._wild.setdefault(size, {}).setdefault(literal, [])
                tests.append((text_test(value, length), rules))
            else:
                self._exact[value] = rules

    def __missing__(self, value: Any) -> int:
        rules = self._untested | self._exact.get(value, 0)
        for size, tests in self._wild.items():
            for test, more in tests.get(value[:size] if size >= 0 else value[size:], ()):
                if test(value):
                    rules |= more
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[value] = rules
        return rules

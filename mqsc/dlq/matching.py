"""Which rule is applied to a message (dlq-rules §4.3): the first that matches and whose attempts are not used up.

A message counts its attempts once; the rules that match it share them out in the order of the table (traps 3, 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.message import DeadLetterFacts
from mqsc.dlq.patterns import Test, is_wild, literal_end, literal_start, takes_anything, text_test
from mqsc.dlq.rules import Rule, RulesTable
from mqsc.dlq.values import TextPattern

# Reasons, queues and users repeat from message to message; an endless row of new ones must not fill the memory.
REMEMBERED = 4096


def chosen(matching: Iterable[Rule], attempts: int) -> Rule | None:
    """The rule for a message that was attempted `attempts` times, among those that match it in the order of the table.

    IGNORE ends the search for good (trap 5). None: nothing is left to try, the message stays where it is.
    """
    total = 0
    for rule in matching:
        total += rule.retry
        if rule.action == "IGNORE" or total > attempts:
            return rule
    return None


class Chooser:
    """Chooses among the rules of a table; holds which rules each value of a field agrees with.

    A set of rules is an int with a bit for each. What a message costs does not grow with the number of rules while the
    values of its fields were seen before.
    """

    def __init__(self, table: RulesTable) -> None:
        self._rules = table.rules
        self._every_rule = (1 << len(table.rules)) - 1
        tested: dict[str, dict[str | int, int]] = {}
        for index, rule in enumerate(table.rules):
            for pattern in rule.patterns:
                if pattern.value is not None and not takes_anything(pattern.value):
                    with_value = tested.setdefault(pattern.keyword, {})
                    with_value[pattern.value] = with_value.get(pattern.value, 0) | 1 << index
        self._columns = tuple(
            (DeadLetterFacts._fields.index(KEYWORDS[keyword].field), _Column(keyword, sets, self._every_rule))
            for keyword, sets in tested.items()
        )

    def choose(self, facts: DeadLetterFacts, attempts: int = 0) -> Rule | None:
        """The rule for a message that was attempted `attempts` times so far; None: it stays where it is."""
        return chosen(self.matching(facts), attempts)

    def matching(self, facts: DeadLetterFacts) -> Iterator[Rule]:
        """Every rule whose patterns all match, in the order of the table."""
        agreeing = self._every_rule
        for position, column in self._columns:
            agreeing &= column[facts[position]]
        while agreeing:
            lowest = agreeing & -agreeing
            yield self._rules[lowest.bit_length() - 1]
            agreeing ^= lowest


class _Column(dict[Any, int]):
    """The rules that agree with a value of one field, worked out when the value is first met."""

    def __init__(self, keyword: str, sets: Mapping[str | int, int], every_rule: int) -> None:
        super().__init__()
        type = KEYWORDS[keyword].type
        length = type.length if isinstance(type, TextPattern) else 0
        # Patterns that one value alone matches are looked up, the others are tried one by one.
        self._exact: dict[Any, int] = {}
        self._wild = _Wild()
        self._untested = every_rule
        for value, rules in sets.items():
            self._untested &= ~rules
            if isinstance(value, str) and is_wild(value):
                self._wild.add(value, text_test(value, length), rules)
            else:
                self._exact[value] = rules

    def __missing__(self, value: Any) -> int:
        rules = self._untested | self._exact.get(value, 0)
        if isinstance(value, str):
            for test, more in self._wild.candidates(value):
                if test(value):
                    rules |= more
        if len(self) >= REMEMBERED:
            self.clear()
        self[value] = rules
        return rules


class _Wild:
    """Patterns with wildcards, by the beginning or the end that every text must have that matches them."""

    def __init__(self) -> None:
        self._starts: dict[str, list[tuple[Test, int]]] = {}
        self._ends: dict[str, list[tuple[Test, int]]] = {}
        self._start_lengths: tuple[int, ...] = ()
        self._end_lengths: tuple[int, ...] = ()

    def add(self, pattern: str, test: Test, rules: int) -> None:
        """Take in a pattern with its test and its rules."""
        start, end = literal_start(pattern), literal_end(pattern)
        if len(end) > len(start):
            self._ends.setdefault(end, []).append((test, rules))
            self._end_lengths = tuple(sorted({*self._end_lengths, len(end)}))
        else:
            self._starts.setdefault(start, []).append((test, rules))
            self._start_lengths = tuple(sorted({*self._start_lengths, len(start)}))

    def candidates(self, text: str) -> Iterator[tuple[Test, int]]:
        """The patterns that the text can match, each once."""
        for length in self._start_lengths:
            yield from self._starts.get(text[:length], ())
        for length in self._end_lengths:
            yield from self._ends.get(text[-length:], ())

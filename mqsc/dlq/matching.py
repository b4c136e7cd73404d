"""Finds the rule that applies to a message, and whether one pattern covers another.

Attempts are counted per message, not per rule; the matching rules use them up in table order
(dlq-rules §7, 3 and 4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from mqsc.dlq.keywords import KEYWORDS, TextPattern
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.mqdlh import DeadLetterHeader

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
        matching = self._all_rules
        for position, cache in self._caches:
            matching &= cache[facts[position]]
        while matching:
            lowest = matching & -matching
            yield self._rules[lowest.bit_length() - 1]
            matching ^= lowest


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


# Whether a field matches a pattern (dlq-rules §3.1).
#
# A field is a string of fixed length, padded with blanks and case-sensitive. The whole field must
# match: `?` is any one character of the text, possibly a blank, but never padding; `*` is any
# number of characters.

TextTest = Callable[[str], bool]

# `?` never matches padding: at its place or later there must be a character that is not blank
# (dlq-rules §7, 14).
_ONE_CHARACTER = r"(?! *\Z)."


def text_test(pattern: str, length: int) -> TextTest:
    """A compiled test of one pattern, for fields of `length` characters that are given without
    padding.
    """
    pattern = pattern.rstrip(" ")
    stem = pattern.rstrip("*")
    if "*" not in stem and "?" not in stem:
        if stem == pattern:
            return pattern.__eq__
        if not stem.endswith(" "):
            return lambda text: text.startswith(stem)
    search = re.compile(_expression(pattern), re.DOTALL).match
    return lambda text: search(text.ljust(length)) is not None


def matches_text(pattern: str, text: str, length: int) -> bool:
    """Whether a field of `length` characters, given without padding, matches."""
    return text_test(pattern, length)(text)


def is_wild(pattern: str) -> bool:
    """Whether the pattern has a wildcard."""
    return "*" in pattern or "?" in pattern


def literal_start(pattern: str) -> str:
    """The text before the first wildcard, without trailing blanks: every match begins with it."""
    return re.split(r"[*?]", pattern, maxsplit=1)[0].rstrip(" ")


def literal_end(pattern: str) -> str:
    """The text after the last wildcard: every match ends with it."""
    return re.split(r"[*?]", pattern.rstrip(" "))[-1]


def matches_everything(pattern: str | int | None) -> bool:
    """True for asterisks alone, and for None, which is any number."""
    stripped = pattern.rstrip(" ") if isinstance(pattern, str) else ""
    return pattern is None or (bool(stripped) and not stripped.strip("*"))


def covers(wide: str, narrow: str) -> bool:
    """Whether every text that matches `narrow` certainly matches `wide`. May be False where a proof
    would be harder.

    Reads `narrow` as if it were a text, in which an asterisk matches only an asterisk of `wide`.
    """
    characters = narrow.rstrip(" ")
    reached = {0}
    for wanted in wide.rstrip(" "):
        if wanted == "*":
            reached = set(range(min(reached), len(characters) + 1))
        else:
            reached = {
                at + 1
                for at in reached
                if at < len(characters) and _covers_at(wanted, characters, at)
            }
        if not reached:
            return False
    return len(characters) in reached


def _covers_at(wanted: str, characters: str, at: int) -> bool:
    if wanted != "?":
        return characters[at] == wanted
    # A blank is not padding when a character certainly follows it.
    return characters[at] != "*" and bool(characters[at:].strip("* "))


def _expression(pattern: str) -> str:
    head, *parts = (_part(part) for part in re.split(r"\*+", pattern))
    if not parts:
        return rf"{head} *\Z"
    # An asterisk follows each middle part, so its first match is as good as any other. Atomic
    # groups keep a pattern of many asterisks from trying every combination of places.
    middle = "".join(f"(?>.*?{part})" for part in parts[:-1] if part)
    return head + middle + (rf".*{parts[-1]} *\Z" if parts[-1] else "")


def _part(text: str) -> str:
    return "".join(
        _ONE_CHARACTER if character == "?" else re.escape(character) for character in text
    )


class DeadLetterFacts(NamedTuple):
    """The thirteen fields that patterns are compared with (dlq-rules §2.2); strings without
    padding.

    A NamedTuple because one is created for every message, and a frozen dataclass costs six times as
    much.
    """

    appl_identity_data: str
    put_appl_name: str
    put_appl_type: int
    feedback: int
    msg_type: int
    persistence: int
    reply_to_q: str
    reply_to_q_mgr: str
    user_identifier: str
    # From here on they are those of the MQDLH.
    dest_q_name: str
    dest_q_mgr_name: str
    format: str
    reason: int


_OF_DESCRIPTOR, _OF_HEADER = (
    attrgetter(*DeadLetterFacts._fields[part]) for part in (slice(9), slice(9, None))
)


def facts_of(descriptor: MessageDescriptor, header: DeadLetterHeader) -> DeadLetterFacts:
    """Reason, destination and format come from the MQDLH, everything else from the MQMD
    (dlq-rules §7, 1 and 2).
    """
    return DeadLetterFacts(*_OF_DESCRIPTOR(descriptor), *_OF_HEADER(header))

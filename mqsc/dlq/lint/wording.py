"""Advice on single values, and on what has no effect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.lint.hit import Hit, Surroundings, hit
from mqsc.dlq.rules import COLUMNS, Pattern, Rule, RulesTable

_OBJECT_NAME = re.compile(r"[A-Za-z0-9./_%?*]*")
_NAME_RIGHT = "letters, digits and . / _ % without blanks"

# What a field of a message can hold at all, where that is less than the language lets one write: numbers, and the words
# for them. Persistence is settled when a message is put.
HELD: Mapping[str, tuple[range, str]] = {
    "MSGTYPE": (range(1, 1_000_000_000), "1 to 999999999"),
    "PERSIST": (range(2), "MQPER_PERSISTENT or MQPER_NOT_PERSISTENT"),
}
# Patterns that are compared with the names of objects.
NAMES = ("DESTQ", "DESTQM", "REPLYQ", "REPLYQM")

# What an action makes of no account.
WITHOUT_EFFECT: Mapping[str, tuple[str, ...]] = {
    "DISCARD": ("PUTAUT", "RETRY"),
    "IGNORE": ("PUTAUT", "RETRY"),
}


def held_by_no_field(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A pattern that no message can match, a name that no object can have."""
    for rule in table.rules:
        yield from (found for pattern in rule.patterns for found in _impossible(rule, pattern))
    for entry in table.entries:
        for keyword in ("INPUTQ", "INPUTQM", "FWDQ", "FWDQM"):
            value = entry.written.get(keyword)
            if value and not value.text.startswith("&") and not _OBJECT_NAME.fullmatch(value.text.rstrip(" ")):
                yield hit(entry, keyword, f"{value.raw} cannot be the name of an object", _NAME_RIGHT)


def _impossible(rule: Rule, pattern: Pattern) -> Iterator[Hit]:
    keyword, value = pattern.keyword, pattern.value
    source = KEYWORDS[keyword].source
    if keyword in HELD and isinstance(value, int) and value not in HELD[keyword][0]:
        yield hit(rule, keyword, f"{source} never matches {pattern}", HELD[keyword][1])
    if keyword in NAMES and not _OBJECT_NAME.fullmatch(str(value)):
        yield hit(rule, keyword, f"{source} is the name of an object and never matches {pattern}", _NAME_RIGHT)


def folded(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """Lower case outside quotes is read as upper case, and names and texts are compared with their case (trap 15)."""
    for entry in table.entries:
        for keyword, value in entry.written.items():
            is_text = KEYWORDS[keyword].is_text and not value.text.startswith("&")
            if is_text and not value.quoted and value.raw != value.text:
                right = f"{keyword}('{value.raw}') if lower case is meant, {keyword}({value.text}) if not"
                yield hit(entry, keyword, f"{value.raw} is read as {value.text}", right)


def beyond_the_columns(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """Other handlers read only columns 1 to 72 (dlq-rules §3, 8)."""
    for line in table.wide:
        yield Hit(line, COLUMNS + 1, f"text behind column {COLUMNS} is not read everywhere", "a continuation with +")


def without_effect(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A keyword that changes nothing about the action it stands with."""
    for rule in table.rules:
        for keyword in WITHOUT_EFFECT.get(rule.action, ()):
            if keyword in rule.written:
                yield hit(rule, keyword, f"{keyword} changes nothing about ACTION({rule.action})", f"no {keyword}")

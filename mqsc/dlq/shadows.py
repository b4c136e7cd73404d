"""Rules that stand behind a rule with a wider pattern."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from mqsc.dlq.patterns import covers, is_wild, literal_end, literal_start, takes_anything
from mqsc.dlq.rules import Pattern, Rule

# What two patterns have in common when one covers the other: keyword, which part of the value, and that part.
_Anchor = tuple[str, str, str | int]


def covered(rules: tuple[Rule, ...], actions: Collection[str]) -> Iterator[tuple[Rule, Rule]]:
    """Pairs of a rule and the first rule before it that has one of the actions and surely matches all it matches.

    Each rule is compared only with those that share an anchor with it, so that thousands of rules are no matter.
    """
    anchored: defaultdict[_Anchor, list[int]] = defaultdict(list)
    loose: list[int] = []
    for index, rule in enumerate(rules):
        near = [*loose, *(each for anchor in _anchors_met(rule) for each in anchored.get(anchor, ()))]
        wider = next((each for each in sorted(near) if covers_rule(rules[each], rule)), None)
        if wider is not None:
            yield rule, rules[wider]
        elif rule.action in actions:
            anchor = _anchor(rule)
            (loose if anchor is None else anchored[anchor]).append(index)


def covers_rule(wide: Rule, narrow: Rule) -> bool:
    """Whether every message that matches `narrow` surely matches `wide`."""
    patterns = {pattern.keyword: pattern.value for pattern in narrow.patterns}
    return all(_covers(pattern.value, patterns.get(pattern.keyword)) for pattern in wide.patterns)


def _covers(wide: str | int | None, narrow: str | int | None) -> bool:
    if takes_anything(wide):
        return True
    if isinstance(wide, str) and isinstance(narrow, str):
        return covers(wide, narrow)
    return wide == narrow


def _anchor(rule: Rule) -> _Anchor | None:
    """What a rule must share with every rule that it covers: the most telling part of its patterns."""
    return max((anchor for pattern in rule.patterns for anchor in _parts(pattern)), key=_weight, default=None)


def _parts(pattern: Pattern) -> Iterator[_Anchor]:
    keyword, value = pattern.keyword, pattern.value
    if isinstance(value, str) and is_wild(value):
        parts = (("start", literal_start(value)), ("end", literal_end(value)))
        yield from ((keyword, part, text) for part, text in parts if text)
    elif value is not None:
        yield keyword, "whole", value


def _weight(anchor: _Anchor) -> tuple[bool, int]:
    # A number is said by many rules, the beginning of a name by fewer, a whole name by the fewest.
    _, part, value = anchor
    return (part == "whole", len(value)) if isinstance(value, str) else (False, 0)


def _anchors_met(rule: Rule) -> Iterator[_Anchor]:
    """Every anchor that a wider rule can have."""
    for pattern in rule.patterns:
        keyword, value = pattern.keyword, pattern.value
        if isinstance(value, str):
            start, end = literal_start(value), literal_end(value)
            yield from ((keyword, "start", start[:length]) for length in range(1, len(start) + 1))
            yield from ((keyword, "end", end[-length:]) for length in range(1, len(end) + 1))
        if value is not None and not is_wild(str(value)):
            yield keyword, "whole", value

"""Rules that stand behind a rule with a wider pattern."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from mqsc.dlq.patterns import covers, is_wild, literal_start, takes_anything
from mqsc.dlq.rules import Pattern, Rule

# What two patterns must have in common when one covers the other: keyword, value or its beginning, the whole of it?
_Anchor = tuple[str, str | int, bool]


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
    """What a rule must share with every rule that it covers: the most telling of its patterns."""
    return max((_anchor_of(pattern) for pattern in rule.patterns if _tells(pattern)), key=_weight, default=None)


def _anchor_of(pattern: Pattern) -> _Anchor:
    value = pattern.value
    if value is None or is_wild(str(value)):
        return pattern.keyword, literal_start(str(value or "*")), False
    return pattern.keyword, value, True


def _tells(pattern: Pattern) -> bool:
    _, value, whole = _anchor_of(pattern)
    return whole or value != ""


def _weight(anchor: _Anchor) -> tuple[bool, int]:
    # A number is said by many rules, the beginning of a name by fewer, a whole name by the fewest.
    _, value, whole = anchor
    return (whole, len(value)) if isinstance(value, str) else (False, 0)


def _anchors_met(rule: Rule) -> Iterator[_Anchor]:
    """Every anchor that a wider rule can have."""
    for pattern in rule.patterns:
        value = pattern.value
        if isinstance(value, str):
            start = literal_start(value)
            yield from ((pattern.keyword, start[:length], False) for length in range(1, len(start) + 1))
        if value is not None and not is_wild(str(value)):
            yield pattern.keyword, value, True

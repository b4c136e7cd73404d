"""Finds rules that follow a rule which matches all of their messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from mqsc.dlq.patterns import covers, is_wild, literal_end, literal_start, matches_everything
from mqsc.dlq.rules import Pattern, Rule

# Part of a pattern that two rules must share when one covers the other: the keyword, which part, and its value.
_Anchor = tuple[str, str, str | int]


def shadowed_rules(rules: tuple[Rule, ...], actions: Collection[str]) -> Iterator[tuple[Rule, Rule]]:
    """Each rule that an earlier rule with one of the actions covers, with the first such rule.

    A rule is compared only with rules that share an anchor with it, so that thousands of rules take seconds.
    """
    anchored: defaultdict[_Anchor, list[int]] = defaultdict(list)
    without_anchor: list[int] = []
    for index, rule in enumerate(rules):
        candidates = [*without_anchor, *(each for anchor in _anchors_met(rule) for each in anchored.get(anchor, ()))]
        wider = next((each for each in sorted(candidates) if covers_rule(rules[each], rule)), None)
        if wider is not None:
            yield rule, rules[wider]
        elif rule.action in actions:
            anchor = _anchor(rule)
            (without_anchor if anchor is None else anchored[anchor]).append(index)


def covers_rule(wide: Rule, narrow: Rule) -> bool:
    """Whether every message that matches `narrow` certainly matches `wide`."""
    patterns = {pattern.keyword: pattern.value for pattern in narrow.patterns}
    return all(_covers(pattern.value, patterns.get(pattern.keyword)) for pattern in wide.patterns)


def _covers(wide: str | int | None, narrow: str | int | None) -> bool:
    if matches_everything(wide):
        return True
    if isinstance(wide, str) and isinstance(narrow, str):
        return covers(wide, narrow)
    return wide == narrow


def _anchor(rule: Rule) -> _Anchor | None:
    """The most selective part of the rule's patterns, which every rule that it covers must share."""
    return max((anchor for pattern in rule.patterns for anchor in _parts(pattern)), key=_selectivity, default=None)


def _parts(pattern: Pattern) -> Iterator[_Anchor]:
    keyword, value = pattern.keyword, pattern.value
    if isinstance(value, str) and is_wild(value):
        parts = (("start", literal_start(value)), ("end", literal_end(value)))
        yield from ((keyword, part, text) for part, text in parts if text)
    elif value is not None:
        yield keyword, "whole", value


def _selectivity(anchor: _Anchor) -> tuple[bool, int]:
    # Many rules share a number, fewer share the start or the end of a name, fewest a whole name.
    _, part, value = anchor
    return (part == "whole", len(value)) if isinstance(value, str) else (False, 0)


def _anchors_met(rule: Rule) -> Iterator[_Anchor]:
    """Every anchor that a rule which covers this one can have."""
    for pattern in rule.patterns:
        keyword, value = pattern.keyword, pattern.value
        if isinstance(value, str):
            start, end = literal_start(value), literal_end(value)
            yield from ((keyword, "start", start[:length]) for length in range(1, len(start) + 1))
            yield from ((keyword, "end", end[-length:]) for length in range(1, len(end) + 1))
        if value is not None and not is_wild(str(value)):
            yield keyword, "whole", value

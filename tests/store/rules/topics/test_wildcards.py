"""Both wildcard schemes, beside regular expressions that say the same."""

from __future__ import annotations

import re

from hypothesis import given, strategies as st

from mqsc.store.rules.topics import wildcards
from mqsc.store.rules.topics.wildcards import TopicPattern
from tests.store.tables import giving, named_verdicts, verdicts


def matches(scheme: str, pattern: str, topic: str) -> bool:
    return TopicPattern(pattern, by_character=scheme == "C").matches(topic)


test_b05_the_table_of_the_specification = verdicts(
    matches,
    *giving(
        True,
        ("T", "USA/Alaska/#", "USA/Alaska"),
        ("T", "USA/Alaska/#", "USA/Alaska/Juneau"),
        ("T", "#", "a"),
        ("T", "+/b", "a/b"),
        ("T", "+/b", "/b"),
        *(("T", "#/b/#", topic) for topic in ("b", "a/b", "b/c", "a/b/c")),
        ("C", "IBM/*ware/Results", "IBM/Software/Results"),
        ("C", "IBM/*ware/Results", "IBM/a/b/ware/Results"),
        ("C", "a?c", "abc"),
        ("C", "a?c", "a/c"),
        ("C", "a%*", "a*"),
        ("C", "a/+", "a/+"),
    ),
    *giving(
        False,
        ("T", "USA/Alaska/#", "USA"),
        *(("T", "+/b", topic) for topic in ("b", "x/a/b")),
        ("T", "#/b/#", "ab"),
        ("C", "IBM/*ware/Results", "IBM/Services/Results"),
        ("C", "a?c", "ac"),
        ("C", "a%*", "ab"),
        ("C", "a/+", "a/b"),
    ),
)
test_strings = named_verdicts(
    matches,
    *(("B02", "T", "a/b", topic, False) for topic in ("A/B", "a/b/", "a")),
    *(("B06", "T", "a/+", topic, topic == "a/") for topic in ("a/", "a", "a/b/c")),
    *(("B07", scheme, "x/#", "x/#", True) for scheme in "TC"),
    ("not a whole level", "T", "a#/+b/##", "a#/+b/##", True),
    ("not a whole level", "T", "a#", "ab", False),
)
test_b08_a_lone_escape_character = verdicts(
    lambda pattern, scheme: wildcards.fault(pattern, by_character=scheme == "C"),
    ("a%b", "C", 2425),
    ("a%", "C", 2425),
    ("a%%%*%?", "C", 0),
    ("a%b", "T", 0),
)
test_covers_of_commands = verdicts(
    wildcards.covers,
    *giving(True, ("#", ""), ("#", "a/b"), ("a", "a"), ("a/#", "a"), ("a/#", "a/b/c")),
    *giving(True, ("a/+", "a/b"), ("+/c", "b/c"), ("a/#/z", "a/b/c/z"), ("*", "anything")),
    *giving(True, ("#/b/#/c", "a/b/x/b/c"), ("pri*", "prices/fruit")),
    *giving(False, ("a", "a/b"), ("a/+", "a/b/c"), ("a/#/z", "a/b/c/y"), ("pri*", "news")),
    # Many wildcards take no more than the product of the lengths.
    ("/".join(["#", "a"] * 20), "/".join(["a"] * 300 + ["b"]), False),
)


def test_what_is_literal() -> None:
    found = [
        (pattern.literal, pattern.levels, pattern.bucket)
        for pattern in (
            TopicPattern("a/b", by_character=False),
            TopicPattern("a/b/+/c/#", by_character=False),
            TopicPattern("#", by_character=False),
            TopicPattern("a/b?c", by_character=True),
            TopicPattern("a%*", by_character=True),
        )
    ]
    assert found == [
        ("a/b", "a/b", "=a/b"),
        ("a/b", "a/b", "+a/b"),
        ("", "", "+"),
        ("a/b", "a", "+a"),
        ("a*", "a*", "=a*"),
    ]


LEVELS = st.sampled_from(["a", "b", "", "+", "#", "ab"])
TOPICS = st.lists(LEVELS, min_size=1, max_size=5).map("/".join)
CHARACTERS = st.text(alphabet="ab/*?+#", max_size=7)


def levels_as_regex(pattern: str) -> str:
    """Say the topic scheme as a regular expression about the levels, each followed by a slash."""
    parts = {"+": "[^/]*/", "#": "(?:[^/]*/)*"}
    return "".join(parts.get(level, re.escape(level) + "/") for level in pattern.split("/"))


@given(TOPICS, TOPICS)
def test_levels_match_as_a_regular_expression_says(pattern: str, topic: str) -> None:
    expected = re.fullmatch(levels_as_regex(pattern), topic + "/") is not None
    assert matches("T", pattern, topic) == expected


@given(CHARACTERS, CHARACTERS)
def test_characters_match_as_a_regular_expression_says(pattern: str, topic: str) -> None:
    parts = {"*": ".*", "?": "."}
    regex = "".join(parts.get(each, re.escape(each)) for each in pattern)
    assert matches("C", pattern, topic) == (re.fullmatch(regex, topic, re.DOTALL) is not None)


@given(st.booleans(), CHARACTERS | TOPICS, CHARACTERS | TOPICS)
def test_a_pattern_is_found_under_a_bucket_of_what_it_matches(
    by_character: bool, string: str, topic: str
) -> None:
    pattern = TopicPattern(string, by_character=by_character)
    if pattern.matches(topic):
        assert pattern.bucket in wildcards.buckets(topic)

"""Rules behind wider rules: the anchored search against every pair, and wider rules against messages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mqsc.dlq.explain import mismatches_of
from mqsc.dlq.message import DeadLetterFacts
from mqsc.dlq.rules import Pattern, Rule
from mqsc.dlq.shadows import covered, covers_rule
from tests.mqsc.dlq.tables import FEW, FIELD, facts

KEEPING = ("IGNORE", "DISCARD")
TEXTS = FEW.map(lambda text: text.rstrip(" "))
PATTERNS = st.tuples(
    st.builds(Pattern, st.just("DESTQ"), TEXTS),
    st.builds(Pattern, st.just("REASON"), st.none() | st.integers(0, 2)),
    st.builds(Pattern, st.just("REPLYQ"), TEXTS),
)
SOME = st.builds(
    lambda patterns, kept: tuple(each for each, keep in zip(patterns, kept, strict=True) if keep),
    PATTERNS,
    st.tuples(*[st.booleans()] * 3),
)
RULES = st.builds(Rule, patterns=SOME, action=st.sampled_from(["DISCARD", "IGNORE", "RETRY"]))
MESSAGES = st.builds(
    lambda queue, reason, reply: facts(dest_q_name=queue, reason=reason, reply_to_q=reply),
    FIELD,
    st.integers(0, 2),
    FIELD,
)


@given(st.lists(RULES, max_size=10).map(tuple))
def test_the_search_finds_what_comparing_every_pair_finds(rules: tuple[Rule, ...]) -> None:
    found = {id(rule) for rule, _ in covered(rules, KEEPING)}
    slowly = {
        id(rule)
        for index, rule in enumerate(rules)
        if any(covers_rule(wider, rule) for wider in rules[:index] if wider.action in KEEPING)
    }
    assert found == slowly
    assert all(covers_rule(wider, rule) and wider.action in KEEPING for rule, wider in covered(rules, KEEPING))


@given(RULES, RULES, MESSAGES)
def test_a_wider_rule_matches_all_that_the_narrower_one_matches(
    wide: Rule, narrow: Rule, message: DeadLetterFacts
) -> None:
    if covers_rule(wide, narrow) and not mismatches_of(narrow, message):
        assert not mismatches_of(wide, message)

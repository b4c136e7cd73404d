"""Rules that never apply, because another one before them does."""

from __future__ import annotations

from hypothesis import given, strategies as st

from mqsc.dlq.facts import DeadLetterFacts
from mqsc.dlq.lint.order import covers_rule, shadowed_rules
from mqsc.dlq.rule_results import mismatches_of
from mqsc.dlq.rules_table import Pattern, Rule
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
def test_the_search_agrees_with_a_comparison_of_every_pair(rules: tuple[Rule, ...]) -> None:
    found = {id(rule) for rule, _ in shadowed_rules(rules, KEEPING)}
    slowly = {
        id(rule)
        for index, rule in enumerate(rules)
        if any(covers_rule(wider, rule) for wider in rules[:index] if wider.action in KEEPING)
    }
    assert found == slowly
    assert all(
        covers_rule(wider, rule) and wider.action in KEEPING
        for rule, wider in shadowed_rules(rules, KEEPING)
    )


@given(RULES, RULES, MESSAGES)
def test_a_rule_matches_every_message_of_the_rules_that_it_covers(
    wide: Rule,
    narrow: Rule,
    message: DeadLetterFacts,
) -> None:
    if covers_rule(wide, narrow) and not mismatches_of(narrow, message):
        assert not mismatches_of(wide, message)

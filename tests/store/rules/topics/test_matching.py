"""Which subscriptions receive a publication."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given, strategies as st

from mqsc.store.rules.topics.matching import (
    Condition,
    PublicationFacts,
    Verdict,
    receivers,
    string_fault,
)
from mqsc.store.rules.topics.wildcards import TopicPattern
from tests.store.tables import named_verdicts

NOW = 1000


@dataclass
class Subscription:
    id: int
    string: str = "a"
    level: int = 1
    request_only: int = 0
    expires_at: int | None = None
    grouped: int = 0
    destination: str = "Q"
    destination_manager: str = "QM1"
    correl_id: bytes | None = b"1"
    connection: int = 0


def decide(
    *subscriptions: Subscription,
    level: int = 9,
    skipped: int = 0,
    unselected: frozenset[int] = frozenset(),
) -> Verdict:
    candidates = [(each, TopicPattern(each.string, by_character=False)) for each in subscriptions]
    facts = PublicationFacts(level, NOW, skipped)
    return receivers(candidates, facts, lambda each: each.id not in unselected)


def string_condition(string: str, topic: str, block: str | None) -> str | None:
    fault = string_fault(TopicPattern(string, by_character=False), topic, block)
    return None if fault is None else fault.value


test_blocks = named_verdicts(
    string_condition,
    ("B09", "#", "a/secret/x", "a/secret", "blocked"),
    ("B09", "a/#", "a/secret/x", "a/secret", "blocked"),
    ("B09", "a/secret/#", "a/secret/x", "a/secret", None),
    ("B09", "a/secret/x", "a/secret/x", "a/secret", None),
    ("B10", "#", "a/x", None, None),
    ("B10", "a/#", "a/x", None, None),
    ("beside", "a/+", "a/secret", "a/secret", "blocked"),
    ("another string", "b", "a/secret", "a/secret", "string"),
)


def test_b23_the_highest_level_that_the_publication_allows() -> None:
    one, five = Subscription(1, level=1), Subscription(2, level=5)
    found = [decide(one, five, level=level).receiving for level in (9, 4, 0)]
    assert found == [[2], [1], []]


def test_b24_level_zero_gets_what_no_higher_one_takes() -> None:
    lowest = Subscription(1, level=0)
    assert [decide(lowest, level=level).receiving for level in (0, 9)] == [[1], [1]]
    assert decide(lowest, Subscription(2)).failed == {1: Condition.LEVEL}


def test_the_condition_that_failed() -> None:
    found = decide(
        Subscription(1, expires_at=NOW),
        Subscription(2, request_only=1),
        Subscription(3, connection=7),
        Subscription(4),
        Subscription(5),
        skipped=7,
        unselected=frozenset({4}),
    )
    assert found == Verdict(
        [5],
        {
            1: Condition.EXPIRED,
            2: Condition.REQUEST_ONLY,
            3: Condition.OWN,
            4: Condition.SELECTOR,
        },
    )


def test_b22_own_subscriptions_are_skipped_only_on_request() -> None:
    own, other = Subscription(1, connection=7), Subscription(2, connection=8)
    assert decide(own, other, skipped=7).receiving == [2]
    assert decide(own, other).receiving == [1, 2]


def test_b81_of_a_group_the_longest_literal_part_receives() -> None:
    found = decide(Subscription(1, "a/#", grouped=1), Subscription(2, "a/b", grouped=1))
    assert found == Verdict([2], {1: Condition.GROUP})
    other_queue = Subscription(3, "a/#", grouped=1, destination="R")
    assert decide(Subscription(1, "a/#", grouped=1), other_queue).receiving == [1, 3]


SUBSCRIPTIONS = st.lists(
    st.builds(
        Subscription,
        id=st.just(0),
        string=st.sampled_from(["a", "a/#", "a/+"]),
        level=st.integers(0, 3),
        request_only=st.integers(0, 1),
        expires_at=st.sampled_from([None, NOW, NOW + 1]),
        grouped=st.integers(0, 1),
        destination=st.sampled_from(["Q", "R"]),
    ),
    max_size=8,
).map(lambda found: [replace(each, id=at) for at, each in enumerate(found, 1)])


@given(SUBSCRIPTIONS, st.integers(0, 4))
def test_every_subscription_receives_or_has_a_reason(
    subscriptions: list[Subscription], level: int
) -> None:
    """As a search that compares each subscription with all others."""
    verdict = decide(*subscriptions, level=level)
    live = [
        each
        for each in subscriptions
        if not each.request_only and each.expires_at != NOW and each.level <= level
    ]
    highest = [each for each in live if all(each.level >= other.level for other in live)]

    def is_most_significant(each: Subscription) -> bool:
        rivals = [
            other for other in highest if other.grouped and other.destination == each.destination
        ]
        return not any(
            (-len(other.string.partition("/")[0]), other.id)
            < (-len(each.string.partition("/")[0]), each.id)
            for other in rivals
        )

    expected = [each.id for each in highest if not each.grouped or is_most_significant(each)]
    assert verdict.receiving == expected
    assert {*verdict.receiving} | {*verdict.failed} == {each.id for each in subscriptions}

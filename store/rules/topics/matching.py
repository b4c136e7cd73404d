"""Which subscriptions receive a publication, and why the others do not (publish-subscribe §2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeVar

from mqsc.store.rules.expiry import is_expired
from mqsc.store.rules.topics.topic_strings import branch
from mqsc.store.rules.topics.wildcards import TopicPattern

DEFAULT_LEVEL = 9


class SubscriptionFacts(Protocol):
    """The columns of a subscription that decide what it receives."""

    id: int
    level: int
    request_only: int
    expires_at: int | None
    grouped: int
    destination: str
    destination_manager: str
    correl_id: bytes | None
    connection: int


class Condition(Enum):
    """Why a subscription does not receive a publication, in the order in which it is asked."""

    STRING = "string"
    BLOCKED = "blocked"
    EXPIRED = "expired"
    REQUEST_ONLY = "request only"
    OWN = "own"
    SELECTOR = "selector"
    LEVEL = "level"
    GROUP = "group"


class PublicationFacts(NamedTuple):
    """A publication: its level, when it is made, and the connection whose own subscriptions do not
    get it, or 0.
    """

    level: int
    now: int
    skipped_connection: int


Subscription = TypeVar("Subscription", bound=SubscriptionFacts)
Selects = Callable[[Subscription], bool]


def blocking(topics: Mapping[str, Mapping[str, Any]], string: str) -> str | None:
    """The longest topic string at or above `string` whose object has WILDCARD(BLOCK), or None."""
    blocks = (
        each
        for each in branch(string)
        if each in topics and topics[each].get("WILDCARD") == "BLOCK"
    )
    return next(blocks, None)


def string_fault(pattern: TopicPattern, topic: str, block: str | None) -> Condition | None:
    """Why a topic string is not the subscription's, or None; `block` is the longest string at or
    above the topic whose object has WILDCARD(BLOCK).

    A wildcard subscription is blocked unless its literal part reaches that object.
    """
    if not pattern.matches(topic):
        return Condition.STRING
    if block is not None and pattern.is_wild and len(pattern.literal) < len(block):
        return Condition.BLOCKED
    return None


def own_fault(facts: SubscriptionFacts, publication: PublicationFacts) -> Condition | None:
    """Why a subscription that has the topic does not get it by its own state, or None."""
    if is_expired(facts.expires_at, publication.now):
        return Condition.EXPIRED
    if facts.request_only:
        return Condition.REQUEST_ONLY
    skipped = publication.skipped_connection
    return Condition.OWN if skipped and facts.connection == skipped else None


class Verdict(NamedTuple):
    """The subscriptions that receive a publication, in order, and the condition that failed for
    each of the others, by the number of the subscription.
    """

    receiving: list[int]
    failed: dict[int, Condition]


def receivers(
    candidates: Sequence[tuple[Subscription, TopicPattern]],
    publication: PublicationFacts,
    selects: Selects[Subscription],
) -> Verdict:
    """Decide which of the subscriptions that have the topic string receive the publication."""
    failed: dict[int, Condition] = {}
    matching: list[tuple[Subscription, TopicPattern]] = []
    for each in candidates:
        fault = own_fault(each[0], publication)
        if fault is None and not selects(each[0]):
            fault = Condition.SELECTOR
        if fault is None:
            matching.append(each)
        else:
            failed[each[0].id] = fault
    level = _level(matching, publication.level)
    at_level = [each for each in matching if each[0].level == level]
    failed |= {each.id: Condition.LEVEL for each, _ in matching if each.level != level}
    kept = _one_of_each_group(at_level)
    failed |= {each.id: Condition.GROUP for each, _ in at_level if each.id not in kept}
    return Verdict([each.id for each, _ in at_level if each.id in kept], failed)


def _level(matching: Iterable[tuple[SubscriptionFacts, TopicPattern]], highest: int) -> int | None:
    """The highest level of a subscription that is not above that of the publication."""
    return max((each.level for each, _ in matching if each.level <= highest), default=None)


def _one_of_each_group(matching: Sequence[tuple[SubscriptionFacts, TopicPattern]]) -> set[int]:
    """Of the subscriptions of one group, which have their queue and CorrelId in common, the one
    with the longest literal part; of two as long, the first.
    """
    kept = {each.id for each, _ in matching if not each.grouped}
    best: dict[tuple[object, ...], tuple[int, int]] = {}
    for each, pattern in matching:
        if each.grouped:
            group = (each.destination, each.destination_manager, each.correl_id)
            rank = (len(pattern.literal), -each.id)
            best[group] = max(best.get(group, rank), rank)
    return kept | {-negative for _, negative in best.values()}

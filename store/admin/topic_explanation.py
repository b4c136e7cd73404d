"""Why a publication to a topic string would reach a subscription, or not; where the attributes of
the string come from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mqsc.store.engine import publishing, topic_tree
from mqsc.store.engine.publishing import Receiver
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules.topics import inheritance
from mqsc.store.rules.topics.matching import (
    DEFAULT_LEVEL,
    Condition,
    PublicationFacts,
    receivers,
    string_fault,
)
from mqsc.store.rules.topics.topic_strings import branch
from mqsc.store.sql import subscriptions
from mqsc.store.sqlite.database import Reading

# What is explained of a topic string.
_WORDS = tuple(
    "PUB SUB DURSUB DEFPRTY DEFPSIST PMSGDLV NPMSGDLV USEDLQ CAPEXPRY MDURMDL MNDURMDL".split()
)


class InheritedAttribute(NamedTuple):
    """An attribute in force, and the topic object that gives it; blank for the shipped value."""

    keyword: str
    value: Any
    source: str


class ExplainedSubscription(NamedTuple):
    """A subscription and the condition that keeps a publication from it, or None; `selector` is one
    that the message must meet.
    """

    name: str
    identifier: str
    topic_string: str
    destination: str
    condition: Condition | None
    selector: str


class TopicExplanation(NamedTuple):
    """What applies at a topic string, and what would become of a publication to it.

    `block` is the string of the object that hides it from wildcard subscriptions made above; None
    for none. `objects` are the topic objects at and above it, nearest first.
    """

    string: str
    objects: tuple[str, ...]
    attributes: list[InheritedAttribute]
    is_enabled: bool
    block: str | None
    subscriptions: list[ExplainedSubscription]


def explain_topic(
    qmgr: QueueManagerState, string: str, level: int = DEFAULT_LEVEL
) -> TopicExplanation:
    """Explain a topic string for a publication at that level; MQError 2059."""
    recover(qmgr.store)
    with Reading(qmgr.store.database, one_state=True) as reading:
        call = qmgr.call_context(reading)
        settings = topic_tree.settings(reading, call, string)
        found = subscriptions.topic_objects(reading, qmgr.name, branch(string))
        rows = subscriptions.of_queue_manager(reading, qmgr.name)
        is_enabled = topic_tree.is_enabled(reading, call)
    attributes = [_inherited(found, string, word) for word in _WORDS]
    all_receivers = [publishing.receiver_of(each) for each in rows]
    failed = _failed(all_receivers, settings.string, settings.block, level, call.now)
    explained = [
        ExplainedSubscription(
            row.name,
            row.identifier,
            row.topic_string,
            row.destination,
            failed.get(row.id),
            row.selector,
        )
        for row in rows
    ]
    return TopicExplanation(
        string, settings.objects, attributes, is_enabled, settings.block, explained
    )


def _inherited(found: dict[str, dict[str, Any]], string: str, word: str) -> InheritedAttribute:
    value = inheritance.effective_attributes(found, string, (word,))[word]
    source = inheritance.source_of(found, string, word)
    return InheritedAttribute(word, value, "" if source is None else str(found[source]["TOPIC"]))


def _failed(
    found: list[Receiver], string: str, block: str | None, level: int, now: int
) -> dict[int, Condition]:
    """The condition that failed, by the number of the subscription; every selector counts as met."""
    failed: dict[int, Condition] = {}
    candidates = []
    for each in found:
        fault = string_fault(each.pattern, string, block)
        if fault is None:
            candidates.append((each, each.pattern))
        else:
            failed[each.id] = fault
    verdict = receivers(candidates, PublicationFacts(level, now, 0), lambda each: True)
    return failed | verdict.failed

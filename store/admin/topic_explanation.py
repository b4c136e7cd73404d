"""Who would receive a publication to a topic string, who would not and why, and where the
attributes of the string come from (publish-subscribe §1, §2).

Everything is asked of the rules and the steps by which a publication is made; nothing is put.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.store.admin.topic_nodes import topic_tree
from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import topic_tree as engine_tree
from mqsc.store.engine.copy_plan import FailedCopy, Plan, plan_copies
from mqsc.store.engine.known_topic import KnownTopic, look_up_topic, verdict_of
from mqsc.store.engine.published_message import Publication, PublishedMessage
from mqsc.store.engine.receivers import Receiver, pattern_of
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.rules import putting
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_set import Property
from mqsc.store.rules.topics import inheritance, publication as rules
from mqsc.store.rules.topics.matching import DEFAULT_LEVEL, Condition, Verdict, string_fault
from mqsc.store.rules.topics.topic_strings import branch
from mqsc.store.sql import subscriptions
from mqsc.store.sql.rows import SubscriptionRow
from mqsc.store.sqlite.database import Reading


class HypotheticalPublication(Struct, frozen=True):
    """A publication that is asked about. A persistence of None is that of the topic; `not_own` is
    the connection that would publish with MQPMO_NOT_OWN_SUBS, or 0; `fields` are fields of its
    MQMD.
    """

    level: int = DEFAULT_LEVEL
    persistence: int | None = None
    not_own: int = 0
    properties: tuple[Property, ...] = ()
    fields: tuple[tuple[str, Any], ...] = ()


class TopicObject(NamedTuple):
    """A topic object and its topic string."""

    name: str
    topic_string: str


class InheritedAttribute(NamedTuple):
    """An attribute at a topic string, and the object that gives it, None if none does."""

    word: str
    value: Any
    source: TopicObject | None


class SubscriptionVerdict(Struct, frozen=True):
    """A subscription, and what becomes of the publication for it.

    `condition` is the one that failed, None for a subscription that receives it. `is_unknown`: its
    selector is unknown rather than false. `reason` is the MQRC with which its queue refuses the
    copy, or 0, and `is_dead_lettered` whether the dead-letter queue takes that.
    """

    row: SubscriptionRow
    condition: Condition | None
    is_unknown: bool = False
    reason: int = 0
    is_dead_lettered: bool = False


class TopicExplanation(Struct, frozen=True):
    """A topic string at a moment (microseconds UTC), and a publication to it.

    `objects` are the topic objects at and above it, nearest first, and `block` the one that hides it
    from wildcards made above, or None. `refusal` is the MQRC with which the put would fail before
    anybody is asked: 2531 or 2051, else 0. `failure` is 2502 when a copy that must be delivered
    cannot be, else 0. `taken_level` is the level of those that receive it, None if there are none.
    """

    topic_string: str
    queue_manager: str
    at: int
    has_node: bool
    objects: tuple[TopicObject, ...]
    block: TopicObject | None
    attributes: tuple[InheritedAttribute, ...]
    publication: HypotheticalPublication
    refusal: int
    failure: int
    dead_letter_queue: str
    taken_level: int | None
    subscriptions: tuple[SubscriptionVerdict, ...]

    @property
    def receiving(self) -> list[SubscriptionVerdict]:
        return [each for each in self.subscriptions if each.condition is None]


def explain(
    qmgr: QueueManagerState,
    string: str,
    asked: HypotheticalPublication | None = None,
) -> TopicExplanation:
    """Explain a topic string; MQError 2059, 2085 for a blank string, 2441 for one that is too long.

    Dead programs are recovered first.
    """
    asked = asked or HypotheticalPublication()
    tree = topic_tree(qmgr)
    with qmgr.reading() as (reading, call):
        string = engine_tree.string_of(reading, call, "", string)
        found = subscriptions.topic_objects(reading, qmgr.name, branch(string))
        known = look_up_topic(reading, call, string)
        published = _published(call, known, asked)
        verdict = verdict_of(call, known, published, asked.level, asked.not_own)
        plan = _plan(reading, call, known, published, verdict)
        rows = subscriptions.of_queue_manager(reading, qmgr.name)
    objects = {
        each: TopicObject(found[each]["TOPIC"], each) for each in branch(string) if each in found
    }
    block = known.settings.block
    persistence = published.publication.descriptor.persistence
    return TopicExplanation(
        topic_string=string,
        queue_manager=qmgr.name,
        at=call.now,
        has_node=string in tree.strings,
        objects=tuple(objects.values()),
        block=None if block is None else objects[block],
        attributes=tuple(_attributes(found, objects, string)),
        publication=asked,
        refusal=_refusal(known),
        failure=plan.fault(known.settings, persistence),
        dead_letter_queue=call.qmgr.dead_letter_queue,
        taken_level=_level(known, verdict),
        subscriptions=tuple(_verdicts(rows, known, published, plan)),
    )


def _published(
    call: CallContext, known: KnownTopic, asked: HypotheticalPublication
) -> PublishedMessage:
    """The publication that is asked about, as a put would make it."""
    persistence = putting.AS_Q_DEF_PERSISTENCE if asked.persistence is None else asked.persistence
    descriptor = MessageDescriptor(persistence=persistence)
    for name, value in asked.fields:
        setattr(descriptor, name, value)
    descriptor.put_at = call.now
    rules.fill(descriptor, known.settings.defaults(call.qmgr.ccsid))
    described = message_data.with_properties(descriptor, b"", asked.properties, call.qmgr.ccsid)
    return PublishedMessage(Publication(known.settings.string, *described), call.qmgr.ccsid, {})


def _plan(
    reading: Reading,
    call: CallContext,
    known: KnownTopic,
    published: PublishedMessage,
    verdict: Verdict,
) -> Plan:
    return plan_copies(
        reading,
        call,
        published,
        known.receivers,
        verdict,
        uses_dead_letter_queue=known.settings.uses_dead_letter_queue,
    )


def _attributes(
    found: dict[str, dict[str, Any]], objects: dict[str, TopicObject], string: str
) -> Iterable[InheritedAttribute]:
    values = inheritance.effective_attributes(found, string, inheritance.ORIGINAL)
    for word, value in values.items():
        source = inheritance.source_of(found, string, word)
        yield InheritedAttribute(word, value, None if source is None else objects[source])


def _refusal(known: KnownTopic) -> int:
    if not known.is_enabled:
        return int(MQRC.PUBSUB_INHIBITED)
    return 0 if known.settings.allows_publishing else int(MQRC.PUT_INHIBITED)


def _level(known: KnownTopic, verdict: Verdict) -> int | None:
    levels = {each.id: each.level for each in known.receivers}
    return next((levels[each] for each in verdict.receiving), None)


def _verdicts(
    rows: Iterable[SubscriptionRow], known: KnownTopic, published: PublishedMessage, plan: Plan
) -> Iterable[SubscriptionVerdict]:
    matching = {each.id: each for each in known.receivers}
    failed = {each.receiver.id: each for each in plan.failed}
    for row in rows:
        receiver = matching.get(row.id)
        if receiver is None:
            pattern = pattern_of(row)
            settings = known.settings
            yield SubscriptionVerdict(row, string_fault(pattern, settings.string, settings.block))
        else:
            yield _verdict(row, receiver, published, plan, failed.get(row.id))


def _verdict(
    row: SubscriptionRow,
    receiver: Receiver,
    published: PublishedMessage,
    plan: Plan,
    failed: FailedCopy | None,
) -> SubscriptionVerdict:
    condition = plan.verdict.failed.get(row.id)
    if condition is Condition.SELECTOR and receiver.selector is not None:
        is_unknown = published.outcome(receiver.selector) is None
        return SubscriptionVerdict(row, condition, is_unknown=is_unknown)
    if failed is None:
        return SubscriptionVerdict(row, condition)
    return SubscriptionVerdict(
        row, condition, reason=failed.reason, is_dead_lettered=failed.is_dead_lettered
    )

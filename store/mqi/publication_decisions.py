"""What is decided about a publication before anything is put (publish-subscribe §2)."""

from __future__ import annotations

from copy import copy

from msgspec import Struct

from mqsc.store.constants import MQMF, MQRC
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import known_topic, retained
from mqsc.store.engine.copy_plan import Plan, plan_copies
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.known_publications import (
    KnownPublication,
    PublicationKey,
    holds_for_all_alike,
    known_publication,
)
from mqsc.store.engine.known_topic import KnownTopic
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.published_message import Publication, PublishedMessage
from mqsc.store.engine.state import CallContext
from mqsc.store.error import refuse_for, refuse_if
from mqsc.store.headers import mqmd
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi import put_properties
from mqsc.store.mqi.put_context import in_context
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules import putting
from mqsc.store.rules.report_message import options_warning
from mqsc.store.rules.topics import publication as publication_rules
from mqsc.store.rules.trace_context import TRACEPARENT, traceparent_in
from mqsc.store.sql.objects import to_json
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

_SEGMENTATION = int(MQMF.SEGMENTATION_ALLOWED | MQMF.SEGMENT | MQMF.LAST_SEGMENT)


class TopicPut(Struct, frozen=True):
    """A put to a topic: in which transaction, through which handle, to which topic, and how."""

    tx: Transaction
    call: CallContext
    handle: HandleState
    known: KnownTopic
    alias: QueueRow | None
    options: PutMessageOptions
    option_bits: int
    with_handles: bool


class DecidedPublication(Struct, frozen=True):
    """What is decided about a publication before anything is put: the descriptor to return, the
    copies, the details of the PUBLISH, a warning or 0, and what is retained, on which queue.
    """

    returned: MessageDescriptor
    publication: Publication
    plan: Plan
    detail: str
    warning: int
    has_persistent: bool
    retained: tuple[Arrival, Destination] | None


class PublicationFailed(Exception):
    """A publication that fails with 2502: the transaction is rolled back, and the failure recorded."""

    def __init__(self, index: int, publication: Publication, plan: Plan) -> None:
        super().__init__(index, publication, plan)
        self.index = index
        self.publication = publication
        self.plan = plan


def decided(
    put: TopicPut, index: int, message: Message, queue: QueueRow | None
) -> DecidedPublication:
    """Decide everything about one message, or take what was decided about one like it."""
    key = _key(put, message)
    if key is None:
        return _newly_decided(put, index, message)
    known = put.handle.known_publications.get(put.known, key)
    before = None if known is None else _as_before(put, message, known, queue)
    if before is not None:
        return before
    new = _newly_decided(put, index, message)
    # In a transaction that others follow in, what is decided may be rolled back.
    is_lasting = put.handle.connection.store.database.enclosing.connection is None
    if is_lasting and holds_for_all_alike(put.known, new.plan, new.publication, new.returned):
        known = known_publication(
            put.call,
            put.known,
            new.plan,
            new.publication,
            new.returned,
            warning=new.warning,
            detail=new.detail,
        )
        put.handle.known_publications.keep(put.known, key, known)
    return new


# Options with which more decides than the descriptor, or more is done than to put copies.
_DECIDED_ELSEWHERE = (
    putting.PASSED | putting.SET_ALL_CONTEXT | putting.SUPPRESS_REPLYTO | putting.RETAIN
)


def _key(put: TopicPut, message: Message) -> PublicationKey | None:
    """What publications have in common that are decided alike; None where more decides."""
    if put.option_bits & _DECIDED_ELSEWHERE or put.with_handles or put.alias is not None:
        return None
    try:
        likeness = message.descriptor.likeness()
    except TypeError:
        # A value does not fit its field: deciding about the message explains the fault.
        return None
    return put.option_bits, put.options.publication_level, likeness


def _as_before(
    put: TopicPut, message: Message, known: KnownPublication, queue: QueueRow | None
) -> DecidedPublication | None:
    """What is decided about a message like one before it; None when it is longer, or a queue does
    not take a copy as it did.
    """
    if len(message.body) > known.longest:
        return None
    given, identifiers = message.descriptor, put.handle.connection.identifiers
    placed = copy(known.placed)
    placed.put_at = put.call.now
    placed.group_id = given.group_id
    placed.msg_id = given.msg_id
    placed.correl_id = given.correl_id
    _renew_identifiers(put, placed)
    publication = Publication(put.handle.topic, _shared(put, placed), message.body)
    plan = known.planned(put.tx, put.call, publication, identifiers, queue)
    if plan is None:
        return None
    return DecidedPublication(
        placed, publication, plan, known.detail, known.warning, known.has_persistent, None
    )


def _newly_decided(put: TopicPut, index: int, message: Message) -> DecidedPublication:
    """Decide everything about one message."""
    call, known = put.call, put.known
    level = put.options.publication_level
    returned, publication, warning = _prepared(put, message)
    published = PublishedMessage(publication, call.qmgr.ccsid, known.headers)
    skipped = put.handle.connection.number if put.option_bits & putting.NOT_OWN_SUBS else 0
    verdict = known_topic.verdict_of(call, known, published, level, skipped)
    plan = plan_copies(
        put.tx,
        call,
        published,
        known.receivers,
        verdict,
        uses_dead_letter_queue=known.settings.uses_dead_letter_queue,
        kept=known.destinations,
    )
    persistence = publication.descriptor.persistence
    if plan.fault(known.settings, persistence):
        raise PublicationFailed(index, publication, plan)
    is_retained = bool(put.option_bits & putting.RETAIN)
    what_follows = details(plan, level) | known_topic.excluded(known, verdict)
    if is_retained:
        what_follows["retained"] = 1
    traceparent = _traceparent(publication)
    if traceparent is not None:
        what_follows[TRACEPARENT] = traceparent
    return DecidedPublication(
        returned,
        publication,
        plan,
        to_json(what_follows),
        warning,
        plan.has_persistent or bool(is_retained and persistence),
        _kept(put, published) if is_retained else None,
    )


def _kept(put: TopicPut, published: PublishedMessage) -> tuple[Arrival, Destination]:
    """The message that is retained, and its queue; MQError 2479 when that does not take it."""
    descriptor, body = published.to_retain()
    descriptor = descriptor.copy()
    if descriptor.msg_id == NO_ID:
        descriptor.msg_id = put.call.new_identifier()
    kept = Arrival(descriptor, body)
    return kept, retained.room(put.tx, put.call, kept)


def _prepared(put: TopicPut, message: Message) -> tuple[MessageDescriptor, Publication, int]:
    """Validate one message: the descriptor to return, the publication, and a warning or 0."""
    descriptor, body = message.descriptor, message.body
    if put.with_handles:
        descriptor = put_properties.given_descriptor(descriptor, put.options, put.option_bits)
    unfit = mqmd.descriptor_fault(descriptor)
    if unfit:
        raise ValueError(unfit)
    name = put.handle.name
    placed = descriptor.copy()
    if put.option_bits & putting.SUPPRESS_REPLYTO:
        placed.reply_to_q = placed.reply_to_q_mgr = ""
    refuse_if(placed.msg_flags & _SEGMENTATION, MQRC.SEGMENTATION_NOT_ALLOWED, name)
    refuse_for(putting.descriptor_fault(placed), name)
    refuse_for(putting.context_fault(put.option_bits, put.handle.options), name)
    _decide(put, placed)
    stored, data, counted = put_properties.with_properties(
        put.tx, put.call, placed, body, put.options
    )
    refuse_if(counted > put.call.qmgr.max_length, MQRC.MSG_TOO_BIG_FOR_Q_MGR, name)
    warning = putting.priority_warning(placed.priority) or options_warning(placed.report)
    placed.resolved_q_name = placed.resolved_q_mgr_name = ""
    return placed, Publication(put.handle.topic, _shared(put, stored), data), warning


def _shared(put: TopicPut, descriptor: MessageDescriptor) -> MessageDescriptor:
    """The descriptor as all copies have it: none has a new identifier that the call returns."""
    if not put.option_bits & putting.NEW_MSG_ID:
        return descriptor
    shared = copy(descriptor)
    shared.msg_id = NO_ID
    return shared


def _decide(put: TopicPut, placed: MessageDescriptor) -> None:
    """Set every field that the queue manager decides."""
    call, defaults = put.call, put.known.settings.defaults(put.call.qmgr.ccsid)
    if put.alias is not None:
        priority, persistence = put.alias.default_priority, put.alias.default_persistence
        defaults = defaults._replace(priority=priority, persistence=persistence)
    mqmd.make_plain(placed)
    publication_rules.fill(placed, defaults)
    placed.backout_count = 0
    placed.put_at = call.now
    _renew_identifiers(put, placed)
    suppressed = put.option_bits & putting.SUPPRESS_REPLYTO
    if not placed.reply_to_q_mgr and not suppressed:
        placed.reply_to_q_mgr = call.qmgr.name
    context = put.option_bits & putting.CONTEXT
    in_context(put.handle, call, placed, context, put.options.context)


def _renew_identifiers(put: TopicPut, placed: MessageDescriptor) -> None:
    """Set the identifiers that the options ask for."""
    identifiers = put.handle.connection.identifiers
    if put.option_bits & putting.NEW_MSG_ID:
        placed.msg_id = next(identifiers)
    if put.option_bits & putting.NEW_CORREL_ID:
        placed.correl_id = next(identifiers)


def _traceparent(publication: Publication) -> str | None:
    """The context of a distributed trace that the program gave the publication."""
    stored = publication.descriptor
    return traceparent_in(
        stored.format, publication.body, stored.encoding, stored.coded_char_set_id
    )


def details(plan: Plan, level: int, *, is_failure: bool = False) -> dict[str, object]:
    """What becomes of a publication, as the PUBLISH says it."""
    found: dict[str, object] = {
        "matched": len(plan.verdict.receiving),
        "delivered": 0 if is_failure else len(plan.delivered),
        "dead_lettered": 0 if is_failure else plan.dead_lettered,
        "level": level,
    }
    lost = [each for each in plan.failed if not each.is_dead_lettered]
    if lost:
        found["failed"] = {each.receiver.name: each.reason for each in lost}
    return found

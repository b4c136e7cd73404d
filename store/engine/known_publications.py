"""What is known of publications that programs make again and again.

Where the subscriptions, their queues and the topic stay the same, publications whose descriptors
differ only in identifiers have the same subscribers, and their copies differ only in identifiers,
time and data. So this is decided once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from msgspec import Struct

from mqsc.store.descriptor import NO_ID, Likeness, MessageDescriptor
from mqsc.store.engine.copy_plan import Copies, PlainPut, Plan, are_current, is_current
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.known_topic import KnownTopic
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.plain_copies import (
    PlainCopies,
    PlainCopy,
    PublishedContent,
    is_in_group,
    is_plain,
    plain_copies,
)
from mqsc.store.engine.published_message import Publication
from mqsc.store.engine.receivers import Receiver
from mqsc.store.engine.state import CallContext
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.topics.matching import Verdict
from mqsc.store.sql.message_insert import InsertForm, form_of
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.queries import Queries

# Options of a put, the level of the publication, and what descriptors have in common.
PublicationKey = tuple[int, int, Likeness]
# A field that changes with every publication would fill the cache: it is cleared at this number of
# decisions, or of copies.
_MOST_KNOWN = 256
_MOST_COPIES = 20_000


class KnownCopy(Struct, frozen=True):
    """The copy for one subscription: its descriptor but for identifiers and time, how it is
    inserted, the header before its data, and the subscription.
    """

    descriptor: MessageDescriptor
    form: InsertForm
    header: bytes
    subscription: str
    # Whether the subscription sets the CorrelId.
    has_own_correl_id: bool


class KnownCopies(Struct, frozen=True):
    """The copies for one local queue."""

    destination: Destination
    copies: tuple[KnownCopy, ...]


class KnownPublication(Struct, frozen=True):
    """The decisions about a publication, valid for all whose descriptors differ from its own in
    identifiers alone.

    The descriptor that the call returns, but for identifiers and time; the reason of a warning, or
    0; the details of the PUBLISH; the longest data that this holds for.
    """

    placed: MessageDescriptor
    warning: int
    detail: str
    longest: int
    verdict: Verdict
    queues: tuple[KnownCopies, ...]
    delivered: list[int]
    has_persistent: bool
    # The copies as they are put if nothing else follows from that, else None.
    plain: tuple[PlainCopies, ...] | None

    def planned(
        self,
        tx: Queries,
        call: CallContext,
        publication: Publication,
        identifiers: Iterator[bytes],
        already_read: QueueRow | None,
    ) -> Plan | None:
        """The copies of such a publication; None if a queue was changed, or has no room for them.

        The columns of the queue `already_read` are those that this transaction sees.
        """
        plan = Plan(self.verdict, delivered=self.delivered)
        unread = [
            each.destination for each in self.queues if each.destination.queue is not already_read
        ]
        # Reading a list takes three times as long as reading one queue.
        if len(unread) > 2:
            if not are_current(tx, unread):
                return None
        elif not all(is_current(tx, call, each) for each in unread):
            return None
        for of_queue in self.queues:
            queue = of_queue.destination.queue
            if queue.max_depth - queue.depth < len(of_queue.copies):
                return None
        published = publication.descriptor
        if self.plain is not None and not is_in_group(published):
            content = PublishedContent(publication.body, published.msg_id, published.correl_id)
            plan.plain = PlainPut(self.plain, content, identifiers)
            return plan
        bodies = _Bodies(publication.body)
        for of_queue in self.queues:
            destination = of_queue.destination
            arrivals = [
                _arrival(each, publication, bodies[each.header], identifiers)
                for each in of_queue.copies
            ]
            plan.copies[destination.queue.id] = Copies(destination, arrivals)
        return plan


class _Bodies(dict[bytes, bytes]):
    """The data of copies by the header before it, which most of them have in common."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def __missing__(self, header: bytes) -> bytes:
        data = self[header] = header + self._body
        return data


def _arrival(
    known: KnownCopy, publication: Publication, body: bytes, identifiers: Iterator[bytes]
) -> Arrival:
    published, descriptor = publication.descriptor, copy(known.descriptor)
    msg_id = published.msg_id
    descriptor.msg_id = next(identifiers) if msg_id == NO_ID else msg_id
    if not known.has_own_correl_id:
        descriptor.correl_id = published.correl_id
    descriptor.group_id = published.group_id
    descriptor.put_at = published.put_at
    return Arrival(descriptor, body, form=known.form, subscription=known.subscription)


class KnownPublications:
    """The decisions about earlier publications through one handle, as long as what is known of its
    topic stays the same.
    """

    __slots__ = ("_by_key", "_copies", "_topic", "first_queue")

    def __init__(self) -> None:
        self._topic: KnownTopic | None = None
        self._by_key: dict[PublicationKey, KnownPublication] = {}
        # How many copies are known.
        self._copies = 0
        # The queue of the first copy of the publication that was kept last: a call reads its
        # columns together with those of the queue manager.
        self.first_queue: QueueRow | None = None

    def get(self, topic: KnownTopic, key: PublicationKey) -> KnownPublication | None:
        """What is known, None where that is nothing, or the topic has changed."""
        return self._by_key.get(key) if topic is self._topic else None

    def keep(self, topic: KnownTopic, key: PublicationKey, known: KnownPublication) -> None:
        """Remember decisions for the publications that follow."""
        is_full = len(self._by_key) >= _MOST_KNOWN or self._copies >= _MOST_COPIES
        if topic is not self._topic or is_full:
            self._topic = topic
            self._by_key.clear()
            self._copies = 0
        self._by_key[key] = known
        self._copies += len(known.delivered)
        self.first_queue = known.queues[0].destination.queue if known.queues else None


def holds_for_all_alike(
    topic: KnownTopic, plan: Plan, publication: Publication, placed: MessageDescriptor
) -> bool:
    """Whether publications with such a descriptor have the same subscribers and the same copies.

    Not where a selector or the time decides, nor for data that may have properties, nor where
    another object than the local queue decides about a copy.
    """
    if plan.failed or message_data.may_carry(publication.descriptor.format):
        return False
    if any(each.selector is not None or each.expires_at is not None for each in topic.receivers):
        return False
    # The message has properties of a message handle.
    if placed.format != publication.descriptor.format:
        return False
    # Only destinations that are one local queue of the queue manager are kept with the topic.
    kept = {id(each) for each in topic.destinations.values()}
    destinations = [each.destination for each in plan.copies.values()]
    return all(id(each) in kept and _decides_alone(each.queue) for each in destinations)


def _decides_alone(queue: QueueRow) -> bool:
    """Whether a local queue takes a copy whatever its data is, and whatever other queues do."""
    return not (queue.is_transmission or queue.must_duplicate)


def known_publication(
    call: CallContext,
    topic: KnownTopic,
    plan: Plan,
    publication: Publication,
    placed: MessageDescriptor,
    *,
    warning: int,
    detail: str,
) -> KnownPublication:
    """What is known once a publication is planned for which `holds_for_all_alike`."""
    receivers = {each.name: each for each in topic.receivers}
    length = len(publication.body)
    queues = tuple(_copies(each, receivers, length) for each in plan.copies.values())
    plain = [_plain(each.destination.queue, copy) for each in queues for copy in each.copies]
    return KnownPublication(
        placed=copy(placed),
        warning=warning,
        detail=detail,
        longest=_longest(call, queues),
        verdict=plan.verdict,
        queues=queues,
        delivered=plan.delivered,
        has_persistent=plan.has_persistent,
        plain=plain_copies(plain) if all(is_plain(call, each) for each in plain) else None,
    )


def _plain(queue: QueueRow, known: KnownCopy) -> PlainCopy:
    return PlainCopy(
        queue,
        known.descriptor,
        known.form,
        known.header,
        known.subscription,
        known.has_own_correl_id,
    )


def _copies(copies: Copies, receivers: dict[str, Receiver], length: int) -> KnownCopies:
    known = [
        KnownCopy(
            descriptor=copy(each.descriptor),
            form=form_of(each.descriptor),
            header=each.body[: len(each.body) - length],
            subscription=each.subscription,
            has_own_correl_id=receivers[each.subscription].correl_id is not None,
        )
        for each in copies.arrivals
    ]
    return KnownCopies(copies.destination, tuple(known))


def _longest(call: CallContext, queues: Sequence[KnownCopies]) -> int:
    """The longest data that every queue takes behind the header of its copies."""
    most = call.qmgr.max_length
    limits = [most]
    for each in queues:
        header = max(len(copy.header) for copy in each.copies)
        limits.append(min(each.destination.queue.max_length, most) - header)
    return min(limits)

"""Which messages were retained publications at a moment, and of which topic strings: the messages
that were on their queue then.

A message that still has its data names its topic string. Of any other, the PUBLISH just before its
put does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from mqsc.store.engine.retained import RETAINED_QUEUE, topic_of
from mqsc.store.past.event_ranges import Range, backwards
from mqsc.store.rules.message_trace import TracedEvent, event_of
from mqsc.store.sql import messages, past, search, subscriptions
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

_UNLIMITED = -1
# A message by its queue manager, its MsgId and the time of its put.
_Key = tuple[str, bytes, int]


def note_retained(tx: Transaction, where: Range) -> None:
    """Note in a copy, whose queues have the messages of the moment, which publications were
    retained.
    """
    subscriptions.forget_all_retained(tx)
    on_queue = [*_on_their_queue(tx)]
    named = {_key(owner, stored): topic_of(stored) for owner, stored in on_queue}
    unknown = {key for key, topic in named.items() if topic is None}
    found = _published(tx, where, unknown)
    for owner, stored in sorted(on_queue, key=lambda each: (each[1].put_at, each[1].sequence)):
        key = _key(owner, stored)
        topic = named[key] or found.get(key)
        if topic is not None:
            subscriptions.add_retained(tx, owner, topic, stored.id, stored.queue, stored.sequence)


def _on_their_queue(tx: Queries) -> Iterator[tuple[str, StoredMessage]]:
    """The messages on the queues of retained publications, each with its queue manager."""
    for owner, name, number, *_ in past.local_queues(tx):
        for id, *_ in past.present(tx, number) if name == RETAINED_QUEUE else ():
            stored = messages.by_id(tx, id)
            if stored is not None:
                yield owner, stored


def _key(owner: str, stored: StoredMessage) -> _Key:
    return owner, stored.msg_id, stored.put_at


def _published(tx: Queries, where: Range, unknown: set[_Key]) -> dict[_Key, str]:
    """The topic strings of messages, by what the history says of their puts."""
    found: dict[_Key, str] = {}
    # Puts whose PUBLISH is on an earlier page.
    puts: list[TracedEvent] = []
    for first, last in backwards(where.pruned + 1, where.moment):
        if not puts and found.keys() >= unknown:
            break
        puts += _puts(tx, first, last, unknown)
        published = _retaining(tx, first, last)
        earlier = []
        for put in puts:
            publication = _before(put, published)
            if publication is None:
                earlier.append(put)
            else:
                found[_key_of(put)] = publication.target or ""
        puts = earlier
    return found


def _puts(tx: Queries, first: int, last: int, of: set[_Key]) -> list[TracedEvent]:
    wanted = {"kinds": ["PUT"], "low": RETAINED_QUEUE, "high": RETAINED_QUEUE + "\0"}
    rows = search.search(tx, first, last, wanted, _UNLIMITED)
    return [event for event in map(event_of, rows) if _key_of(event) in of]


def _key_of(put: TracedEvent) -> _Key:
    return put.qmgr, put.msg_id or b"", put.put_at or put.at


def _retaining(tx: Queries, first: int, last: int) -> list[TracedEvent]:
    """The publications that were retained, in order."""
    rows = search.search(tx, first, last, {"kinds": ["PUBLISH"]}, _UNLIMITED)
    return [event for event in map(event_of, rows) if event.detail.get("retained")]


def _before(put: TracedEvent, published: list[TracedEvent]) -> TracedEvent | None:
    """The last publication before a put."""
    place = bisect_left(published, put.seq, key=lambda each: each.seq)
    return published[place - 1] if place else None

"""Copies of a publication from which nothing follows but their events and the counts of their
queues: no trigger message, no report, no event of a queue and no copy for a stream queue.

All copies for a queue, or one for each of many queues, are put by one statement for each table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import depth
from mqsc.store.engine.history import cause_of
from mqsc.store.engine.state import CallContext
from mqsc.store.rules.putting import rank
from mqsc.store.sql import history
from mqsc.store.sql.history import SubscriptionNames
from mqsc.store.sql.message_insert import (
    Alike,
    Identifiers,
    InsertForm,
    Places,
    insert_alike,
    insert_one_alike,
)
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sql.texts import json_list
from mqsc.store.sqlite.database import Transaction


class PlainCopy(NamedTuple):
    """The copy for one subscription: its queue, its descriptor but for identifiers and time, how it
    is inserted, the header before its data, the subscription, and whether that sets the CorrelId.
    """

    queue: QueueRow
    descriptor: MessageDescriptor
    form: InsertForm
    header: bytes
    subscription: str
    has_own_correl_id: bool


class _Run(Struct, frozen=True):
    """Copies that one statement inserts: they differ only in place and identifiers. Their CorrelIds
    one after the other, None for that of the publication.
    """

    form: InsertForm
    rank: int
    expiry: int
    header: bytes
    places: Places
    correl_ids: bytes | None
    count: int


class PlainCopies(Struct, frozen=True):
    """The copies for one queue, or one for each of several queues: the first queue, the numbers of
    all as a JSON list, and the subscriptions.
    """

    queue: QueueRow
    queues: str
    is_apart: bool
    runs: tuple[_Run, ...]
    count: int
    subscriptions: SubscriptionNames


class PublishedContent(NamedTuple):
    """What copies have from the publication: its data, and its identifiers, of which the MsgId is
    zero for new ones.
    """

    body: bytes
    msg_id: bytes
    correl_id: bytes


def is_plain(call: CallContext, copy: PlainCopy) -> bool:
    """Whether nothing else follows from putting a copy, as far as the copy and the columns of its
    queue say that remain the same.
    """
    queue, descriptor = copy.queue, copy.descriptor
    if queue.trigger_on or queue.stream_queue or depth.may_raise_put_event(call, queue):
        return False
    if queue.owner != call.qmgr.name or not queue.recorded:
        return False
    if copy.form.has_times or is_in_group(descriptor):
        return False
    return descriptor.expiry < 0 and not descriptor.report


def is_in_group(descriptor: MessageDescriptor) -> bool:
    """Whether a descriptor has a GroupId, or the fields of a message in a group or of a segment."""
    of_group = descriptor.msg_seq_number, descriptor.offset, descriptor.original_length
    return descriptor.group_id != NO_ID or of_group != (1, 0, -1)


def plain_copies(copies: Sequence[PlainCopy]) -> tuple[PlainCopies, ...]:
    """The copies of a publication that are all plain, given queue by queue."""
    by_queue = [list(of_queue) for _, of_queue in groupby(copies, lambda each: each.queue.id)]
    if len(by_queue) == len(copies) > 1:
        return (_together(copies, is_apart=True),)
    return tuple(_together(each, is_apart=False) for each in by_queue)


def _together(copies: Sequence[PlainCopy], *, is_apart: bool) -> PlainCopies:
    runs: list[_Run] = []
    before = 0
    for _, alike in groupby(copies, _likeness):
        listed = list(alike)
        runs.append(_run(listed, before, is_apart=is_apart))
        before += len(listed)
    return PlainCopies(
        queue=copies[0].queue,
        queues=_numbers(copies),
        is_apart=is_apart,
        runs=tuple(runs),
        count=len(copies),
        subscriptions=history.subscription_names([each.subscription for each in copies]),
    )


def _likeness(copy: PlainCopy) -> tuple[InsertForm, int, bytes, bool]:
    return copy.form, _rank(copy), copy.header, copy.has_own_correl_id


def _rank(copy: PlainCopy) -> int:
    queue = copy.queue
    return rank(copy.descriptor.priority, bool(queue.fifo), queue.default_priority)


def _numbers(copies: Iterable[PlainCopy]) -> str:
    return json_list([each.queue.id for each in copies])


def _run(copies: Sequence[PlainCopy], before: int, *, is_apart: bool) -> _Run:
    """Copies that are alike, `before` others on the same queue."""
    first = copies[0]
    correl_ids = None
    if first.has_own_correl_id:
        correl_ids = b"".join([each.descriptor.correl_id for each in copies])
    step = 0 if is_apart else 1
    places = Places(_numbers(copies), step * before, step)
    expiry = first.descriptor.expiry
    return _Run(first.form, _rank(first), expiry, first.header, places, correl_ids, len(copies))


def put_plain_copies(
    tx: Transaction,
    call: CallContext,
    copies: PlainCopies,
    content: PublishedContent,
    identifiers: Iterator[bytes],
    unit: int | None,
    publication: int,
) -> None:
    """Store copies as `enqueue` does; new MsgIds are taken from `identifiers`. `publication` is the
    number of the PUBLISH.
    """
    last = 0
    for run in copies.runs:
        last = _insert(tx, call, copies.queue, run, content, identifiers, unit)
    first = last - copies.count + 1
    cause, names = cause_of(call, copies.queue), copies.subscriptions
    if copies.is_apart:
        history.record_copies_apart(tx, cause, first, names, publication)
        depth.put_one_each(tx, call, copies.queues)
        return
    history.record_copies(tx, cause, first, names, publication)
    depth.put(tx, call, copies.queue, copies.count)


def _insert(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    run: _Run,
    content: PublishedContent,
    new: Iterator[bytes],
    unit: int | None,
) -> int:
    """Insert copies that are alike; the row number of the last."""
    body, msg_id, correl_id = content
    count = run.count
    correl_ids = run.correl_ids
    if correl_ids is None:
        correl_ids = b"" if correl_id == NO_ID else correl_id * count
    alike = Alike(run.form, run.rank, run.expiry, call.now, unit)
    data = bytearray(run.header + body)
    if count == 1 and run.places.step:
        identifiers = Identifiers(next(new) if msg_id == NO_ID else msg_id, correl_ids)
        sequence = queue.next_sequence + run.places.first
        return insert_one_alike(tx, alike, queue.id, sequence, identifiers, data)
    msg_ids = b"".join(islice(new, count)) if msg_id == NO_ID else msg_id * count
    return insert_alike(tx, alike, run.places, Identifiers(msg_ids, correl_ids), data)

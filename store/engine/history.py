"""The events of the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.state import CallContext
from mqsc.store.headers import mqdlh
from mqsc.store.headers.layout import HeaderError
from mqsc.store.rules.dead_letter import DEAD_LETTER_HEADER
from mqsc.store.rules.properties.message_data import may_carry
from mqsc.store.rules.trace_context import TRACEPARENT, traceparent_in
from mqsc.store.sql import history
from mqsc.store.sql.cause import Cause
from mqsc.store.sql.objects import to_json
from mqsc.store.sql.rows import EventRow, QueueRow, StoredMessage
from mqsc.store.sqlite.database import Transaction


def member_of(call: CallContext, owner: str) -> str:
    """The member that acts on an object of the group `owner`; blank for an object of the queue
    manager itself.
    """
    return "" if owner == call.qmgr.name else call.qmgr.name


def on_object_of(call: CallContext, owner: str, event: dict[str, Any]) -> dict[str, Any]:
    """An event about an object: one of the group's has the group as `qmgr`, and the member in
    `detail`.
    """
    if owner == call.qmgr.name:
        return event
    return {
        **event,
        "qmgr": owner,
        "detail": {"member": call.qmgr.name, **(event.get("detail") or {})},
    }


def record_event(
    tx: Transaction,
    call: CallContext,
    kind: str,
    *,
    owner: str = "",
    detail: Mapping[str, Any] | None = None,
    **columns: Any,
) -> None:
    """Append an event of the call to the history; `owner` is the queue manager or group that has
    the object.

    Other columns replace those that every event of the call has, such as its time and its user.
    """
    if owner and owner != call.qmgr.name:
        columns["qmgr"], detail = owner, {"member": call.qmgr.name, **(detail or {})}
    history.append(tx, call.event(kind, **columns, detail=detail))


def message_event(
    call: CallContext,
    kind: str,
    queue: str,
    message: StoredMessage,
    *,
    cause: str | None = None,
    detail: Mapping[str, object] | None = None,
    owner: str = "",
) -> EventRow:
    """The event that `call` did this to a message of the queue, now; `owner` is the group of a
    shared queue.
    """
    if owner and owner != call.qmgr.name:
        detail = {"member": call.qmgr.name, **(detail or {})}
    return EventRow(
        call.now,
        owner or call.qmgr.name,
        kind,
        cause,
        queue,
        None,
        message.msg_id,
        message.correl_id,
        message.priority,
        message.persistence,
        message.length,
        message.put_at,
        message.expires_at,
        message.put_appl_name,
        message.user_identifier,
        None,
        call.connection,
        call.application,
        call.user,
        None,
        None,
        to_json(detail) if detail else None,
    )


def cause_of(call: CallContext, queue: QueueRow) -> Cause:
    """When, where and by whom something happens to messages of a queue."""
    return call.now, queue.owner, queue.name, call.connection, call.application, call.user


def record_puts(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    last: int,
    *,
    copies: bool = False,
) -> None:
    """Record that messages were put; for a dead letter also its reason, its destination and its
    number in the store, and of any message the trace that its program says it belongs to.

    `last` is the row number of the last message; the others have those before it. `copies`: they
    are copies for a stream queue.
    """
    cause = cause_of(call, queue)
    member = member_of(call, queue.owner)
    id = first = last - len(arrivals) + 1
    for arrival in arrivals:
        found = _found_in_data(arrival) if may_carry(arrival.descriptor.format) else None
        if found is not None:
            if id > first:
                history.record_puts(tx, cause, first, id - 1, member=member, copies=copies)
            reason, detail = found
            if reason is not None:
                detail = {**detail, "message_number": id}
            if member:
                detail = {"member": member, **detail}
            number = history.record_put_with_detail(tx, cause, id, reason, detail, copies=copies)
            if reason is not None:
                arrival.event = number
            first = id + 1
        id += 1
    if first <= last:
        history.record_puts(tx, cause, first, last, member=member, copies=copies)


def record_publication_puts(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    last: int,
    publication: int,
) -> None:
    """Record that copies of publications were put, each with its subscription and what its data
    says. `last` is as for `record_puts`; `publication` is the number of the PUBLISH, 0 for none.
    """
    cause = cause_of(call, queue)
    member = member_of(call, queue.owner)
    before: dict[str, object] = {"member": member} if member else {}
    after: dict[str, object] = {"publication": publication} if publication else {}
    # The subscriptions of copies whose data says nothing, which come right before the next one.
    plain: list[str] = []
    for id, arrival in enumerate(arrivals, last - len(arrivals) + 1):
        found = None
        if arrival.form is None and may_carry(arrival.descriptor.format):
            found = _found_in_data(arrival)
        if found is None:
            plain.append(arrival.subscription)
            continue
        if plain:
            names = history.subscription_names(plain)
            history.record_copies(tx, cause, id - len(plain), names, publication, member)
            plain = []
        reason, more = found
        detail = {**before, "subscription": arrival.subscription, **after, **more}
        if reason is not None:
            detail["message_number"] = id
        history.record_copy(tx, cause, id, reason, detail)
    if plain:
        names = history.subscription_names(plain)
        history.record_copies(tx, cause, last + 1 - len(plain), names, publication, member)


def _found_in_data(arrival: Arrival) -> tuple[int | None, dict[str, object]] | None:
    """What the PUT event has from the data of the message: the reason in a dead-letter header, and
    details; None if there is neither.
    """
    descriptor = arrival.descriptor
    reason, detail = _dead_letter_header(arrival) or (None, {})
    traceparent = traceparent_in(
        descriptor.format,
        arrival.body,
        descriptor.encoding,
        descriptor.coded_char_set_id,
    )
    if traceparent is not None:
        detail = {**detail, TRACEPARENT: traceparent}
    return (reason, detail) if detail else None


def _dead_letter_header(arrival: Arrival) -> tuple[int, dict[str, object]] | None:
    """The reason and the detail from a dead-letter header; None for a message without one, or
    with one that is not valid.
    """
    descriptor = arrival.descriptor
    if descriptor.format != DEAD_LETTER_HEADER:
        return None
    try:
        data = arrival.body[: mqdlh.MQDLH_LENGTH]
        header = mqdlh.unpack_mqdlh(data, descriptor.encoding, descriptor.coded_char_set_id)
    except HeaderError:
        return None
    return header.reason, {
        "destination": header.dest_q_name,
        "destination_queue_manager": header.dest_q_mgr_name,
    }

"""Messages of queues in the past: what later events did is undone, from the last one back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mqsc.store.past.event_ranges import GROWTH, Range, backwards
from mqsc.store.past.last_uses import LocalQueue, Use
from mqsc.store.past.messages import PastEvent
from mqsc.store.past.pages import page
from mqsc.store.past.places import Queue
from mqsc.store.past.undoing import EarlierCalls, FormerMessage, Key, Places, Undone
from mqsc.store.sql import past
from mqsc.store.sql.rows import MessageState
from mqsc.store.sqlite.database import Transaction

_TENTH_OF_A_SECOND = 100_000
_ENDING = ["PUT", "GET", "BACKOUT", "TRIGGER", "DEAD_LETTER"]
_PLACING = ["PUT", "GET", "EXPIRE", "DISCARD", "TRIGGER", "DEAD_LETTER", "BACKOUT", "MOVE"]


def undo_events(
    tx: Transaction,
    where: Range,
    local: Mapping[Queue, LocalQueue],
) -> tuple[set[Queue], set[Use]]:
    """Undo the events after the moment; return the queues of which that was not possible, and
    what was used.
    """
    undone = Undone()
    for first, last in backwards(where.moment + 1, where.last):
        undone.undo(*page(tx, first, last))
    calls = EarlierCalls(undone.may_have_begun())
    for first, last in backwards(1, where.moment, growth=GROWTH):
        if not calls.connections:
            break
        calls.take(past.of_connections(tx, first, last, _ENDING, calls.connections))
    changed = undone.queues() | {(call.qmgr, call.queue) for call in calls.events}
    former_queues = {
        queue: _former(tx, local[queue], undone, calls)
        for queue in sorted((changed - undone.unclear) & local.keys())
    }
    places = Places(call for former in former_queues.values() for call in former.there)
    for first, last in backwards(1, where.moment, growth=GROWTH):
        if not places.msg_ids:
            break
        places.take(past.of_msg_ids(tx, first, last, _PLACING, places.msg_ids))
    unclear = undone.unclear | places.unclear | places.not_found()
    for queue, former in former_queues.items():
        if former.is_unclear:
            unclear.add(queue)
        elif queue not in unclear:
            write(tx, local[queue], [*_numbered(former.there)], former.new)
    return unclear, undone.uses


class _Former(NamedTuple):
    """The messages that a queue had, and the rows of those that it did not have."""

    there: list[FormerMessage]
    new: list[int]
    is_unclear: bool


def _former(tx: Transaction, queue: LocalQueue, undone: Undone, calls: EarlierCalls) -> _Former:
    """The messages of a queue after everything was undone; `calls`: those of units of work that
    were open then.
    """
    by_key: dict[Key, list[FormerMessage]] = {}
    new: list[int] = []
    for id, msg_id, put_at, *values in past.present(tx, queue.id):
        key = queue.owner, queue.name, msg_id, put_at
        by_key.setdefault(key, []).append(FormerMessage(key, id, 0, *values))
    is_unclear = False
    for key, rows in [*by_key.items()]:
        number, got_back = undone.new[key], undone.backouts[key]
        if number:
            is_unclear |= len(rows) > number
            new += [message.row_id for message in by_key.pop(key)]
            continue
        is_unclear |= len(rows) > 1 and bool(got_back or key in undone.got)
        for message in rows:
            message.backouts -= got_back
            message.is_changed = bool(got_back)
            if key in undone.got:
                message.state = MessageState.AVAILABLE
                message.unit = None
                message.is_changed = True
    for key, event in undone.gone.items():
        if key[:2] == (queue.owner, queue.name):
            by_key.setdefault(key, []).append(FormerMessage(key, event=event))
    for call in calls.events:
        if (call.qmgr, call.queue) == (queue.owner, queue.name):
            # A message that skipped the backout of its unit of work ends with the one that it went
            # on in.
            ended_with = undone.units.of_get(call) or 0
            is_kept = call.msg_id in calls.kept
            is_backed_out = bool(undone.units.ended.get(ended_with)) and not is_kept
            is_unclear |= _apply(by_key, call, is_backed_out=is_backed_out, is_kept=is_kept)
    return _Former(
        [message for messages in by_key.values() for message in messages], new, is_unclear
    )


def _apply(
    by_key: dict[Key, list[FormerMessage]],
    call: PastEvent,
    *,
    is_backed_out: bool,
    is_kept: bool,
) -> bool:
    """Let a message belong to the unit of work again that had put or got it; whether it is
    unclear which message.
    """
    key = call.qmgr, call.queue, call.msg_id, call.put_at
    candidates = by_key.setdefault(key, [])
    ours = [
        candidate
        for candidate in candidates
        if (candidate.state, candidate.unit) == (MessageState.GOT, call.unit)
    ]
    is_got_too = call.kind == "PUT" and ours
    if not is_got_too and (call.kind == "GET" or is_backed_out or candidates):
        if not candidates or (call.kind == "PUT" and is_backed_out):
            candidates.insert(0, FormerMessage(key, event=call.seq))
        elif call.kind == "GET" and is_backed_out and candidates[0].row_id:
            candidates[0].backouts -= 1
        candidates[0].unit, candidates[0].is_changed = call.unit, True
        candidates[0].is_kept = is_kept
        candidates[0].state = MessageState.GOT if call.kind == "GET" else MessageState.PUT
    return len(candidates) > 1


def _numbered(messages: list[FormerMessage]) -> Iterator[FormerMessage]:
    """The messages of a queue in their order: one that is back gets a number between those of
    its neighbours.
    """
    # Those whose arrival is not known are older than the others.
    order = sorted(messages, key=lambda message: (message.came, message.sequence))
    if any(not message.row_id for message in order):
        free = max(*(message.sequence for message in order), len(order)) + 1
        for message in reversed(order):
            free = message.sequence if message.row_id and message.sequence < free else free - 1
            message.is_changed |= message.sequence != free
            message.sequence = free
    first = min((message.sequence for message in order), default=1)
    for message in order:
        if first < 1:
            message.sequence, message.is_changed = message.sequence + 1 - first, True
        yield message


def write(
    tx: Transaction,
    queue: LocalQueue,
    messages: list[FormerMessage],
    new: list[int],
) -> None:
    """Give a queue the messages that it had, where they have changed, and take those from it
    that are new.
    """
    past.remove_messages(tx, new)
    events = {
        row[0]: row
        for row in past.puts(tx, [message.event for message in messages if not message.row_id])
    }
    for message in messages:
        if not message.row_id:
            _insert(tx, queue, events[message.event], message)
        elif message.is_changed:
            past.place(
                tx,
                message.row_id,
                message.sequence,
                int(message.state),
                message.unit,
                message.backouts,
            )
    past.count(tx, queue.id, max((message.sequence for message in messages), default=0) + 1)


# What no event says of a message that is gone.
_UNKNOWN: Mapping[str, Any] = {
    "report": 0,
    "msg_type": 8,
    "feedback": 0,
    "encoding": 273,
    "coded_char_set_id": 0,
    "format": "",
    "reply_to_q": "",
    "reply_to_q_mgr": "",
    "appl_identity_data": "",
    "put_appl_type": 0,
    "appl_origin_data": "",
}


def _insert(
    tx: Transaction,
    queue: LocalQueue,
    event: tuple[Any, ...],
    message: FormerMessage,
) -> None:
    columns = dict(zip(past.PUT_COLUMNS, event, strict=True))
    del columns["seq"]
    lasting = (
        columns["expires_at"] and (columns["expires_at"] - columns["put_at"]) // _TENTH_OF_A_SECOND
    )
    position = {
        "queue": queue.id,
        "sequence": message.sequence,
        "state": int(message.state),
        "unit": message.unit,
        "backout_count": message.backouts,
        "kept_at_backout": int(message.is_kept),
    }
    of_descriptor = {
        "rank": 0 if queue.fifo else columns["priority"],
        "expiry": lasting or -1,
        "body": b"",
    }
    tx.insert("message", {**columns, **position, **of_descriptor, **_UNKNOWN})

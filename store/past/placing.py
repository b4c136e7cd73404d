"""Messages, uses and open handles of the queues of a copy as they were after an event
(`store.past.as_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mqsc.store.error import StoreError
from mqsc.store.past.messages import KINDS, PastEvent, PastQueues
from mqsc.store.past.pages import GROWTH, PAGE, backwards, columns_of_calls, page
from mqsc.store.past.places import PastMessage, Queue
from mqsc.store.past.undoing import EarlierCalls, FormerMessage, Key, Places, Undone
from mqsc.store.rules import opening
from mqsc.store.sql import past, queues, search
from mqsc.store.sql.rows import MessageState
from mqsc.store.sqlite.database import Transaction

_TENTH_OF_A_SECOND = 100_000
_ENDING = ["PUT", "GET", "BACKOUT", "TRIGGER", "DEAD_LETTER"]
_PLACING = ["PUT", "GET", "EXPIRE", "DISCARD", "TRIGGER", "DEAD_LETTER", "BACKOUT", "MOVE"]


class UnknownMessagesError(StoreError):
    """Events that are needed were archived and removed; the message says which."""


# Owner and name of a queue, and PUT or GET.
Use = tuple[str, str, str]
_LAST: Mapping[str, str] = {"PUT": "last_put_at", "GET": "last_get_at"}


class LocalQueue(NamedTuple):
    """A local queue of the copy; `recorded`: not with ACCTQ(OFF)."""

    owner: str
    name: str
    id: int
    fifo: int
    recorded: int


class Range(NamedTuple):
    """The numbers of the last event that was removed, of the last one until the moment, and of
    the last of all.
    """

    pruned: int
    moment: int
    last: int


def place_messages(
    tx: Transaction,
    where: Range,
    deleted: set[Queue],
    *,
    forwards: bool | None,
) -> set[Queue]:
    """Give the queues the messages that they had, by undoing events or, if those are more, by
    following all.

    Returns the queues whose messages are not known, because there was a time when they had
    ACCTQ(OFF), or because MOVE brought messages from such a queue. `deleted`: queues that are new in
    the copy, because they were deleted later. `forwards`: follow events in any case, or undo them
    where that is possible. UnknownMessagesError if events that were removed would have to be
    followed.
    """
    local = {
        (local_queue.owner, local_queue.name): local_queue
        for local_queue in map(LocalQueue._make, past.local_queues(tx))
        if local_queue.recorded
    }
    undoing = local
    unrecorded: set[Queue] | None = None
    if forwards or (
        forwards is None and not where.pruned and where.last - where.moment > where.moment
    ):
        unrecorded = once_unrecorded(past.of_objects(tx, 1, where.moment, ["DEFINE", "ALTER"]))
        # Messages that no event put there can only be undone to.
        undoing = {key: queue for key, queue in local.items() if key in unrecorded}
    followed = local.keys() - undoing.keys()
    unclear, uses = _undo(tx, where, undoing) if undoing else (set[Queue](), set[Use]())
    unclear = (unclear & undoing.keys()) | followed
    uses |= {(*queue, kind) for queue in followed for kind in _LAST}
    if unclear:
        if unrecorded is None:
            unrecorded = once_unrecorded(past.of_objects(tx, 1, where.moment, ["DEFINE", "ALTER"]))
        unrecorded |= _follow(tx, where, {queue: local[queue] for queue in sorted(unclear)})
    _last_uses(tx, where, local, uses | {(*queue, kind) for queue in deleted for kind in _LAST})
    return unclear & (unrecorded or set())


def once_unrecorded(happened: Iterable[past.ObjectEvent]) -> set[Queue]:
    """The owners and names of local queues that got or had ACCTQ(OFF) in events about
    definitions.
    """
    return {
        (event.qmgr, event.name)
        for event in happened
        if event.type == "QLOCAL" and '"ACCTQ"' in event.detail and "OFF" in event.told["ACCTQ"]
    }


# Backwards.


def _undo(
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
            _write(tx, local[queue], [*_numbered(former.there)], former.new)
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


def _write(
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


# Forwards.


def _follow(tx: Transaction, where: Range, wanted: Mapping[Queue, LocalQueue]) -> set[Queue]:
    """Give the queues the messages that they had; those to which MOVE had brought messages that no
    event is about.
    """
    if where.pruned:
        those = ", ".join(sorted(name for _, name in wanted))
        raise UnknownMessagesError(
            f"events up to {where.pruned} were archived and removed: what was on {those} is not "
            "known",
        )
    followed = PastQueues()
    names = _sources(tx, where, {name for _, name in wanted})
    for first in range(1, where.moment + 1, PAGE):
        last = min(first + PAGE - 1, where.moment)
        calls = zip(*columns_of_calls(search.calls_on(tx, first, last, names)), strict=True)
        others = [PastEvent(*row) for row in past.of_messages(tx, first, last, [*KINDS], names)]
        followed.follow_calls(calls, others, followed.follow)
    for key, queue in wanted.items():
        _place(tx, queue, followed, followed.on_queue(key))
    return {key for key in wanted if followed.place(*key).guests}


def _sources(tx: Transaction, where: Range, names: set[str]) -> list[str]:
    """The names of queues with those from which messages were moved there."""
    for event in reversed(past.of_objects(tx, 1, where.moment, ["MOVE"])):
        if event.type in names:
            names.add(event.name)
    return sorted(names)


def _place(
    tx: Transaction,
    queue: LocalQueue,
    followed: PastQueues,
    messages: list[PastMessage],
) -> None:
    """Give a queue the messages that it had: those that are still there have their data."""
    still: dict[tuple[bytes, int | None], list[int]] = {}
    for id, msg_id, put_at, *_ in past.present(tx, queue.id):
        still.setdefault((msg_id, put_at), []).append(id)
    there = []
    for sequence, message in enumerate(messages, 1):
        state = (
            MessageState.GOT
            if message.got_by
            else MessageState.PUT
            if message.put_by
            else MessageState.AVAILABLE
        )
        same = still.get((message.msg_id, message.put_at))
        row = same.pop(0) if same else 0
        key = (queue.owner, queue.name, message.msg_id, message.put_at)
        unit = message.got_by or message.put_by
        there.append(
            FormerMessage(
                key,
                row,
                message.seq,
                sequence,
                state,
                unit,
                message.backouts,
                is_changed=True,
                is_kept=followed.is_kept(message),
            ),
        )
    _write(tx, queue, there, [id for ids in still.values() for id in ids])


# When queues were last used, and the handles that were open.


def _last_uses(
    tx: Transaction,
    where: Range,
    local: Mapping[Queue, LocalQueue],
    uses: set[Use],
) -> None:
    """Set when queues were last put on or got from: those of `uses`, owner, name and kind of
    event.
    """
    sought, unused = {use for use in uses if use[:2] in local}, set[Use]()
    for first, last in backwards(1, where.moment, growth=GROWTH):
        names = sorted({name for _, name, _ in sought})
        last_used = past.last_uses(tx, first, last, names) if names else []
        # Of a queue that was made anew, earlier uses were of another one.
        begun = {(qmgr, name): seq for qmgr, name, kind, seq, _ in last_used if kind == "DELETE"}
        for qmgr, name, kind, seq, at in last_used:
            if (qmgr, name, kind) in sought and seq > begun.get((qmgr, name), 0):
                sought.discard((qmgr, name, kind))
                queues.set_columns(tx, local[qmgr, name].id, {_LAST[kind]: at})
        unused |= {use for use in sought if use[:2] in begun}
        sought -= unused
    for qmgr, name, kind in sought | unused:
        queues.set_columns(tx, local[qmgr, name].id, {_LAST[kind]: None})


def count_handles(tx: Transaction, where: Range, deleted: set[Queue]) -> None:
    """Count the handles that were open: those that are, without those opened since, and with those
    closed since.

    `deleted`: queues that are new in the copy, which no handle has open yet.
    """
    opened: dict[int, past.ObjectEvent] = {}
    closed: set[int] = set()
    for event in past.of_objects(tx, where.moment + 1, where.last, ["OPEN", "CLOSE"]):
        handle = event.told["handle"]
        if event.kind == "OPEN":
            opened[handle] = event
        elif opened.pop(handle, None) is None:
            closed.add(handle)
    changes = [(event, -1) for event in opened.values() if (event.qmgr, event.name) not in deleted]
    for first, last in backwards(1, where.moment, growth=GROWTH):
        if not closed:
            break
        openings = [
            event
            for event in past.of_objects(tx, first, last, ["OPEN"])
            if event.told["handle"] in closed
        ]
        closed -= {event.told["handle"] for event in openings}
        changes += [(event, 1) for event in openings]
    for event, number in changes:
        queue = queues.by_name(tx, event.qmgr, event.name)
        if queue is not None:
            by_default, shareable = bool(queue.default_exclusive), bool(queue.shareable)
            used = opening.uses(
                event.told["options"],
                default_exclusive=by_default,
                shareable=shareable,
            )
            changes_of_use = (number * used[use] for use in ("input", "exclusive", "output"))
            queues.count_handles(
                tx, queue.id, event.told.get("member", event.qmgr), *changes_of_use
            )

"""Messages of queues in the past: the events from the first one on are followed."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.store.past.event_ranges import PAGE, Range, UnknownMessagesError
from mqsc.store.past.last_uses import LocalQueue
from mqsc.store.past.messages import KINDS, PastEvent, PastQueues
from mqsc.store.past.pages import columns_of_calls
from mqsc.store.past.places import PastMessage, Queue
from mqsc.store.past.placing_backwards import write
from mqsc.store.past.undoing import FormerMessage
from mqsc.store.published import removed_events
from mqsc.store.sql import past, search
from mqsc.store.sql.rows import MessageState
from mqsc.store.sqlite.database import Transaction


def follow_events(
    tx: Transaction,
    where: Range,
    wanted: Mapping[Queue, LocalQueue],
) -> set[Queue]:
    """Give the queues the messages that they had; those to which MOVE had brought messages that no
    event is about.
    """
    if where.pruned:
        those = ", ".join(sorted(name for _, name in wanted))
        raise UnknownMessagesError(
            f"{removed_events(where.pruned)}: what was on {those} is not known",
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
                _state_of(message),
                unit,
                message.backouts,
                is_changed=True,
                is_kept=followed.is_kept(message),
            ),
        )
    write(tx, queue, there, [id for ids in still.values() for id in ids])


def _state_of(message: PastMessage) -> MessageState:
    if message.got_by:
        return MessageState.GOT
    return MessageState.PUT if message.put_by else MessageState.AVAILABLE

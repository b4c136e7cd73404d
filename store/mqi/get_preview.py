"""What a get would find now, by the choice that MQGET itself makes. Nothing is taken, locked,
discarded or recorded.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from mqsc.store.constants import MQOO, MQRC
from mqsc.store.engine import name_resolution
from mqsc.store.engine.name_resolution import Destination, Unresolved
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import refuse_for, refuse_if
from mqsc.store.message import GetMessageOptions
from mqsc.store.mqi import selection_strings
from mqsc.store.mqi.message_choice import check_index, selection
from mqsc.store.mqi.selection_strings import HandleSelector
from mqsc.store.mqi.state import ConnectionState, HandleState, Opened
from mqsc.store.rules import names, opening, sharing
from mqsc.store.sql import connections, queues
from mqsc.store.sql.connections import InputHandle
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Reading

# That of a program which has opened nothing yet: it holds no locks and has marked no messages.
_NO_HANDLE = 0


class GetPreview(Struct, frozen=True):
    """What MQOPEN for input and an MQGET would answer.

    `queue` is the local queue that the name leads to. `reason` is 2016 or 2042, 2033 if there is no
    message to take, and 0 if there is: `message`, without its data. `inhibited` is the object with
    GET(DISABLED), blank for none. `in_the_way` are the handles because of which the open is
    refused, oldest first.
    """

    queue: str
    reason: int
    message: StoredMessage | None = None
    inhibited: str = ""
    in_the_way: tuple[InputHandle, ...] = ()


def preview(
    qmgr: QueueManagerState,
    name: str,
    options: GetMessageOptions,
    selector: str = "",
) -> GetPreview:
    """The preview of a get without a wait from a queue, or from an alias, that a program has just
    opened.

    MQError as MQOPEN would give for a name that does not resolve to a local queue, SelectorError.
    Dead programs are recovered first.
    """
    recover(qmgr.store)
    refuse_for(names.name_fault(name, "", qmgr.name), name)
    handle_selector = HandleSelector(selector, name) if selector else None
    with qmgr.reading() as (reading, call):
        destination = name_resolution.resolve(reading, call.qmgr, name, "")
        if isinstance(destination, Unresolved):
            refuse_for(destination.reason, name)
        assert isinstance(destination, Destination)
        refuse_if(destination.is_remote, MQRC.OPTION_NOT_VALID_FOR_TYPE, name)
        refused = _refused(reading, destination, name)
        if refused is not None:
            return refused
        connection = ConnectionState(qmgr, _NO_HANDLE, call.qmgr.run, call.application, call.user)
        opened = Opened(
            _NO_HANDLE, name, int(MQOO.INPUT_AS_Q_DEF), destination, selector=handle_selector
        )
        stored_message = _chosen(reading, call, HandleState(connection, opened), options)
    reason = int(MQRC.NO_MSG_AVAILABLE) if stored_message is None else 0
    return GetPreview(destination.queue.name, reason, stored_message)


def _refused(reading: Reading, destination: Destination, name: str) -> GetPreview | None:
    """The answer when the open for input, or any get, is refused; None if neither is."""
    queue = destination.queue
    if queue.structure:
        refuse_for(sharing.open_fault(queue.structure_level, queue.index_type), name)
    exclusive = opening.is_exclusive(
        int(MQOO.INPUT_AS_Q_DEF),
        default_exclusive=bool(queue.default_exclusive),
        shareable=bool(queue.shareable),
    )
    held, held_exclusively, _ = queues.handles_of_all(reading, queue.id)
    if opening.input_conflicts(
        exclusive=exclusive,
        input_handles=held,
        exclusive_handles=held_exclusively,
    ):
        in_the_way = tuple(connections.input_handles_on(reading, queue.id))
        return GetPreview(queue.name, int(MQRC.OBJECT_IN_USE), in_the_way=in_the_way)
    if destination.get_inhibited:
        return GetPreview(queue.name, int(MQRC.GET_INHIBITED), inhibited=destination.get_inhibited)
    return None


def _chosen(
    reading: Reading,
    call: CallContext,
    handle: HandleState,
    options: GetMessageOptions,
) -> StoredMessage | None:
    """The message that the get takes after it has discarded the expired ones before it."""
    assert handle.destination is not None
    queue = handle.destination.queue
    if queue.structure and options.match_options:
        check_index(handle, queue, options)
    for each in selection(handle, queue.id, options, call.now):
        values = {**each.values, "now": call.now}
        live = replace(each, conditions=each.conditions | {"live"}, values=values)
        found = selection_strings.first(reading, handle.selector, live, call.now)
        if found is not None:
            return found._replace(body=b"")
    return None


class LockHolder(NamedTuple):
    """The program that locked a message with MQGMO_LOCK."""

    application: str
    user: str
    connection: int


def lock_holder(qmgr: QueueManagerState, handle: int) -> LockHolder | None:
    """The program that has this handle open; None if it was closed meanwhile, which released the
    lock.
    """
    with Reading(qmgr.store.database) as reading:
        row = connections.handle_by_id(reading, handle)
        holder = None if row is None else connections.by_id(reading, row.connection)
    return None if holder is None else LockHolder(holder.application, holder.user, holder.id)

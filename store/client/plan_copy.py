"""A copy of a queue manager in memory to try commands on: definitions, depths and handles, no
message data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from mqsc.store.admin.channel.status import settle_lost
from mqsc.store.admin.event_search import last_event
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.engine import subscription_definitions
from mqsc.store.engine.recovery import end_lost_connection
from mqsc.store.sql import connections, managers, queues, subscriptions
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.database import Reading, Transaction


class DefinitionChange(NamedTuple):
    """A change that a command made to a definition.

    `event` is DEFINE, ALTER, SET or DELETE, `type` the kind of object, `values` keyword → [before,
    after], None for an attribute of a new object. Of a new object only the attributes that differ
    from the shipped defaults are listed. `disposition` is GROUP, COPY or SHARED in a queue-sharing
    group, else blank; `member` is another member whose object it is, else blank. `record` are the
    values that distinguish a record from others of its profile.
    """

    event: str
    type: str
    name: str
    values: Mapping[str, list[Any]]
    disposition: str = ""
    member: str = ""
    record: tuple[str, ...] = ()


@contextmanager
def tried_out(qmgr: QueueManager) -> Iterator[QueueManager]:
    """The copy, as it would be after dead processes were recovered; it is discarded at the end of
    the block.

    Nothing is written to the queue manager's own store. The copy is consistent: all definitions are
    read in one state.
    """

    with Store(None, qmgr.store.environment) as memory:
        memory.is_owner, memory.owners = qmgr.store.is_owner, qmgr.store.owners
        memory.acting_user = qmgr.store.acting_user
        with (
            Transaction(memory.database, durable=False) as tx,
            # Inside, so that its failures are said of the store.
            Reading(qmgr.store.database, one_state=True) as reading,
        ):
            managers.copy(reading, tx, qmgr.name)
            for user in connections.users(reading):
                connections.write_user(tx, user)
            for member in connections.groups(reading):
                connections.add_to_group(tx, *member)
            dead = _dead_processes(qmgr, reading)
            lost = [row.id for number in dead for row in connections.of_process(reading, number)]
        for number in lost:
            end_lost_connection(memory, number)
        copy = QueueManager(memory, qmgr.name)
        settle_lost(copy, frozenset(dead))
        yield copy


def _dead_processes(qmgr: QueueManager, reading: Reading) -> list[int]:
    path = qmgr.store.path
    if path is None:
        return []
    folder = liveness.folder_beside(path)
    return [
        number
        for number, file in connections.other_processes(reading, 0)
        if liveness.is_dead(folder, file)
    ]


def last_change(copy: QueueManager) -> int:
    """The number of the copy's last event, for `changes_since`."""
    return last_event(copy.store)


def changes_since(copy: QueueManager, number: int) -> list[DefinitionChange]:
    """The changes of definitions since that event, in order."""
    found = copy.store.read(managers.changes, number)
    group = copy.row().sharing_group
    return [_change(copy.name, group, row) for row in found]


def definitions_changed_since(qmgr: QueueManager, number: int) -> list[str]:
    """The objects of the queue manager and of its group whose definitions changed since that
    event, each once.
    """
    changes = qmgr.store.read(managers.changes, number)
    group = qmgr.row().sharing_group
    members = (
        row.name for row in qmgr.store.queue_managers() if group and row.sharing_group == group
    )
    owners = {qmgr.name, group, *members}
    return [*dict.fromkeys(f"{row.type}({row.name})" for row in changes if row.qmgr in owners)]


def _change(own: str, group: str, change: managers.ChangeRow) -> DefinitionChange:
    """The change; without values for a DELETE, whose detail counts messages that the copy does
    not have.
    """
    detail: dict[str, Any] = json.loads(change.detail or "{}")
    # No attributes: who acted on an object of the group, and where; and which of a profile's
    # records it is.
    detail.pop("member", None)
    detail.pop("place", None)
    record = _record(change.type, detail.pop("record", {}), detail)
    disposition = detail.pop("disposition", "")
    if change.qmgr == group and change.type != "CFSTRUCT":
        disposition = disposition or "SHARED"
    values = {} if change.event == "DELETE" else detail
    member = change.qmgr if change.qmgr not in (own, group) else ""
    return DefinitionChange(
        change.event, change.type, change.name, values, disposition, member, record
    )


def _record(type: str, apart: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[str, ...]:
    """The identity of a record: the history names it apart for a changed one, and among the
    values of another.
    """
    words = KINDS[type].identity if type in KINDS else ()
    return tuple(
        str(apart.get(word) or next(filter(None, values.get(word, ())), "")) for word in words
    )


def depth(qmgr: QueueManager, name: str) -> int:
    """The depth of a local queue, 0 for anything else."""
    found = qmgr.store.read(queues.visible, qmgr.row(), name)
    return 0 if found is None else found.depth


class SubscriptionOnCopy(NamedTuple):
    """A subscription: its attributes as a definition has them, the messages on its managed queue,
    and whether a program made it, so that it has no definition.
    """

    name: str
    attributes: Mapping[str, Any]
    messages: int
    is_of_program: bool


def subscription(copy: QueueManager, name: str, identifier: str) -> SubscriptionOnCopy | None:
    """The subscription of that name, or else with that identifier."""
    row = copy.store.read(subscriptions.by_name, copy.name, name)
    if row is None and identifier:
        row = copy.store.read(subscriptions.by_identifier, copy.name, identifier)
    if row is None:
        return None
    messages = depth(copy, row.destination) if row.managed else 0
    attributes = subscription_definitions.attributes_of(row)
    is_of_program = not row.is_administrative
    return SubscriptionOnCopy(row.name or row.identifier, attributes, messages, is_of_program)


def remove(copy: QueueManager, name: str, messages: int) -> None:
    """Lower the depth of a queue of the copy, which has no messages for a command to remove."""
    with Transaction(copy.store.database, durable=False) as tx:
        found = queues.visible(tx, copy.call_context(tx, running=False).qmgr, name)
        if found is not None:
            managers.lower_depth(tx, found.owner, name, messages)

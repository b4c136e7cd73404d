"""A copy of a store in the state after an earlier event, on which the ordinary code runs.

Definitions are taken back from the present, event by event; messages are followed from the beginning of the history. A
message that is still there has its data and its whole descriptor. Of one that is gone, the history has what its put
recorded, and no data. The clocks of the queue managers stand at the moment.

The history does not know connections and states of channels, nor puts and gets of queues with ACCTQ(OFF).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from store.catalog import KINDS, Kind, columns
from store.engine.definitions import complete, namespaces, object_row, queue_row, record_name, shipped, subtype_of
from store.engine.name_resolution import DEFINITION_TYPES
from store.engine.state import QueueManagerState, StoreState
from store.environment import Environment
from store.error import StoreError
from store.past.messages import KINDS as OF_MESSAGES
from store.past.messages import PastEvent, PastMessage, PastQueues
from store.rules.opening import INPUT, INPUT_EXCLUSIVE, OUTPUT
from store.sql import history, maintenance, managers, messages, objects, past, queues
from store.sql.managers import ENDED, RUNNING
from store.sql.objects import ObjectRow
from store.sql.past import ObjectEvent
from store.sql.rows import MessageState
from store.sqlite import copies
from store.sqlite.database import Reading, Transaction

_CHANGES = ("DEFINE", "ALTER", "SET", "DELETE")
_OF_MANAGERS = ("CREATE", "JOIN", "LEAVE", "OWNER", "START", "END")
_TENTH_OF_A_SECOND = 100_000
NAME = "past.db"


class NoSuchMomentError(StoreError):
    """The history does not reach back to the moment, or is not yet there; the message says how far it goes."""


class Moment(NamedTuple):
    """The number of an event, and the time that clocks show after it, microseconds UTC."""

    seq: int
    at: int


def moment_of_event(store: StoreState, seq: int) -> Moment:
    """The moment after an event; NoSuchMomentError if there is no such event."""
    with Reading(store.database) as reading:
        last = history.bound(reading)[0]
        found = past.event_at(reading, seq)
    if not 0 < seq <= last or found is None:
        raise NoSuchMomentError(f"there is no event {seq}; the history has events 1 to {last}")
    return Moment(seq, found[1])


def moment_at(qmgr: QueueManagerState, at: int) -> Moment:
    """The moment of a time by the queue manager's clock, after its last event until then.

    NoSuchMomentError if its history begins later, or the time is yet to come.
    """
    if at > qmgr.now():
        raise NoSuchMomentError("that time is yet to come")
    owners = [qmgr.name, qmgr.row().sharing_group]
    with Reading(qmgr.store.database) as reading:
        seq = past.last_before(reading, at, owners)
    if not seq:
        raise NoSuchMomentError(f"the history of {qmgr.name} begins after that time")
    return Moment(seq, at)


class Past(NamedTuple):
    """The file of a copy, and the queues with ACCTQ(OFF), as NAME of OWNER: their messages are not known."""

    file: Path
    unknown: list[str]


@contextmanager
def copy_as_of(store: StoreState, moment: Moment) -> Iterator[Past]:
    """A copy of the store as it was at a moment; it is removed at the end of the block.

    NoSuchMomentError if events were removed from the store, because messages are followed from the first one.
    """
    if store.path is None:
        raise StoreError("a store in memory has no past")
    with Reading(store.database) as reading:
        first = maintenance.history(reading).first
    if first > 1:
        raise NoSuchMomentError(f"events up to {first - 1} were archived and removed: what was on queues is not known")
    with TemporaryDirectory(prefix="mqsc-past-") as folder:
        file = Path(folder) / NAME
        copies.copy_store(store.database, file, file)
        copy = StoreState(str(file), Environment.system(), create=False)
        try:
            with Transaction(copy.database, durable=False) as tx:
                _go_back(tx, moment)
                unknown = [f"{each[1]} of {each[0]}" for each in past.local_queues(tx) if not each[-1]]
        finally:
            copy.database.close()
        yield Past(file, unknown)


def _go_back(tx: Transaction, moment: Moment) -> None:
    last = history.bound(tx)[0]
    later = past.of_objects(tx, moment.seq + 1, last, [*_CHANGES, *_OF_MANAGERS])
    past.clear_held(tx)
    past.close_handles(tx)
    _definitions(tx, moment, [each for each in later if each.kind in _CHANGES])
    _queue_managers(tx, moment, {each.qmgr for each in later if each.kind == "CREATE"})
    _messages(tx, moment)
    past.remove_events(tx, moment.seq)


# Definitions: what later events did is undone, the last one first.


def _definitions(tx: Transaction, moment: Moment, later: list[ObjectEvent]) -> None:
    first: dict[tuple[str, str, str], str] = {}
    for event in later:
        first.setdefault((event.qmgr, event.type, event.name), event.kind)
    touched: dict[tuple[str, str, str], None] = {}
    for event in reversed(later):
        kind = KINDS.get(event.type)
        # Of an object that was only defined later, such as most dynamic queues, nothing else needs to be undone.
        is_new = first[(event.qmgr, event.type, event.name)] == "DEFINE" != event.kind
        if kind is not None and not is_new:
            touched.update(dict.fromkeys(_UNDO[event.kind](tx, kind, event)))
    for owner, namespace, name in touched:
        found = objects.by_name(tx, owner, namespace, name)
        if found is not None:
            _follow_definition(tx, found)
    _times(tx, moment, touched)


Key = tuple[str, str, str]


def _undo_definition(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    values = {word: pair[1] for word, pair in _pairs(event).items()}
    key = event.qmgr, kind.namespace_of(subtype_of(kind, values)), record_name(kind, event.name, values)
    past.remove_definition(tx, *key)
    queue = queues.by_name(tx, event.qmgr, event.name) if kind.namespace == "queue" else None
    if queue is not None:
        messages.clear(tx, queue.id)
        queues.remove(tx, queue.id)
    return [key]


def _undo_deletion(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    detail = json.loads(event.detail or "{}")
    values = {word: pair[0] for word, pair in _pairs(event).items()}
    if event.cause == "dynamic":
        attributes = _of_model(tx, event)
    else:
        # Of an authority record only what was said is stored.
        attributes = {**({} if kind.keyword == "AUTHREC" else shipped(kind, subtype_of(kind, values))), **values}
    is_shared = kind.namespace == "queue" and event.qmgr != detail.get("member", event.qmgr)
    disposition = detail.get("disposition", "SHARED" if is_shared else "QMGR")
    row = object_row(kind, event.qmgr, event.name, attributes, event.at, disposition=disposition)
    objects.add(tx, row)
    if kind.namespace == "queue" and disposition != "GROUP":
        row_of_queue = queue_row(kind, event.qmgr, event.name, attributes)
        type = DEFINITION_TYPES.get(str(attributes.get("DEFTYPE")))
        queues.add(tx, {**row_of_queue, "definition_type": type} if type else row_of_queue)
    return [(row["owner"], row["namespace"], row["name"])]


def _of_model(tx: Transaction, event: ObjectEvent) -> dict[str, Any]:
    """The attributes of a dynamic queue, of which its events say only from which model queue it was made."""
    member = json.loads(event.detail or "{}").get("member", event.qmgr)
    model = objects.by_name(tx, member, "queue", past.model_of(tx, event.qmgr, event.name, event.seq))
    known = KINDS["QLOCAL"].attributes
    return {word: value for word, value in (model.attributes if model else {}).items() if word in known}


def _undo_change(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    pairs = {word: pair for word, pair in _pairs(event).items() if word in kind.attributes or word in kind.identity}
    identity = json.loads(event.detail or "{}").get("record", {})
    if kind.identity and not identity:
        return _undo_definition(tx, kind, event)
    name = record_name(kind, event.name, identity)
    found = next(
        (each for each in (objects.by_name(tx, event.qmgr, where, name) for where in namespaces(kind)) if each), None
    )
    if found is None or not pairs:
        return []
    attributes = {**found.attributes, **{word: before for word, (before, _) in pairs.items()}}
    present = {word: value for word, value in attributes.items() if value is not None or word not in pairs}
    objects.replace_attributes(tx, found.id, present, found.altered_at)
    return [(found.owner, found.namespace, found.name)]


_UNDO = {"DEFINE": _undo_definition, "DELETE": _undo_deletion, "ALTER": _undo_change, "SET": _undo_change}


def _pairs(event: ObjectEvent) -> Mapping[str, list[Any]]:
    """The values of attributes before and after an event."""
    detail = json.loads(event.detail) if event.detail else {}
    return {word: pair for word, pair in detail.items() if isinstance(pair, list) and word.isupper()}


def _follow_definition(tx: Transaction, found: ObjectRow) -> None:
    """Bring the columns that calls read in line with a definition."""
    kind = KINDS[found.type]
    hot = columns(kind, complete(kind, found.attributes))
    if kind.keyword == "QMGR":
        managers.set_columns(tx, found.name, hot)
    elif kind.namespace == "queue" and found.disposition != "GROUP":
        queue = queues.by_name(tx, found.owner, found.name)
        if queue is not None:
            queues.set_columns(tx, queue.id, hot)


def _times(tx: Transaction, moment: Moment, touched: Mapping[Key, None]) -> None:
    """Give the objects that were touched the times at which they had been defined and altered."""
    made: dict[tuple[str, str, str], tuple[int, int]] = {}
    for event in past.of_objects(tx, 1, moment.seq, ["DEFINE", "ALTER"]) if touched else ():
        key = event.qmgr, event.type, event.name
        first = event.at if event.kind == "DEFINE" else made.get(key, (event.at, 0))[0]
        made[key] = first, event.at
    for owner, namespace, name in touched:
        found = objects.by_name(tx, owner, namespace, name)
        if found is not None and (times := made.get((owner, found.type, name))):
            past.rewrite_times(tx, owner, namespace, name, *times)


# Queue managers: which there were, whether they ran, and their clocks.


def _queue_managers(tx: Transaction, moment: Moment, created: set[str]) -> None:
    for name in created:
        managers.remove_owned(tx, name)
        managers.remove(tx, name)
    states: dict[str, dict[str, Any]] = {}
    for event in past.of_objects(tx, 1, moment.seq, [*_OF_MANAGERS]):
        if event.kind == "OWNER":
            managers.set_expiry_owner(tx, event.qmgr, event.type)
        elif event.kind in _STATES:
            states.setdefault(event.qmgr, {}).update(_STATES[event.kind](event))
    for row in managers.all(tx):
        known = {"state": ENDED, "sharing_group": "", **states.get(row.name, {})}
        managers.set_columns(tx, row.name, {**known, "clock_at": moment.at})


_STATES: Mapping[str, Callable[[ObjectEvent], dict[str, Any]]] = {
    "START": lambda event: {"state": RUNNING, "started_at": event.at},
    "END": lambda event: {"state": ENDED},
    "JOIN": lambda event: {"sharing_group": event.type, "member_number": json.loads(event.detail).get("number", 0)},
    "LEAVE": lambda event: {"sharing_group": ""},
}


# Messages.


def _messages(tx: Transaction, moment: Moment) -> None:
    followed = PastQueues()
    followed.follow(map(PastEvent._make, past.of_messages(tx, moment.seq, [*OF_MESSAGES])))
    uses = {(qmgr, name, kind): at for qmgr, name, kind, at in past.last_uses(tx, moment.seq)}
    for owner, name, number, fifo, recorded in past.local_queues(tx):
        if recorded:
            _place(tx, number, followed.on_queue((owner, name)), fifo=bool(fifo))
            past.used(tx, number, uses.get((owner, name, "PUT")), uses.get((owner, name, "GET")))
    _count_handles(tx, moment)


def _place(tx: Transaction, number: int, messages: list[PastMessage], *, fifo: bool) -> None:
    """Give a queue the messages that it had: those that it still has where they were, the others as events say."""
    told = {row[0]: row for row in past.puts(tx, [each.seq for each in messages])}
    still: dict[tuple[bytes, int], list[int]] = {}
    for id, msg_id, put_at in past.present(tx, number):
        still.setdefault((msg_id, put_at), []).append(id)
    past.park(tx, number)
    for sequence, message in enumerate(messages, 1):
        row = dict(zip(past.PUT_COLUMNS, told[message.seq], strict=True))
        del row["seq"]
        state = MessageState.GOT if message.got_by else MessageState.PUT if message.put_by else MessageState.AVAILABLE
        unit = message.got_by or message.put_by
        ids = still.get((row["msg_id"], row["put_at"]))
        if ids:
            past.place(tx, ids.pop(0), sequence, int(state), unit, message.backouts)
        else:
            lasting = row["expires_at"] and (row["expires_at"] - row["put_at"]) // _TENTH_OF_A_SECOND
            position = {"queue": number, "sequence": sequence, "state": int(state), "unit": unit}
            of_descriptor = {"rank": 0 if fifo else row["priority"], "expiry": lasting or -1, "body": b""}
            tx.insert("message", {**row, **position, **of_descriptor, **_UNKNOWN, "backout_count": message.backouts})
    past.remove_parked(tx, number)
    past.count(tx, number, len(messages) + 1)


# What no event says of a message that is gone.
_UNKNOWN: Mapping[str, Any] = {
    "report": 0, "msg_type": 8, "feedback": 0, "encoding": 273, "coded_char_set_id": 0, "format": "",
    "reply_to_q": "", "reply_to_q_mgr": "", "appl_identity_data": "", "put_appl_type": 0, "appl_origin_data": "",
}  # fmt: skip


def _count_handles(tx: Transaction, moment: Moment) -> None:
    """Count the handles that were open; the history has their options."""
    open_: dict[int, tuple[str, str, str, int]] = {}
    for event in past.of_objects(tx, 1, moment.seq, ["OPEN", "CLOSE", "END"]):
        detail = json.loads(event.detail or "{}")
        if event.kind == "OPEN":
            member = detail.get("member", event.qmgr)
            open_[detail["handle"]] = event.qmgr, event.name, member, detail["options"]
        elif event.kind == "CLOSE":
            open_.pop(detail["handle"], None)
        else:
            open_ = {handle: each for handle, each in open_.items() if each[2] != event.qmgr}
    for owner, name, member, options in open_.values():
        queue = queues.by_name(tx, owner, name)
        if queue is not None:
            given = (int(bool(options & each)) for each in (INPUT, INPUT_EXCLUSIVE, OUTPUT))
            queues.count_handles(tx, queue.id, member, *given)

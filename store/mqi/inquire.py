"""MQINQ and MQSET."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mqsc.store.argument_checks import must_be_writable
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.catalog.types import InvalidValueError, Number, Stored
from mqsc.store.constants import MQCC, MQRC
from mqsc.store.engine.attribute_change import Change, rewrite
from mqsc.store.engine.definitions import complete
from mqsc.store.engine.displayed_definition import (
    displayed,
    events_in_force,
    in_order,
    of_queue_manager,
)
from mqsc.store.engine.recovery import recover
from mqsc.store.error import MQError, refuse_if, required
from mqsc.store.mqi.inquiry_selectors import Selector, selectors_of
from mqsc.store.mqi.state import HandleState, read, transaction
from mqsc.store.rules import opening
from mqsc.store.sql import objects, queues
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.queries import Queries

MOST_SELECTORS = 256


class InquiredValues(dict[int, int | str]):
    """What MQINQ returns, by selector; with the warning 2068 when a selector does not apply to
    the object.
    """

    completion: int = MQCC.OK
    reason: int = MQRC.NONE


def inquire(handle: HandleState, selectors: Sequence[int]) -> InquiredValues:
    """The current values by selector: numbers, and texts without padding; -1 or asterisks where the
    type has none (2068).

    MQCA_NAMES gives each name in 48 characters. Handles of dead processes are not counted. MQError
    2019, 2038, 2066 for more than 256 selectors, 2067 for one that such objects never have, 2041,
    2052.
    """
    refuse_if(not handle.is_open, MQRC.HOBJ_ERROR)
    refuse_if(not handle.options & opening.INQUIRE, MQRC.NOT_OPEN_FOR_INQUIRE, handle.name)
    rows = known(handle, selectors)
    kind, values = _values(handle)
    found = InquiredValues({row.number: _value(row, kind, values.get(row.keyword)) for row in rows})
    if any(values.get(row.keyword) is None for row in rows):
        found.completion, found.reason = MQCC.WARNING, MQRC.SELECTOR_NOT_FOR_TYPE
    return found


def known(handle: HandleState, selectors: Sequence[int]) -> list[Selector]:
    """The rows of the selectors; MQError 2066, 2067."""
    refuse_if(len(selectors) > MOST_SELECTORS, MQRC.SELECTOR_LIMIT_EXCEEDED, handle.name)
    table = selectors_of(handle.namespace)
    found = [table.get(int(each)) for each in selectors]
    rows = [row for row in found if row is not None]
    refuse_if(len(rows) < len(found), MQRC.SELECTOR_ERROR, handle.name)
    return rows


def subject(tx: Queries, handle: HandleState) -> QueueRow:
    """The current row of the queue object that MQINQ and MQSET refer to; MQError 2041, 2052.

    For a handle opened for inquire or set alone that is the object named; otherwise the base queue
    of an alias, or the definition of a remote queue.
    """
    opened = handle.destination
    assert opened is not None
    about = (
        opened.resolved_through[-1]
        if opened.is_remote and opened.resolved_through
        else opened.queue
    )
    row = queues.by_id(tx, about.id, handle.connection.qmgr.name)
    if row is None or row.logically_deleted:
        raise MQError(MQRC.Q_DELETED, handle.name)
    refuse_if(row.generation != about.generation, MQRC.OBJECT_CHANGED, handle.name)
    return row


def _values(handle: HandleState) -> tuple[Kind, dict[str, Any]]:
    """The kind of the object, and its attributes by keyword."""
    connection = handle.connection
    if handle.namespace == "queue":
        recover(connection.store)
    with read(connection) as (reading, call):
        live = subject(reading, handle) if handle.namespace == "queue" else None
        name = handle.name if live is None else live.name
        owner = call.qmgr.name if live is None else live.owner
        found = objects.by_name(reading, owner, handle.namespace, name)
    found = required(found, MQRC.UNKNOWN_OBJECT_NAME if live is None else MQRC.Q_DELETED, name)
    kind = KINDS[found.type]
    values = displayed(kind, found.name, found.attributes, found.created_at, found.altered_at)
    if found.type == "QMGR":
        values.update(of_queue_manager(values, call.qmgr))
    if live is not None and live.type == "QLOCAL":
        values.update(CURDEPTH=live.depth, IPPROCS=live.input_handles, OPPROCS=live.output_handles)
        values.update(events_in_force(kind, live))
    return kind, in_order(kind, values)


def _value(selector: Selector, kind: Kind, stored: Stored | None) -> int | str:
    if stored is None:
        return selector.not_applicable
    if isinstance(stored, list):
        return _of_list(selector, stored)
    if selector.length:
        return str(stored)
    attribute = kind.attributes.get(selector.keyword)
    if isinstance(stored, str) and attribute is not None and isinstance(attribute.type, Number):
        return attribute.type.number_of(stored)
    return selector.words[stored] if isinstance(stored, str) else stored


def _of_list(selector: Selector, stored: list[str]) -> int | str:
    if selector.length:
        return "".join(name.ljust(selector.length) for name in stored)
    return sum(selector.words[word] for word in stored) if selector.words else len(stored)


def set_attributes(handle: HandleState, values: Mapping[int, int | str]) -> None:
    """Change attributes of a queue at once: all of them or none, outside any unit of work, never
    undone by MQBACK.

    MQError 2019, 2040, 2041, 2052; 2067 for a selector that cannot be set for a queue of this type;
    2020, 2075 to 2078 for an invalid value, 2006 for a text that is too long, 2007 or 2023 for a
    number where a text is wanted or the reverse. Trigger messages that the change causes are
    generated (O-ALTER, O-GET, O-INITQ-PUT). ALTDATE and ALTTIME stay: they belong to commands.
    """
    refuse_if(not handle.is_open, MQRC.HOBJ_ERROR)
    refuse_if(not handle.options & opening.SET, MQRC.NOT_OPEN_FOR_SET, handle.name)
    rows = known(handle, list(values))
    if not rows:
        return
    connection = handle.connection
    with transaction(connection) as (tx, call):
        queue = subject(tx, handle)
        kind = KINDS[queue.type]
        attributes = {row.keyword: _stored(handle, kind, row, values[row.number]) for row in rows}
        definition = required(
            objects.by_name(tx, queue.owner, "queue", queue.name),
            MQRC.Q_DELETED,
            handle.name,
        )
        before = complete(kind, definition.attributes)
        change = Change(
            before,
            {**before, **attributes},
            frozenset(attributes),
            event="SET",
            cause="application",
        )
        rewrite(tx, call, definition, change)


def _stored(handle: HandleState, kind: Kind, selector: Selector, value: int | str) -> Stored:
    """The value as a definition stores it."""
    attribute = kind.attributes.get(selector.keyword)
    if not selector.refusal or attribute is None:
        raise MQError(MQRC.SELECTOR_ERROR, handle.name)
    if isinstance(value, str) is not bool(selector.length):
        raise MQError(
            MQRC.CHAR_ATTRS_ERROR if selector.length else MQRC.INT_ATTRS_ARRAY_ERROR,
            handle.name,
        )
    if isinstance(value, str):
        must_be_writable(value, selector.keyword)
    if attribute.type.words and not isinstance(value, str):
        word = next((word for word, number in selector.words.items() if number == value), None)
        if word not in attribute.type.words:
            raise MQError(selector.refusal, handle.name)
        return word
    try:
        return attribute.type.accept(str(value))
    except InvalidValueError:
        raise MQError(selector.refusal, handle.name) from None

"""MQINQ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from store.catalog import KINDS, Kind
from store.catalog.types import Number, Stored
from store.constants import MQCC, MQRC
from store.engine.definition_values import displayed, events_in_force, in_order, of_queue_manager
from store.engine.recovery import recover
from store.error import MQError
from store.mqi.revalidate import read
from store.mqi.selectors import Selector, selectors_of
from store.mqi.state import HandleState
from store.rules import opening
from store.sql import objects, queues
from store.sql.rows import QueueRow
from store.sqlite.database import Queries

MOST_SELECTORS = 256


class InquiredValues(dict[int, int | str]):
    """What MQINQ returns, by selector; with the warning 2068 when a selector does not apply to the object."""

    completion: int = MQCC.OK
    reason: int = MQRC.NONE


def inquire(handle: HandleState, selectors: Sequence[int]) -> InquiredValues:
    """The current values by selector: numbers, and texts without padding; -1 or asterisks where the type has none
    (2068).

    MQCA_NAMES gives each name in 48 characters. Handles of dead processes are not counted. MQError 2019, 2038, 2066 for
    more than 256 selectors, 2067 for one that such objects never have, 2041, 2052.
    """
    if not handle.is_open:
        raise MQError(MQRC.HOBJ_ERROR)
    if not handle.options & opening.INQUIRE:
        raise MQError(MQRC.NOT_OPEN_FOR_INQUIRE, handle.name)
    rows = known(handle, selectors)
    kind, values = _values(handle)
    found = InquiredValues({row.number: _value(row, kind, values.get(row.keyword)) for row in rows})
    if any(values.get(row.keyword) is None for row in rows):
        found.completion, found.reason = MQCC.WARNING, MQRC.SELECTOR_NOT_FOR_TYPE
    return found


def known(handle: HandleState, selectors: Sequence[int]) -> list[Selector]:
    """The rows of the selectors; MQError 2066, 2067."""
    if len(selectors) > MOST_SELECTORS:
        raise MQError(MQRC.SELECTOR_LIMIT_EXCEEDED, handle.name)
    table = selectors_of(handle.namespace)
    found = [table.get(int(each)) for each in selectors]
    rows = [row for row in found if row is not None]
    if len(rows) < len(found):
        raise MQError(MQRC.SELECTOR_ERROR, handle.name)
    return rows


def subject(tx: Queries, handle: HandleState) -> QueueRow:
    """The current row of the queue object that MQINQ and MQSET refer to; MQError 2041, 2052.

    For a handle opened for inquire or set alone that is the object named; otherwise the base queue of an alias, or the
    definition of a remote queue.
    """
    opened = handle.destination
    assert opened is not None
    about = opened.resolved_through[-1] if opened.is_remote and opened.resolved_through else opened.queue
    row = queues.by_id(tx, about.id, handle.connection.qmgr.name)
    if row is None or row.logically_deleted:
        raise MQError(MQRC.Q_DELETED, handle.name)
    if row.generation != about.generation:
        raise MQError(MQRC.OBJECT_CHANGED, handle.name)
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
    if found is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME if live is None else MQRC.Q_DELETED, name)
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

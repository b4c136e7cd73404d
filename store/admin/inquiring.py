"""DISPLAY: objects as rows by MQSC keyword, read a page at a time so that no read outlives a
page (design §3.12).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import chain

from mqsc.store.catalog import KINDS, Kind
from mqsc.store.constants import MQRC
from mqsc.store.engine.definitions import namespaces
from mqsc.store.engine.displayed_definition import (
    DisplayedValues,
    displayed,
    events_in_force,
    in_order,
    of_queue_manager,
)
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import refuse_if, required
from mqsc.store.rules.names import prefix_range
from mqsc.store.rules.sharing import GROUP, MEANT
from mqsc.store.sql import managers, objects
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite.database import Reading

PAGE = 200
# Greater than any character that a name can start with.
_END = "\U0010ffff"


def inquire(
    qmgr: QueueManagerState,
    kinds: Sequence[Kind],
    pattern: str,
    *,
    as_defined: bool = False,
    disposition: str = "LIVE",
) -> Iterator[DisplayedValues]:
    """The objects of these kinds whose name matches, by name; a trailing asterisk makes the name
    generic.

    Client connections, which have a namespace of their own, come after all other channels. A row
    holds the name, TYPE and every attribute in the order of DISPLAY; for a local queue also
    CURDEPTH, IPPROCS and OPPROCS. Dates are UTC; secrets are hidden. The attributes that a
    performance event switches have their current values or, `as_defined`, those of the definition.
    Dead processes are recovered before handles are counted. In a queue-sharing group, rows of
    objects that have a disposition contain QSGDISP, and `disposition` selects some of them. MQError
    2059 when the queue manager does not run.
    """
    group = check_running(qmgr).sharing_group
    if any(kind.keyword == "QLOCAL" for kind in kinds):
        recover(qmgr.store)
    by_keyword = {kind.keyword: kind for kind in kinds}
    wanted = MEANT[disposition if group else "LIVE"]
    low, high = prefix_range(pattern)

    def of_owner(space: str, owner: str) -> Iterator[DisplayedValues]:
        start = low
        # Structures have no disposition.
        dispositions = objects.DISPOSITIONS if space == "cfstruct" else wanted
        while True:
            with Reading(qmgr.store.database) as reading:
                names = start, high or _END, PAGE
                page = objects.page_to_display(
                    reading,
                    owner,
                    space,
                    tuple(by_keyword),
                    names,
                    qmgr=qmgr.name,
                    dispositions=dispositions,
                )
            for definition in page:
                values = _displayed_values(by_keyword[definition.type], definition, as_defined)
                if group and "QSGDISP" in by_keyword[definition.type].attributes:
                    values["QSGDISP"] = definition.disposition
                yield values
            if len(page) < PAGE:
                return
            start = page[-1].name + "\0"

    def rows(space: str) -> Iterator[DisplayedValues]:
        if not group:
            return of_owner(space, qmgr.name)
        if space == "cfstruct":
            # The structures of the group, not any from before the queue manager joined.
            return of_owner(space, group)
        by_owner = (of_owner(space, qmgr.name), of_owner(space, group))
        return heapq.merge(*by_owner, key=lambda row: str(next(iter(row.values()))))

    return chain.from_iterable(
        map(rows, dict.fromkeys(space for kind in kinds for space in namespaces(kind))),
    )


def _displayed_values(
    kind: Kind, definition: objects.DisplayedRow, as_defined: bool
) -> DisplayedValues:
    values = displayed(
        kind, definition.name, definition.attributes, definition.created_at, definition.altered_at
    )
    if kind.keyword == "QLOCAL":
        values.update(
            CURDEPTH=definition.depth,
            IPPROCS=definition.input_handles,
            OPPROCS=definition.output_handles,
        )
        # No event switches the definition of the group.
        if not as_defined and definition.disposition != GROUP:
            values.update(events_in_force(kind, definition))
    return in_order(kind, values)


def inquire_queue_manager(qmgr: QueueManagerState) -> DisplayedValues:
    """The queue manager's own attributes as a row, in the order of DISPLAY; MQError 2059 when it
    does not run.
    """
    manager = check_running(qmgr)
    kind = KINDS["QMGR"]
    definition = qmgr.store.read(objects.by_name, qmgr.name, kind.namespace, qmgr.name)
    definition = required(definition, MQRC.Q_MGR_NAME_ERROR, qmgr.name)
    values = displayed(
        kind, qmgr.name, definition.attributes, definition.created_at, definition.altered_at
    )
    values.update(of_queue_manager(values, manager))
    return in_order(kind, values)


def check_running(qmgr: QueueManagerState) -> ManagerRow:
    """The queue manager's row; MQError 2059 when it does not run."""
    row = qmgr.row()
    refuse_if(row.state == managers.ENDED, MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)
    return row

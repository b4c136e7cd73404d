"""The listeners and services that were started and not stopped since."""

from __future__ import annotations

from typing import Any

from store.sql.core import *
from store.sql.rows import RunningObjectRow
from store.sql.statements import change, find, find_all, removal

_o = object_.c

# Return the row of an object that was started, or None.
by_name = find(RunningObjectRow, "running_object", "qmgr", "type", "name")

# Return the objects of a kind that were started, by name.
of_kind = find_all(RunningObjectRow, "running_object", "qmgr", "type", order="name")

# Note that an object was stopped.
remove = removal("running_object", "qmgr", "type", "name")

# Note that all objects of a queue manager have ended.
remove_all = removal("running_object", "qmgr")


@change
def add(qmgr: str, type: str, name: str, now: int) -> ClauseElement:
    """Note that an object was started."""
    return insert(running_object).values(qmgr=qmgr, type=type, name=name, started_at=now)


def _attribute(keyword: str) -> ColumnElement[Any]:
    return func.coalesce(func.json_extract(_o.attributes, constant(f"$.{keyword}")), BLANK)


@change
def add_automatic(qmgr: str, now: Any) -> ClauseElement:
    """Note the start of the listeners and servers that start with their queue manager; return how many there are."""
    is_server = (_o.type == constant("SERVICE")) & (_attribute("SERVTYPE") == constant("SERVER"))
    can_start = or_(_o.type == constant("LISTENER"), is_server & (_attribute("STARTCMD") != BLANK))
    is_automatic = _attribute("CONTROL").in_([constant("QMGR"), constant("STARTONLY")])
    started = select(_o.owner, _o.type, _o.name, now).where(_o.owner == qmgr, is_automatic, can_start)
    return insert(running_object).from_select(["qmgr", "type", "name", "started_at"], started)

"""The listeners and services that were started and not stopped since."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, ColumnElement, delete, func, insert, or_, select

from mqsc.store.sql.core.conditions import BLANK, constant
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import object_, running_object

_o, _r = object_.c, running_object.c


@statement
def by_name(qmgr: Placeholder, type: Placeholder, name: Placeholder) -> ClauseElement:
    return select(running_object).where(_r.qmgr == qmgr, _r.type == type, _r.name == name)


@statement
def of_kind(qmgr: Placeholder, type: Placeholder) -> ClauseElement:
    return select(running_object).where(_r.qmgr == qmgr, _r.type == type).order_by(_r.name)


@statement
def remove(qmgr: Placeholder, type: Placeholder, name: Placeholder) -> ClauseElement:
    return delete(running_object).where(_r.qmgr == qmgr, _r.type == type, _r.name == name)


@statement
def remove_all(qmgr: Placeholder) -> ClauseElement:
    return delete(running_object).where(_r.qmgr == qmgr)


@statement
def add(qmgr: Placeholder, type: Placeholder, name: Placeholder, now: Placeholder) -> ClauseElement:
    return insert(running_object).values(qmgr=qmgr, type=type, name=name, started_at=now)


def _attribute(keyword: str) -> ColumnElement[Any]:
    return func.coalesce(func.json_extract(_o.attributes, constant(f"$.{keyword}")), BLANK)


@statement
def add_automatic(qmgr: Placeholder, now: Placeholder) -> ClauseElement:
    is_server = (_o.type == constant("SERVICE")) & (_attribute("SERVTYPE") == constant("SERVER"))
    can_start = or_(_o.type == constant("LISTENER"), is_server & (_attribute("STARTCMD") != BLANK))
    is_automatic = _attribute("CONTROL").in_([constant("QMGR"), constant("STARTONLY")])
    started = select(_o.owner, _o.type, _o.name, now).where(
        _o.owner == qmgr,
        is_automatic,
        can_start,
    )
    return insert(running_object).from_select(["qmgr", "type", "name", "started_at"], started)

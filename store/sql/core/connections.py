"""Processes that have the store open, their connections and open handles; users, their passwords
and groups.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, Select, delete, func, insert, or_, select, update

from mqsc.store.sql.core.conditions import BLANK, ONE, constant
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    connection as connection_table,
    handle as handle_table,
    handle_path,
    object_,
    process as process_table,
    queue as queue_table,
    user_account,
    user_group,
)

_c = connection_table.c
_h = handle_table.c
_p = process_table.c
_q = queue_table.c
_o = object_.c
_path = handle_path.c
_u = user_account.c
_g = user_group.c


@statement
def other_processes(mine: Placeholder) -> ClauseElement:
    return select(_p.id, _p.file).where(_p.id != mine)


@statement
def drop_process(id: Placeholder) -> ClauseElement:
    return delete(process_table).where(process_table.c.id == id)


@statement
def drop(id: Placeholder) -> ClauseElement:
    return delete(connection_table).where(connection_table.c.id == id)


@statement
def by_id(id: Placeholder) -> ClauseElement:
    return select(connection_table).where(connection_table.c.id == id)


@statement
def of_process(process: Placeholder) -> ClauseElement:
    return (
        select(connection_table)
        .where(connection_table.c.process == process)
        .order_by(connection_table.c.id)
    )


@statement
def of_queue_manager(qmgr: Placeholder) -> ClauseElement:
    return (
        select(connection_table)
        .where(connection_table.c.qmgr == qmgr)
        .order_by(connection_table.c.id)
    )


@statement
def on_channels(qmgr: Placeholder) -> ClauseElement:
    return (
        select(connection_table)
        .where(_c.qmgr == qmgr, _c.channel != BLANK)
        .order_by(connection_table.c.id)
    )


@statement
def count(qmgr: Placeholder) -> ClauseElement:
    return select(func.count()).select_from(connection_table).where(_c.qmgr == qmgr)


@statement
def add_path(handle: Placeholder, queue: Placeholder) -> ClauseElement:
    return insert(handle_path).values(handle=handle, queue=queue)


@statement
def handle_by_id(id: Placeholder) -> ClauseElement:
    return select(handle_table).where(handle_table.c.id == id)


@statement
def handles_of_connection(connection: Placeholder) -> ClauseElement:
    return (
        select(handle_table)
        .where(handle_table.c.connection == connection)
        .order_by(handle_table.c.id)
    )


@statement
def count_handles_of(id: Placeholder) -> ClauseElement:
    return select(func.count()).select_from(handle_table).where(_h.connection == id)


@statement
def handles_on_queue(queue: Placeholder) -> ClauseElement:
    return select(handle_table).where(handle_table.c.queue == queue).order_by(handle_table.c.id)


@statement
def is_resolved_through(queue: Placeholder) -> ClauseElement:
    return select(ONE).select_from(handle_path).where(_path.queue == queue).limit(ONE)


@statement
def set_state(id: Placeholder, state: Placeholder) -> ClauseElement:
    return update(connection_table).where(_c.id == id).values(consumption=state)


@statement
def set_handle_state(id: Placeholder, state: Placeholder) -> ClauseElement:
    return update(handle_table).where(_h.id == id).values(consumption=state)


def _open_handles() -> Select[Any]:
    query = select(
        _h.id,
        func.coalesce(_q.name, BLANK),
        _h.object_name,
        _h.object_type,
        _h.options,
        _h.exclusive,
        _h.connection,
        _c.application,
        _c.user,
        func.coalesce(_p.file, BLANK),
        func.coalesce(_o.disposition, BLANK),
        _h.consumption,
        _c.consumption,
        _c.channel,
        _c.address,
    )
    return query.select_from(
        handle_table.join(connection_table, _c.id == _h.connection)
        .outerjoin(queue_table, _q.id == _h.queue)
        .outerjoin(
            object_,
            (_o.owner == _q.owner) & (_o.namespace == constant("queue")) & (_o.name == _q.name),
        )
        .outerjoin(process_table, _p.id == _c.process),
    )


@statement
def handles_page(
    owner: Placeholder,
    low: Placeholder,
    high: Placeholder,
    after: Placeholder,
    limit: Placeholder,
    qmgr: Placeholder,
) -> ClauseElement:
    query = _open_handles().where(
        _q.owner == owner,
        _h.qmgr == qmgr,
        _q.type == constant("QLOCAL"),
        _q.name >= low,
        _q.name < high,
        or_(_q.name > low, _h.id > after),
    )
    return query.order_by(_q.name, _h.id).limit(limit)


@statement
def handles_of(connection: Placeholder) -> ClauseElement:
    return _open_handles().where(_h.connection == connection).order_by(_h.id)


@statement
def input_handles_on(queue: Placeholder) -> ClauseElement:
    query = select(
        _h.qmgr,
        _h.exclusive,
        _h.connection,
        _c.application,
        _c.user,
        func.coalesce(_p.file, BLANK),
    )
    query = query.select_from(
        handle_table.join(connection_table, _c.id == _h.connection).outerjoin(
            process_table, _p.id == _c.process
        ),
    )
    return query.where(_h.queue == queue, _h.input == ONE).order_by(_h.id)


@statement
def connections_page(
    qmgr: Placeholder,
    low: Placeholder,
    high: Placeholder,
    limit: Placeholder,
) -> ClauseElement:
    query = select(
        _c.id,
        _c.application,
        _c.user,
        func.coalesce(_p.file, BLANK),
        _c.consumption,
        _c.channel,
        _c.address,
    )
    query = query.select_from(connection_table.outerjoin(process_table, _p.id == _c.process))
    return query.where(_c.qmgr == qmgr, _c.id >= low, _c.id < high).order_by(_c.id).limit(limit)


@statement
def user(name: Placeholder) -> ClauseElement:
    return select(user_account).where(user_account.c.name == name)


@statement
def any_users() -> ClauseElement:
    return select(ONE).where(select(user_account).exists())


@statement
def any_users_or_groups() -> ClauseElement:
    return select(ONE).where(or_(select(user_account).exists(), select(user_group).exists()))


@statement
def users() -> ClauseElement:
    return select(user_account).order_by(user_account.c.name)


@statement
def remove_user(name: Placeholder) -> ClauseElement:
    return delete(user_account).where(user_account.c.name == name)


@statement
def groups() -> ClauseElement:
    return select(user_group).order_by(user_group.c.user, user_group.c.name)


@statement
def groups_of(user: Placeholder) -> ClauseElement:
    return select(_g.name).where(_g.user == user).order_by(_g.name)


@statement
def remove_from_group(user: Placeholder, name: Placeholder) -> ClauseElement:
    return delete(user_group).where(user_group.c.user == user, user_group.c.name == name)

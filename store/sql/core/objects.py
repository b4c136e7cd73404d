"""Definitions: one row for each object, with its attributes as one JSON object; which objects
are in use or named.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
    update,
)

from mqsc.store.sql.core.conditions import (
    BLANK,
    ONE,
    PUT_IN_UNIT,
    READY,
    ZERO,
    constant,
    is_blank_or_above,
    values_of,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import handle, handle_path, message, object_, queue, queue_member
from mqsc.store.sql.objects import DisplayedRow

_o = object_.c
_q = queue.c
_n = queue_member.c
_h = handle.c
_p = handle_path.c


@statement
def by_name(owner: Placeholder, namespace: Placeholder, name: Placeholder) -> ClauseElement:
    return select(object_).where(
        object_.c.owner == owner,
        object_.c.namespace == namespace,
        object_.c.name == name,
    )


@statement
def attribute(
    owner: Placeholder,
    namespace: Placeholder,
    name: Placeholder,
    path: Placeholder,
) -> ClauseElement:
    stored = func.json_extract(_o.attributes, path)
    return select(stored).where(_o.owner == owner, _o.namespace == namespace, _o.name == name)


@statement
def page(
    owner: Placeholder,
    namespace: Placeholder,
    low: Placeholder,
    high: Placeholder,
    after: Placeholder,
    limit: Placeholder,
) -> ClauseElement:
    query = select(object_).where(
        _o.owner == owner,
        _o.namespace == namespace,
        _o.name >= low,
        _o.name > after,
        is_blank_or_above(high, _o.name),
    )
    return query.order_by(_o.name).limit(limit)


@statement
def between(
    owner: Placeholder,
    namespace: Placeholder,
    low: Placeholder,
    high: Placeholder,
) -> ClauseElement:
    return select(object_).where(
        _o.owner == owner,
        _o.namespace == namespace,
        _o.name >= low,
        _o.name < high,
    )


@statement
def containing(owner: Placeholder, text: Placeholder) -> ClauseElement:
    contains = func.instr(_o.attributes, text) > ZERO
    query = select(object_).where(_o.owner == owner, contains)
    return query.order_by(_o.namespace, _o.name)


@statement
def attributes() -> ClauseElement:
    return select(_o.attributes, _o.owner, _o.type, _o.name)


@statement
def count(owner: Placeholder, namespace: Placeholder) -> ClauseElement:
    return (
        select(func.count())
        .select_from(object_)
        .where(_o.owner == owner, _o.namespace == namespace)
    )


@statement
def generic_profiles(owner: Placeholder, namespace: Placeholder) -> ClauseElement:
    # char(63) is a question mark, which in a statement stands for a value.
    question_mark = func.char(literal_column("63"))
    is_generic = or_(
        func.instr(_o.name, constant("*")) > ZERO,
        func.instr(_o.name, question_mark) > ZERO,
    )
    return select(object_).where(_o.owner == owner, _o.namespace == namespace, is_generic)


@statement
def displayed(
    owner: Placeholder,
    qmgr: Placeholder,
    namespace: Placeholder,
    low: Placeholder,
    high: Placeholder,
    types: Placeholder,
    dispositions: Placeholder,
    limit: Placeholder,
) -> ClauseElement:
    of_queue = {"depth", "high_event", "low_event", "full_event", "service_event"}
    of_member = {"input_handles", "output_handles"}

    def shown(name: str) -> ColumnElement[Any]:
        if name in of_queue or name in of_member:
            return func.coalesce((_q if name in of_queue else _n)[name], ZERO)
        return _o[name]

    its_queue = (_q.owner == _o.owner) & (_q.name == _o.name) & (_o.namespace == constant("queue"))
    its_member = (_n.queue == _q.id) & (_n.qmgr == qmgr)
    query = select(*map(shown, DisplayedRow._fields))
    query = query.select_from(
        object_.outerjoin(queue, its_queue).outerjoin(queue_member, its_member),
    )
    query = query.where(
        _o.owner == owner,
        _o.namespace == namespace,
        _o.name >= low,
        _o.name < high,
        _o.type.in_(values_of(types)),
        _o.disposition.in_(values_of(dispositions)),
    )
    return query.order_by(_o.name).limit(limit)


@statement
def other_topic(owner: Placeholder, name: Placeholder, string: Placeholder) -> ClauseElement:
    query = select(_o.name)
    query = query.where(
        _o.owner == owner,
        literal_column("namespace = 'topic'"),
        literal_column("json_extract(attributes, '$.TOPICSTR')") == string,
        _o.name != name,
    )
    return query.limit(ONE)


@statement
def of_disposition(owner: Placeholder, disposition: Placeholder) -> ClauseElement:
    return (
        select(object_)
        .where(object_.c.owner == owner, object_.c.disposition == disposition)
        .order_by(object_.c.id)
    )


@statement
def set_disposition(id: Placeholder, disposition: Placeholder) -> ClauseElement:
    return update(object_).where(_o.id == id).values(disposition=disposition)


@statement
def replace_attributes(id: Placeholder, attributes: Placeholder, now: Placeholder) -> ClauseElement:
    return update(object_).where(_o.id == id).values(attributes=attributes, altered_at=now)


@statement
def remove(id: Placeholder) -> ClauseElement:
    return delete(object_).where(object_.c.id == id)


@statement
def names(qmgr: Placeholder, namespace: Placeholder) -> ClauseElement:
    return (
        select(_o.name)
        .distinct()
        .where(_o.namespace == namespace, or_(qmgr == BLANK, _o.owner == qmgr))
    )


@statement
def is_open_of_kind(qmgr: Placeholder, type: Placeholder, name: Placeholder) -> ClauseElement:
    query = select(ONE).select_from(handle)
    return query.where(_h.qmgr == qmgr, _h.object_type == type, _h.object_name == name).limit(ONE)


@statement
def is_resolved_as_manager_alias(queue_id: Placeholder) -> ClauseElement:
    step, resolved = handle_path.alias("step"), queue.alias("resolved")
    opened_by_name_on_path = (
        select(ONE)
        .select_from(step.join(resolved, literal_column("resolved.id = step.queue")))
        .where(
            literal_column("step.handle = handle.id"),
            literal_column("resolved.name = handle.object_name"),
        )
        .exists()
    )
    query = select(ONE).select_from(handle_path.join(handle, _h.id == _p.handle))
    return query.where(_p.queue == queue_id, ~opened_by_name_on_path).limit(ONE)


@statement
def resolved_by_default(
    qmgr: Placeholder,
    queue_id: Placeholder,
    name: Placeholder,
) -> ClauseElement:
    remote = queue.alias("remote")
    its_remote = (remote.c.id == _p.queue) & (remote.c.type == constant("QREMOTE"))
    by_default = (remote.c.transmission_queue == BLANK) & (remote.c.remote_queue_manager != name)
    query = select(func.coalesce(remote.c.id, _h.queue)).distinct()
    query = query.select_from(
        handle.outerjoin(handle_path, _p.handle == _h.id).outerjoin(remote, its_remote),
    )
    return query.where(
        _h.queue == queue_id,
        _h.qmgr == qmgr,
        case((_p.handle.is_(None), _h.object_name != name), else_=by_default),
    )


@statement
def is_stream_queue(owner: Placeholder, name: Placeholder) -> ClauseElement:
    alias = queue.alias("alias")
    through_alias = (
        select(ONE)
        .select_from(alias)
        .where(
            alias.c.owner == owner,
            alias.c.name == _q.stream_queue,
            alias.c.type == constant("QALIAS"),
            alias.c.target == name,
            alias.c.target_is_topic == ZERO,
        )
        .exists()
    )
    query = select(ONE).where(
        _q.owner == owner,
        literal_column("queue.stream_queue <> ''"),
        (_q.stream_queue == name) | through_alias,
    )
    return query.limit(ONE)


@statement
def is_destination(owner: Placeholder, name: Placeholder) -> ClauseElement:
    query = select(ONE).where(
        _o.owner == owner,
        literal_column("namespace = 'sub'"),
        literal_column("json_extract(attributes, '$.DEST')") == name,
        literal_column("json_extract(attributes, '$.DESTCLAS') = 'PROVIDED'"),
        literal_column("json_extract(attributes, '$.DESTQMGR')").in_([BLANK, owner]),
    )
    return query.limit(ONE)


@statement
def structures_in_use(group: Placeholder) -> ClauseElement:
    queues = (_q.owner == _o.owner, _q.structure == _o.name)

    def bytes_in(state: ColumnElement[bool]) -> ColumnElement[int]:
        # A state at a time, because the indexes of messages are by state.
        query = select(func.coalesce(func.sum(message.c.length), ZERO)).where(
            state,
            message.c.queue.in_(select(_q.id).where(*queues)),
        )
        return query.correlate(object_).scalar_subquery()

    opened = select(ONE).select_from(queue_member.join(queue, _q.id == _n.queue)).where(*queues)
    depth = select(func.coalesce(func.sum(_q.depth), ZERO)).where(*queues)
    chosen = select(
        _o.name,
        opened.correlate(object_).exists(),
        depth.correlate(object_).scalar_subquery(),
        bytes_in(READY) + bytes_in(PUT_IN_UNIT),
    )
    return chosen.where(_o.owner == group, _o.namespace == constant("cfstruct")).order_by(_o.name)


@statement
def count_queues_of_structure(group: Placeholder, name: Placeholder) -> ClauseElement:
    return select(func.count()).select_from(queue).where(_q.owner == group, _q.structure == name)


def _holds_or_is_open() -> ColumnElement[bool]:
    return or_(_q.depth > ZERO, select(ONE).where(_h.queue == _q.id).exists())


@statement
def queue_of_structure_in_use(group: Placeholder, name: Placeholder) -> ClauseElement:
    query = select(_q.name).where(_q.owner == group, _q.structure == name, _holds_or_is_open())
    return query.order_by(_q.name).limit(ONE)


@statement
def is_shared_queue_in_use(group: Placeholder, name: Placeholder) -> ClauseElement:
    return select(ONE).where(_q.owner == group, _q.name == name, _holds_or_is_open())


@statement
def set_limits_of_structure(
    group: Placeholder,
    name: Placeholder,
    level: Placeholder,
    longest: Placeholder,
    persistent: Placeholder,
) -> ClauseElement:
    changed = update(queue).where(_q.owner == group, _q.structure == name)
    return changed.values(
        structure_level=level,
        structure_longest=longest,
        structure_keeps_persistent=persistent,
        version=_q.version + ONE,
    )

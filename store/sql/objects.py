"""Definitions: one row for each object, with its attributes as one JSON object, and the rows of queues."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from store.error import StoreError
from store.sql.clauses import ONE, ZERO, literal, values_of
from store.sql.tables import object_, queue, queue_member
from store.sqlite.database import Queries, Reading, Transaction
from store.sqlite.expressions import bindparam, delete, func, insert, literal_column, or_, select, update
from store.sqlite.statement import BoundStatement, Statement, insert_text

# json.dumps() would make an encoder for each definition.
to_json = json.JSONEncoder(ensure_ascii=False).encode
DISPOSITIONS = ("QMGR", "COPY", "GROUP", "SHARED")
_o, _q, _n = object_.c, queue.c, queue_member.c


class ObjectRow(NamedTuple):
    """A definition; `attributes` contains the stored values by keyword."""

    id: int
    owner: str
    namespace: str
    name: str
    type: str
    attributes: dict[str, Any]
    created_at: int
    altered_at: int
    disposition: str = "QMGR"


_KEY = (_o.owner == bindparam("owner"), _o.namespace == bindparam("namespace"))
_BY_NAME = Statement(select(object_).where(*_KEY, _o.name == bindparam("name")), "owner namespace name")
_ATTRIBUTE = Statement(
    select(func.json_extract(_o.attributes, bindparam("path"))).where(*_KEY, _o.name == bindparam("name"))
)
_PAGE = Statement(
    select(object_)
    .where(
        *_KEY,
        _o.name >= bindparam("low"),
        _o.name > bindparam("after"),
        or_(bindparam("high") == literal(""), _o.name < bindparam("high")),
    )
    .order_by(_o.name)
    .limit(bindparam("limit"))
)
_NAMES = ("owner", "namespace", "name", "type", "attributes", "created_at", "altered_at", "disposition")
_INSERT = Statement(insert(object_).values({name: bindparam(name) for name in _NAMES}))
_UPDATE = Statement(
    update(object_)
    .where(_o.id == bindparam("row"))
    .values(attributes=bindparam("attributes"), altered_at=bindparam("altered_at"))
)
_SET_DISPOSITION = Statement(
    update(object_).where(_o.id == bindparam("row")).values(disposition=bindparam("disposition"))
)
_DELETE = Statement(delete(object_).where(_o.id == bindparam("row")))
_COUNT = Statement(select(func.count()).select_from(object_).where(*_KEY))
_DELETE_MEMBERS = Statement(delete(queue_member).where(queue_member.c.queue == bindparam("row")))
_DELETE_QUEUE = Statement(delete(queue).where(queue.c.id == bindparam("row")))


def by_name(tx: Queries, owner: str, namespace: str, name: str) -> ObjectRow | None:
    """Return the definition, or None."""
    row = tx.execute(_BY_NAME.text, (owner, namespace, name)).fetchone()
    return None if row is None else _read(row)


def attribute(tx: Queries, owner: str, namespace: str, name: str, keyword: str) -> Any:
    """One stored attribute of a definition; None when it has none of that keyword."""
    return tx.value(_ATTRIBUTE, {"owner": owner, "namespace": namespace, "name": name, "path": f"$.{keyword}"})


def page(tx: Queries, owner: str, namespace: str, low: str, high: str, after: str, limit: int) -> list[ObjectRow]:
    """Return up to `limit` definitions by name: at least `low`, below `high` (unless blank), greater than `after`."""
    values = {"owner": owner, "namespace": namespace, "low": low, "high": high, "after": after, "limit": limit}
    return [_read(row) for row in tx.all(_PAGE, values)]


class DisplayedRow(NamedTuple):
    """A definition with the depth, the handle counts and the enabled events of a local queue of that name.

    They are zeros for any other object.
    """

    name: str
    type: str
    attributes: dict[str, Any]
    created_at: int
    altered_at: int
    depth: int
    input_handles: int
    output_handles: int
    high_event: int
    low_event: int
    full_event: int
    service_event: int
    disposition: str


_ITS_QUEUE = (_q.owner == _o.owner) & (_q.name == _o.name) & (_o.namespace == literal("queue"))
_DISPLAYED = Statement(
    select(
        _o.name,
        _o.type,
        _o.attributes,
        _o.created_at,
        _o.altered_at,
        func.coalesce(_q.depth, ZERO),
        func.coalesce(_n.input_handles, ZERO),
        func.coalesce(_n.output_handles, ZERO),
        func.coalesce(_q.high_event, ZERO),
        func.coalesce(_q.low_event, ZERO),
        func.coalesce(_q.full_event, ZERO),
        func.coalesce(_q.service_event, ZERO),
        _o.disposition,
    )
    .select_from(
        object_.outerjoin(queue, _ITS_QUEUE).outerjoin(
            queue_member, (_n.queue == _q.id) & (_n.qmgr == bindparam("qmgr"))
        )
    )
    .where(
        _o.owner == bindparam("owner"),
        _o.namespace == bindparam("namespace"),
        _o.name >= bindparam("low"),
        _o.name < bindparam("high"),
        _o.type.in_(values_of("types")),
        _o.disposition.in_(values_of("dispositions")),
    )
    .order_by(_o.name)
    .limit(bindparam("limit"))
)


def page_to_display(
    reading: Reading,
    owner: str,
    namespace: str,
    types: Sequence[str],
    low: str,
    high: str,
    limit: int,
    *,
    qmgr: str = "",
    dispositions: Collection[str] = DISPOSITIONS,
) -> list[DisplayedRow]:
    """Return up to `limit` definitions of these types and dispositions by name: at least `low`, below `high`.

    The handles are those of `qmgr`, which must be given when `owner` is a queue-sharing group.
    """
    values = {
        "owner": owner,
        "namespace": namespace,
        "types": json.dumps(types),
        "dispositions": json.dumps(sorted(dispositions)),
        "low": low,
        "high": high,
    }
    return [
        DisplayedRow(name, type, _attributes(attributes, owner, type, name), *rest)
        for name, type, attributes, *rest in reading.all(_DISPLAYED, {**values, "limit": limit, "qmgr": qmgr or owner})
    ]


_OTHER_TOPIC = Statement(
    select(ONE)
    .select_from(object_)
    .where(
        _o.owner == bindparam("owner"),
        literal_column("namespace = 'topic'"),
        literal_column("json_extract(attributes, '$.TOPICSTR')") == bindparam("string"),
        _o.name != bindparam("name"),
    )
    .limit(ONE)
)


def has_other_topic(tx: Queries, owner: str, name: str, string: str) -> bool:
    """Return whether a topic object of another name has this topic string."""
    return tx.one(_OTHER_TOPIC, {"owner": owner, "name": name, "string": string}) is not None


_OF_DISPOSITION = Statement(
    select(object_).where(_o.owner == bindparam("owner"), _o.disposition == bindparam("disposition"))
)


def of_disposition(tx: Queries, owner: str, disposition: str) -> list[ObjectRow]:
    """Return the definitions that have this disposition."""
    return [_read(row) for row in tx.all(_OF_DISPOSITION, {"owner": owner, "disposition": disposition})]


def set_disposition(tx: Transaction, id: int, disposition: str) -> None:
    """Give a definition another disposition."""
    tx.run(_SET_DISPOSITION, {"row": id, "disposition": disposition})


def add(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Store a definition; the row has every column except `id`, `attributes` as a dict.

    The disposition is QMGR unless the row says otherwise.
    """
    tx.run(_INSERT, _values(row))


def add_all(tx: Transaction, rows: Iterable[Mapping[str, Any]]) -> None:
    tx.run_for_each(_INSERT, map(_values, rows))


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"disposition": "QMGR", **row, "attributes": to_json(row["attributes"])}


def replace_attributes(tx: Transaction, id: int, attributes: Mapping[str, Any], now: int) -> None:
    """Replace the attributes of a definition and set its time of alteration."""
    tx.run(_UPDATE, {"row": id, "attributes": to_json(attributes), "altered_at": now})


def remove(tx: Transaction, id: int) -> None:
    tx.run(_DELETE, {"row": id})


def add_queue(tx: Transaction, values: Mapping[str, Any]) -> int:
    """Store the row of a queue object; columns that are not given have their defaults. Return its number."""
    return tx.insert_bound([_queue_insert(values)])


def add_queues(tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        tx.insert_bound([_queue_insert(row) for row in rows])


def _queue_insert(values: Mapping[str, Any]) -> BoundStatement:
    return insert_text("queue", tuple(values)), [*values.values()]


def remove_queue(tx: Transaction, id: int) -> None:
    """Remove the row of a queue object and the handle counts for it. Its messages must have been removed."""
    tx.run(_DELETE_MEMBERS, {"row": id})
    tx.run(_DELETE_QUEUE, {"row": id})


def _read(row: tuple[Any, ...]) -> ObjectRow:
    id, owner, namespace, name, type, attributes, *rest = row
    return ObjectRow(id, owner, namespace, name, type, _attributes(attributes, owner, type, name), *rest)


def _attributes(text: str, owner: str, type: str, name: str) -> dict[str, Any]:
    """The attributes of a definition; StoreError that names the object when its row is damaged."""
    try:
        return dict(_parsed(text))
    except ValueError as error:
        raise StoreError(
            f"the definition of {type}({name}) of {owner} is damaged; run `mqsc doctor`, and restore a backup"
        ) from error


# Every DEFINE reads the default object of its kind, and many objects have the same attributes.
@lru_cache(maxsize=128)
def _parsed(text: str) -> dict[str, Any]:
    return json.loads(text)  # type: ignore[no-any-return]

"""Definitions: one row for every object, its attributes as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, func, insert, literal_column, or_, select, update

from store.sql.schema import object_, queue, queue_member
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_o = object_.c


class ObjectRow(NamedTuple):
    """A definition; `attributes` holds the stored values by keyword."""

    id: int
    owner: str
    namespace: str
    name: str
    type: str
    attributes: dict[str, Any]
    created_at: int
    altered_at: int


_KEY = (_o.owner == bindparam("owner"), _o.namespace == bindparam("namespace"))
_BY_NAME = Statement(select(object_).where(*_KEY, _o.name == bindparam("name")))
_PAGE = Statement(
    select(object_)
    .where(
        *_KEY,
        _o.name >= bindparam("low"),
        _o.name > bindparam("after"),
        or_(bindparam("high") == literal_column("''"), _o.name < bindparam("high")),
    )
    .order_by(_o.name)
    .limit(bindparam("limit"))
)
_NAMES = ("owner", "namespace", "name", "type", "attributes", "created_at", "altered_at")
_INSERT = Statement(insert(object_).values({name: bindparam(name) for name in _NAMES}))
_UPDATE = Statement(
    update(object_)
    .where(_o.id == bindparam("row"))
    .values(attributes=bindparam("attributes"), altered_at=bindparam("altered_at"))
)
_DELETE = Statement(delete(object_).where(_o.id == bindparam("row")))
_DELETE_OWNER = Statement(delete(object_).where(_o.owner == bindparam("owner")))
_COUNT = Statement(select(func.count()).select_from(object_).where(*_KEY))
_INSERT_QUEUES: dict[tuple[str, ...], Statement] = {}
_DELETE_MEMBERS = Statement(delete(queue_member).where(queue_member.c.queue == bindparam("row")))
_DELETE_QUEUE = Statement(delete(queue).where(queue.c.id == bindparam("row")))


def by_name(tx: Queries, owner: str, namespace: str, name: str) -> ObjectRow | None:
    """The definition, or None."""
    row = tx.one(_BY_NAME, {"owner": owner, "namespace": namespace, "name": name})
    return None if row is None else _read(row)


def page(tx: Queries, owner: str, namespace: str, low: str, high: str, after: str, limit: int) -> list[ObjectRow]:
    """Up to `limit` definitions by name: from `low`, below `high` (unless blank), greater than `after`."""
    values = {"owner": owner, "namespace": namespace, "low": low, "high": high, "after": after, "limit": limit}
    return [_read(row) for row in tx.all(_PAGE, values)]


_OTHER_TOPIC = Statement(
    select(literal_column("1"))
    .select_from(object_)
    .where(
        _o.owner == bindparam("owner"),
        literal_column("namespace = 'topic'"),
        literal_column("json_extract(attributes, '$.TOPICSTR')") == bindparam("string"),
        _o.name != bindparam("name"),
    )
    .limit(literal_column("1"))
)


def has_other_topic(tx: Queries, owner: str, name: str, string: str) -> bool:
    """Whether a topic object of another name stands at that topic string."""
    return tx.one(_OTHER_TOPIC, {"owner": owner, "name": name, "string": string}) is not None


def add(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Store a definition; a row has every column but `id`, `attributes` as a dict."""
    tx.run(_INSERT, {**row, "attributes": json.dumps(row["attributes"], ensure_ascii=False)})


def add_all(tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store definitions."""
    tx.run_for_each(_INSERT, [{**row, "attributes": json.dumps(row["attributes"], ensure_ascii=False)} for row in rows])


def replace_attributes(tx: Transaction, id: int, attributes: Mapping[str, Any], now: int) -> None:
    """Write the attributes of a definition that exists."""
    text = json.dumps(attributes, ensure_ascii=False)
    tx.run(_UPDATE, {"row": id, "attributes": text, "altered_at": now})


def remove(tx: Transaction, id: int) -> None:
    """Remove a definition."""
    tx.run(_DELETE, {"row": id})


def remove_of_owner(tx: Transaction, owner: str) -> None:
    """Remove every definition of a queue manager."""
    tx.run(_DELETE_OWNER, {"owner": owner})


def add_queue(tx: Transaction, values: Mapping[str, Any]) -> int:
    """Store a queue row beside its definition; columns not given have their defaults. Its number."""
    return tx.insert(_insert_queue(values), values)


def add_queues(tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store queue rows that all give the same columns."""
    if rows:
        tx.run_for_each(_insert_queue(rows[0]), rows)


def _insert_queue(values: Mapping[str, Any]) -> Statement:
    names = tuple(sorted(values))
    if names not in _INSERT_QUEUES:
        _INSERT_QUEUES[names] = Statement(insert(queue).values({name: bindparam(name) for name in names}))
    return _INSERT_QUEUES[names]


def remove_queue(tx: Transaction, id: int) -> None:
    """Remove a queue row, with what queue managers counted for it; its messages must be gone."""
    tx.run(_DELETE_MEMBERS, {"row": id})
    tx.run(_DELETE_QUEUE, {"row": id})


def _read(row: tuple[Any, ...]) -> ObjectRow:
    found = ObjectRow._make(row)
    return found._replace(attributes=json.loads(found.attributes))  # type: ignore[arg-type]

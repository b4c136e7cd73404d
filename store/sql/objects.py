"""Definitions: one row for each object, with its attributes as one JSON object; which objects
are in use or named.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.json import encode, format

from mqsc.store.error import StoreError
from mqsc.store.sql.results import every_row, first_column, first_value
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Cursor, Queries

SQL = named_statements(__file__)
DISPOSITIONS = ("QMGR", "COPY", "GROUP", "SHARED")


def to_json(value: Any) -> str:
    """Return the text of a definition or a detail, as json.dumps() makes it, in half the time."""
    # A name that was quoted is of a subclass of str.
    return format(encode(value, enc_hook=str), indent=0).decode()


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


def _read(
    id: int,
    owner: str,
    namespace: str,
    name: str,
    type: str,
    attributes: str,
    *rest: Any,
) -> ObjectRow:
    return ObjectRow(
        id,
        owner,
        namespace,
        name,
        type,
        _attributes(attributes, owner, type, name),
        *rest,
    )


def _first_read(cursor: Cursor) -> ObjectRow | None:
    row = cursor.fetchone()
    return None if row is None else _read(*row)


def _attributes(text: str, owner: str, type: str, name: str) -> dict[str, Any]:
    """The attributes of a definition; StoreError that names the object when its row is damaged."""
    try:
        return dict(_parsed(text))
    except ValueError as error:
        raise StoreError(
            f"the definition of {type}({name}) of {owner} is damaged; run `mqsc doctor`, and "
            "restore a backup",
        ) from error


# Every DEFINE reads the default object of its kind, and many objects have the same attributes.
@lru_cache(maxsize=128)
def _parsed(text: str) -> dict[str, Any]:
    return json.loads(text)  # type: ignore[no-any-return]


def by_name(tx: Queries, owner: str, namespace: str, name: str) -> ObjectRow | None:
    """Return the definition, or None."""
    return _first_read(tx.execute(SQL["by_name"], (owner, namespace, name)))


def _attribute(tx: Queries, owner: str, namespace: str, name: str, path: str) -> Any:
    return tx.execute(SQL["attribute"], (owner, namespace, name, path)).fetchone()


def attribute(tx: Queries, owner: str, namespace: str, name: str, keyword: str) -> Any:
    """One stored attribute of a definition; None when it has none of that keyword."""
    found = _attribute(tx, owner, namespace, name, f"$.{keyword}")
    return None if found is None else found[0]


def page(
    tx: Queries,
    owner: str,
    namespace: str,
    low: str,
    high: str,
    after: str,
    limit: int,
) -> list[ObjectRow]:
    """Return up to `limit` definitions by name: at least `low`, below `high` (unless blank),
    greater than `after`.
    """
    return [
        _read(*row)
        for row in tx.execute(SQL["page"], (owner, namespace, low, high, after, limit)).fetchall()
    ]


def records_of(tx: Queries, owner: str, namespace: str, name: str) -> list[ObjectRow]:
    """Return the records whose profile is exactly this name."""
    return _between(tx, owner, namespace, f"{name}\n", f"{name}\v")


def _between(tx: Queries, owner: str, namespace: str, low: str, high: str) -> list[ObjectRow]:
    return [
        _read(*row) for row in tx.execute(SQL["between"], (owner, namespace, low, high)).fetchall()
    ]


def containing(tx: Queries, owner: str, value: str) -> list[ObjectRow]:
    """Return the definitions in which an attribute, or an item of one, has this value."""
    return [
        _read(*row) for row in tx.execute(SQL["containing"], (owner, to_json(value))).fetchall()
    ]


def values(tx: Queries) -> frozenset[str]:
    """Return every text that is the value of an attribute, or an item of one, in any definition."""
    texts: set[str] = set()
    for row in tx.execute(SQL["attributes"], ()).fetchall():
        for value in _attributes(*row).values():
            if isinstance(value, list):
                texts.update(value)
            elif isinstance(value, str):
                texts.add(value)
    return frozenset(texts)


def count(tx: Queries, owner: str, namespace: str) -> int:
    """Return how many definitions there are in a namespace."""
    return first_value(int, tx.execute(SQL["count"], (owner, namespace)))


def generic_profiles(tx: Queries, owner: str, namespace: str) -> list[ObjectRow]:
    """Return the records whose profile has a wildcard; asterisks and question marks are in no
    other part of a name.
    """
    return [
        _read(*row) for row in tx.execute(SQL["generic_profiles"], (owner, namespace)).fetchall()
    ]


class DisplayedRow(NamedTuple):
    """A definition with the depth, the handle counts and the enabled events of a local queue of
    that name.

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


def page_to_display(
    reading: Reading,
    owner: str,
    namespace: str,
    types: Sequence[str],
    names: tuple[str, str, int],
    *,
    qmgr: str = "",
    dispositions: Collection[str] = DISPOSITIONS,
) -> list[DisplayedRow]:
    """Return definitions of these types and dispositions by name; `names` has the first
    name, the one to stop before, and the most rows.

    The handles are those of `qmgr`, which must be given when `owner` is a queue-sharing group.
    """
    low, high, limit = names
    chosen = json_list([*types]), json_list(sorted(dispositions))
    given = owner, qmgr or owner, namespace, low, high, *chosen, limit
    found = reading.execute(SQL["displayed"], given).fetchall()
    return [
        DisplayedRow(name, type, _attributes(attributes, owner, type, name), *rest)
        for name, type, attributes, *rest in found
    ]


def other_topic(tx: Queries, owner: str, name: str, string: str) -> str | None:
    """Return the topic object of another name that has this topic string, if any."""
    found = tx.execute(SQL["other_topic"], (owner, name, string)).fetchone()
    return None if found is None else str(found[0])


def of_disposition(tx: Queries, owner: str, disposition: str) -> list[ObjectRow]:
    """Return the definitions that have this disposition."""
    return [
        _read(*row) for row in tx.execute(SQL["of_disposition"], (owner, disposition)).fetchall()
    ]


def set_disposition(tx: Transaction, id: int, disposition: str) -> int:
    """Give a definition another disposition."""
    return tx.execute(SQL["set_disposition"], (id, disposition)).rowcount


def add(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Store a definition; the row has every column except `id`, `attributes` as a dict.

    The disposition is QMGR unless the row says otherwise.
    """
    tx.insert("object", {**row, "attributes": to_json(row["attributes"])})


def add_all(tx: Transaction, rows: Iterable[Mapping[str, Any]]) -> None:
    for each in rows:
        add(tx, each)


def _replace_attributes(tx: Transaction, id: int, attributes: str, now: int) -> int:
    return tx.execute(SQL["replace_attributes"], (id, attributes, now)).rowcount


def replace_attributes(tx: Transaction, id: int, attributes: Mapping[str, Any], now: int) -> None:
    """Replace the attributes of a definition and set its time of alteration."""
    _replace_attributes(tx, id, to_json(attributes), now)


def remove(tx: Transaction, id: int) -> int:
    return tx.execute(SQL["remove"], (id,)).rowcount


def names(tx: Queries, qmgr: Any, namespace: str) -> list[str]:
    """Return the different names of all objects in a namespace, of one queue manager or, if that
    is blank, of all.
    """
    return first_column(tx.execute(SQL["names"], (qmgr, namespace)))


def is_open_of_kind(tx: Queries, qmgr: str, type: str, name: str) -> bool:
    """Return whether a handle is open on an object that is not a queue: a process, a namelist."""
    return tx.execute(SQL["is_open_of_kind"], (qmgr, type, name)).fetchone() is not None


def is_resolved_as_manager_alias(tx: Queries, queue_id: int) -> bool:
    """Return whether a handle resolved through that remote definition as a queue-manager alias.

    Such a handle was opened under a name that no object it resolved through has.
    """
    return tx.execute(SQL["is_resolved_as_manager_alias"], (queue_id,)).fetchone() is not None


def resolved_by_default(tx: Queries, qmgr: str, queue_id: int, name: str) -> list[int]:
    """Return the queue objects through which handles reached the transmission queue `name` by
    default (DEFXMITQ).

    These are remote definitions that name no transmission queue, and, for handles that were opened
    with only a queue manager's name, the transmission queue itself.
    """
    return first_column(tx.execute(SQL["resolved_by_default"], (qmgr, queue_id, name)))


def is_stream_queue(tx: Queries, owner: str, name: str) -> bool:
    """Return whether a queue has that name as its STREAMQ, directly or through an alias."""
    return tx.execute(SQL["is_stream_queue"], (owner, name)).fetchone() is not None


def is_destination(tx: Queries, owner: str, name: str) -> bool:
    """Return whether a subscription delivers to that local queue."""
    return tx.execute(SQL["is_destination"], (owner, name)).fetchone() is not None


class StructureUse(NamedTuple):
    """A structure: whether a queue of it has ever been opened, and the number and bytes of its
    messages.
    """

    name: str
    was_opened: int
    messages: int
    bytes: int


def structures_in_use(tx: Queries, group: str) -> list[StructureUse]:
    """Return the coupling facility structures of a group with what they hold, by name."""
    return every_row(StructureUse, tx.execute(SQL["structures_in_use"], (group,)))


def count_queues_of_structure(tx: Queries, group: str, name: str) -> int:
    """Return how many queues the structure has."""
    return first_value(int, tx.execute(SQL["count_queues_of_structure"], (group, name)))


def queue_of_structure_in_use(tx: Queries, group: str, name: str) -> str:
    """Return a queue of the structure that holds messages or is open; blank for none."""
    return first_value(str, tx.execute(SQL["queue_of_structure_in_use"], (group, name)))


def is_shared_queue_in_use(tx: Queries, group: str, name: str) -> bool:
    """Return whether a shared queue holds messages or is open."""
    return tx.execute(SQL["is_shared_queue_in_use"], (group, name)).fetchone() is not None


def set_limits_of_structure(
    tx: Transaction,
    group: str,
    name: str,
    level: int,
    longest: int,
    persistent: int,
) -> int:
    """Write what the structure stores into the rows of its queues."""
    return tx.execute(
        SQL["set_limits_of_structure"],
        (group, name, level, longest, persistent),
    ).rowcount

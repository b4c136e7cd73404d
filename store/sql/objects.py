"""Definitions: one row for each object, with its attributes as one JSON object; which objects are in use or named."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.json import encode, format

from store.error import StoreError
from store.sql.core import *
from store.sql.statements import KnownStatement, change, column, exists, find, find_all, removal, row, rows, value
from store.sqlite.database import Queries, Reading, Transaction

DISPOSITIONS = ("QMGR", "COPY", "GROUP", "SHARED")
_o, _q, _n, _h, _p = object_.c, queue.c, queue_member.c, handle.c, handle_path.c


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


def _read(id: int, owner: str, namespace: str, name: str, type: str, attributes: str, *rest: Any) -> ObjectRow:
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


# Return the definition, or None.
by_name = find(_read, "object", "owner", "namespace", "name")


@row(tuple)
def _attribute(owner: str, namespace: str, name: str, path: str) -> ClauseElement:
    stored = func.json_extract(_o.attributes, path)
    return select(stored).where(_o.owner == owner, _o.namespace == namespace, _o.name == name)


def attribute(tx: Queries, owner: str, namespace: str, name: str, keyword: str) -> Any:
    """One stored attribute of a definition; None when it has none of that keyword."""
    found = _attribute(tx, owner, namespace, name, f"$.{keyword}")
    return None if found is None else found[0]


@rows(_read)
def page(owner: str, namespace: str, low: str, high: str, after: str, limit: int) -> ClauseElement:
    """Return up to `limit` definitions by name: at least `low`, below `high` (unless blank), greater than `after`."""
    found = select(object_).where(
        _o.owner == owner, _o.namespace == namespace, _o.name >= low, _o.name > after, is_blank_or_above(high, _o.name)
    )
    return found.order_by(_o.name).limit(limit)


def records_of(tx: Queries, owner: str, namespace: str, name: str) -> list[ObjectRow]:
    """Return the records whose profile is exactly this name."""
    return _between(tx, owner, namespace, f"{name}\n", f"{name}\v")


@rows(_read)
def _between(owner: str, namespace: str, low: str, high: str) -> ClauseElement:
    return select(object_).where(_o.owner == owner, _o.namespace == namespace, _o.name >= low, _o.name < high)


@value(int)
def count(owner: str, namespace: str) -> ClauseElement:
    """Return how many definitions there are in a namespace."""
    return select(func.count()).select_from(object_).where(_o.owner == owner, _o.namespace == namespace)


@rows(_read)
def generic_profiles(owner: str, namespace: str) -> ClauseElement:
    """Return the records whose profile has a wildcard; asterisks and question marks are in no other part of a name."""
    # char(63) is a question mark, which in a statement stands for a value.
    question_mark = func.char(literal_column("63"))
    is_generic = or_(func.instr(_o.name, constant("*")) > ZERO, func.instr(_o.name, question_mark) > ZERO)
    return select(object_).where(_o.owner == owner, _o.namespace == namespace, is_generic)


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


def _displayed() -> ClauseElement:
    of_queue = {"depth", "high_event", "low_event", "full_event", "service_event"}
    of_member = {"input_handles", "output_handles"}

    def shown(name: str) -> ColumnElement[Any]:
        if name in of_queue or name in of_member:
            return func.coalesce((_q if name in of_queue else _n)[name], ZERO)
        return _o[name]

    its_queue = (_q.owner == _o.owner) & (_q.name == _o.name) & (_o.namespace == constant("queue"))
    its_member = (_n.queue == _q.id) & (_n.qmgr == bindparam("qmgr"))
    found = select(*map(shown, DisplayedRow._fields))
    found = found.select_from(object_.outerjoin(queue, its_queue).outerjoin(queue_member, its_member))
    found = found.where(
        _o.owner == bindparam("owner"),
        _o.namespace == bindparam("namespace"),
        _o.name >= bindparam("low"),
        _o.name < bindparam("high"),
        _o.type.in_(values_of(bindparam("types"))),
        _o.disposition.in_(values_of(bindparam("dispositions"))),
    )
    return found.order_by(_o.name).limit(bindparam("limit"))


_DISPLAYED = KnownStatement("displayed", _displayed)


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
    """Return definitions of these types and dispositions by name; `names`: at least which, below which, how many.

    The handles are those of `qmgr`, which must be given when `owner` is a queue-sharing group.
    """
    low, high, limit = names
    values = {"owner": owner, "qmgr": qmgr or owner, "namespace": namespace, "low": low, "high": high, "limit": limit}
    chosen = {"types": to_json(list(types)), "dispositions": to_json(sorted(dispositions))}
    return [
        DisplayedRow(name, type, _attributes(attributes, owner, type, name), *rest)
        for name, type, attributes, *rest in reading.all(_DISPLAYED, {**values, **chosen})
    ]


@exists
def has_other_topic(owner: str, name: str, string: str) -> ClauseElement:
    """Return whether a topic object of another name has this topic string."""
    found = select(ONE).select_from(object_)
    found = found.where(
        _o.owner == owner,
        literal_column("namespace = 'topic'"),
        literal_column("json_extract(attributes, '$.TOPICSTR')") == string,
        _o.name != name,
    )
    return found.limit(ONE)


# Return the definitions that have this disposition.
of_disposition = find_all(_read, "object", "owner", "disposition", order="id")


@change
def set_disposition(id: int, disposition: str) -> ClauseElement:
    """Give a definition another disposition."""
    return update(object_).where(_o.id == id).values(disposition=disposition)


def add(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Store a definition; the row has every column except `id`, `attributes` as a dict.

    The disposition is QMGR unless the row says otherwise.
    """
    tx.insert("object", {**row, "attributes": to_json(row["attributes"])})


def add_all(tx: Transaction, rows: Iterable[Mapping[str, Any]]) -> None:
    for each in rows:
        add(tx, each)


@change
def _replace_attributes(id: int, attributes: str, now: int) -> ClauseElement:
    return update(object_).where(_o.id == id).values(attributes=attributes, altered_at=now)


def replace_attributes(tx: Transaction, id: int, attributes: Mapping[str, Any], now: int) -> None:
    """Replace the attributes of a definition and set its time of alteration."""
    _replace_attributes(tx, id, to_json(attributes), now)


remove = removal("object", "id")


@column(str)
def names(qmgr: Any, namespace: str) -> ClauseElement:
    """Return the different names of all objects in a namespace, of one queue manager or, if that is blank, of all."""
    return select(_o.name).distinct().where(_o.namespace == namespace, or_(qmgr == BLANK, _o.owner == qmgr))


@exists
def is_open_of_kind(qmgr: str, type: str, name: str) -> ClauseElement:
    """Return whether a handle is open on an object that is not a queue: a process, a namelist."""
    found = select(ONE).select_from(handle)
    return found.where(_h.qmgr == qmgr, _h.object_type == type, _h.object_name == name).limit(ONE)


@exists
def is_resolved_as_manager_alias(queue_id: int) -> ClauseElement:
    """Return whether a handle resolved through that remote definition as a queue-manager alias.

    Such a handle was opened under a name that no object it resolved through has.
    """
    step, resolved = handle_path.alias("step"), queue.alias("resolved")
    opened_by_name_on_path = (
        select(ONE)
        .select_from(step.join(resolved, literal_column("resolved.id = step.queue")))
        .where(literal_column("step.handle = handle.id"), literal_column("resolved.name = handle.object_name"))
        .exists()
    )
    found = select(ONE).select_from(handle_path.join(handle, _h.id == _p.handle))
    return found.where(_p.queue == queue_id, ~opened_by_name_on_path).limit(ONE)


@column(int)
def resolved_by_default(qmgr: str, queue_id: int, name: str) -> ClauseElement:
    """Return the queue objects through which handles reached the transmission queue `name` by default (DEFXMITQ).

    These are remote definitions that name no transmission queue, and, for handles that were opened with only a queue
    manager's name, the transmission queue itself.
    """
    remote = queue.alias("remote")
    its_remote = (remote.c.id == _p.queue) & (remote.c.type == constant("QREMOTE"))
    by_default = (remote.c.transmission_queue == BLANK) & (remote.c.remote_queue_manager != name)
    found = select(func.coalesce(remote.c.id, _h.queue)).distinct()
    found = found.select_from(handle.outerjoin(handle_path, _p.handle == _h.id).outerjoin(remote, its_remote))
    return found.where(
        _h.queue == queue_id, _h.qmgr == qmgr, case((_p.handle.is_(None), _h.object_name != name), else_=by_default)
    )


@exists
def is_stream_queue(owner: str, name: str) -> ClauseElement:
    """Return whether a queue has that name as its STREAMQ, directly or through an alias."""
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
    found = select(ONE).where(
        _q.owner == owner, literal_column("queue.stream_queue <> ''"), (_q.stream_queue == name) | through_alias
    )
    return found.limit(ONE)


@exists
def is_destination(owner: str, name: str) -> ClauseElement:
    """Return whether a subscription delivers to that local queue."""
    found = select(ONE).where(
        _o.owner == owner,
        literal_column("namespace = 'sub'"),
        literal_column("json_extract(attributes, '$.DEST')") == name,
        literal_column("json_extract(attributes, '$.DESTCLAS') = 'PROVIDED'"),
        literal_column("json_extract(attributes, '$.DESTQMGR')").in_([BLANK, owner]),
    )
    return found.limit(ONE)


class StructureUse(NamedTuple):
    """A structure: whether a queue of it has ever been opened, and the number and bytes of its messages."""

    name: str
    was_opened: int
    messages: int
    bytes: int


@rows(StructureUse)
def structures_in_use(group: str) -> ClauseElement:
    """Return the coupling facility structures of a group with what they hold, by name."""
    queues = (_q.owner == _o.owner, _q.structure == _o.name)

    def bytes_in(state: ColumnElement[bool]) -> ColumnElement[int]:
        # A state at a time, because the indexes of messages are by state.
        found = select(func.coalesce(func.sum(message.c.length), ZERO)).where(
            state, message.c.queue.in_(select(_q.id).where(*queues))
        )
        return found.correlate(object_).scalar_subquery()

    opened = select(ONE).select_from(queue_member.join(queue, _q.id == _n.queue)).where(*queues)
    depth = select(func.coalesce(func.sum(_q.depth), ZERO)).where(*queues)
    chosen = select(
        _o.name,
        opened.correlate(object_).exists(),
        depth.correlate(object_).scalar_subquery(),
        bytes_in(READY) + bytes_in(PUT_IN_UNIT),
    )
    return chosen.where(_o.owner == group, _o.namespace == constant("cfstruct")).order_by(_o.name)


@value(int)
def count_queues_of_structure(group: str, name: str) -> ClauseElement:
    """Return how many queues the structure has."""
    return select(func.count()).select_from(queue).where(_q.owner == group, _q.structure == name)


def _holds_or_is_open() -> ColumnElement[bool]:
    return or_(_q.depth > ZERO, select(ONE).where(_h.queue == _q.id).exists())


@value(str)
def queue_of_structure_in_use(group: str, name: str) -> ClauseElement:
    """Return a queue of the structure that holds messages or is open; blank for none."""
    found = select(_q.name).where(_q.owner == group, _q.structure == name, _holds_or_is_open())
    return found.order_by(_q.name).limit(ONE)


@exists
def is_shared_queue_in_use(group: str, name: str) -> ClauseElement:
    """Return whether a shared queue holds messages or is open."""
    return select(ONE).where(_q.owner == group, _q.name == name, _holds_or_is_open())


@change
def set_limits_of_structure(group: str, name: str, level: int, longest: int, persistent: int) -> ClauseElement:
    """Write what the structure stores into the rows of its queues."""
    changed = update(queue).where(_q.owner == group, _q.structure == name)
    return changed.values(
        structure_level=level, structure_longest=longest, structure_keeps_persistent=persistent,
        version=_q.version + ONE,
    )  # fmt: skip

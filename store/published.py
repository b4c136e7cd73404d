"""What the store publishes to programs that read its file: the history, messages on queues, and
data that is kept.

A relation is a table or view with documented columns and a key that only grows.
published_columns.csv has the columns, event_kinds.csv the kinds of events. To add a kind, add a row
without `part`; to add a cause or a key of `detail`, add a row of that part below, with the kinds
that have it. Nothing that the store has written may be removed (design §2.3). This module imports
no database library.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mqsc.store import constants
from mqsc.store.table import cells


class PublishedColumn(NamedTuple):
    """A published column: its name, its SQLite type (INTEGER, TEXT or BLOB) and what it holds."""

    name: str
    type: str
    doc: str


class Relation(NamedTuple):
    """A table or view: its name in SQLite, the key column by which readers split it into ranges,
    and its columns.

    Rows of one without `table` are in no file.
    """

    name: str
    table: str
    key: str
    columns: tuple[PublishedColumn, ...]


class EventKind(NamedTuple):
    """A kind of event: what happened, the possible causes, and the keys of its `detail`.

    The `cause` of an event is one of `causes`, or NULL for the ordinary one (a command or a plain
    call).
    """

    name: str
    doc: str
    causes: Mapping[str, str]
    detail: Mapping[str, str]


class Bound(NamedTuple):
    """The last rows that a report reads, determined once by the process that has the store open.

    `seq` and `message` are the last event and message, 0 if there is none. `now` is the time of
    each queue manager's and each queue-sharing group's clock in microseconds UTC, which decides
    whether a message has expired. `frozen` is a file with the relation `pending` as it was after
    the event `seq`; blank if it is to be read from the store. `kept` is the last row of the
    relation `kept`, which only that file has; None unless it was asked for. `authorities` are the
    rows of AUTHORITY, if a report reads them.
    """

    seq: int
    message: int
    now: Mapping[str, int]
    frozen: str = ""
    kept: int | None = None
    authorities: Sequence[tuple[str | int | None, ...]] = ()


def _columns(relation: str) -> tuple[PublishedColumn, ...]:
    return tuple(
        PublishedColumn(*row)
        for name, *row in cells(
            __file__,
            "published_columns.csv",
            ("relation", "column", "type", "meaning"),
            {
                "relation": ("authority", "event", "kept", "pending"),
                "type": ("BLOB", "INTEGER", "TEXT"),
            },
        )
        if name == relation
    )


def _kinds() -> dict[str, EventKind]:
    meanings: dict[str, str] = {}
    described: dict[str, dict[str, dict[str, str]]] = {"causes": {}, "detail": {}}
    for names, part, name, meaning in cells(
        __file__,
        "event_kinds.csv",
        ("kinds", "part", "name", "meaning"),
        {"part": ("", "causes", "detail")},
    ):
        if not part:
            meanings[names] = meaning
            continue
        for kind in names.split():
            described[part].setdefault(kind, {})[name] = meaning
    causes, details = described["causes"], described["detail"]
    return {
        kind: EventKind(kind, meaning, causes.get(kind, {}), details.get(kind, {}))
        for kind, meaning in meanings.items()
    }


EVENT_COLUMNS, PENDING_COLUMNS = _columns("event"), _columns("pending")
# The data of messages that are gone is long: readers get only the first bytes of each.
KEPT_BYTES = 1000
EVENT = Relation("event", "event", "seq", EVENT_COLUMNS)
PENDING = Relation("pending", "published_message", "id", PENDING_COLUMNS)
AUTHORITY = Relation("authority", "", "", _columns("authority"))
KEPT = Relation("kept", "published_kept", "id", _columns("kept"))
RELATIONS: Mapping[str, Relation] = {
    relation.name: relation for relation in (EVENT, PENDING, KEPT, AUTHORITY)
}
KINDS: Mapping[str, EventKind] = _kinds()


def removed_events(pruned: int) -> str:
    """That the store no longer has events up to this number, in the words of all commands."""
    return f"events up to {pruned} were archived and removed"


def reason_names() -> dict[int, str]:
    """The names of the codes in `reason`, in the history and in a dead-letter header: MQRC, else
    MQFB.
    """
    families = {"MQFB": constants.MQFB, "MQRC": constants.MQRC}
    return {
        int(code): f"{family}_{code.name}" for family, codes in families.items() for code in codes
    }

"""The history: events are appended and never changed.

Events of messages that are still in their table are written by INSERT ... SELECT, so that Python
need not read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.store.sql.cause import Cause
from mqsc.store.sql.objects import to_json
from mqsc.store.sql.results import every_row, first_value
from mqsc.store.sql.rows import EventRow
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries
from mqsc.store.sqlite.statement import ColumnValues, insert_text

SQL = named_statements(__file__)
_APPEND = insert_text("event", EventRow._fields)


def append(tx: Transaction, row: EventRow | Mapping[str, Any]) -> None:
    """Record an event; columns that are not given are NULL. The detail of a mapping may be one,
    too.
    """
    if isinstance(row, EventRow):
        tx.execute(_APPEND, row)
    else:
        row = _with_text(row)
        tx.execute(insert_text("event", tuple(row)), tuple(row.values()))


def append_numbered(tx: Transaction, row: Mapping[str, Any]) -> int:
    """Record an event as `append` does; return its number."""
    columns = _with_text(row)
    return tx.execute(insert_text("event", tuple(columns)), tuple(columns.values())).lastrowid


def append_all(tx: Transaction, rows: Sequence[EventRow | Mapping[str, Any]]) -> None:
    """Record events in order, each as `append` does."""
    tx.execute_for_each(
        _APPEND,
        [row if isinstance(row, EventRow) else EventRow(**_with_text(row)) for row in rows],
    )


def _with_text(row: Mapping[str, Any]) -> Mapping[str, Any]:
    detail = row.get("detail")
    return row if detail is None or isinstance(detail, str) else {**row, "detail": to_json(detail)}


def _record(
    tx: Transaction,
    cause: Cause,
    kind: str,
    why: str | None,
    reason: int | None,
    detail: str | None,
    first: int,
    last: int,
) -> int:
    return tx.execute(SQL["record"], (*cause, kind, why, reason, detail, first, last)).lastrowid


@lru_cache(maxsize=256)
def detail_of(member: str, mark: str = "") -> str | None:
    """Return the detail of an event that a member of a queue-sharing group causes on a shared
    queue, or with a mark.
    """
    if not (member or mark):
        return None
    said = {"member": member, "mark": mark}
    return to_json({name: text for name, text in said.items() if text})


def record_puts(
    tx: Transaction,
    cause: Cause,
    first: int,
    last: int,
    *,
    member: str = "",
    copies: bool = False,
) -> None:
    """Record that the messages with these row numbers were put; `copies`: for a stream queue.

    `member` of a queue-sharing group put them on a shared queue.
    """
    if member or copies:
        _record(
            tx,
            cause,
            "PUT",
            "stream" if copies else None,
            None,
            detail_of(member),
            first,
            last,
        )
    else:
        tx.execute(SQL["record_plainly"], (*cause, "PUT", first, last))


def record_copy(
    tx: Transaction, cause: Cause, id: int, reason: int | None, detail: Mapping[str, object]
) -> None:
    """Record that a message was put as a copy of a publication, with the reason of its dead-letter
    header if it has one.
    """
    text = to_json(detail)
    if reason is None:
        tx.execute(SQL["record_copy"], (*cause, text, id))
    else:
        _record(tx, cause, "PUT", "publication", reason, text, id, id)


class SubscriptionNames(Struct, frozen=True):
    """The subscriptions that copies are for, as the history has them: a JSON list, the first of
    them in JSON, and how many they are.
    """

    listed: str
    first: str
    count: int


def subscription_names(names: Sequence[str]) -> SubscriptionNames:
    """Return names in the form that `record_copies` needs, which can be kept."""
    return SubscriptionNames(json_list([*names]), to_json(names[0]), len(names))


def record_copies(
    tx: Transaction,
    cause: Cause,
    first: int,
    names: SubscriptionNames,
    publication: int,
    member: str = "",
) -> None:
    """Record that messages were put as copies of a publication, from row number `first` on, each
    for one of these subscriptions. `publication` is the number of the PUBLISH, 0 for none; `member`
    is that of a queue-sharing group, or blank.
    """
    opening = f'{{"member": {to_json(member)}, "subscription": ' if member else _OPENING
    closing = _closing(publication)
    if names.count == 1:
        # A list takes three times as long as the rest of the statement.
        tx.execute(SQL["record_copy"], (*cause, f"{opening}{names.first}{closing}", first))
        return
    tx.execute(SQL["record_copies"], (*cause, opening, names.listed, closing, first))


def record_copies_apart(
    tx: Transaction, cause: Cause, first: int, names: SubscriptionNames, publication: int
) -> None:
    """Record the same of messages on different queues of a queue manager, whose names are not
    those of `cause`.
    """
    now, qmgr, _, *by = cause
    values = (now, qmgr, *by, names.listed, _closing(publication), first)
    tx.execute(SQL["record_copies_apart"], values)


_OPENING = '{"subscription": '


def _closing(publication: int) -> str:
    return f', "publication": {publication}}}' if publication else "}"


def record_put_with_detail(
    tx: Transaction,
    cause: Cause,
    id: int,
    reason: int | None,
    detail: Mapping[str, object],
    *,
    copies: bool = False,
) -> int:
    """Record that a message was put, with details, and the reason in its dead-letter header if it
    has one; the number of the event.
    """
    return _record(tx, cause, "PUT", "stream" if copies else None, reason, to_json(detail), id, id)


def record_get(
    tx: Transaction,
    cause: Cause,
    id: int,
    *,
    member: str = "",
    marked: bool = False,
) -> None:
    """Record that a message was got: before it is removed, or after a unit of work has reserved it.

    `marked`: with MQGMO_MARK_SKIP_BACKOUT. `member` of a queue-sharing group got it from a shared
    queue.
    """
    if member or marked:
        _record(
            tx,
            cause,
            "GET",
            None,
            None,
            detail_of(member, "skip backout" if marked else ""),
            id,
            id,
        )
    else:
        tx.execute(SQL["record_plainly"], (*cause, "GET", id, id))


def record_ranges(
    tx: Transaction,
    by: Cause,
    kind: str,
    why: str | None,
    ranges: Iterable[ColumnValues],
    member: str,
) -> None:
    """Record an event of that kind, with the cause `why`, for each of the messages with these
    row numbers, in order.
    """
    tx.execute_for_each(
        SQL["record"],
        [(*by, kind, why, None, detail_of(member), *each) for each in ranges],
    )


# Later than any time, and greater than any number of an event.
_ALWAYS = 1 << 62


def times_moved(
    tx: Queries,
    qmgr: str,
    queue: str,
    msg_id: bytes,
    correl_id: bytes | None,
    target: str | None = None,
    until: int = _ALWAYS,
    last: int = _ALWAYS,
) -> int:
    """Return how often a message with these ids was moved from a queue (REQUEUE, FORWARD); None for
    a zero CorrelId.

    Only moves to `target`, if it is given, at the time `until` or earlier, and up to the event with
    number `last`.
    """
    return first_value(
        int,
        tx.execute(SQL["times_moved"], (qmgr, queue, msg_id, correl_id, target, until, last)),
    )


class RefusalRow(NamedTuple):
    """An event REFUSE; `detail` is JSON."""

    seq: int
    at: int
    cause: str
    user: str
    application: str
    queue: str | None
    connection: int | None
    detail: str | None


def refusals(tx: Queries, qmgr: str, since: int, limit: int) -> list[RefusalRow]:
    """Return up to `limit` refusals of a queue manager since a time, the last first."""
    return every_row(RefusalRow, tx.execute(SQL["refusals"], (qmgr, since, limit)))


def last_number(tx: Queries) -> int:
    """Return the number of the last event that was ever recorded, 0 for none."""
    return first_value(int, tx.execute(SQL["last_number"], ()))


def bound(tx: Queries) -> Any:
    """Return the numbers of the store's last event and last message, 0 for none."""
    return tx.execute(SQL["bound"], ()).fetchone()


class LastGet(NamedTuple):
    """Who had got a message, in which unit of work, and the number of that event."""

    application: str
    user: str
    unit: int
    detail: str | None
    seq: int


def _last_gets(
    tx: Queries,
    qmgr: str,
    queue: str,
    listed: list[str],
    first: int,
    last: int,
) -> list[Any]:
    return tx.execute(SQL["last_gets"], (qmgr, queue, json_list(listed), first, last)).fetchall()


def last_gets(
    tx: Queries,
    qmgr: str,
    queue: str,
    msg_ids: Iterable[bytes],
    first: int,
    last: int,
) -> dict[bytes, LastGet]:
    """Return the last gets in units of work of messages of a queue, by MsgId, among the events
    with these numbers.
    """
    found = _last_gets(tx, qmgr, queue, [each.hex().upper() for each in msg_ids], first, last)
    return {msg_id: LastGet._make(rest) for msg_id, *rest in found}


def _backouts(tx: Queries, units: list[int], after: int) -> list[Any]:
    return tx.execute(SQL["backouts"], (json_list(units), after)).fetchall()


def backouts(tx: Queries, units: Iterable[int], after: int) -> dict[int, tuple[int, str, str]]:
    """Return (time, cause, detail) of the backouts of these units of work, by unit, after the
    event of that number.
    """
    return {
        unit: (at, cause, detail) for unit, at, cause, detail in _backouts(tx, list(units), after)
    }

"""The published relations of a store, in a file with rows that a test provides."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from mqsc.store.published import EVENT, KEPT, KEPT_BYTES, KINDS, PENDING, Relation

Row = Mapping[str, Any]
# 2023-11-14 22:00:00 UTC, a full hour. Times of events are seconds after this.
HOUR = 1_699_999_200
SECOND = 1_000_000


def at(seconds: float) -> int:
    """Return microseconds UTC for a time in seconds after HOUR."""
    return HOUR * SECOND + round(seconds * SECOND)


def event(kind: str, queue: str | None = "Q", when: float = 0, **columns: Any) -> Row:
    """Return an event as the store writes it; KeyError or AssertionError for a kind or cause
    that it never writes.
    """
    causes = KINDS[kind].causes
    assert columns.get("cause") is None or columns["cause"] in causes, columns["cause"]
    return {"at": at(when), "qmgr": "QM1", "kind": kind, "queue": queue, "length": 10, **columns}


def message_id(number: int) -> bytes:
    return number.to_bytes(24, "big")


def put(number: int = 1, when: float = 0, queue: str = "Q", **columns: Any) -> Row:
    return event(
        "PUT",
        queue,
        when,
        **{"msg_id": message_id(number), "put_at": at(when), **columns},
    )


def got(
    number: int = 1,
    when: float = 0,
    queue: str = "Q",
    *,
    after: float = 0,
    **columns: Any,
) -> Row:
    return event(
        "GET",
        queue,
        when,
        **{"msg_id": message_id(number), "put_at": at(when - after), **columns},
    )


def back(
    unit: int,
    when: float = 0,
    *,
    skips: int | None = None,
    into: int = 0,
    **detail: Any,
) -> Row:
    """Return the backout of a unit of work, which the message `skips` skipped into another unit."""
    told = (
        {}
        if skips is None
        else {"skipped message": {"msg_id": message_id(skips).hex(), "unit": into}}
    )
    return event(
        "BACKOUT",
        None,
        when,
        cause="application",
        unit=unit,
        detail=json.dumps({**detail, **told}),
    )


def count(kind: str, number: int, when: float = 0, **columns: Any) -> Row:
    """Return a CLEAR or MOVE of `number` messages, of which `got` were got in units of work."""
    detail = {"messages": number, **({"got": columns.pop("got")} if "got" in columns else {})}
    return event(kind, "Q", when, **{"detail": json.dumps(detail), **columns})


def outside(row: Row) -> Row:
    """Return the event as one outside the selected period or queues."""
    return {**row, "chosen": False}


def expire(
    queue: str = "Q",
    when: float = 0,
    *,
    lived: float = 10,
    late: float = 0,
    **columns: Any,
) -> Row:
    """Return the discard of a message `when`, `lived` seconds after its put and `late` seconds
    after its expiry.
    """
    moments = {"put_at": at(when - lived), "expires_at": at(when - late)}
    return event(
        "EXPIRE",
        queue,
        when,
        **{"cause": "get", "put_application": "billing", **moments, **columns},
    )


def message(queue: str = "Q", *, expires: float | None = None, **columns: Any) -> Row:
    """Return a message on a queue, put at HOUR."""
    moments = {"put_at": at(0), "expires_at": None if expires is None else at(expires)}
    plain = {"qmgr": "QM1", "priority": 0, "persistence": 0, "length": 10, "state": "AVAILABLE"}
    return {**plain, "queue": queue, "msg_id": bytes(24), **moments, **columns}


def kept(data: bytes | None, number: int = 1, when: float = 0, **columns: Any) -> Row:
    """Return what is kept of a message put then, as the store publishes it: the beginning; None
    is masked.
    """
    size, body = (None, None) if data is None else (len(data), data[:KEPT_BYTES])
    message = {"qmgr": "QM1", "queue": "Q", "msg_id": message_id(number), "put_at": at(when)}
    return {**message, "size": size, "body": body, **columns}


def write_history(
    path: Path,
    events: Iterable[Row] = (),
    messages: Iterable[Row] = (),
    kept: Iterable[Row] = (),
) -> Path:
    """Write the relations to a new file in WAL mode, with keys from 1 where rows have none;
    return the path.
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        fill(connection, events, messages, kept)
    return path


def fill(
    connection: sqlite3.Connection,
    events: Iterable[Row],
    messages: Iterable[Row],
    kept: Iterable[Row] = (),
) -> None:
    for relation, rows in ((EVENT, events), (PENDING, messages), (KEPT, kept)):
        connection.execute(_create(relation))
        for row in rows:
            names, values = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
            connection.execute(
                f"INSERT INTO {relation.table} ({names}) VALUES ({values})",
                list(row.values()),
            )
    connection.commit()


def _create(relation: Relation) -> str:
    columns = [f'"{column.name}" {column.type}' for column in relation.columns]
    columns[0] += " PRIMARY KEY"
    return f"CREATE TABLE {relation.table} ({', '.join(columns)})"

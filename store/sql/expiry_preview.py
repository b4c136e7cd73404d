"""Counts the expired messages of a queue without discarding them."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.clauses import (
    ASKS_FOR_EXPIRY_REPORT,
    COUNTS_TOWARDS_DEPTH,
    EXPIRED,
    EXPIRES_LATER,
    NOT_EXPIRED,
    OF_QUEUE,
    ONE,
    READY,
    UNLOCKED,
    ZERO,
)
from store.sql.tables import message
from store.sqlite.database import Queries
from store.sqlite.expressions import and_, bindparam, func, or_, select
from store.sqlite.statement import Statement

_m = message.c
_ON_QUEUE = OF_QUEUE & COUNTS_TOWARDS_DEPTH
_SCANNABLE = READY & UNLOCKED

_COUNTS = Statement(
    select(
        func.count(),
        func.coalesce(func.sum(_SCANNABLE), ZERO),
        func.coalesce(func.sum(_SCANNABLE & ASKS_FOR_EXPIRY_REPORT), ZERO),
        func.min(_m.expires_at),
        func.coalesce(func.sum(_m.length), ZERO),
    ).where(_ON_QUEUE, EXPIRED)
)
_FIRST_LIVE = Statement(
    select(_m.rank, _m.sequence)
    .where(_ON_QUEUE, _SCANNABLE, NOT_EXPIRED)
    .order_by(_m.rank.desc(), _m.sequence)
    .limit(ONE)
)
_COUNT_BEFORE = Statement(
    select(func.count()).where(
        _ON_QUEUE,
        _SCANNABLE,
        or_(
            _m.rank > bindparam("rank"),
            and_(_m.rank == bindparam("rank"), _m.sequence < bindparam("sequence")),
        ),
    )
)
_NEXT = Statement(
    select(_m.expires_at, func.count())
    .where(_ON_QUEUE, EXPIRES_LATER)
    .group_by(_m.expires_at)
    .order_by(_m.expires_at)
    .limit(bindparam("limit"))
)
_PUTTERS = Statement(
    select(_m.put_appl_name, _m.user_identifier, func.count(), func.min(_m.expires_at))
    .where(_ON_QUEUE, EXPIRED)
    .group_by(_m.put_appl_name, _m.user_identifier)
    .order_by(func.count().desc(), _m.put_appl_name, _m.user_identifier)
)


class ExpiredCounts(NamedTuple):
    """The expired messages of a queue: all, those that a scan would discard, and those of them that ask for a report.

    `since` is when the first of them expired, `length` the bytes of their data.
    """

    expired: int
    scannable: int
    reporting: int
    since: int | None
    length: int


def expired_counts(reading: Queries, queue: int, now: int) -> ExpiredCounts:
    return ExpiredCounts._make(reading.one(_COUNTS, {"queue": queue, "now": now}))


def count_before_first_live(reading: Queries, queue: int, now: int) -> int | None:
    """Return how many expired messages precede the first live one, or None when there is no live one."""
    live = reading.one(_FIRST_LIVE, {"queue": queue, "now": now})
    if live is None:
        return None
    return int(reading.value(_COUNT_BEFORE, {"queue": queue, "rank": live[0], "sequence": live[1]}))


def next_expiries(reading: Queries, queue: int, now: int, limit: int) -> list[tuple[int, int]]:
    """Return the next moments at which messages expire, each with the number of messages."""
    return reading.all(_NEXT, {"queue": queue, "now": now, "limit": limit})


def putters(reading: Queries, queue: int, now: int) -> list[tuple[str, str, int, int]]:
    """Return (application, user, messages, first expiry) of those who put expired messages, most messages first."""
    return reading.all(_PUTTERS, {"queue": queue, "now": now})

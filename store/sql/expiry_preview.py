"""What is past its expiry on a queue, without touching it."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, func, literal_column, or_, select

from store.sql.schema import message
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

_m = message.c
_READY: ColumnElement[bool] = literal_column("state = 0")
# What a unit of work has got is off the queue until it is backed out, as CURDEPTH has it (X7).
_ON_QUEUE = (_m.queue == bindparam("queue")) & literal_column("state <> 2")
_PAST = _m.expires_at.is_not(None) & (_m.expires_at <= bindparam("now"))
_UNLOCKED = _m.locked_by.is_(None)
_REPORT: ColumnElement[int] = literal_column(str(0x00200000))
_NONE: ColumnElement[int] = literal_column("0")

_COUNTS = Statement(
    select(
        func.count(),
        func.coalesce(func.sum(_READY & _UNLOCKED), _NONE),
        func.coalesce(func.sum(_READY & _UNLOCKED & (_m.report.op("&")(_REPORT) != _NONE)), _NONE),
        func.min(_m.expires_at),
        func.coalesce(func.sum(_m.length), _NONE),
    ).where(_ON_QUEUE, _PAST)
)
_FIRST_LIVE = Statement(
    select(_m.rank, _m.sequence)
    .where(_ON_QUEUE, _READY, _UNLOCKED, or_(_m.expires_at.is_(None), _m.expires_at > bindparam("now")))
    .order_by(_m.rank.desc(), _m.sequence)
    .limit(literal_column("1"))
)
_IN_FRONT = Statement(
    select(func.count()).where(
        _ON_QUEUE,
        _READY,
        _UNLOCKED,
        or_(
            _m.rank > bindparam("rank"),
            and_(_m.rank == bindparam("rank"), _m.sequence < bindparam("sequence")),
        ),
    )
)
_NEXT = Statement(
    select(_m.expires_at, func.count())
    .where(_ON_QUEUE, _m.expires_at > bindparam("now"))
    .group_by(_m.expires_at)
    .order_by(_m.expires_at)
    .limit(bindparam("limit"))
)
_PUTTERS = Statement(
    select(_m.put_appl_name, _m.user_identifier, func.count(), func.min(_m.expires_at))
    .where(_ON_QUEUE, _PAST)
    .group_by(_m.put_appl_name, _m.user_identifier)
    .order_by(func.count().desc(), _m.put_appl_name, _m.user_identifier)
)


class PastExpiry(NamedTuple):
    """Messages of a queue past their expiry: all, those a scan would take, those of them that asked for a report."""

    expired: int
    scannable: int
    reporting: int
    since: int | None
    length: int


def past_expiry(reading: Reading, queue: int, now: int) -> PastExpiry:
    """The counts; `since` is when the first of them expired, `length` their bytes of data."""
    return PastExpiry._make(reading.one(_COUNTS, {"queue": queue, "now": now}))


def in_front_of_first_live(reading: Reading, queue: int, now: int) -> int | None:
    """How many expired messages stand before the first live one, or None when there is no live one."""
    live = reading.one(_FIRST_LIVE, {"queue": queue, "now": now})
    if live is None:
        return None
    return int(reading.value(_IN_FRONT, {"queue": queue, "rank": live[0], "sequence": live[1]}))


def next_expiries(reading: Reading, queue: int, now: int, limit: int) -> list[tuple[int, int]]:
    """(moment, messages) of the next moments at which messages expire."""
    return reading.all(_NEXT, {"queue": queue, "now": now, "limit": limit})


def putters(reading: Reading, queue: int, now: int) -> list[tuple[str, str, int, int]]:
    """(application, user, messages, first expiry) of who put the messages past their expiry, most messages first."""
    return reading.all(_PUTTERS, {"queue": queue, "now": now})

"""Which events and messages a report is about: a period, queue managers and queues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from reports.fault import ReportError
from store.published import Bound

if TYPE_CHECKING:
    from pyspark.sql import Column

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EXAMPLE = "2024-05-31, 2024-05-31T18:00 or 2024-05-31T18:00:00+02:00 (UTC where no offset stands)"


@dataclass(frozen=True, slots=True)
class Selection:
    """Events from `since` up to, not including, `until` (microseconds UTC; None is open), of queues and queue managers.

    A queue name that ends with * is generic. No names at all means every one. The period is about events alone:
    a message still on a queue is there now, whenever it was put.
    """

    since: int | None = None
    until: int | None = None
    qmgrs: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()


def select(
    since: str | None = None, until: str | None = None, qmgrs: Sequence[str] = (), queues: Sequence[str] = ()
) -> Selection:
    """The selection that the options describe; ReportError for a moment that cannot be read or an empty period."""
    first, last = _moment("since", since), _moment("until", until)
    if first is not None and last is not None and first >= last:
        raise ReportError(f"since {since} is not before until {until}, so no event can lie between them")
    for queue in queues:
        if not queue or "*" in queue[:-1]:
            raise ReportError(f"{queue!r} is not a queue name; only its last character may be *, as in 'APP.*'")
    return Selection(first, last, tuple(qmgrs), tuple(queues))


def _moment(option: str, text: str | None) -> int | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise ReportError(f"{option} {text!r} is not a moment; write it as {EXAMPLE}") from error
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH) // MICROSECOND


def condition(selection: Selection, relation: str, queue: str = "queue") -> Column | None:
    """The rows of the relation that were selected, as a Spark condition; None when that is all of them.

    `queue` is the Spark SQL of what the names of queues are compared with.
    """
    from pyspark.sql import functions as F

    period = (selection.since, selection.until) if relation == "event" else (None, None)
    wanted = [
        None if period[0] is None else F.col("at") >= period[0],
        None if period[1] is None else F.col("at") < period[1],
        F.col("qmgr").isin(*selection.qmgrs) if selection.qmgrs else None,
        reduce(or_, (_named(F.expr(queue), name) for name in selection.queues)) if selection.queues else None,
    ]
    return reduce(lambda left, right: left & right, parts) if (parts := [x for x in wanted if x is not None]) else None


def told(selection: Selection, store: str, bound: Bound) -> list[str]:
    """What was selected, of which store, up to where and when, in sentences."""
    limits = (
        ("events since", [_written(selection.since)] if selection.since is not None else []),
        ("events before", [_written(selection.until)] if selection.until is not None else []),
        ("queue managers", selection.qmgrs),
        ("queues", selection.queues),
    )
    only = "; ".join(f"{word} {', '.join(names)}" for word, names in limits if names)
    clocks = [f"{name} {_written(at)}" for name, at in bound.now.items() if name in (selection.qmgrs or bound.now)]
    return [
        f"From {store} up to event {bound.seq}; {f'only {only}' if only else 'nothing was left out'}.",
        f"Clocks of the queue managers then (UTC): {', '.join(clocks) or 'none'}.",
    ]


def _written(moment: int) -> str:
    return (EPOCH + moment * MICROSECOND).isoformat(" ", "seconds").replace("+00:00", "Z")


def _named(queue: Column, name: str) -> Column:
    return queue.startswith(name[:-1]) if name.endswith("*") else queue == name

"""The events and messages of a report: by period, queue manager and queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING

from mqsc.reports.errors import ReportError
from mqsc.reports.times import EPOCH, MICROSECOND, iso, minutes
from mqsc.store.published import Bound

if TYPE_CHECKING:
    from pyspark.sql import Column


EXAMPLE = "2024-05-31, 2024-05-31T18:00 or 2024-05-31T18:00:00+02:00 (UTC without an offset)"


@dataclass(frozen=True, slots=True)
class ReportSelection:
    """Events from `since` up to, but not including, `until` (microseconds UTC; None is open), and
    names.

    A queue name that ends with * is generic. An empty tuple selects all. The period selects only
    events: messages still on a queue are selected whenever they were put.
    """

    since: int | None = None
    until: int | None = None
    qmgrs: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()


EVERYTHING = ReportSelection()


def select(
    since: str | int | None = None,
    until: str | int | None = None,
    qmgrs: Sequence[str] = (),
    queues: Sequence[str] = (),
) -> ReportSelection:
    """The selection for these options. Raises ReportError for a bad time or queue name, or an
    empty period.
    """
    first, last = _moment("since", since), _moment("until", until)
    if first is not None and last is not None and first >= last:
        raise ReportError(
            f"since {_moment_text(since)} is not before until {_moment_text(until)}, "
            "so no event can be between them",
        )
    for queue in queues:
        if not queue or "*" in queue[:-1]:
            raise ReportError(
                f"{queue!r} is not a queue name; only its last character may be *, as in 'APP.*'",
            )
    return ReportSelection(first, last, tuple(qmgrs), tuple(queues))


def _moment_text(moment: str | int | None) -> str:
    return iso(moment) if isinstance(moment, int) else str(moment)


def _moment(option: str, text: str | int | None) -> int | None:
    if text is None or isinstance(text, int):
        return text
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise ReportError(f"{option} {text!r} is not a moment; write it as {EXAMPLE}") from error
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH) // MICROSECOND


def condition(selection: ReportSelection, relation: str, queue: str = "queue") -> Column | None:
    """The selection as a Spark condition on rows of the relation; None if it selects all.

    `queue` is the Spark SQL that the queue names are compared with.
    """
    from pyspark.sql import functions as F

    wanted = []
    if relation == "event" and selection.since is not None:
        wanted.append(F.col("at") >= selection.since)
    if relation == "event" and selection.until is not None:
        wanted.append(F.col("at") < selection.until)
    if selection.qmgrs:
        wanted.append(F.col("qmgr").isin(*selection.qmgrs))
    if selection.queues:
        wanted.append(reduce(or_, (_named(F.expr(queue), name) for name in selection.queues)))
    return reduce(and_, wanted) if wanted else None


def description(
    selection: ReportSelection,
    store: str,
    bound: Bound,
    removed: int = 0,
) -> list[str]:
    """Sentences that name the store, the last event, the selection and the clocks; events up to
    `removed` are missing.
    """
    limits = (
        ("events since", [_written(selection.since)] if selection.since is not None else []),
        ("events before", [_written(selection.until)] if selection.until is not None else []),
        ("queue managers", selection.qmgrs),
        ("queues", selection.queues),
    )
    only = "; ".join(f"{word} {', '.join(names)}" for word, names in limits if names)
    clocks = [
        f"{name} {_written(at)}"
        for name, at in bound.now.items()
        if name in (selection.qmgrs or bound.now)
    ]
    without = f", without those up to {removed} that are archived and removed" if removed else ""
    return [
        f"From {store} up to event {bound.seq}{without}; "
        f"{f'only {only}' if only else 'everything selected'}.",
        f"Clocks of the queue managers at that time (UTC): {', '.join(clocks) or 'none'}.",
    ]


def span(selection: ReportSelection, now: int | None, removed: int = 0) -> str:
    """The period in words, up to `now` if it has no end; events up to `removed` are missing."""
    until = selection.until if selection.until is not None else now
    kept = f"from event {removed + 1} (events before are archived and removed)" if removed else ""
    if selection.since is None:
        since = kept or "the whole history"
        return since if until is None else f"{since} to {minutes(until)} UTC"
    begin = minutes(selection.since)
    period = f"since {begin} UTC" if until is None else f"{begin} to {minutes(until)} UTC"
    return f"{period}, {kept}" if kept else period


def _written(moment: int) -> str:
    """A time as it is shown to people."""
    return iso(moment, " ", "seconds")


def _named(queue: Column, name: str) -> Column:
    return queue.startswith(name[:-1]) if name.endswith("*") else queue == name

"""How much of the history reports read: the selected period, the one before it to compare with, or
everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mqsc.reports.declaration import Report
from mqsc.reports.errors import ReportFailedError
from mqsc.reports.looking_back import related
from mqsc.reports.page import overview
from mqsc.reports.progress import Progress, silent
from mqsc.reports.selection import EVERYTHING, ReportSelection
from mqsc.reports.sources import Sources, faults


def look_back(reports: Sequence[Report]) -> bool:
    """Whether one of the reports needs earlier events, to relate those of the period to them."""
    return any(reads.chosen_by is not None for report in reports for reads in report.reads.values())


def period_before(selection: ReportSelection, read: Sources) -> ReportSelection | None:
    """The period of the same length before the selected one; None if none is selected."""
    period = overview.compared(selection.since, selection.until, latest_time(read))
    if period is None or not period.is_selected:
        return None
    return replace(selection, since=period.start, until=period.middle)


def latest_time(read: Sources) -> int | None:
    """The latest time of the queue managers' clocks; None if only archives are read."""
    return max(read.bound.now.values(), default=None)


def is_of_everything(selection: ReportSelection, read: Sources) -> bool:
    """Whether no period is selected, and the messages now on the queues of every store are
    known.
    """
    no_period = selection.since is None and selection.until is None
    return (
        no_period
        and read.path is not None
        and all(archive.store == read.live for archive in read.archives)
    )


def opened_period(
    reports: Sequence[Report],
    read: Sources,
    selection: ReportSelection,
    *,
    is_compared: bool,
) -> ReportSelection:
    """The period whose files these reports open; `is_compared` says whether the period before is
    shown beside the selected one.
    """
    if look_back(reports):
        return EVERYTHING
    before = period_before(selection, read) if is_compared else None
    return selection if before is None else replace(selection, since=before.since)


def without_unneeded_days(
    read: Sources,
    reports: Sequence[Report],
    selection: ReportSelection,
    progress: Progress = silent,
    *,
    is_compared: bool,
) -> Sources:
    """The sources with only those events of earlier days that these reports need."""
    if not read.archives or selection.since is None or not look_back(reports):
        return read
    progress("looking for what the period needs of earlier days")
    before = period_before(selection, read) if is_compared else None
    since = selection.since if before is None or before.since is None else before.since
    return related(read, since)


def require_whole(read: Sources, reports: Sequence[Report], selection: ReportSelection) -> None:
    """Check the archived files that these reports read, because Spark would read an incomplete one
    as empty.

    ReportFailedError if one is missing or has another size.
    """
    wrong = faults(read, EVERYTHING if look_back(reports) else selection)
    if wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise ReportFailedError(f"{wrong[0]}{more}; mqsc archive verify checks the whole archive")

"""The frames that the tables of a report are built from: rows as they are read, or what a report gathers from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from pyspark.sql import DataFrame

from mqsc.reports.declaration import Report

Load = Callable[[str], "DataFrame"]
# A function that gets the gathered rows of a read.
Keep = Callable[["DataFrame"], "DataFrame"]


def frames(
    report: Report,
    load: Load,
    keep: Keep,
    gathered: dict[object, DataFrame],
    *,
    loads_once: bool = False,
) -> Load:
    """The frame of each read, by its name. `load` has the rows; what is gathered goes to `keep`.

    A read is gathered when its frame is first asked for, after those beside it, unless `gathered`
    has the same one of another report. With `loads_once`, that also has the rows that several reads
    have alike.
    """

    def rows_of(name: str) -> DataFrame:
        if not loads_once:
            return load(name)
        key = _rows_key(report, name)
        if key not in gathered:
            gathered[key] = load(name)
        return gathered[key]

    def frame_for(name: str) -> DataFrame:
        key, reads = origin(report, name), report.reads[name]
        if key in gathered:
            return gathered[key]
        if reads.gather is None:
            return rows_of(name)
        beside = [frame_for(other) for other in reads.beside]
        # It is there before it is kept, so that it is freed after Ctrl-C, too.
        gathered[key] = reads.gather(rows_of(name), *beside)
        gathered[key] = keep(gathered[key])
        return gathered[key]

    return frame_for


@contextmanager
def releasing(
    gathered: Iterable[dict[object, DataFrame]],
    later: Sequence[Report],
) -> Iterator[None]:
    """Free at the end of the block what none of these reports is built from; after an error,
    everything.
    """
    wanted: set[object] = set()
    try:
        yield
        wanted = {
            key(report, name)
            for report in later
            for name in report.reads
            for key in (origin, _rows_key)
        }
    finally:
        for each in gathered:
            for key in each.keys() - wanted:
                each.pop(key).unpersist()


def origin(report: Report, name: str) -> tuple[object, ...]:
    """What the frame of a read is made from."""
    reads = report.reads[name]
    return (reads, *(origin(report, beside) for beside in reads.beside))


def _rows_key(report: Report, name: str) -> tuple[object, ...]:
    """The same of its rows, before they are gathered."""
    return (report.reads[name]._replace(gather=None, beside=()),)

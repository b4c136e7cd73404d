"""The frames that the tables of a report are built from: rows as they are read, or what a report gathers from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from pyspark.sql import DataFrame

from mqsc.reports.declaration import Report, Table

Load = Callable[[str], "DataFrame"]
# A function that gets the gathered rows of a read.
Keep = Callable[["DataFrame"], "DataFrame"]


def frames(
    report: Report,
    tables: Sequence[Table],
    load: Load,
    keep: Keep,
    gathered: dict[object, DataFrame],
) -> Load:
    """The frame of each read that these tables need, by its name. `load` has the rows; what is
    gathered goes to `keep`.

    Reads are gathered in the order of their declaration, unless `gathered` has the same ones of
    another report.
    """

    def frame_for(name: str) -> DataFrame:
        key = _origin(report, name)
        return gathered[key] if key in gathered else load(name)

    needed = _needed(report, {name for table in tables for name in table.reads})
    for name, reads in report.reads.items():
        key = _origin(report, name)
        if reads.gather and name in needed and key not in gathered:
            # It is there before it is kept, so that it is freed after Ctrl-C, too.
            gathered[key] = reads.gather(load(name), *map(frame_for, reads.beside))
            gathered[key] = keep(gathered[key])
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
        wanted = {_origin(report, name) for report in later for name in report.reads}
    finally:
        for each in gathered:
            for key in each.keys() - wanted:
                each.pop(key).unpersist()


def _origin(report: Report, name: str) -> tuple[object, ...]:
    """What the frame of a read is made from."""
    reads = report.reads[name]
    return (reads, *(_origin(report, beside) for beside in reads.beside))


def _needed(report: Report, names: set[str]) -> set[str]:
    """The reads with these names, and those that are gathered beside them."""
    beside = {other for name in names for other in report.reads[name].beside}
    return names if beside <= names else _needed(report, names | beside)

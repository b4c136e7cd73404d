"""The frames that the tables of a report are built from: rows as they are read, or what a report gathers from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reports.declaration import Report, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Load = Callable[[str], "DataFrame"]
# Is given what a read gathers, and whether other reads are related to it.
Keep = Callable[["DataFrame", bool], "DataFrame"]


def frames(report: Report, tables: Sequence[Table], load: Load, keep: Keep) -> Load:
    """The frame of each read that these tables need, by its name. `load` has the rows; what is gathered goes to `keep`.

    Reads are gathered in the order of their declaration.
    """
    gathered: dict[str, DataFrame] = {}

    def frame_for(name: str) -> DataFrame:
        return gathered[name] if name in gathered else load(name)

    needed = _needed(report, {name for table in tables for name in table.reads})
    related = {beside for name in needed for beside in report.reads[name].beside}
    for name, reads in report.reads.items():
        if reads.gather and name in needed:
            gathered[name] = keep(reads.gather(load(name), *map(frame_for, reads.beside)), name in related)
    return frame_for


def _needed(report: Report, names: set[str]) -> set[str]:
    """The reads with these names, and those that are gathered beside them."""
    beside = {other for name in names for other in report.reads[name].beside}
    return names if beside <= names else _needed(report, names | beside)

"""Minimum, median, 95th percentile and maximum of times: the same of the same events, in whatever
order and however many files they are read.

The times of a group are listed in two steps: of each block of the history, and then of all of
them. Of up to MOST times the percentiles are exact, and interpolated between neighbours. Of more,
only about MOST are used, at equal distances in the sorted list of each block, so that a group of
any size fits in memory. Minimum and maximum are always exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.declaration import SECONDS, ReportColumn
from mqsc.reports.expressions import grouped

MOST = 100_000
_SHARES = (0.5, 0.95)


def listed(value: str) -> str:
    """SQL for the sorted list of a group's microseconds, without NULLs. A group has one block."""
    return f"sort_array(collect_list(CAST({value} AS BIGINT)))"


def summed(blocks: DataFrame, by: str, *sums: str, lists: Sequence[str]) -> DataFrame:
    """One row per group of equal values in the columns `by`: the sums of the columns `sums`, and
    what `span` makes its columns of in place of the `lists`.

    There may be several rows of a group in each `block`.
    """
    thin = thinned(blocks, by, lists)
    together = grouped(
        thin,
        by,
        *(f"sum({name}) AS {name}" for name in sums),
        *(f"{merged(name)} AS {name}" for name in lists),
    )
    return summarised(together, lists)


def thinned(blocks: DataFrame, by: str, lists: Sequence[str]) -> DataFrame:
    """The rows with the least and the greatest value of each list, and the values to `merge` from
    it: all of them, or some of a group with more than MOST.
    """
    of_group = f"PARTITION BY {', '.join(by.split())}"
    for name in lists:
        # Equal lists are in each other's place.
        earlier = (
            f"{of_group} ORDER BY block, {name} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
        )
        size = f"coalesce(array_size({name}), 0)"
        counted = blocks.selectExpr(
            "*",
            f"ceil(sum({size}) OVER ({of_group}) / {MOST}) AS step",
            f"coalesce(sum({size}) OVER ({earlier}), 0) AS before",
        )
        chosen = f"filter({name}, (value, place) -> (before + place) % step = step DIV 2)"
        kept = f"IF(step <= 1, {name}, {chosen})"
        parts = f"get({name}, 0) AS least, try_element_at({name}, -1) AS most, {kept} AS kept"
        blocks = counted.selectExpr(
            f"* EXCEPT ({name}, step, before)", f"struct({parts}) AS {name}"
        )
    return blocks


def merged(name: str) -> str:
    """SQL for the times of a group from the thinned lists in a column."""
    return (
        f"struct(min({name}.least) AS least, max({name}.most) AS most, "
        f"sort_array(flatten(collect_list({name}.kept))) AS kept)"
    )


def summarised(frame: DataFrame, lists: Sequence[str]) -> DataFrame:
    """The frame with each of the merged lists replaced by what `span` makes its columns of; NULL if
    it has no values.
    """
    return frame.withColumns({name: F.expr(_summary(name)) for name in lists})


def span(name: str, values: str, meaning: str) -> tuple[ReportColumn, ...]:
    """Columns for the minimum, median, 95th percentile and maximum of a summarised list, in
    seconds; NULL if none.
    """
    words = {
        "min": "minimum",
        "median": f"median; about, of more than {MOST:,} values",
        "p95": f"95th percentile; about, of more than {MOST:,} values",
        "max": "maximum",
    }
    return tuple(
        ReportColumn(
            f"{name}_{end}",
            SECONDS,
            f"get({values}, {place}) / 1e6",
            f"{meaning}, seconds: {word}.",
        )
        for place, (end, word) in enumerate(words.items())
    )


def _summary(name: str) -> str:
    percentiles = ", ".join(_percentile(f"{name}.kept", share) for share in _SHARES)
    return f"IF({name}.least IS NULL, NULL, array({name}.least, {percentiles}, {name}.most))"


def _percentile(values: str, share: float) -> str:
    place = f"({share!r}D * (array_size({values}) - 1))"
    below, above = (f"get({values}, CAST({side}({place}) AS INT))" for side in ("floor", "ceil"))
    return f"{below} + ({above} - {below}) * ({place} - floor({place}))"

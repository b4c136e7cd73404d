"""Minimum, median, 95th percentile and maximum of times, from mergeable KLL sketches (Apache
DataSketches, in Spark).

A sketch has a bounded size, however many values it has seen. Of up to EXACT values the
percentiles are exact and interpolated between neighbours. Of more values each is one of them, and
its rank is wrong by at most RANK_ERROR of their number, with a probability of 99 percent; of up
to SIZE values there is no error. Minimum and maximum are exact.
"""

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.declaration import SECONDS, ReportColumn

SIZE = 1024
EXACT = 256
# Of a sketch of this size, as DataSketches computes it.
RANK_ERROR = 0.0025
_SHARES = (0.5, 0.95)
# Ranks in the middle of EXACT equal parts reach each of up to EXACT values; then those of many
# values.
_NUMBERS = (*((part + 0.5) / EXACT for part in range(EXACT)), *_SHARES, 0.0, 1.0)
# In one text, as Spark would plan each of so many numbers by itself.
_RANKS = f"CAST(split('{' '.join(map(repr, _NUMBERS))}', ' ') AS ARRAY<DOUBLE>)"
_MINIMUM, _MAXIMUM = EXACT + len(_SHARES), EXACT + len(_SHARES) + 1


def sketch(value: str) -> str:
    """SQL for the sketch of a group's microseconds, without NULLs."""
    return f"kll_sketch_agg_bigint(CAST({value} AS BIGINT), {SIZE})"


def merged(sketches: str) -> str:
    """SQL for the sketch of the values of a group's sketches."""
    return f"kll_merge_agg_bigint({sketches}, {SIZE})"


def summarised(frame: DataFrame, *sketches: str) -> DataFrame:
    """The frame with each of the sketches replaced by what `span` makes its columns of; NULL if
    it has no values.
    """
    return frame.withColumns({name: F.expr(_summary(name)) for name in sketches})


def span(name: str, values: str, meaning: str) -> tuple[ReportColumn, ...]:
    """Columns for the minimum, median, 95th percentile and maximum of a summarised sketch, in
    seconds; NULL if none.
    """
    words = {"min": "minimum", "median": "median", "p95": "95th percentile", "max": "maximum"}
    return tuple(
        ReportColumn(
            f"{name}_{end}",
            SECONDS,
            f"get({values}, {place}) / 1e6",
            f"{meaning}, seconds: {word}.",
        )
        for place, (end, word) in enumerate(words.items())
    )


def _summary(sketch: str) -> str:
    values = ", ".join(
        (f"get(a.ranks, {_MINIMUM})", *map(_percentile, _SHARES), f"get(a.ranks, {_MAXIMUM})"),
    )
    number = f"kll_sketch_get_n_bigint({sketch})"
    ranks = f"kll_sketch_get_quantile_bigint({sketch}, {_RANKS})"
    # The function of an array of one reads the sketch only once.
    read = f"array(struct({number} AS number, {ranks} AS ranks))"
    return f"IF({number} > 0, get(transform({read}, a -> array({values})), 0), NULL)"


def _percentile(share: float) -> str:
    place = f"({share!r}D * (a.number - 1))"
    below, above = (
        f"get(a.ranks, CAST((2 * CAST({side}({place}) AS BIGINT) + 1) * {EXACT} DIV (2 * a.number) "
        "AS INT))"
        for side in ("floor", "ceil")
    )
    exact = f"{below} + ({above} - {below}) * ({place} - floor({place}))"
    return f"IF(a.number <= {EXACT}, {exact}, get(a.ranks, {EXACT + _SHARES.index(share)}))"

"""Sums that must be equal in the tables of a report, whatever the history contains: the report
checks itself by them.

An identity is written as people read it, with sums of columns of the report's tables:

    arrivals.messages = outcomes.messages + left.messages

The column `*` counts rows, `distinct table.column` counts the different values of a column. A value
that is empty is not known, and adds nothing. The sides are compared for every group of the same
values in the columns of `by`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.reports.declaration import Identity, Report, Table
from mqsc.reports.times import iso, plain

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame


_TERM = re.compile(r"([-+]?) ?(distinct )?(\w+)\.(\w+|\*)|0")
ROWS = "*"
Key = tuple[Any, ...]
Sums = Mapping[Key, int]


class Term(NamedTuple):
    """A sum with its sign, on the left of an identity minus the right."""

    sign: int
    table: str
    column: str
    is_distinct: bool = False


class Broken(NamedTuple):
    """An identity that does not hold: for how many groups, and one of them with the difference
    of the sides.
    """

    report: str
    says: str
    groups: int
    example: str
    difference: int

    def __str__(self) -> str:
        groups = f"{self.groups} groups of rows" if self.groups > 1 else "one group of rows"
        return (
            f"{self.report} does not add up: {self.says} does not hold for {groups}, such as "
            f"{self.example} "
            f"(difference {self.difference:+})"
        )


def terms_of(says: str) -> list[Term]:
    """The terms of an identity. ValueError if it is not well-formed."""
    left, is_equal, right = says.partition(" = ")
    if not is_equal:
        left, _, right = says.partition(" >= ")
    return [*_side(left, 1), *_side(right, -1)]


def _side(text: str, sign: int) -> Iterable[Term]:
    if re.sub(_TERM, "", text).strip():
        raise ValueError(f"{text} is not a sum of columns")
    for minus, distinct, table, column in _TERM.findall(text):
        if table:
            yield Term(-sign if minus == "-" else sign, table, column, bool(distinct))


class Ledger:
    """Adds up what the identities of a report need, table by table."""

    def __init__(self, report: Report, *, is_whole: bool) -> None:
        """`is_whole`: the report covers the whole history and what is on the queues, not a
        period or an archive.
        """
        self._report = report
        self._identities = [
            identity for identity in report.identities if is_whole or not identity.whole
        ]
        self._differences: list[Counter[Key]] = [Counter() for _ in self._identities]
        self._exempt: list[set[Key]] = [set() for _ in self._identities]

    def take(self, table: Table, rows: pa.Table | DataFrame) -> None:
        """Take the rows of a table: as Arrow, or as a frame of Spark if there are too many."""
        for identity, difference, exempt in zip(
            self._identities,
            self._differences,
            self._exempt,
            strict=True,
        ):
            for term in terms_of(identity.says):
                if term.table == table.name:
                    for key, number in _sums(rows, identity.by, term).items():
                        difference[key] += term.sign * number
            for where, _, column in (each.partition(".") for each in identity.exempt):
                if where == table.name:
                    sums = _sums(rows, identity.by, Term(1, where, column))
                    exempt.update(key for key, number in sums.items() if number)

    def broken(self) -> list[Broken]:
        """The identities that do not hold, when all tables were taken."""
        identities = []
        for identity, differences, exempt in zip(
            self._identities,
            self._differences,
            self._exempt,
            strict=True,
        ):
            wrong = {
                key: number
                for key, number in differences.items()
                if key not in exempt and (number < 0 if " >= " in identity.says else number)
            }
            if wrong:
                key = max(wrong, key=lambda each: (abs(wrong[each]), str(each)))
                identities.append(
                    Broken(
                        self._report.name,
                        identity.says,
                        len(wrong),
                        _named(identity, key),
                        wrong[key],
                    ),
                )
        return identities


def _named(identity: Identity, key: Key) -> str:
    names = (iso(value) if isinstance(value, int) else value for value in key)
    return " ".join(str(name) for name in names if name) or "all rows"


def _sums(rows: pa.Table | DataFrame, by: Sequence[str], term: Term) -> Sums:
    """The sum, or number, for each group."""
    import pyarrow as pa

    if not isinstance(rows, pa.Table):
        rows = _summed_by_spark(rows, by, term)
        term = term._replace(column="number", is_distinct=False)
    how = "count_distinct" if term.is_distinct else "sum"
    names = [*by] if term.column == ROWS else [*by, term.column]
    aggregated = ([], "count_all") if term.column == ROWS else (term.column, how)
    summed = rows.select(names).group_by([*by]).aggregate([aggregated])
    (number,) = (name for name in summed.column_names if name not in by)
    *keys, numbers = (plain(summed[name]) for name in (*by, number))
    return {
        key: int(number or 0)
        for *parts, number in zip(*keys, numbers, strict=True)
        for key in [tuple(parts)]
    }


def _summed_by_spark(frame: DataFrame, by: Sequence[str], term: Term) -> pa.Table:
    from pyspark.sql import functions as F

    number = F.count_distinct(term.column) if term.is_distinct else F.sum(term.column)
    counted = F.count("*") if term.column == ROWS else number
    return frame.groupBy(*by).agg(counted.alias("number")).toArrow()

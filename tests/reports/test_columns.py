"""SQL that several reports share, evaluated by Spark, and identities: sums of columns that must
agree.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from mqsc.reports import catalog
from mqsc.reports.catalog import Identity, Report, ReportColumn, Table
from mqsc.reports.columns import (
    EXACT,
    HOUR,
    IDENTITY,
    RANK_ERROR,
    READ,
    SIZE,
    compute,
    elapsed,
    merged,
    reason_name,
    rows_of,
    sketch,
    span,
    summarised,
)
from mqsc.reports.identities import Ledger, Term, terms_of
from mqsc.reports.units import in_set, not_in_set, unit_set

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

EXPRESSIONS = {
    **{elapsed("3", "10"): "7", elapsed("10", "3"): "0", elapsed("3", "3"): "0"},
    **{elapsed("NULL", "3"): "None", elapsed("3", "NULL"): "None"},
    **{reason_name("2053"): "MQRC_Q_FULL", reason_name("265"): "MQFB_APPL_CANNOT_BE_STARTED"},
    **{reason_name("0"): "MQRC_NONE", reason_name("77777"): "None", reason_name("NULL"): "None"},
    f"(SELECT {HOUR} FROM (SELECT 3600000001 AS at))": "3600000000",
    f"(SELECT {HOUR} FROM (SELECT -1 AS at))": "-3600000000",
}


def test_expressions(spark: SparkSession) -> None:
    (found,) = spark.sql(
        "SELECT " + ", ".join(f"CAST({sql} AS STRING)" for sql in EXPRESSIONS),
    ).collect()
    assert dict(zip(EXPRESSIONS, map(str, found), strict=True)) == EXPRESSIONS


def test_columns_are_computed_with_their_names_and_types(spark: SparkSession) -> None:
    qmgr = ReportColumn("qmgr", "string", "qmgr", "The queue manager.")
    columns = (qmgr, ReportColumn("twice", "bigint", "2 * number", "Twice the number."))
    frame = compute(spark.sql("SELECT 'QM1' AS qmgr, 3 AS number"), columns)
    assert frame.dtypes == [("qmgr", "string"), ("twice", "bigint")]
    assert [tuple(row) for row in frame.collect()] == [("QM1", 6)]


@pytest.mark.parametrize("name", catalog.names())
def test_every_row_of_a_report_belongs_to_a_table(name: str) -> None:
    rows = [row for row in rows_of(name) if row.table not in (READ, IDENTITY)]
    assert {row.table for row in rows if row.table} == {
        table.name for table in catalog.report(name).tables
    }
    referring = Counter(row.column for row in rows if row.table and row.column and not row.kind)
    assert {row.column for row in rows if not row.table} - {""} <= {
        column for column, times in referring.items() if times > 1
    }


def test_shared_rows_are_used_by_several_reports() -> None:
    named = (
        {row.column for row in rows_of(name) if row.table != READ and not row.kind}
        for name in catalog.names()
    )
    referring = Counter(column for columns in named for column in columns)
    shared = rows_of("shared")
    assert all(referring[row.column] > 1 for row in shared if not row.table)
    read = Counter(
        row.kind for name in catalog.names() for row in rows_of(name) if row.table == READ
    )
    assert all(read[row.column] > 1 for row in shared if row.table)


COLUMNS = span("wait", "waits", "Wait")
# So many values that each rank of few of them would be found at the wrong place, if one were.
SIZES = (*range(1, 24), 100, 127, 128, 199, EXACT - 1, EXACT)


def interpolated(values: list[int], share: str) -> float:
    """The quantile of sorted microseconds, in seconds."""
    place = Fraction(share) * (len(values) - 1)
    below, above = values[floor(place)], values[ceil(place)]
    return float(round((below + (above - below) * (place - floor(place))) / 10**6, 6))


def answers(frame: DataFrame) -> list[tuple[float | None, ...]]:
    rows = compute(summarised(frame, "waits").orderBy("size"), COLUMNS).collect()
    return [tuple(None if value is None else float(value) for value in row) for row in rows]


def test_few_values_are_exact(spark: SparkSession) -> None:
    """Every size has its own group; its values come in another order, and partly more than once."""
    chance = random.Random(17)
    values = {
        size: [chance.randrange(10**9) if chance.random() < 0.9 else 5 for _ in range(size)]
        for size in SIZES
    }
    rows = [(size, value) for size, listed in values.items() for value in (*listed, None)]
    frame = (
        spark.createDataFrame(rows, "size BIGINT, value BIGINT")
        .groupBy("size")
        .agg(_sketch("value"))
    )
    wanted = [
        tuple(interpolated(sorted(values[size]), share) for share in ("0", "0.5", "0.95", "1"))
        for size in SIZES
    ]
    assert answers(frame) == [pytest.approx(each, abs=1.5e-6) for each in wanted]


def test_a_group_without_values_has_none(spark: SparkSession) -> None:
    frame = (
        spark.sql("SELECT 1 AS size, CAST(NULL AS BIGINT) AS value")
        .groupBy("size")
        .agg(_sketch("value"))
    )
    assert answers(frame) == [(None, None, None, None)]
    assert answers(spark.sql("SELECT 1 AS size, CAST(NULL AS BINARY) AS waits")) == [
        (None, None, None, None),
    ]


def test_many_values_are_within_the_error(spark: SparkSession) -> None:
    """Sketches of many groups merged: the value of a rank is the rank, so that its error can be
    seen.
    """
    number = 1_000_000
    parts = spark.range(1, number + 1).selectExpr("id % 97 AS part", "id * 1000000 AS value")
    frame = parts.groupBy("part").agg(_sketch("value")).selectExpr(f"{merged('waits')} AS waits")
    ((least, median, high, most),) = answers(frame.selectExpr("1 AS size", "waits"))
    assert (least, most) == (1, number)
    assert median is not None
    assert high is not None
    # The promise is for 99 of 100 runs; twice the error is for nearly all.
    assert abs(median - number / 2) <= 2 * RANK_ERROR * number
    assert abs(high - 0.95 * number) <= 2 * RANK_ERROR * number


def test_a_sketch_has_a_bounded_size(spark: SparkSession) -> None:
    sql = (
        f"SELECT length({sketch('id')}), kll_sketch_to_string_bigint({sketch('id')}) FROM "
        "range(2000000)"
    )
    ((size, description),) = spark.sql(sql).collect()
    assert size < 8 * 3 * SIZE + 1000
    assert f"Epsilon                : {RANK_ERROR:.2%}"[:-2] in description


def _sketch(value: str) -> Column:
    from pyspark.sql import functions as F

    return F.expr(f"{sketch(value)} AS waits")


MANY = 10_000


def test_units_are_found(spark: SparkSession) -> None:
    first, second = (
        spark.range(1, MANY, 2).selectExpr(
            f"{store} AS store",
            f"(id + {store * MANY}) << 20 AS unit",
        )
        for store in (0, 1)
    )
    columns = ("CAST(id DIV 10000 AS INT) AS store", "IF(id = 0, NULL, id << 20) AS unit")
    events = spark.range(2 * MANY).selectExpr(*columns)
    units = unit_set(first, second)
    found = {tuple(row) for row in in_set(events, units).collect()}
    others = {tuple(row) for row in not_in_set(events, units).collect()}
    listed = {(number // MANY, number << 20) for number in range(1, 2 * MANY, 2)}
    assert listed <= found
    assert found.isdisjoint(others)
    assert len(found) + len(others) == 2 * MANY
    assert (0, None) in others
    # Of 2^25 places, 10 000 are taken.
    assert len(found - listed) < 100
    assert in_set(events, unit_set(events.where("FALSE"))).collect() == []


def broken(
    identity: Identity,
    *,
    is_whole: bool = True,
    **tables: dict[str, list[object]],
) -> list[str]:
    ledger = Ledger(Report("r", "", {}, (), (identity,)), is_whole=is_whole)
    for name, columns in tables.items():
        ledger.take(Table(name, "", (), pa.table, (), ()), pa.table(columns))
    return [str(each) for each in ledger.broken()]


def test_an_identity_is_read_from_its_text() -> None:
    left = [Term(1, "a", "x"), Term(1, "a", "y"), Term(-1, "b", "z")]
    right = [Term(-1, "c", "seq", True), Term(1, "d", "*")]
    assert terms_of("a.x + a.y - b.z = distinct c.seq - d.*") == left + right
    assert terms_of("a.x = 0") == [Term(1, "a", "x")]
    with pytest.raises(ValueError, match="plus b is not a sum of columns"):
        terms_of("a.x plus b = 0")


@pytest.mark.parametrize("name", catalog.names())
def test_every_report_states_identities_of_its_own_tables(name: str) -> None:
    declared = catalog.report(name)
    columns = {table.name: {column.name for column in table.columns} for table in declared.tables}
    assert declared.identities
    for identity in declared.identities:
        for term in terms_of(identity.says):
            assert {*identity.by, *({term.column} - {"*"})} <= columns[term.table]
        for each in identity.exempt:
            table, _, column = each.partition(".")
            assert {*identity.by, column} <= columns[table]


CAME: dict[str, list[object]] = {"queue": ["A", "B", "B", "C"], "n": [3, 1, 1, 5]}
EQUAL = Identity("came.n = left.n + there.*", ("queue",))


def test_groups_are_compared_one_by_one() -> None:
    there: dict[str, list[object]] = {"queue": ["A", "B"]}
    assert (
        broken(EQUAL, came=CAME, left={"queue": ["A", "B", "C"], "n": [2, 1, 5]}, there=there) == []
    )
    # A surplus of one queue and a loss of another do not cancel out.
    assert broken(
        EQUAL,
        came=CAME,
        left={"queue": ["A", "B", "C"], "n": [4, 1, 3]},
        there=there,
    ) == [
        "r does not add up: came.n = left.n + there.* does not hold for 2 groups of rows, such as "
        "C (difference +2)",
    ]


def test_what_is_not_known_adds_nothing() -> None:
    lost = Identity("t.lost = 0", ("qmgr", "hour"))
    hours = pa.array([0, 3_600_000_000], pa.timestamp("us", "UTC"))
    assert broken(lost, t={"qmgr": ["QM1", "QM1"], "hour": hours, "lost": [None, 0]}) == []
    assert broken(lost, t={"qmgr": ["QM1", "QM1"], "hour": hours, "lost": [None, 4]}) == [
        "r does not add up: t.lost = 0 does not hold for one group of rows, such as QM1 "
        "1970-01-01T01:00:00Z "
        "(difference +4)",
    ]


def test_exempt_groups_a_part_of_the_history_and_bounds() -> None:
    rows: dict[str, list[object]] = {
        "queue": ["A", "B", "C"],
        "n": [1, 0, 2],
        "most": [1, 1, 1],
        "off": [0, 0, 1],
    }
    assert len(broken(Identity("t.n = t.most", ("queue",), exempt=("t.off",)), t=rows)) == 1
    assert broken(Identity("t.n = t.most", ("queue",), whole=True), is_whole=False, t=rows) == []
    assert broken(Identity("t.most >= t.n", ("queue",), exempt=("t.off",)), t=rows) == []
    assert len(broken(Identity("t.most >= t.n", ("queue",)), t=rows)) == 1

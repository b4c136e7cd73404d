"""What is carried from block to block, against plain Python over the whole history."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from mqsc.reports.blocks import EVENTS, first_after, first_after_in_block, first_later, last_before

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

QUEUES = ("A", "B")
NAMES = ("opened", "got")
# Some blocks have no value, and some no event.
NUMBERS = 400
BLOCKS = 9


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """Events of two queues in random places of some blocks, some with a value."""
    chance = random.Random(5)
    sequence = sorted(chance.sample(range(1, BLOCKS * EVENTS), NUMBERS))
    return [
        {
            "seq": seq,
            "queue": chance.choice(QUEUES),
            **{name: seq if chance.random() < 0.03 else None for name in NAMES},
        }
        for seq in sequence
    ]


def events(spark: SparkSession, rows: list[dict[str, Any]]) -> DataFrame:
    kinds = pa.schema([("seq", pa.int64()), ("queue", pa.string())])
    for name in NAMES:
        kinds = kinds.append(pa.field(name, pa.int64()))
    return spark.createDataFrame(pa.Table.from_pylist(rows, kinds)).repartition(3, "seq")


def test_the_first_value_after_an_event(spark: SparkSession, rows: list[dict[str, Any]]) -> None:
    near = first_after_in_block(events(spark, rows), "queue", NAMES)
    found = {
        row.seq: tuple(row[name] for name in NAMES)
        for row in first_after(near, "queue", NAMES).collect()
    }
    assert found == {
        row["seq"]: tuple(value_after(rows, row, name) for name in NAMES) for row in rows
    }
    assert {seq // EVENTS for seq in found} == {*range(BLOCKS)}


def value_after(rows: list[dict[str, Any]], row: dict[str, Any], name: str) -> int | None:
    values = (
        later[name]
        for later in rows
        if later["seq"] > row["seq"] and later["queue"] == row["queue"] and later[name] is not None
    )
    return next(values, None)


def test_the_first_answer_after_an_event(spark: SparkSession, rows: list[dict[str, Any]]) -> None:
    """The answers are events of their own: those of one queue, and none of the other."""
    every = events(spark, rows)
    answers = every.where("got IS NOT NULL AND queue = 'A'").select("seq", "queue", "got")
    asking = every.where("got IS NULL").select("seq", "queue")
    found = first_later(asking, answers, "queue", "got").collect()
    assert {(row.seq, row.queue): row.got for row in found} == {
        (row["seq"], row["queue"]): value_after(rows, row, "got") if row["queue"] == "A" else None
        for row in rows
        if row["got"] is None
    }
    assert len(found) == sum(row["got"] is None for row in rows)


def test_the_last_value_before_an_event(spark: SparkSession, rows: list[dict[str, Any]]) -> None:
    known = last_before(events(spark, rows), "got + 1", "queue", "before")
    assert {row.seq: row.before for row in known.collect()} == {
        row["seq"]: max(
            (
                earlier["got"] + 1
                for earlier in rows
                if earlier["seq"] < row["seq"]
                and earlier["queue"] == row["queue"]
                and earlier["got"] is not None
            ),
            default=None,
        )
        for row in rows
    }

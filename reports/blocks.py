"""Blocks of the history: EVENTS events each, in the order of their numbers.

A queue can have most of the events of a history. What is computed for each block of its events is
the work of many tasks; only what a block comes to is computed for the whole queue.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window, WindowSpec, functions as F

from mqsc.reports.expressions import grouped

# The number of events in a block; those of several stores, or of another queue, count too.
EVENTS = 1 << 14


def in_block(number: str) -> str:
    """SQL for the block of the event with this number."""
    return f"{number} DIV {EVENTS}"


def in_blocks(events: DataFrame, number: str = "seq") -> DataFrame:
    """The events with the column `block`, from the column with their number."""
    return events.withColumn("block", F.expr(in_block(number)))


def first_after_in_block(events: DataFrame, by: str, names: Sequence[str]) -> DataFrame:
    """The events with each of the columns `names` replaced by its first value that is not NULL of
    later events of the block with equal values in the columns `by`.

    On the first event of the block, which `is_first`, the column `first_` and the name has the
    first value of the block. Give these and the events that matter to `first_after`.
    """
    backwards = Window.partitionBy(*by.split(), "block").orderBy(F.desc("seq"))
    later = backwards.rowsBetween(Window.unboundedPreceding, -1)
    near = in_blocks(events).withColumns(
        {
            **{f"next_{name}": F.last(name, ignorenulls=True).over(later) for name in names},
            "is_first": F.lead("seq").over(backwards).isNull(),
        },
    )
    first = {
        f"first_{name}": f"IF(is_first, coalesce({name}, next_{name}), NULL)" for name in names
    }
    told = near.withColumns({name: F.expr(sql) for name, sql in first.items()})
    return told.drop(*names).withColumnsRenamed({f"next_{name}": name for name in names})


def first_after(near: DataFrame, by: str, names: Sequence[str]) -> DataFrame:
    """The events of `first_after_in_block`, which must be gathered, with the values of later blocks
    where the rest of their own has none.
    """
    keys = [*by.split(), "block"]
    backwards = Window.partitionBy(*by.split()).orderBy(F.desc("block"))
    later = backwards.rowsBetween(Window.unboundedPreceding, -1)
    beyond = near.where("is_first").select(
        *keys,
        *(
            F.last(f"first_{name}", ignorenulls=True).over(later).alias(f"beyond_{name}")
            for name in names
        ),
    )
    joined = near.join(beyond, keys, "left")
    found = joined.withColumns({name: F.coalesce(name, f"beyond_{name}") for name in names})
    of_blocks = (f"{end}_{name}" for end in ("first", "beyond") for name in names)
    return found.drop("block", "is_first", *of_blocks)


def first_later(events: DataFrame, answers: DataFrame, by: str, name: str) -> DataFrame:
    """The events with the column `name`: that of the first later one of the answers with equal
    values in the columns `by`. Both have a `seq`, and only answers the column `name`.
    """
    keys = [*by.split(), "block"]
    backwards = Window.partitionBy(*keys).orderBy(F.desc("seq"))
    later = backwards.rowsBetween(Window.unboundedPreceding, -1)
    asking = in_blocks(events).withColumn("asks", F.lit(True))
    together = asking.unionByName(in_blocks(answers), allowMissingColumns=True)
    inside = together.withColumn(name, F.last(name, ignorenulls=True).over(later)).where("asks")
    joined = inside.join(_of_later_blocks(answers, by, name), keys, "left")
    return joined.withColumn(name, F.coalesce(name, "carried")).drop("block", "asks", "carried")


def _of_later_blocks(answers: DataFrame, by: str, name: str) -> DataFrame:
    """For each block before the last one with an answer, the first answer of later blocks."""
    first = grouped(in_blocks(answers), f"{by} block", f"min_by({name}, seq) AS carried")
    earlier = F.lag("block", 1, 0).over(Window.partitionBy(*by.split()).orderBy("block"))
    # An answer is the first one for the block of the answer before it, and for those in between.
    blocks = "explode(IF(earlier < block, sequence(earlier, block - 1), array())) AS block"
    return first.withColumn("earlier", earlier).selectExpr(*by.split(), blocks, "carried")


def last_before(events: DataFrame, value: str, by: str, name: str) -> DataFrame:
    """The events, which must be gathered, with the column `name`: the last value that is not NULL
    of earlier events with equal values in the columns `by`.
    """
    keys = [*by.split(), "block"]
    valued = in_blocks(events).withColumn("value", F.expr(value))
    last = grouped(valued, " ".join(keys), "max_by(value, IF(value IS NULL, NULL, seq)) AS value")
    earlier_blocks = Window.partitionBy(*by.split()).orderBy("block")
    earlier_events = Window.partitionBy(*keys).orderBy("seq")
    carried = _last_value(earlier_blocks).alias("carried")
    inside = valued.withColumn(name, _last_value(earlier_events))
    joined = inside.join(last.select(*keys, carried), keys, "left")
    return joined.withColumn(name, F.coalesce(name, "carried")).drop("block", "value", "carried")


def _last_value(window: WindowSpec) -> Column:
    """The last value that is not NULL of the rows before this one."""
    before = window.rowsBetween(Window.unboundedPreceding, -1)
    return F.last("value", ignorenulls=True).over(before)

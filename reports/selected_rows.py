"""The rows that a report reads, as a frame of Spark: those of the selection, or all with a mark on
those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mqsc.reports import held_rows
from mqsc.reports.declaration import ALL_ROWS, Reads, Report
from mqsc.reports.marked_rows import can_be_marked, marked_rows
from mqsc.reports.selection import ReportSelection, condition
from mqsc.reports.sources import Sources, clocks, rows_of
from mqsc.reports.units import in_detail

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


def selected_rows(
    spark: SparkSession,
    report: Report,
    name: str,
    read: Sources,
    selection: ReportSelection,
) -> DataFrame:
    """The selected rows of one of the report's reads, with the columns `now` (the time of the queue
    manager's clock) and `is_live`.

    If the read has `chosen_by`, the selection of a period and queues becomes a column instead of a
    filter. Filter the frame in one way only: Spark keeps the filters that it pushed to a Python
    data source and applies them to every other use of the same frame. For another filter, declare
    another read.
    """
    from pyspark.sql import functions as F

    reads = report.reads[name]
    relation = reads.relation.name
    held = read.held.get(relation)
    if held is not None and can_be_marked(read, reads, selection):
        rows, schema = marked_rows(read, held, reads, selection, clocks(read))
        marked = held_rows.frame_of_held(spark, rows, schema)
        if reads.with_member:
            marked = marked.withColumn("member", F.expr(in_detail("member")))
        return marked if reads.where == ALL_ROWS else marked.where(reads.where)
    # A report that marks the selected events needs the others too.
    within = selection if reads.chosen_by is None else ReportSelection(qmgrs=selection.qmgrs)
    frame = rows_of(spark, read, relation, reads, within)
    if reads.chosen_by is not None:
        frame = _marked(frame, relation, selection, reads)
    else:
        chosen = condition(replace(selection, qmgrs=()), relation)
        frame = frame if chosen is None else frame.where(chosen)
    # The live store is the first one.
    is_live = "store = 0" if read.path is not None else "FALSE"
    return frame.withColumns({"now": _clock(clocks(read)), "is_live": F.expr(is_live)})


def _marked(
    frame: DataFrame,
    relation: str,
    selection: ReportSelection,
    reads: Reads,
) -> DataFrame:
    """All rows, with a column for each part of the selection that says whether it has the row."""
    period = ReportSelection(selection.since, selection.until)
    queues = ReportSelection(queues=selection.queues)
    marks = {"chosen": replace(period, queues=selection.queues)}
    if reads.apart:
        marks |= {"in_period": period, "named": queues}
    return frame.withColumns(
        {name: _is_selected(wanted, relation, reads) for name, wanted in marks.items()}
    )


def _is_selected(selection: ReportSelection, relation: str, reads: Reads) -> Column:
    from pyspark.sql import functions as F

    selected = condition(selection, relation, reads.chosen_by or "")
    # An event without a queue is not selected.
    return F.lit(True) if selected is None else F.coalesce(selected, F.lit(False))


def _clock(now: Mapping[str, int]) -> Column:
    """The time of the clock of a row's queue manager; NULL if that is not known."""
    from pyspark.sql import functions as F

    pairs = [F.lit(value) for name, at in now.items() for value in (name, at)]
    return (F.create_map(*pairs)[F.col("qmgr")] if pairs else F.lit(None)).cast("bigint")

"""What a report reads of rows in memory: chosen and marked here, so that Spark has nothing to plan
for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyspark.sql.types import BooleanType, IntegerType, LongType, StructType

from mqsc.reports.data_source import schema_of
from mqsc.reports.declaration import Reads
from mqsc.reports.held_events import of_kinds
from mqsc.reports.selection import ReportSelection
from mqsc.store.published import EVENT

if TYPE_CHECKING:
    from mqsc.reports.sources import Sources


def can_be_marked(sources: Sources, reads: Reads, selection: ReportSelection) -> bool:
    """Whether Arrow finds the owner of a row and the selected ones: what needs SQL is left to
    Spark.
    """
    has_other_members = reads.with_member and sources.renamed
    return reads.owner in ("", "qmgr") and not selection.queues and not has_other_members


def marked_rows(
    sources: Sources,
    rows: pa.Table,
    reads: Reads,
    selection: ReportSelection,
    clocks: Mapping[str, int],
) -> tuple[pa.Table, StructType]:
    """The rows that `reads` may need, with what `selected_rows` adds to them, and the schema of
    Spark.

    Conditions that need SQL are not applied, and there is no `member`.
    """
    relation = reads.relation.name
    schema = schema_of(relation, reads.columns).add("store", IntegerType(), nullable=False)
    rows = of_kinds(rows, reads)
    if selection.qmgrs and reads.owner:
        rows = rows.filter(pc.field("qmgr").isin(selection.qmgrs))
    is_selected = _in_period(rows, selection) if relation == EVENT.name else None
    if reads.chosen_by is None and is_selected is not None:
        rows = rows.filter(is_selected)
    marked = _renamed(rows.select([*reads.columns, "store"]), sources)
    if reads.chosen_by is not None:
        chosen = _all_true(rows) if is_selected is None else is_selected
        marks = {"chosen": chosen}
        if reads.apart:
            # No queues are selected: see `can_be_marked`.
            marks |= {"in_period": chosen, "named": _all_true(rows)}
        for name, mark in marks.items():
            marked = marked.append_column(name, mark)
            schema = schema.add(name, BooleanType(), nullable=False)
    is_live = pc.equal(rows["store"], 0) if sources.path is not None else pc.invert(_all_true(rows))
    marked = marked.append_column("now", _times(marked["qmgr"], clocks))
    marked = marked.append_column("is_live", is_live)
    return marked, schema.add("now", LongType()).add("is_live", BooleanType(), nullable=False)


def _in_period(rows: pa.Table, selection: ReportSelection) -> pa.ChunkedArray | None:
    """Whether each row is in the selected period; None if all are. A row without a time is not."""
    at = rows["at"]
    within = []
    if selection.since is not None:
        within.append(pc.greater_equal(at, selection.since))
    if selection.until is not None:
        within.append(pc.less(at, selection.until))
    if not within:
        return None
    return pc.fill_null(pc.and_(within[0], within[-1]), fill_value=False)


def _all_true(rows: pa.Table) -> pa.Array:
    return pa.repeat(pa.scalar(value=True), rows.num_rows)


def _renamed(rows: pa.Table, sources: Sources) -> pa.Table:
    """The rows with the names of queue managers that reports show."""
    for store, names in sources.renamed.items():
        of_store = pc.equal(rows["store"], sources.numbers[store])
        for name, shown in names.items():
            is_named = pc.and_(
                of_store, pc.fill_null(pc.equal(rows["qmgr"], name), fill_value=False)
            )
            new = pc.if_else(is_named, shown, rows["qmgr"])
            rows = rows.set_column(rows.column_names.index("qmgr"), "qmgr", new)
    return rows


def _times(names: pa.ChunkedArray, clocks: Mapping[str, int]) -> pa.ChunkedArray:
    """The time of the clock of each queue manager; NULL if it is not known."""
    known = pa.array([*clocks], pa.string())
    times = pa.array([*clocks.values()], pa.int64())
    return times.take(pc.index_in(names, known))

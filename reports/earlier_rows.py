"""What the reports of a period have of the events before it: those that matter to it, and how many
of the others there were.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.file_pages import arrow_schema
from mqsc.store.published import EVENT, RELATIONS, PublishedColumn, Relation

# The number of a store, as Spark has it.
STORE = pa.field("store", pa.int32(), nullable=False)
# Sums over the events before the period that are left out. They are in no file.
EARLIER = Relation(
    "earlier",
    "",
    "",
    (
        PublishedColumn("qmgr", "TEXT", "As that of the events."),
        PublishedColumn("queue", "TEXT", "The queue that the messages came to, or left."),
        PublishedColumn("ending", "TEXT", "As in the report message-lifetimes; put, and moved in."),
        PublishedColumn("cause", "TEXT", "As that of the events."),
        PublishedColumn("messages", "INTEGER", "How many messages these events were about."),
        PublishedColumn("undone", "INTEGER", "How many of them were backed out."),
    ),
)
READABLE: Mapping[str, Relation] = {**RELATIONS, EARLIER.name: EARLIER}


class Earlier(NamedTuple):
    """Events, and rows of EARLIER: both with the column `store`."""

    events: pa.Table
    sums: pa.Table


def schema_of(relation: Relation) -> pa.Schema:
    """The schema of all columns of a relation."""
    return arrow_schema(relation, [column.name for column in relation.columns])


def schema_with_store(relation: Relation) -> pa.Schema:
    """The same, and the column `store`."""
    return schema_of(relation).append(STORE)


NOTHING_EARLIER = Earlier(
    schema_with_store(EVENT).empty_table(),
    schema_with_store(EARLIER).empty_table(),
)

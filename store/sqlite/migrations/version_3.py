"""STREAMQ, STRMQOS, CONFIGEV and CMDEV are columns, so that a call reads them with the row that it reads anyway."""

from __future__ import annotations

from alembic.operations import Operations
from sqlalchemy import Column, Integer, Text, text

_DEFINITION = """(SELECT {value} FROM object
 WHERE object.owner = queue.owner AND object.namespace = 'queue' AND object.name = queue.name)"""
_QUEUE_MANAGER = """(SELECT {value} FROM object
 WHERE object.owner = queue_manager.name AND object.namespace = 'qmgr' AND object.name = queue_manager.name)"""
_COMMAND_EVENT = "CASE json_extract(attributes, '$.CMDEV') WHEN 'ENABLED' THEN 1 WHEN 'NODISPLAY' THEN 2 ELSE 0 END"


def upgrade(operations: Operations) -> None:
    """From the schema without these columns: the definitions have the values."""
    operations.add_column("queue", Column("stream_queue", Text, nullable=False, server_default=""))
    operations.add_column("queue", Column("must_duplicate", Integer, nullable=False, server_default="0"))
    stream_queue = _DEFINITION.format(value="json_extract(attributes, '$.STREAMQ')")
    must_duplicate = _DEFINITION.format(value="json_extract(attributes, '$.STRMQOS') = 'MUSTDUP'")
    operations.execute(
        f"UPDATE queue SET stream_queue = coalesce({stream_queue}, ''), must_duplicate = coalesce({must_duplicate}, 0)"
    )
    operations.create_index(
        "queue_streaming", "queue", ["owner", "stream_queue"], sqlite_where=text("stream_queue <> ''")
    )
    for column, value in (
        ("configuration_event", "json_extract(attributes, '$.CONFIGEV') = 'ENABLED'"),
        ("command_event", _COMMAND_EVENT),
    ):
        operations.add_column("queue_manager", Column(column, Integer, nullable=False, server_default="0"))
        operations.execute(f"UPDATE queue_manager SET {column} = coalesce({_QUEUE_MANAGER.format(value=value)}, 0)")

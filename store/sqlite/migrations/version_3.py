"""STREAMQ and STRMQOS are columns of the queue, so that a put reads them with the row it reads anyway."""

from __future__ import annotations

from alembic.operations import Operations
from sqlalchemy import Column, Integer, Text, text

_DEFINITION = """(SELECT {value} FROM object
 WHERE object.owner = queue.owner AND object.namespace = 'queue' AND object.name = queue.name)"""


def upgrade(operations: Operations) -> None:
    """From the schema without streaming queues: the definitions say which queues stream."""
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

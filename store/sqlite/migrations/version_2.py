"""Adds rows for gets that wait for particular messages, an index for the last end, and more units per connection."""

from __future__ import annotations

from alembic.operations import Operations
from sqlalchemy import BLOB, Column, Integer, text

# A unit of work was `connection << 24 | n`: after sixteen million units a connection reached the range of the next.
_RENUMBERED = "unit = ((unit >> 24) << 32) | (unit & 16777215) WHERE unit IS NOT NULL"


def upgrade(operations: Operations) -> None:
    operations.create_table(
        "waiter",
        Column("handle", Integer, primary_key=True, nullable=False),
        Column("queue", Integer, nullable=False, server_default="0"),
        Column("msg_id", BLOB),
        Column("correl_id", BLOB),
        Column("group_id", BLOB),
        Column("msg_seq_number", Integer),
        Column("offset", Integer),
    )
    operations.create_index("waiter_on_queue", "waiter", ["queue"])
    operations.create_index("event_ended", "event", ["qmgr", "seq"], sqlite_where=text("kind IN ('CREATE', 'END')"))
    for table in ("message", "event"):
        operations.execute(f"UPDATE {table} SET {_RENUMBERED}")

"""Queue-sharing groups and their members."""

from __future__ import annotations

from alembic.operations import Operations
from sqlalchemy import Column, Integer, Text


def upgrade(operations: Operations) -> None:
    operations.create_table(
        "sharing_group",
        Column("name", Text, primary_key=True, nullable=False),
        Column("created_at", Integer, nullable=False, server_default="0"),
        sqlite_with_rowid=False,
    )
    operations.add_column("queue_manager", Column("sharing_group", Text, nullable=False, server_default=""))
    operations.add_column("queue_manager", Column("member_number", Integer, nullable=False, server_default="0"))
    operations.add_column("queue_manager", Column("joined_run", Integer, nullable=False, server_default="0"))

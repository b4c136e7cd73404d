"""Queue-sharing groups, shared queues and structures; the index of the history, what of it was archived; users."""

from __future__ import annotations

from alembic.operations import Operations
from sqlalchemy import BLOB, Column, Integer, Text

# INDXTYPE of the definition as a number; it matters for shared queues only.
_INDEX_TYPE = """(SELECT CASE json_extract(attributes, '$.INDXTYPE') WHEN 'MSGID' THEN 1 WHEN 'CORRELID' THEN 2
 WHEN 'MSGTOKEN' THEN 4 WHEN 'GROUPID' THEN 5 ELSE 0 END FROM object
 WHERE object.owner = queue.owner AND object.namespace = 'queue' AND object.name = queue.name)"""

# IGQ(ENABLED) is refused now, so that an export with it could not run.
_NO_INTRA_GROUP_QUEUING = """UPDATE object SET attributes = json_remove(attributes, '$.IGQ')
 WHERE type = 'QMGR' AND json_extract(attributes, '$.IGQ') = 'ENABLED'"""


def upgrade(operations: Operations) -> None:
    operations.create_table(
        "sharing_group",
        Column("name", Text, primary_key=True, nullable=False),
        Column("created_at", Integer, nullable=False, server_default="0"),
        Column("expiry_owner", Text, nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )
    operations.create_table(
        "pending_refresh",
        *(Column(name, Text, primary_key=True, nullable=False) for name in ("qmgr", "namespace", "name")),
        Column("reason", Integer, nullable=False, server_default="0"),
        sqlite_with_rowid=False,
    )
    operations.add_column("object", Column("disposition", Text, nullable=False, server_default="QMGR"))
    operations.add_column("queue_manager", Column("sharing_group", Text, nullable=False, server_default=""))
    operations.add_column("queue_manager", Column("member_number", Integer, nullable=False, server_default="0"))
    operations.add_column("queue_manager", Column("joined_run", Integer, nullable=False, server_default="0"))
    operations.add_column("queue_manager", Column("expiry_rank", Integer, nullable=False, server_default="0"))
    operations.add_column("queue_manager", Column("commands_stopped", Integer, nullable=False, server_default="0"))
    for table in ("connection", "handle"):
        operations.add_column(table, Column("consumption", Text, nullable=False, server_default=""))
    for column in ("puts", "gets", "high_depth"):
        operations.add_column("queue_member", Column(column, Integer, nullable=False, server_default="0"))
    for column in ("statistics_reset_at", "last_put_at", "last_get_at"):
        operations.add_column("queue_member", Column(column, Integer))
    for column in ("index_type", "structure_level"):
        operations.add_column("queue", Column(column, Integer, nullable=False, server_default="0"))
    operations.add_column("queue", Column("structure", Text, nullable=False, server_default=""))
    operations.add_column("queue", Column("structure_longest", Integer))
    operations.add_column("queue", Column("structure_keeps_persistent", Integer, nullable=False, server_default="1"))
    operations.execute(_NO_INTRA_GROUP_QUEUING)
    operations.execute(f"UPDATE queue SET index_type = coalesce({_INDEX_TYPE}, 0)")
    operations.create_table(
        "event_segment",
        Column("segment", Integer, primary_key=True),
        Column("earliest", Integer),
        Column("latest", Integer),
        Column("prints", BLOB, nullable=False),
    )
    operations.create_table(
        "user_account",
        Column("name", Text, primary_key=True, nullable=False),
        *(Column(name, BLOB, nullable=False) for name in ("salt", "hashed")),
        *(
            Column(name, Integer, nullable=False, server_default="0")
            for name in ("cost", "block_size", "parallel", "administrator", "created_at", "changed_at")
        ),
        sqlite_with_rowid=False,
    )
    operations.create_table(
        "archive",
        Column("number", Integer, primary_key=True),
        *(Column(name, Text, nullable=False, server_default="") for name in ("store", "state", "url")),
        *(Column(name, Integer, nullable=False, server_default="0") for name in ("first", "last")),
        Column("sha256", Text, nullable=False, server_default=""),
        Column("pruned", Integer, nullable=False, server_default="0"),
    )

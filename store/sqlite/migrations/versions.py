"""The steps of upgrades, one for each number of the schema. A step is never changed once released."""

from __future__ import annotations

from alembic.operations import Operations
from sqlalchemy import BLOB, Column, Integer, Text, UniqueConstraint, text

# Adds rows for gets that wait for particular messages, an index for the last end, and more units per connection.

# A unit of work was `connection << 24 | n`: after sixteen million units a connection reached the range of the next.
_RENUMBERED = "unit = ((unit >> 24) << 32) | (unit & 16777215) WHERE unit IS NOT NULL"


def to_version_2(operations: Operations) -> None:
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


# STREAMQ, STRMQOS, CONFIGEV and CMDEV are columns, so that a call reads them with the row that it reads anyway.

_DEFINITION = """(SELECT {value} FROM object
 WHERE object.owner = queue.owner AND object.namespace = 'queue' AND object.name = queue.name)"""
_QUEUE_MANAGER = """(SELECT {value} FROM object
 WHERE object.owner = queue_manager.name AND object.namespace = 'qmgr' AND object.name = queue_manager.name)"""
_COMMAND_EVENT = "CASE json_extract(attributes, '$.CMDEV') WHEN 'ENABLED' THEN 1 WHEN 'NODISPLAY' THEN 2 ELSE 0 END"


def to_version_3(operations: Operations) -> None:
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


# Units of work in doubt, and the state of channels.


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def to_version_4(operations: Operations) -> None:
    operations.create_table(
        "prepared_unit",
        Column("number", Integer, primary_key=True, nullable=False),
        _text("qmgr"),
        _text("name"),
        _text("luwid"),
        _number("prepared_at"),
        _text("application"),
        _text("user"),
        _number("recorded"),
        _text("outcomes"),
        UniqueConstraint("qmgr", "name", "luwid"),
    )
    operations.create_table(
        "channel_status",
        Column("qmgr", Text, primary_key=True, nullable=False),
        Column("channel", Text, primary_key=True, nullable=False),
        Column("partner", Text, primary_key=True, nullable=False),
        _number("status"),
        _text("requested"),
        _text("requested_status"),
        Column("process", Integer),
        Column("retry_at", Integer),
        _text("figures"),
        sqlite_with_rowid=False,
    )
    operations.create_table(
        "channel_fault",
        Column("id", Integer, primary_key=True, nullable=False),
        _text("qmgr"),
        _text("channel"),
        _text("step"),
        _number("number"),
        _text("action"),
        _number("milliseconds"),
        Column("times", Integer),
        Column("until", Integer),
    )
    operations.create_index("channel_fault_of_channel", "channel_fault", ["qmgr", "channel"])
    operations.create_table(
        "channel_host",
        Column("address", Text, primary_key=True, nullable=False),
        _text("target"),
        sqlite_with_rowid=False,
    )


# Queue-sharing groups, shared queues and structures; the index of the history, what of it was archived; users.

# INDXTYPE of the definition as a number; it matters for shared queues only.
_INDEX_TYPE = """(SELECT CASE json_extract(attributes, '$.INDXTYPE') WHEN 'MSGID' THEN 1 WHEN 'CORRELID' THEN 2
 WHEN 'MSGTOKEN' THEN 4 WHEN 'GROUPID' THEN 5 ELSE 0 END FROM object
 WHERE object.owner = queue.owner AND object.namespace = 'queue' AND object.name = queue.name)"""

# IGQ(ENABLED) is refused now, so that an export with it could not run.
_NO_INTRA_GROUP_QUEUING = """UPDATE object SET attributes = json_remove(attributes, '$.IGQ')
 WHERE type = 'QMGR' AND json_extract(attributes, '$.IGQ') = 'ENABLED'"""


def to_version_5(operations: Operations) -> None:
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

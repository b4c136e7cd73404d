"""The tables, as SQLAlchemy Core declares them. Times are microseconds UTC; flags are 0 and 1.

The words of the state machine: a message is AVAILABLE, or PUT or GOT by an open unit of work. A unit of work is the
number `connection << UNIT_BITS | n`, so that everything a connection holds is one range.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BLOB,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)
from sqlalchemy.types import TypeEngine

from store.published import EVENT_COLUMNS

# Written to PRAGMA user_version; a store with a higher number is refused, one with a lower is upgraded: a change here
# wants a step in store.sqlite.migrations.
SCHEMA_VERSION = 2
APPLICATION_ID = 0x4D515343

AVAILABLE, PUT, GOT = 0, 1, 2
UNIT_BITS = 32

metadata = MetaData()


def _number(name: str, *, null: bool = False, default: int | None = 0) -> Column[int]:
    return Column(name, Integer, nullable=null, server_default=None if null or default is None else str(default))


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null, server_default=None if null else "")


# One process that has the store open, known by the file it holds a lock on.
process = Table(
    "process",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("file", Text, nullable=False, unique=True),
    sqlite_autoincrement=True,
)

# `run` counts the starts: a connection or handle of an earlier run is broken (2009).
queue_manager = Table(
    "queue_manager",
    metadata,
    Column("name", Text, primary_key=True),
    _text("state"),
    _number("run"),
    # Raised with every change of an attribute.
    _number("version"),
    _number("is_default"),
    _number("created_at"),
    _number("started_at"),
    _number("clock_at", null=True),
    _text("dead_letter_queue"),
    _text("default_transmission_queue"),
    _number("max_length", default=4194304),
    _number("max_uncommitted", default=10000),
    _number("max_handles", default=256),
    _number("trigger_interval", default=999999999),
    _number("expiry_interval", null=True),
    _number("last_expiry_scan", null=True),
    _number("mark_interval", default=5000),
    _number("ccsid", default=1208),
    _number("inhibit_event"),
    _number("performance_event"),
    _number("local_event"),
    _number("remote_event"),
    sqlite_with_rowid=False,
)

# The definitions: what the administrator said, attribute by attribute, as one JSON object.
object_ = Table(
    "object",
    metadata,
    Column("id", Integer, primary_key=True),
    _text("owner"),
    _text("namespace"),
    _text("name"),
    _text("type"),
    _text("attributes"),
    _number("created_at"),
    _number("altered_at"),
    UniqueConstraint("owner", "namespace", "name"),
)
# No two topic objects stand at one topic string.
Index(
    "object_by_topic_string",
    object_.c.owner,
    literal_column("json_extract(attributes, '$.TOPICSTR')"),
    sqlite_where=literal_column("namespace = 'topic'"),
)

# Every queue object of any type: what a call must read, beside lock, counters and sequence of a local queue.
queue = Table(
    "queue",
    metadata,
    Column("id", Integer, primary_key=True),
    _text("owner"),
    _text("name"),
    _text("type"),
    # Raised with every change of an attribute.
    _number("version"),
    # Raised by an ALTER ... FORCE that handles opened before must not survive (2041).
    _number("generation"),
    _number("depth"),
    _number("next_sequence"),
    _number("last_put_at", null=True),
    _number("last_get_at", null=True),
    # Not later than the earliest expiry of a message here; NULL when none expires. Lets a scan skip the queue.
    _number("earliest_expiry", null=True),
    _number("definition_type", default=1),
    # The handle whose closing deletes a temporary dynamic queue.
    _number("creator", null=True),
    _number("logically_deleted"),
    _number("get_enabled", default=1),
    _number("put_enabled", default=1),
    _number("max_depth", default=5000),
    _number("max_length", default=4194304),
    _number("default_priority"),
    _number("default_persistence"),
    _number("fifo"),
    _number("is_transmission"),
    _number("shareable", default=1),
    _number("default_exclusive"),
    _number("trigger_on"),
    _number("trigger_type", default=1),
    _number("trigger_priority"),
    _number("trigger_depth", default=1),
    _text("trigger_data"),
    _text("initiation_queue"),
    _text("process"),
    _number("cap_expiry", null=True),
    _number("custom_cap_expiry", null=True),
    _number("recorded", default=1),
    _number("keep_nonpersistent"),
    _number("depth_high", default=80),
    _number("depth_low", default=20),
    # Which events may come next: an event switches itself off and others on; the definition keeps what was asked for.
    _number("high_event"),
    _number("low_event"),
    _number("full_event"),
    _number("service_interval", default=999999999),
    _number("service_event"),
    _text("target"),
    _number("target_is_topic"),
    _text("remote_name"),
    _text("remote_queue_manager"),
    _text("transmission_queue"),
    # Since the last RESET QSTATS or performance event.
    _number("puts"),
    _number("gets"),
    _number("high_depth"),
    _number("statistics_reset_at", null=True),
    # Average microseconds from put to get, over few and over many messages; NULL before the first get.
    _number("short_queue_time", null=True),
    _number("long_queue_time", null=True),
    UniqueConstraint("owner", "name"),
    sqlite_autoincrement=True,
)
Index(
    "queue_expiring",
    queue.c.owner,
    queue.c.earliest_expiry,
    sqlite_where=queue.c.earliest_expiry.is_not(None),
)

# Whoever opens a queue for input asks which queues trigger to it.
Index(
    "queue_triggering",
    queue.c.owner,
    queue.c.initiation_queue,
    queue.c.name,
    sqlite_where=literal_column("trigger_on = 1"),
)

# What one queue manager holds open of a queue; of a shared queue there is a row for every member of the group.
queue_member = Table(
    "queue_member",
    metadata,
    Column("queue", ForeignKey("queue.id", ondelete="CASCADE"), primary_key=True),
    Column("qmgr", Text, primary_key=True),
    _number("input_handles"),
    _number("exclusive_handles"),
    _number("output_handles"),
    _number("last_trigger", null=True),
    # How often in a row a close made a trigger message without the depth having fallen: a closed loop.
    _number("trigger_repeats"),
    _number("depth_at_trigger"),
    sqlite_with_rowid=False,
)

connection = Table(
    "connection",
    metadata,
    Column("id", Integer, primary_key=True),
    _text("qmgr"),
    _number("run"),
    _number("process"),
    _text("application"),
    _text("user"),
    _number("connected_at"),
    sqlite_autoincrement=True,
)
Index("connection_of_process", connection.c.process)
Index("connection_of_queue_manager", connection.c.qmgr)

handle = Table(
    "handle",
    metadata,
    Column("id", Integer, primary_key=True),
    _number("connection"),
    _text("qmgr"),
    # The local queue that messages are put to or got from; NULL for a queue manager, process or remote name.
    _number("queue", null=True),
    _text("object_name"),
    _text("object_type"),
    _number("options"),
    _number("input"),
    _number("exclusive"),
    _number("output"),
    _number("browse"),
    _number("opened_at"),
    sqlite_autoincrement=True,
)
Index("handle_of_connection", handle.c.connection)
Index("handle_on_queue", handle.c.queue)

# A get that waits for messages which nothing but their ids or place chooses; NULL for what may be anything.
waiter = Table(
    "waiter",
    metadata,
    Column("handle", Integer, primary_key=True),
    _number("queue"),
    Column("msg_id", BLOB),
    Column("correl_id", BLOB),
    Column("group_id", BLOB),
    _number("msg_seq_number", null=True),
    _number("offset", null=True),
)
Index("waiter_on_queue", waiter.c.queue)

# Objects beside the queue itself that a handle resolved through (aliases, remote definitions): in use while it is open.
handle_path = Table(
    "handle_path",
    metadata,
    Column("handle", Integer, primary_key=True),
    Column("queue", Integer, primary_key=True),
    sqlite_with_rowid=False,
)
Index("handle_path_of_queue", handle_path.c.queue)

# The message descriptor is stored as columns. NULL ids mean 24 zero bytes, NULL put_date means "as put_at tells".
message = Table(
    "message",
    metadata,
    Column("id", Integer, primary_key=True),
    _number("queue", default=None),
    _number("sequence", default=None),
    _number("state"),
    _number("unit", null=True),
    # Effective priority, by which the queue is ordered and triggers count.
    _number("rank"),
    # A trigger message of type FIRST or DEPTH stays when the unit of work that caused it is backed out.
    _number("kept_at_backout"),
    _number("locked_by", null=True),
    _number("marked_until", null=True),
    _number("put_at"),
    _number("expires_at", null=True),
    _number("length"),
    _number("report"),
    _number("msg_type"),
    _number("expiry"),
    _number("feedback"),
    _number("encoding"),
    _number("coded_char_set_id"),
    _text("format"),
    _number("priority"),
    _number("persistence"),
    Column("msg_id", BLOB, nullable=False),
    Column("correl_id", BLOB),
    _number("backout_count"),
    _text("reply_to_q"),
    _text("reply_to_q_mgr"),
    _text("user_identifier"),
    Column("accounting_token", BLOB),
    _text("appl_identity_data"),
    _number("put_appl_type"),
    _text("put_appl_name"),
    _text("put_date", null=True),
    _text("put_time", null=True),
    _text("appl_origin_data"),
    Column("group_id", BLOB),
    _number("msg_seq_number", default=1),
    _number("offset"),
    _number("msg_flags"),
    _number("original_length", default=-1),
    Column("body", BLOB, nullable=False),
)
_m = message.c
_ready: ColumnElement[bool] = literal_column("state = 0")
_with_correl_id: ColumnElement[bool] = literal_column("state = 0 AND correl_id IS NOT NULL")
_in_a_group: ColumnElement[bool] = literal_column("state = 0 AND group_id IS NOT NULL")
_expiring: ColumnElement[bool] = literal_column("expires_at IS NOT NULL")
Index("message_order", _m.queue, _m.rank.desc(), _m.sequence, sqlite_where=_ready)
Index("message_by_msg_id", _m.queue, _m.msg_id, _m.rank.desc(), _m.sequence, sqlite_where=_ready)
Index("message_by_correl_id", _m.queue, _m.correl_id, _m.rank.desc(), _m.sequence, sqlite_where=_with_correl_id)
Index("message_by_group_id", _m.queue, _m.group_id, _m.msg_seq_number, _m.offset, sqlite_where=_in_a_group)
Index("message_expiring", _m.queue, _m.expires_at, sqlite_where=_expiring)
Index("message_of_unit", message.c.unit, sqlite_where=literal_column("unit IS NOT NULL"))
Index("message_uncommitted", message.c.queue, message.c.rank, sqlite_where=literal_column("state = 1"))
Index("message_locked", message.c.locked_by, sqlite_where=literal_column("locked_by IS NOT NULL"))

_EVENT_TYPES: dict[str, TypeEngine[Any]] = {"INTEGER": Integer(), "TEXT": Text(), "BLOB": BLOB()}
event = Table(
    "event",
    metadata,
    *(
        Column(column.name, _EVENT_TYPES[column.type], primary_key=column.name == "seq", nullable=column.name != "seq")
        for column in EVENT_COLUMNS
    ),
    sqlite_autoincrement=True,
)
# How often a message was sent on from a queue before it came back.
Index("event_moved", event.c.queue, event.c.msg_id, sqlite_where=literal_column("kind IN ('REQUEUE', 'FORWARD')"))
# How a queue manager ended last since it was created, however long ago.
Index("event_ended", event.c.qmgr, event.c.seq, sqlite_where=literal_column("kind IN ('CREATE', 'END')"))

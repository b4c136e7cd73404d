"""The tables. `store/sql/rows.py` declares most of their columns; keys and indexes are declared
here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy.schema import (
    Column,
    CreateIndex,
    CreateTable,
    ForeignKey,
    Index,
    MetaData,
    Table,
    UniqueConstraint,
)
from sqlalchemy.sql import literal_column
from sqlalchemy.sql.expression import ColumnElement
from sqlalchemy.types import BLOB, Integer, Text, TypeEngine

from mqsc.store.published import EVENT_COLUMNS, PENDING
from mqsc.store.sql import rows as _rows
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.rows import MessageState, StoredMessage, condition_of, declared_columns

metadata = MetaData()
_TYPES: dict[type, type[TypeEngine[Any]]] = {int: Integer, str: Text, bytes: BLOB}


def _columns(row: type) -> Iterator[Column[Any]]:
    """Yield the columns that a class in `rows` declares."""
    for name, declared in declared_columns(row).items():
        type_ = _TYPES[declared.type]
        if declared.is_key:
            yield Column(name, type_, primary_key=True)
        else:
            default = None if declared.default is None else str(declared.default)
            yield Column(name, type_, nullable=declared.is_nullable, server_default=default)


def _number(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=null, server_default=None if null else "0")


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


# A process that has the store open. `file` is its liveness file, which it keeps locked.
process: Table = Table(
    "process",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("file", Text, nullable=False, unique=True),
    sqlite_autoincrement=True,
)
queue_manager: Table = Table(
    "queue_manager",
    metadata,
    *_columns(_rows.ManagerRow),
    sqlite_with_rowid=False,
)
sharing_group: Table = Table(
    "sharing_group",
    metadata,
    *_columns(_rows.GroupRow),
    sqlite_with_rowid=False,
)
pending_refresh: Table = Table(
    "pending_refresh",
    metadata,
    *_columns(_rows.PendingRefreshRow),
    sqlite_with_rowid=False,
)
# The definitions: the attributes that the administrator gave, as one JSON object.
object_: Table = Table(
    "object",
    metadata,
    Column("id", Integer, primary_key=True),
    *map(_text, ("owner", "namespace", "name", "type", "attributes")),
    *map(_number, ("created_at", "altered_at")),
    # QSGDISP: QMGR, COPY, GROUP or SHARED. The group owns the last two; a GROUP queue has no row in
    # `queue`.
    Column("disposition", Text, nullable=False, server_default="QMGR"),
    UniqueConstraint("owner", "namespace", "name"),
)
# Two topic objects must not have the same topic string.
_topic_string: ColumnElement[str] = literal_column("json_extract(attributes, '$.TOPICSTR')")
Index(
    "object_by_topic_string",
    object_.c.owner,
    _topic_string,
    sqlite_where=literal_column("namespace = 'topic'"),
)

_name_of_owner = UniqueConstraint("owner", "name")
queue: Table = Table(
    "queue",
    metadata,
    *_columns(_rows.QueueColumns),
    _name_of_owner,
    sqlite_autoincrement=True,
)
_q = queue.c
Index("queue_expiring", _q.owner, _q.earliest_expiry, sqlite_where=_q.earliest_expiry.is_not(None))
# An open for input looks for the queues that trigger to the queue.
Index(
    "queue_triggering",
    _q.owner,
    _q.initiation_queue,
    _q.name,
    sqlite_where=literal_column("trigger_on = 1"),
)
# DEFINE and ALTER of a stream queue look for the queues that copy to it.
Index(
    "queue_streaming",
    _q.owner,
    _q.stream_queue,
    sqlite_where=literal_column("stream_queue <> ''"),
)

# The handles that one queue manager holds on a queue. A shared queue has a row for each member of
# the group, which also has the member's last put and get, and its share of the statistics since
# RESET QSTATS, its start or a performance event.
queue_member: Table = Table(
    "queue_member",
    metadata,
    Column("queue", ForeignKey("queue.id", ondelete="CASCADE"), primary_key=True),
    Column("qmgr", Text, primary_key=True),
    *map(_number, ("input_handles", "exclusive_handles", "output_handles")),
    _number("last_trigger", null=True),
    # How many closes in a row have triggered while the depth did not fall: a closed loop.
    _number("trigger_repeats"),
    *map(_number, ("depth_at_trigger", "puts", "gets", "high_depth")),
    *(_number(name, null=True) for name in ("statistics_reset_at", "last_put_at", "last_get_at")),
    sqlite_with_rowid=False,
)
connection: Table = Table(
    "connection",
    metadata,
    *_columns(_rows.ConnectionRow),
    sqlite_autoincrement=True,
)
Index("connection_of_process", connection.c.process)
Index("connection_of_queue_manager", connection.c.qmgr)

handle: Table = Table("handle", metadata, *_columns(_rows.HandleRow), sqlite_autoincrement=True)
Index("handle_of_connection", handle.c.connection)
Index("handle_on_queue", handle.c.queue)

# A waiting get that selects messages by nothing but these columns; NULL for a column that may have
# any value.
waiter: Table = Table(
    "waiter",
    metadata,
    Column("handle", Integer, primary_key=True),
    _number("queue"),
    *(Column(name, BLOB) for name in ("msg_id", "correl_id", "group_id")),
    _number("msg_seq_number", null=True),
    _number("offset", null=True),
)
Index("waiter_on_queue", waiter.c.queue)

# The aliases and remote definitions that a handle resolved through; they are in use while the
# handle is open.
handle_path: Table = Table(
    "handle_path",
    metadata,
    Column("handle", Integer, primary_key=True),
    Column("queue", Integer, primary_key=True),
    sqlite_with_rowid=False,
)
Index("handle_path_of_queue", handle_path.c.queue)

message: Table = Table("message", metadata, *_columns(StoredMessage))
_m = message.c
_available: ColumnElement[bool] = literal_column(condition_of(MessageState.AVAILABLE))
_with_correl_id: ColumnElement[bool] = literal_column(f"{_available} AND correl_id IS NOT NULL")
_in_a_group: ColumnElement[bool] = literal_column(f"{_available} AND group_id IS NOT NULL")
_uncommitted: ColumnElement[bool] = literal_column(condition_of(MessageState.PUT))
_expiring: ColumnElement[bool] = literal_column("expires_at IS NOT NULL")
Index("message_order", _m.queue, _m.rank.desc(), _m.sequence, sqlite_where=_available)
Index(
    "message_by_msg_id",
    _m.queue,
    _m.msg_id,
    _m.rank.desc(),
    _m.sequence,
    sqlite_where=_available,
)
Index(
    "message_by_correl_id",
    _m.queue,
    _m.correl_id,
    _m.rank.desc(),
    _m.sequence,
    sqlite_where=_with_correl_id,
)
Index(
    "message_by_group_id",
    _m.queue,
    _m.group_id,
    _m.msg_seq_number,
    _m.offset,
    sqlite_where=_in_a_group,
)
Index("message_expiring", _m.queue, _m.expires_at, sqlite_where=_expiring)
Index("message_of_unit", _m.unit, sqlite_where=literal_column("unit IS NOT NULL"))
Index("message_uncommitted", _m.queue, _m.rank, sqlite_where=_uncommitted)
Index("message_locked", _m.locked_by, sqlite_where=literal_column("locked_by IS NOT NULL"))

kept_rule: Table = Table(
    "kept_rule",
    metadata,
    *_columns(_rows.KeptRuleRow),
    UniqueConstraint("qmgr", "name"),
)
# A message that has left its queue, as the rule kept it; its data is NULL if all of it is masked.
# `start` is how many bytes its rule had kept before it.
kept_message: Table = Table(
    "kept_message",
    metadata,
    Column("id", Integer, primary_key=True),
    *map(_number, ("rule", "start", "left_at")),
    *map(_text, ("owner", "queue")),
    *(
        Column(name, _TYPES[each.type])
        for name, each in declared_columns(StoredMessage).items()
        if name in _rows.KEPT
    ),
)
Index("kept_message_in_order", kept_message.c.rule, kept_message.c.start)
Index("kept_message_by_msg_id", kept_message.c.msg_id)

prepared_unit: Table = Table(
    "prepared_unit",
    metadata,
    *_columns(_rows.PreparedUnitRow),
    UniqueConstraint("qmgr", "name", "luwid"),
)
channel_status: Table = Table(
    "channel_status",
    metadata,
    *_columns(_rows.ChannelStatusRow),
    sqlite_with_rowid=False,
)
channel_fault: Table = Table("channel_fault", metadata, *_columns(_rows.ChannelFaultRow))
Index("channel_fault_of_channel", channel_fault.c.qmgr, channel_fault.c.channel)
channel_host: Table = Table(
    "channel_host",
    metadata,
    *_columns(_rows.ChannelHostRow),
    sqlite_with_rowid=False,
)
running_object: Table = Table(
    "running_object",
    metadata,
    *_columns(_rows.RunningObjectRow),
    sqlite_with_rowid=False,
)
# A publication looks for the subscriptions in the buckets of its topic string.
subscription: Table = Table("subscription", metadata, *_columns(_rows.SubscriptionRow))
_s = subscription.c
Index("subscription_in_bucket", _s.qmgr, _s.bucket)
Index(
    "subscription_by_name",
    _s.qmgr,
    _s.name,
    unique=True,
    sqlite_where=literal_column("name <> ''"),
)
Index("subscription_by_identifier", _s.qmgr, _s.identifier)
Index("subscription_of_queue", _s.qmgr, _s.destination)
Index("subscription_of_handle", _s.handle, sqlite_where=literal_column("handle <> 0"))
retained: Table = Table("retained", metadata, *_columns(_rows.RetainedRow))
Index("retained_by_topic_string", retained.c.qmgr, retained.c.topic_string)
published_topic: Table = Table(
    "published_topic",
    metadata,
    *_columns(_rows.PublishedTopicRow),
    sqlite_with_rowid=False,
)
publisher: Table = Table("publisher", metadata, *_columns(_rows.PublisherRow))
Index("publisher_of_queue_manager", publisher.c.qmgr)
user_account: Table = Table(
    "user_account",
    metadata,
    *_columns(_rows.UserAccountRow),
    sqlite_with_rowid=False,
)
# What was imported, so that each record is imported once.
imported_record: Table = Table(
    "imported_record",
    metadata,
    *_columns(_rows.ImportedRecordRow),
    sqlite_with_rowid=False,
)
imported_manager: Table = Table(
    "imported_manager",
    metadata,
    *_columns(_rows.ImportedManagerRow),
    sqlite_with_rowid=False,
)
import_position: Table = Table(
    "import_position",
    metadata,
    *_columns(_rows.ImportPositionRow),
    sqlite_with_rowid=False,
)
user_group: Table = Table(
    "user_group",
    metadata,
    *_columns(_rows.UserGroupRow),
    sqlite_with_rowid=False,
)
# One row, from the first claim on.
archive: Table = Table("archive", metadata, *_columns(_rows.ArchiveRow))
_EVENT_TYPES: dict[str, TypeEngine[Any]] = {"INTEGER": Integer(), "TEXT": Text(), "BLOB": BLOB()}
event: Table = Table(
    "event",
    metadata,
    *(
        Column(
            column.name,
            _EVENT_TYPES[column.type],
            primary_key=column.name == "seq",
            nullable=column.name != "seq",
        )
        for column in EVENT_COLUMNS
    ),
    sqlite_autoincrement=True,
)
# How often a message was moved on from a queue and came back.
Index(
    "event_moved",
    event.c.queue,
    event.c.msg_id,
    sqlite_where=literal_column("kind IN ('REQUEUE', 'FORWARD')"),
)
# What was refused, which is rare.
Index("event_refused", event.c.qmgr, event.c.seq, sqlite_where=literal_column("kind = 'REFUSE'"))
# The last end of a queue manager since it was created, however long ago.
Index(
    "event_ended",
    event.c.qmgr,
    event.c.seq,
    sqlite_where=literal_column("kind IN ('CREATE', 'END')"),
)
# The index of the history by segments (`store.rules.event_index`). The programs that read the
# history make the entries, of segments that are complete, because an index of identifiers would
# make every put slower.
event_segment: Table = Table(
    "event_segment",
    metadata,
    Column("segment", Integer, primary_key=True),
    Column("earliest", Integer),
    Column("latest", Integer),
    Column("prints", BLOB, nullable=False),
)
_STATE_NAME = (
    f"CASE message.state WHEN {MessageState.AVAILABLE:d} THEN '{MessageState.AVAILABLE.name}'"
    f" WHEN {MessageState.PUT:d} THEN '{MessageState.PUT.name}' ELSE '{MessageState.GOT.name}' END"
)
# The view behind `store.published.PENDING`; the order of its columns is that of PENDING_COLUMNS.
PENDING_VIEW = f"""CREATE VIEW {PENDING.table} AS
SELECT message.id AS id, queue.owner AS qmgr, queue.name AS queue, message.msg_id AS msg_id,
       message.correl_id AS correl_id, message.priority AS priority, message.persistence AS persistence,
       message.length AS length, message.put_at AS put_at, message.expires_at AS expires_at,
       message.put_appl_name AS put_application, message.user_identifier AS put_user,
       {_STATE_NAME} AS state
  FROM message JOIN queue ON queue.id = message.queue"""


def definitions() -> dict[str, str]:
    """Return the statements that create what a new store has, by the name of the table, index or
    view.
    """
    statements: dict[str, str] = {}
    for table in metadata.sorted_tables:
        statements[table.name] = text_of(CreateTable(table)).strip()
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            statements[str(index.name)] = text_of(CreateIndex(index)).strip()
    return {**statements, PENDING.table: PENDING_VIEW}

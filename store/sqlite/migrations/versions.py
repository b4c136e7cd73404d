"""The steps of upgrades, one for each number of the schema. A step is never changed once
released.
"""

from collections.abc import Iterable

from alembic.operations import Operations
from sqlalchemy import BLOB, Column, Integer, Text, UniqueConstraint, text

_TYPES = {"INTEGER": Integer, "TEXT": Text, "BLOB": BLOB}
_DEFAULTS = {"INTEGER": "0", "TEXT": ""}


def _columns(declared: str) -> Iterable[Column[int] | Column[str] | Column[bytes]]:
    """Columns declared as `name TYPE`, separated by commas, with KEY, NULL or, for the default
    of the type, nothing.
    """
    for each in declared.split(","):
        name, kind, *option = each.split()
        default = None if option else _DEFAULTS.get(kind)
        is_key, may_be_null = option == ["KEY"], option == ["NULL"]
        yield Column(
            name,
            _TYPES[kind],
            primary_key=is_key,
            nullable=may_be_null,
            server_default=default,
        )


def _add_columns(operations: Operations, table: str, declared: str) -> None:
    for column in _columns(declared):
        operations.add_column(table, column)


# Adds rows for gets that wait for particular messages, an index for the last end, and more units
# per connection.

# A unit of work was `connection << 24 | n`: after sixteen million units a connection reached the
# range of the next.
_RENUMBERED = "unit = ((unit >> 24) << 32) | (unit & 16777215) WHERE unit IS NOT NULL"


def to_version_2(operations: Operations) -> None:
    ids = (
        "msg_id BLOB NULL, correl_id BLOB NULL, group_id BLOB NULL, msg_seq_number INTEGER NULL, "
        "offset INTEGER NULL"
    )
    operations.create_table("waiter", *_columns(f"handle INTEGER KEY, queue INTEGER, {ids}"))
    operations.create_index("waiter_on_queue", "waiter", ["queue"])
    operations.create_index(
        "event_ended",
        "event",
        ["qmgr", "seq"],
        sqlite_where=text("kind IN ('CREATE', 'END')"),
    )
    for table in ("message", "event"):
        operations.execute(f"UPDATE {table} SET {_RENUMBERED}")


# STREAMQ, STRMQOS, CONFIGEV and CMDEV are columns, so that a call reads them with the row that it
# reads anyway.

_DEFINITION = """(SELECT {value} FROM object
 WHERE object.owner = queue.owner AND object.namespace = 'queue' AND object.name = queue.name)"""
_QUEUE_MANAGER = """(SELECT {value} FROM object
 WHERE object.owner = queue_manager.name AND object.namespace = 'qmgr' AND object.name = queue_manager.name)"""
_COMMAND_EVENT = (
    "CASE json_extract(attributes, '$.CMDEV') WHEN 'ENABLED' THEN 1 WHEN 'NODISPLAY' THEN 2 ELSE 0 "
    "END"
)


def to_version_3(operations: Operations) -> None:
    """From the schema without these columns: the definitions have the values."""
    _add_columns(operations, "queue", "stream_queue TEXT, must_duplicate INTEGER")
    stream_queue = _DEFINITION.format(value="json_extract(attributes, '$.STREAMQ')")
    must_duplicate = _DEFINITION.format(value="json_extract(attributes, '$.STRMQOS') = 'MUSTDUP'")
    operations.execute(
        f"UPDATE queue SET stream_queue = coalesce({stream_queue}, ''), must_duplicate = "
        f"coalesce({must_duplicate}, 0)",
    )
    operations.create_index(
        "queue_streaming",
        "queue",
        ["owner", "stream_queue"],
        sqlite_where=text("stream_queue <> ''"),
    )
    for column, value in (
        ("configuration_event", "json_extract(attributes, '$.CONFIGEV') = 'ENABLED'"),
        ("command_event", _COMMAND_EVENT),
    ):
        _add_columns(operations, "queue_manager", f"{column} INTEGER")
        operations.execute(
            f"UPDATE queue_manager SET {column} = coalesce({_QUEUE_MANAGER.format(value=value)}, "
            "0)",
        )


# Units of work in doubt, and the state of channels.


def to_version_4(operations: Operations) -> None:
    unit = "number INTEGER KEY, qmgr TEXT, name TEXT, luwid TEXT, prepared_at INTEGER"
    columns = _columns(f"{unit}, application TEXT, user TEXT, recorded INTEGER, outcomes TEXT")
    operations.create_table("prepared_unit", *columns, UniqueConstraint("qmgr", "name", "luwid"))
    status = (
        "qmgr TEXT KEY, channel TEXT KEY, partner TEXT KEY, status INTEGER, requested TEXT, "
        "requested_status TEXT"
    )
    columns = _columns(f"{status}, process INTEGER NULL, retry_at INTEGER NULL, figures TEXT")
    operations.create_table("channel_status", *columns, sqlite_with_rowid=False)
    fault = (
        "id INTEGER KEY, qmgr TEXT, channel TEXT, step TEXT, number INTEGER, action TEXT, "
        "milliseconds INTEGER"
    )
    operations.create_table(
        "channel_fault",
        *_columns(f"{fault}, times INTEGER NULL, until INTEGER NULL"),
    )
    operations.create_index("channel_fault_of_channel", "channel_fault", ["qmgr", "channel"])
    operations.create_table(
        "channel_host",
        *_columns("address TEXT KEY, target TEXT"),
        sqlite_with_rowid=False,
    )


# Queue-sharing groups, shared queues and structures; the index of the history, what of it was
# archived; users.

# INDXTYPE of the definition as a number; it matters for shared queues only.
_INDEX_TYPE = """(SELECT CASE json_extract(attributes, '$.INDXTYPE') WHEN 'MSGID' THEN 1 WHEN 'CORRELID' THEN 2
 WHEN 'MSGTOKEN' THEN 4 WHEN 'GROUPID' THEN 5 ELSE 0 END FROM object
 WHERE object.owner = queue.owner AND object.namespace = 'queue' AND object.name = queue.name)"""

# IGQ(ENABLED) is refused now, so that an export with it could not run.
_NO_INTRA_GROUP_QUEUING = """UPDATE object SET attributes = json_remove(attributes, '$.IGQ')
 WHERE type = 'QMGR' AND json_extract(attributes, '$.IGQ') = 'ENABLED'"""


def to_version_5(operations: Operations) -> None:
    group = _columns("name TEXT KEY, created_at INTEGER, expiry_owner TEXT")
    operations.create_table("sharing_group", *group, sqlite_with_rowid=False)
    refresh = _columns("qmgr TEXT KEY, namespace TEXT KEY, name TEXT KEY, reason INTEGER")
    operations.create_table("pending_refresh", *refresh, sqlite_with_rowid=False)
    operations.add_column(
        "object",
        Column("disposition", Text, nullable=False, server_default="QMGR"),
    )
    member = "sharing_group TEXT, member_number INTEGER, joined_run INTEGER, expiry_rank INTEGER"
    _add_columns(operations, "queue_manager", f"{member}, commands_stopped INTEGER")
    for table in ("connection", "handle"):
        _add_columns(operations, table, "consumption TEXT")
    _add_columns(operations, "queue_member", "puts INTEGER, gets INTEGER, high_depth INTEGER")
    times = "statistics_reset_at INTEGER NULL, last_put_at INTEGER NULL, last_get_at INTEGER NULL"
    _add_columns(operations, "queue_member", times)
    structure = "structure_level INTEGER, structure TEXT, structure_longest INTEGER NULL"
    _add_columns(operations, "queue", f"index_type INTEGER, {structure}")
    operations.add_column(
        "queue",
        Column("structure_keeps_persistent", Integer, nullable=False, server_default="1"),
    )
    operations.execute(_NO_INTRA_GROUP_QUEUING)
    operations.execute(f"UPDATE queue SET index_type = coalesce({_INDEX_TYPE}, 0)")
    segment = _columns(
        "segment INTEGER KEY, earliest INTEGER NULL, latest INTEGER NULL, prints BLOB",
    )
    operations.create_table("event_segment", *segment)
    hashed = (
        "name TEXT KEY, salt BLOB, hashed BLOB, cost INTEGER, block_size INTEGER, parallel INTEGER"
    )
    user = _columns(f"{hashed}, administrator INTEGER, created_at INTEGER, changed_at INTEGER")
    operations.create_table("user_account", *user, sqlite_with_rowid=False)
    claim = "first INTEGER, last INTEGER, sha256 TEXT, pruned INTEGER"
    operations.create_table(
        "archive",
        *_columns(f"number INTEGER KEY, store TEXT, state TEXT, url TEXT, {claim}"),
    )


# The data of messages that have left their queues, where a rule keeps it.

_DESCRIPTOR_AND_DATA = (
    "put_at INTEGER NULL, expires_at INTEGER NULL, length INTEGER NULL, report INTEGER NULL, "
    "msg_type INTEGER NULL, expiry INTEGER NULL, feedback INTEGER NULL, encoding INTEGER NULL, "
    "coded_char_set_id INTEGER NULL, format TEXT NULL, priority INTEGER NULL, persistence INTEGER "
    "NULL, "
    "msg_id BLOB NULL, correl_id BLOB NULL, backout_count INTEGER NULL, reply_to_q TEXT NULL, "
    "reply_to_q_mgr TEXT NULL, user_identifier TEXT NULL, accounting_token BLOB NULL, "
    "appl_identity_data TEXT NULL, put_appl_type INTEGER NULL, put_appl_name TEXT NULL, put_date "
    "TEXT NULL, "
    "put_time TEXT NULL, appl_origin_data TEXT NULL, group_id BLOB NULL, msg_seq_number INTEGER "
    "NULL, "
    "offset INTEGER NULL, msg_flags INTEGER NULL, original_length INTEGER NULL, body BLOB NULL"
)


def to_version_6(operations: Operations) -> None:
    names = "id INTEGER KEY, qmgr TEXT, name TEXT, low TEXT, high TEXT"
    rule = _columns(f"{names}, span INTEGER, most INTEGER, masks TEXT, total INTEGER")
    operations.create_table("kept_rule", *rule, UniqueConstraint("qmgr", "name"))
    place = "id INTEGER KEY, rule INTEGER, start INTEGER, left_at INTEGER, owner TEXT, queue TEXT"
    operations.create_table("kept_message", *_columns(f"{place}, {_DESCRIPTOR_AND_DATA}"))
    operations.create_index("kept_message_in_order", "kept_message", ["rule", "start"])
    operations.create_index("kept_message_by_msg_id", "kept_message", ["msg_id"])


# What was imported from files of other queue managers.


def to_version_7(operations: Operations) -> None:
    for table, columns in (
        ("imported_record", "fingerprint TEXT KEY"),
        ("imported_manager", "name TEXT KEY"),
        ("import_position", "file TEXT KEY, state TEXT"),
    ):
        operations.create_table(table, *_columns(columns), sqlite_with_rowid=False)


# Whether authorities are enforced, and the groups of users. A store with users has lived without:
# it is only warned.


def to_version_8(operations: Operations) -> None:
    _add_columns(operations, "queue_manager", "authority_mode TEXT, os_groups INTEGER")
    group = _columns("user TEXT KEY, name TEXT KEY")
    operations.create_table("user_group", *group, sqlite_with_rowid=False)
    operations.create_index(
        "event_refused",
        "event",
        ["qmgr", "seq"],
        sqlite_where=text("kind = 'REFUSE'"),
    )
    operations.execute(
        "UPDATE queue_manager SET authority_mode = 'warn' WHERE EXISTS (SELECT 1 FROM "
        "user_account)",
    )


# The listeners and services that were started.


def to_version_9(operations: Operations) -> None:
    running = _columns("qmgr TEXT KEY, type TEXT KEY, name TEXT KEY, started_at INTEGER")
    operations.create_table("running_object", *running, sqlite_with_rowid=False)


# Publish/subscribe: subscriptions, of which definitions have the attributes, and publications.

_ATTRIBUTE = "json_extract(object.attributes, '$.{}')"
_FULL_STRING = f"""trim(coalesce((SELECT json_extract(topic.attributes, '$.TOPICSTR') FROM object AS topic
 WHERE topic.owner = object.owner AND topic.namespace = 'topic' AND topic.name = {_ATTRIBUTE.format("TOPICOBJ")}
), '') || char(10) || {_ATTRIBUTE.format("TOPICSTR")}, char(10))"""
_OF_DEFINITIONS = {
    "qmgr": "object.owner",
    "identifier": _ATTRIBUTE.format("SUBID"),
    "name": "object.name",
    "is_administrative": "1",
    "topic_object": _ATTRIBUTE.format("TOPICOBJ"),
    "topic_string": f"replace({_FULL_STRING}, char(10), '/')",
    "by_character": f"{_ATTRIBUTE.format('WSCHEMA')} = 'CHAR'",
    "level": f"coalesce({_ATTRIBUTE.format('SUBLEVEL')}, 1)",
    "durable": "1",
    "destination": _ATTRIBUTE.format("DEST"),
    "destination_manager": _ATTRIBUTE.format("DESTQMGR"),
    "selector": _ATTRIBUTE.format("SELECTOR"),
    "request_only": f"{_ATTRIBUTE.format('REQONLY')} = 'YES'",
    "correlation": f"""coalesce(nullif({_ATTRIBUTE.format("DESTCORL")}, ''), {_ATTRIBUTE.format("SUBID")})""",
    "user": _ATTRIBUTE.format("SUBUSER"),
    "any_user": f"{_ATTRIBUTE.format('VARUSER')} = 'ANY'",
    "user_data": _ATTRIBUTE.format("USERDATA"),
    "property_form": _ATTRIBUTE.format("PSPROP"),
    "accounting": _ATTRIBUTE.format("PUBACCT"),
    "appl_identity_data": _ATTRIBUTE.format("PUBAPPID"),
    "created_at": "object.created_at",
    "altered_at": "object.altered_at",
}


def to_version_10(operations: Operations) -> None:
    of_topic = "topic_object TEXT, topic_string TEXT, by_character INTEGER, bucket TEXT"
    operations.create_table(
        "subscription",
        *_columns(
            f"id INTEGER KEY, qmgr TEXT, identifier TEXT, name TEXT, is_administrative INTEGER, {of_topic}"
        ),
        Column("level", Integer, nullable=False, server_default="1"),
        *_columns(
            "durable INTEGER, managed INTEGER, destination TEXT, destination_manager TEXT, "
            "selector TEXT, request_only INTEGER",
        ),
        Column("expiry", Integer, nullable=False, server_default="-1"),
        *_columns(
            "expires_at INTEGER NULL, correlation TEXT, user TEXT, any_user INTEGER, user_data TEXT",
        ),
        Column("priority", Integer, nullable=False, server_default="-3"),
        *_columns(
            "property_form TEXT, accounting TEXT, appl_identity_data TEXT, grouped INTEGER, "
            "connection INTEGER, handle INTEGER, created_at INTEGER, altered_at INTEGER, "
            "resumed_at INTEGER NULL, delivered_at INTEGER NULL, delivered INTEGER",
        ),
    )
    operations.create_index("subscription_in_bucket", "subscription", ["qmgr", "bucket"])
    operations.create_index(
        "subscription_by_name",
        "subscription",
        ["qmgr", "name"],
        unique=True,
        sqlite_where=text("name <> ''"),
    )
    operations.create_index("subscription_by_identifier", "subscription", ["qmgr", "identifier"])
    operations.create_index("subscription_of_queue", "subscription", ["qmgr", "destination"])
    operations.create_index(
        "subscription_of_handle",
        "subscription",
        ["handle"],
        sqlite_where=text("handle <> 0"),
    )
    retained = "id INTEGER KEY, qmgr TEXT, topic_string TEXT, message INTEGER"
    operations.create_table("retained", *_columns(f"{retained}, queue INTEGER, sequence INTEGER"))
    operations.create_index("retained_by_topic_string", "retained", ["qmgr", "topic_string"])
    published = _columns("qmgr TEXT KEY, topic_string TEXT KEY, published_at INTEGER")
    operations.create_table("published_topic", *published, sqlite_with_rowid=False)
    publisher = "handle INTEGER KEY, qmgr TEXT, connection INTEGER, topic_string TEXT"
    operations.create_table(
        "publisher",
        *_columns(f"{publisher}, published_at INTEGER NULL, publications INTEGER"),
    )
    operations.create_index("publisher_of_queue_manager", "publisher", ["qmgr"])
    # A managed subscription has no queue yet, and the default object never receives anything.
    values = ", ".join(f"coalesce({value}, '')" for value in _OF_DEFINITIONS.values())
    operations.execute(
        f"INSERT INTO subscription ({', '.join(_OF_DEFINITIONS)}) SELECT {values} FROM object "
        f"WHERE namespace = 'sub' AND name <> 'SYSTEM.DEFAULT.SUB' AND "
        f"{_ATTRIBUTE.format('DESTCLAS')} <> 'MANAGED'",
    )


# The channel and the address of a client, for DISPLAY CONN.


def to_version_11(operations: Operations) -> None:
    _add_columns(operations, "connection", "channel TEXT, address TEXT")

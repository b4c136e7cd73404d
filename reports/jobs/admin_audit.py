"""Who changed what: objects, records, messages by command and the queue manager itself, before
and after.
"""

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.columns import CODE, NUMBER, TEXT, TIME, Column, table
from mqsc.reports.declaration import Chart, Identity, Reads, Report
from mqsc.reports.expressions import HOUR, grouped
from mqsc.reports.shared_columns import QMGR
from mqsc.reports.units import in_detail
from mqsc.store.published import EVENT

_OF_QUEUE_MANAGER = ("CREATE", "JOIN", "LEAVE", "START", "END", "CLOCK", "ACCESS", "SEND")
_OF_OBJECTS = ("DEFINE", "ALTER", "SET", "DELETE", "CLEAR", "MOVE")
# Objects that come with their queue manager, and dynamic queues, which come and go with programs.
_UNASKED = ("create", "dynamic")
_CHANNEL_COMMANDS = ("starting", "stopped")
_WHERE = (
    f"kind IN {(*_OF_QUEUE_MANAGER, *_OF_OBJECTS, 'CHANNEL')} AND NOT coalesce(cause IN "
    f"{_UNASKED}, FALSE)"
    f" AND (kind <> 'CHANNEL' OR cause IN {_CHANNEL_COMMANDS})"
)
# The attributes that distinguish records of one profile: authority records, and channel
# authentication records.
IDENTIFYING = (
    *("OBJTYPE", "ENTTYPE", "ENTITY"),
    *("TYPE", "ADDRESS", "CLNTUSER", "QMNAME", "SSLCERTI", "SSLPEER"),
)


def _identity(word: str) -> str:
    """SQL for an attribute that tells records of one profile apart, written as in a command;
    NULL if it has none.
    """
    pair = f"from_json(get_json_object(detail, '$.{word}'), 'ARRAY<STRING>')"
    value = f"coalesce(get_json_object(detail, '$.record.{word}'), {pair}[1], {pair}[0])"
    return f"nullif(concat('{word}(', {value}, ')'), '{word}()')"


_FACTS = {
    "type": f"CASE WHEN kind IN {_OF_QUEUE_MANAGER} THEN 'QMGR' WHEN kind = 'CHANNEL' THEN kind "
    "WHEN kind = 'MOVE' THEN 'QLOCAL' ELSE target END",
    "object": (
        f"CASE WHEN kind IN {_OF_QUEUE_MANAGER} THEN qmgr WHEN kind = 'CHANNEL' THEN target ELSE "
        "queue END"
    ),
    "to": "IF(kind IN ('MOVE', 'JOIN', 'LEAVE'), target, NULL)",
    "record": "CASE WHEN kind = 'ACCESS' THEN concat('USER(', target, ')') WHEN target IN ('AUTHREC', 'CHLAUTH') THEN "
    f"nullif(concat_ws(' ', {', '.join(_identity(word) for word in IDENTIFYING)}), '') END",
    "messages": f"CAST({in_detail('messages')} AS BIGINT)",
    "disposition": in_detail("disposition"),
    "member": in_detail("member"),
}
# Changes of who may do what.
_SECURITY = (
    "kind = 'ACCESS' OR target IN ('AUTHREC', 'CHLAUTH', 'AUTHINFO') OR pair.key IN {}".format(
        ("CHLAUTH", "CONNAUTH", "MCAUSER", "PUTAUT"),
    )
)
# A pair of values, before and after, is the only list in the detail.
PAIRS = f"""filter(map_entries(from_json(IF(kind IN {_OF_OBJECTS}, detail, NULL), 'MAP<STRING, STRING>')),
    each -> each.value LIKE '[%')"""
_MOMENT = "timestamp_micros(CAST(get_json_object(detail, '$.{}') AS BIGINT))"
_CLOCK = f"date_format({_MOMENT}, \"yyyy-MM-dd HH:mm:ss.SSSSSS'Z'\")"


def _value(number: int, of_clock: str, of_access: str) -> str:
    of_pair = f"from_json(pair.value, 'ARRAY<STRING>')[{number}]"
    of_access = f"get_json_object(detail, '$.{of_access}')"
    return f"CASE kind WHEN 'CLOCK' THEN {_CLOCK.format(of_clock)} WHEN 'ACCESS' THEN {of_access} ELSE {of_pair} END"


def changes(events: DataFrame, attributes: str = PAIRS) -> DataFrame:
    """One row per attribute that an event changed, and one for an event that changed none."""
    pairs = events.withColumns({name: F.expr(sql) for name, sql in _FACTS.items()}).select(
        "*",
        F.explode_outer(F.expr(attributes)).alias("pair"),
    )
    values = {
        "security": F.expr(f"IF({_SECURITY}, 1, 0)"),
        "attribute": F.expr(
            "CASE kind WHEN 'CLOCK' THEN kind WHEN 'ACCESS' THEN upper(cause) ELSE pair.key END",
        ),
        "before": F.expr(_value(0, "from", "before")),
        "after": F.expr(_value(1, "to", "after")),
    }
    return pairs.withColumns(values)


def activity(events: DataFrame) -> DataFrame:
    """One row per hour, user, program, action and type of object."""
    facts = events.withColumns(
        {"hour": F.expr(HOUR), **{name: F.expr(_FACTS[name]) for name in ("type", "object")}},
    )
    groups = "qmgr hour user application kind type"
    return grouped(facts, groups, "count(*) AS actions", "count(DISTINCT object) AS objects")


# What the report reads.

_READS = {
    "event": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "cause",
            "queue",
            "target",
            "connection",
            "application",
            "user",
            "detail",
        ),
        where=_WHERE,
    ),
}

# Columns that several tables have.

_ACTION = Column(
    "action",
    TEXT,
    f"The kind in the history: {', '.join(_OF_OBJECTS)}, CHANNEL, or "
    f"{', '.join(_OF_QUEUE_MANAGER)}.",
    sql="kind",
)
_TYPE = Column("type", TEXT, "Type of the object, such as QLOCAL, CHANNEL, AUTHREC or QMGR.")
_USER = Column("user", TEXT, "The user that caused it.")
_APPLICATION = Column("application", TEXT, "The program that caused it.")

# The tables.

_CHANGES = table(
    "changes",
    "Every action, a row per attribute, without dynamic queues and the objects that "
    "come with a queue manager.",
    build=changes,
    reads=("event",),
    order=("seq", "qmgr", "attribute"),
    columns=(
        Column(
            "seq",
            CODE,
            "Number of the event in the history; the attributes of one event share it.",
            worst=True,
        ),
        Column("at", TIME, "When it happened by the queue manager's clock, UTC."),
        QMGR,
        _ACTION,
        Column(
            "cause",
            TEXT,
            "The cause in the history, such as replace, command or application; empty for a "
            "plain command.",
        ),
        _TYPE,
        Column("object", TEXT, "Name of the object; of a record, its profile."),
        Column(
            "record",
            TEXT,
            "What tells an authority or channel authentication record from others, or the "
            "user that was changed.",
        ),
        Column("attribute", TEXT, "The attribute; empty if the action changed none."),
        Column(
            "before",
            TEXT,
            "Its value before; empty for a new object or group. Lists are JSON.",
        ),
        Column("after", TEXT, "Its value after; empty for a deleted object. Lists are JSON."),
        Column("to", TEXT, "The target queue of MOVE, or the group of JOIN and LEAVE."),
        Column(
            "messages",
            NUMBER,
            "How many messages CLEAR, MOVE or DELETE removed from the queue.",
        ),
        _USER,
        _APPLICATION,
        Column("connection", CODE, "Its connection; empty for a command outside one."),
        Column(
            "security",
            CODE,
            "1 for a change of authority: a record, a rule, a mode, or an attribute such as "
            "MCAUSER; else 0.",
        ),
        Column("disposition", TEXT, "COPY or GROUP; empty for an object of another QSGDISP."),
        Column(
            "member",
            TEXT,
            "The member that acted, if the object belongs to a queue-sharing group.",
        ),
    ),
)

_ACTIVITY = table(
    "activity",
    "How many actions by hour, user, program, action and type of object.",
    build=activity,
    reads=("event",),
    order=("qmgr", "hour", "user", "application", "action", "type"),
    columns=(
        QMGR,
        Column("hour", TIME, "Start of the hour (UTC)."),
        _USER,
        _APPLICATION,
        _ACTION,
        _TYPE,
        Column(
            "actions",
            NUMBER,
            "How often that happened.",
            total="administrative actions",
            worst=True,
        ),
        Column("objects", NUMBER, "How many objects were concerned."),
    ),
    chart=Chart("actions", by="hour"),
)

REPORT = Report(
    "admin-audit",
    "Who defined, altered, deleted, cleared, moved, started and stopped what, with "
    "the values before and after.",
    reads=_READS,
    tables=(_CHANGES, _ACTIVITY),
    identities=(
        Identity(
            "activity.actions = distinct changes.seq",
            by=("qmgr", "user", "application", "action", "type"),
        ),
    ),
)

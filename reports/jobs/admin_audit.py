"""Who changed what: objects, records, messages by command and the queue manager itself, before
and after.
"""

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.columns import HOUR, declared, grouped
from mqsc.reports.units import in_detail

_OF_QUEUE_MANAGER = ("CREATE", "JOIN", "LEAVE", "START", "END", "CLOCK", "ACCESS")
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


OF_OBJECTS = ", ".join(_OF_OBJECTS)
OF_QUEUE_MANAGER = ", ".join(_OF_QUEUE_MANAGER)
REPORT = declared("admin-audit", globals())

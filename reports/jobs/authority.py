"""Authorities: who was refused what, who changed the records, and what users may do and did not
use.
"""

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.blocks import first_later
from mqsc.reports.columns import CODE, NUMBER, TEXT, TIME, Column, table
from mqsc.reports.declaration import Chart, Identity, Reads, Report
from mqsc.reports.expressions import HOUR, grouped
from mqsc.reports.jobs.admin_audit import IDENTIFYING, PAIRS, changes
from mqsc.reports.shared_columns import QMGR
from mqsc.reports.units import in_detail
from mqsc.store.published import AUTHORITY, EVENT

_FACTS = {
    "hour": HOUR,
    "call": in_detail("call"),
    "missing": f"array_join(from_json({in_detail('missing')}, 'ARRAY<STRING>'), ', ')",
    "channel": in_detail("channel"),
    "times": f"coalesce(CAST({in_detail('repeated')} AS BIGINT), 1)",
}


def opens_of_refused(opened: DataFrame, refused: DataFrame) -> DataFrame:
    """What the users opened who were ever refused something; most were not."""
    users = F.broadcast(refused.select("qmgr", "user").distinct())
    opens = opened.selectExpr("qmgr", "user", "queue", "seq", "at AS opened_at")
    return opens.join(users, ["qmgr", "user"], "left_semi")


def refusals(refused: DataFrame, opens: DataFrame) -> DataFrame:
    """One row per hour, user, program, object, cause and what was missing."""
    facts = refused.withColumns({name: F.expr(sql) for name, sql in _FACTS.items()})
    by = "qmgr user queue hour application call cause missing channel"
    groups = grouped(facts, by, "sum(times) AS refusals", "max(at) AS last", "max(seq) AS seq")
    # A connection is refused without an object, and any open shows that the user may connect now.
    of_user = first_later(groups, opens.drop("queue"), "qmgr user", "opened_at")
    connected = of_user.withColumnRenamed("opened_at", "connected_at")
    of_object = first_later(connected, opens, "qmgr user queue", "opened_at")
    return of_object.withColumn("cured", F.expr("IF(queue IS NULL, connected_at, opened_at)"))


def users(refused: DataFrame) -> DataFrame:
    """One row per user and cause."""
    facts = refused.withColumn("times", F.expr(_FACTS["times"]))
    counts = (
        "sum(times) AS refusals",
        "count(DISTINCT queue) AS objects",
        "count(DISTINCT application) AS programs",
    )
    return grouped(facts, "qmgr user cause", *counts, "min(at) AS first", "max(at) AS last")


_RECORD = "concat('OBJTYPE(', type, ') ENTTYPE(', entity_type, ') ENTITY(', entity, ')') AS record"


def grants(change: DataFrame, record: DataFrame) -> DataFrame:
    """One row per attribute of a record that was changed, but for those that tell it from
    others.
    """
    changed = changes(change, f"filter({PAIRS}, pair -> pair.key NOT IN {IDENTIFYING})")
    covering = record.selectExpr("store", "qmgr", "queue AS object", _RECORD, "objects")
    return changed.join(covering, ["store", "qmgr", "object", "record"], "left")


def effective(effective: DataFrame) -> DataFrame:
    """One row per object, and user or group that has an authority for it."""
    return effective


def unused(unused: DataFrame) -> DataFrame:
    """One row per record of which no program used something."""
    return unused


# What the report reads.

_READS = {
    "event": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "cause", "queue", "application", "user", "detail"),
        where="kind = 'REFUSE'",
    ),
    "opened": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "queue", "user"),
        where="kind = 'OPEN'",
        gather=opens_of_refused,
        beside=("event",),
    ),
    "change": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "cause",
            "queue",
            "target",
            "application",
            "user",
            "detail",
        ),
        where="kind IN ('SET', 'DELETE') AND target IN ('AUTHREC', 'CHLAUTH')",
    ),
    "record": Reads(
        AUTHORITY,
        columns=("qmgr", "kind", "type", "queue", "entity_type", "entity", "objects"),
        where="kind = 'record'",
    ),
    "effective": Reads(
        AUTHORITY,
        columns=("qmgr", "kind", "type", "queue", "entity_type", "entity", "words"),
        where="kind = 'effective'",
    ),
    "unused": Reads(
        AUTHORITY,
        columns=("qmgr", "kind", "type", "queue", "entity_type", "entity", "words"),
        where="kind = 'unused'",
    ),
}

# Columns that several tables have.

_USER = Column("user", TEXT, "The user who was refused, or the name that a program claimed.")
_ENTITY_TYPE = Column("entity_type", TEXT, "PRINCIPAL or GROUP.")
_ENTITY = Column("entity", TEXT, "The user or group.")
_CAUSE = Column(
    "cause",
    TEXT,
    "The cause in the history, such as authority, command, password or channel; "
    "would-refuse and would-block if nothing was refused.",
)

# The tables.

_REFUSALS = table(
    "refusals",
    "What was refused, by hour, user, program, object and what was missing.",
    build=refusals,
    reads=("event", "opened"),
    rows_from=("event",),
    order=("qmgr", "hour", "user", "application", "call", "object", "cause", "missing", "channel"),
    columns=(
        QMGR,
        Column("hour", TIME, "Start of the hour (UTC)."),
        _USER,
        Column("application", TEXT, "The program."),
        Column(
            "call",
            TEXT,
            "The call or command; empty for a password, and for a channel that was blocked.",
        ),
        Column("object", TEXT, "The object as it was named; empty for a connection.", sql="queue"),
        _CAUSE,
        Column("missing", TEXT, "What was not granted: authority, type of object and name."),
        Column("channel", TEXT, "The channel of a client, or of the message channel."),
        Column(
            "refusals",
            NUMBER,
            "How many times, those included that the history only counts.",
            problem="refusals",
            worst=True,
        ),
        Column("last", TIME, "When it was refused for the last time in that hour, UTC."),
        Column(
            "cured_at",
            TIME,
            "When the user first opened the object afterwards, or any object if it could not "
            "connect; empty if it never did. An open of an alias counts for its base queue.",
            sql="cured",
        ),
    ),
    chart=Chart("refusals", by="hour"),
)

_USERS = table(
    "users",
    "Refusals by user and cause.",
    build=users,
    reads=("event",),
    order=("qmgr", "user", "cause"),
    columns=(
        QMGR,
        _USER,
        _CAUSE,
        Column("refusals", NUMBER, "How many times.", worst=True),
        Column("objects", NUMBER, "How many objects were concerned."),
        Column("programs", NUMBER, "How many programs were concerned."),
        Column("since", TIME, "When the user was refused for the first time, UTC.", sql="first"),
        Column("last", TIME, "When the user was refused for the last time, UTC."),
    ),
    chart=Chart("refusals", by="user"),
)

_GRANTS = table(
    "grants",
    "Every change of an authority record or a channel authentication record, a row per attribute.",
    build=grants,
    reads=("change", "record"),
    rows_from=("change",),
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
        Column("user", TEXT, "The user that changed it."),
        Column("application", TEXT, "The program that changed it."),
        Column("action", TEXT, "SET or DELETE.", sql="kind"),
        Column("type", TEXT, "AUTHREC or CHLAUTH."),
        Column("profile", TEXT, "Its profile.", sql="object"),
        Column(
            "record",
            TEXT,
            "What tells it from other records of the profile, such as user or group and type "
            "of object.",
        ),
        Column(
            "attribute",
            TEXT,
            "The attribute, such as AUTHLIST; empty if nothing else was said or changed.",
        ),
        Column("before", TEXT, "Its value before; empty for a new record. Lists are JSON."),
        Column(
            "after",
            TEXT,
            "Its value after; empty for a record that was deleted. Lists are JSON.",
        ),
        Column(
            "objects",
            NUMBER,
            "How many objects the authority record covers when the report is made; empty for "
            "a channel authentication record, for a record that is gone, and from an archive.",
        ),
    ),
)

_EFFECTIVE = table(
    "effective",
    "What users and groups may do with each object when the report is made, from all "
    "records that count; without administrators. Empty for an archive, and for a "
    "queue manager that has ended.",
    build=effective,
    reads=("effective",),
    order=("qmgr", "type", "object", "entity_type", "entity"),
    columns=(
        QMGR,
        Column("type", TEXT, "Type of the object."),
        Column("object", TEXT, "The object; self for the queue manager.", sql="queue"),
        _ENTITY_TYPE,
        _ENTITY,
        Column("words", TEXT, "The authorities."),
    ),
)

_UNUSED = table(
    "unused",
    "Authorities on queues that no open or put of the last 30 days used, by record: a "
    "hint, not a proof. Empty for an archive, and for a queue manager that has ended.",
    build=unused,
    reads=("unused",),
    order=("qmgr", "profile", "entity_type", "entity"),
    columns=(
        QMGR,
        Column("profile", TEXT, "The profile of the record.", sql="queue"),
        _ENTITY_TYPE,
        _ENTITY,
        Column("words", TEXT, "The authorities that were not used."),
    ),
)

REPORT = Report(
    "authority",
    "What was refused, to whom and how often, and when the same succeeded afterwards; "
    "who changed records; what users may do and did not use.",
    reads=_READS,
    tables=(_REFUSALS, _USERS, _GRANTS, _EFFECTIVE, _UNUSED),
    identities=(Identity("refusals.refusals = users.refusals", by=("qmgr", "user", "cause")),),
)

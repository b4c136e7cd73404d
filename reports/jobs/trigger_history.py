"""Trigger messages by cause, how soon a program opened the queue or got from it, and the
programs that ran.
"""

from pyspark.sql import DataFrame, Window, functions as F

from mqsc.reports import shared_reads
from mqsc.reports.blocks import first_after, first_after_in_block, in_blocks, last_before
from mqsc.reports.columns import (
    CODE,
    IDENTIFIER,
    MICROSECONDS,
    NUMBER,
    TEXT,
    TIME,
    Column,
    Percentiles,
    table,
)
from mqsc.reports.declaration import Chart, Identity, Reads, Report
from mqsc.reports.expressions import HOUR, elapsed, grouped
from mqsc.reports.quantiles import listed, summed
from mqsc.reports.shared_columns import QMGR, REASON_NAME
from mqsc.reports.units import in_detail
from mqsc.store.published import EVENT, KINDS, PENDING

_KINDS = ("TRIGGER", "TRIGGER_LOST", "DEAD_LETTER", "PROGRAM", "OPEN", "GET")
_CAUSES = tuple(KINDS["TRIGGER"].causes)
_WHERE = f"kind IN {_KINDS} AND (kind <> 'DEAD_LETTER' OR cause IN {(*_CAUSES, 'monitor')})"
_DETAIL = (
    "process STRING, type STRING, loop STRING, program STRING, process_id BIGINT, exit_status "
    "BIGINT, "
    "run_time BIGINT, timed_out BOOLEAN, why STRING"
)
# 7: MQOO_INPUT_AS_Q_DEF, MQOO_INPUT_SHARED and MQOO_INPUT_EXCLUSIVE.
_IS_OPEN_FOR_INPUT = f"kind = 'OPEN' AND CAST({in_detail('options')} AS BIGINT) & 7 <> 0"
_ENDS_WAIT = "kind IN ('OPEN', 'GET')"
_OF_QUEUE = "qmgr queue"
_BY_MONITOR = "coalesce(kind = 'DEAD_LETTER' AND cause = 'monitor', FALSE)"
# What the events of one trigger message say: created, dead-lettered by the monitor, programs
# started.
_OF_MESSAGE = {
    "seq": "min(seq)",
    "at": "min_by(at, seq)",
    "chosen": "min_by(chosen, seq)",
    "queue": "min_by(queue, seq)",
    # Events of a shared queue belong to its group: the member that created the message, else that
    # of the monitor.
    "member": (
        f"coalesce(max(CASE WHEN kind <> 'PROGRAM' AND NOT {_BY_MONITOR} THEN member END), "
        "max(member), min(qmgr))"
    ),
    "process": "max(detail_fields.process)",
    "type": "max(detail_fields.type)",
    "cause": f"max(CASE WHEN kind <> 'PROGRAM' AND NOT {_BY_MONITOR} THEN cause END)",
    "undone": "bool_or(undone)",
    "uncommitted": "bool_or(uncommitted)",
    "placed": "bool_or(kind = 'TRIGGER' AND NOT undone AND NOT uncommitted)",
    "dead_lettered": (
        f"bool_or(kind = 'DEAD_LETTER' AND NOT {_BY_MONITOR} AND NOT undone AND NOT uncommitted)"
    ),
    "lost": "bool_or(kind = 'TRIGGER_LOST' AND NOT undone)",
    "refused": f"bool_or({_BY_MONITOR})",
    "served": "max(CASE WHEN kind = 'TRIGGER' THEN least(opened.seq, got.seq) END)",
    "to_open": f"max(IF(kind = 'TRIGGER', {elapsed('at', 'opened.at')}, NULL))",
    "to_get": f"max(IF(kind = 'TRIGGER', {elapsed('at', 'got.at')}, NULL))",
    "loop": "max(try_cast(regexp_extract(detail_fields.loop, '^[0-9]+', 0) AS BIGINT))",
    "triggered_at": "max(CASE WHEN kind = 'TRIGGER' THEN at END)",
    "programs": (
        "collect_list(struct(queue, seq, at, chosen, cause, reason, member, detail_fields)) FILTER "
        "(WHERE kind = 'PROGRAM')"
    ),
}


def followed(events: DataFrame) -> DataFrame:
    """The events about trigger messages, with the first later open for input of their queue and the
    first later get in the block, in commit order; and what each block of a queue has of these.
    """
    places = {"opened": _IS_OPEN_FOR_INPUT, "got": "kind = 'GET'"}
    first = {
        name: F.expr(f"CASE WHEN {met} THEN struct(seq, at) END") for name, met in places.items()
    }
    # Fewer bytes to sort.
    lean = events.withColumns(first).withColumn("detail", F.expr(f"IF({_ENDS_WAIT}, NULL, detail)"))
    near = first_after_in_block(lean, _OF_QUEUE, [*places])
    return near.where(f"is_first OR NOT {_ENDS_WAIT}")


def trigger_messages(uncommitted: DataFrame, near: DataFrame, backouts: DataFrame) -> DataFrame:
    """One row per trigger message: its cause and fate, the first open and get after it, and the
    programs it started.
    """
    waiting = uncommitted.select("store", "msg_id", F.lit(True).alias("waiting")).distinct()
    undone = backouts.select("store", "unit", F.lit(True).alias("undone")).distinct()
    told = first_after(near, _OF_QUEUE, ["opened", "got"]).where(f"NOT {_ENDS_WAIT}")
    detailed = told.withColumn("detail_fields", F.from_json("detail", _DETAIL))
    own = _at_home(detailed).join(undone, ["store", "unit"], "left")
    # FIRST and DEPTH survive the backout of their unit of work.
    marked = own.withColumn(
        "undone",
        F.expr("coalesce(undone AND detail_fields.type = 'EVERY', FALSE)"),
    )
    # COMMIT is not in the history with ACCTQ(OFF); the messages that are still there say whether it
    # happened.
    marked = marked.join(waiting, ["store", "msg_id"], "left")
    marked = marked.withColumn("uncommitted", F.expr("coalesce(waiting, FALSE)"))
    messages = grouped(
        marked,
        "qmgr msg_id",
        *(f"{sql} AS {name}" for name, sql in _OF_MESSAGE.items()),
    )
    named = messages.drop("qmgr").withColumnRenamed("member", "qmgr")
    return named.withColumn("hour", F.expr(HOUR))


def _at_home(events: DataFrame) -> DataFrame:
    """Events of a shared queue's trigger message under the group, even where a dead-letter queue
    is a member's own.
    """
    group = F.max(F.expr("IF(member IS NULL, NULL, qmgr)")).over(
        Window.partitionBy("store", "queue", "msg_id"),
    )
    at_member = F.expr("IF(member IS NULL AND group IS NOT NULL, qmgr, member)")
    told = events.withColumn("group", group).withColumn("member", at_member)
    return told.withColumn("qmgr", F.expr("coalesce(group, qmgr)")).drop("group")


def triggers(messages: DataFrame) -> DataFrame:
    """One row per queue, process, hour, type and cause."""
    # A duplicate: no program opened the queue or got from it since the one before. EVERY triggers
    # for each message.
    duplicate = (
        "placed AND type <> 'EVERY' AND before IS NOT NULL AND coalesce(before.served > seq, TRUE)"
    )
    known = last_before(messages, "IF(placed, struct(seq, served), NULL)", _OF_QUEUE, "before")
    fates = ("placed", "undone", "dead_lettered", "refused", "lost", "uncommitted")
    return grouped(
        known.where(f"chosen AND ({' OR '.join(fates)})"),
        "qmgr queue process hour type cause",
        *(f"count_if({fate}) AS {fate}" for fate in fates),
        f"count_if({duplicate}) AS duplicates",
        "count(loop) AS looped",
        "max(loop) AS longest_loop",
    )


def responses(messages: DataFrame) -> DataFrame:
    """One row per queue and process with trigger messages on the initiation queue."""
    by, times = "qmgr queue process", ("to_open", "to_get")
    counts = ("triggers", *(f"{name}_count" for name in times))
    blocks = grouped(
        in_blocks(messages.where("chosen AND placed")),
        f"{by} block",
        "count(*) AS triggers",
        *(f"count({name}) AS {name}_count" for name in times),
        *(f"{listed(name)} AS {name}" for name in times),
    )
    return summed(blocks, by, *counts, lists=times)


def programs(messages: DataFrame) -> DataFrame:
    """One row per queue, process and program."""
    by = "qmgr queue process program"
    counts = {
        "started": "state <> 'failed'",
        "ended": "state IN ('ended', 'timed out')",
        "ended_badly": "exit_status <> 0",
        "timed_out": "state = 'timed out'",
        "failed": "state = 'failed'",
    }
    blocks = grouped(
        in_blocks(program_runs(messages)),
        f"{by} block",
        *(f"count_if({is_met}) AS {name}" for name, is_met in counts.items()),
        f"{listed('run_time')} AS run_times",
    )
    return summed(blocks, by, *counts, lists=["run_times"])


def program_runs(messages: DataFrame) -> DataFrame:
    """One row per start of a program, or failure to start one."""
    listed = messages.select("qmgr", "msg_id", "triggered_at", F.expr("inline(programs)"))
    flat = listed.select("*", "detail_fields.*").drop("detail_fields")
    flat = flat.withColumn("qmgr", F.expr("coalesce(member, qmgr)"))
    runs = grouped(
        flat,
        "qmgr msg_id triggered_at queue process program process_id",
        "min(seq) AS seq",
        "min_by(at, seq) AS at",
        "min_by(chosen, seq) AS chosen",
        "max_by(cause, seq) AS cause",
        "max(exit_status) AS exit_status",
        "max(run_time) AS run_time",
        "coalesce(bool_or(timed_out), FALSE) AS timed_out",
        "max(reason) AS reason",
        "max(why) AS why",
    )
    return runs.where("chosen").withColumn("state", F.expr("IF(timed_out, 'timed out', cause)"))


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
            "msg_id",
            "unit",
            "reason",
            "detail",
        ),
        where=_WHERE,
        gather=followed,
        chosen_by="queue",
        with_member=True,
    ),
    "backouts": shared_reads.BACKOUTS,
    # Of every queue: trigger messages are not on the queues that `--queue` selects, and can be on
    # one of the group.
    "messages": Reads(
        PENDING,
        columns=("qmgr", "queue", "msg_id", "state"),
        where="state = 'PUT'",
        gather=trigger_messages,
        beside=("event", "backouts"),
        chosen_by="queue",
        owner="",
    ),
}

# Columns that several tables have.

_QUEUE = Column(
    "queue",
    TEXT,
    "The queue that triggered; if the message names none, the queue it was got from.",
)
_PROCESS = Column("process", TEXT, "The process that the trigger message names; may be blank.")
_PROGRAM = Column("program", TEXT, "The command that was, or should have been, started.")

# The tables.

_TRIGGERS = table(
    "triggers",
    "Trigger messages by queue, process, hour, type and cause, and where they went.",
    build=triggers,
    reads=("messages",),
    order=("qmgr", "queue", "process", "hour", "type", "cause"),
    columns=(
        QMGR,
        _QUEUE,
        _PROCESS,
        Column("hour", TIME, "Start of the hour (UTC) in which they were created."),
        Column(
            "type",
            TEXT,
            "TRIGTYPE: FIRST, EVERY or DEPTH; empty if no queue manager created them.",
        ),
        Column("cause", TEXT, f"What triggered: {', '.join(_CAUSES)}."),
        Column(
            "trigger_messages",
            NUMBER,
            "Trigger messages put on the initiation queue.",
            sql="placed",
            total="trigger messages",
            worst=True,
        ),
        Column(
            "backed_out",
            NUMBER,
            "Trigger messages backed out with their unit of work (only EVERY).",
            sql="undone",
        ),
        Column("dead_lettered", NUMBER, "Trigger messages put on the dead-letter queue instead."),
        Column(
            "refused",
            NUMBER,
            "Trigger messages that the trigger monitor put on the dead-letter queue.",
        ),
        Column(
            "lost",
            NUMBER,
            "Trigger messages that could not be put anywhere.",
            problem="trigger messages lost",
        ),
        Column(
            "duplicates",
            NUMBER,
            "Those created before a program reacted to the one before; not EVERY.",
        ),
        Column(
            "looped",
            NUMBER,
            "Those created again by a close although the depth had not fallen.",
            problem="triggers in a loop",
        ),
        Column(
            "longest_loop",
            NUMBER,
            "Most triggers in a row in such a loop; empty if there was none.",
        ),
        Column(
            "uncommitted",
            NUMBER,
            "Trigger messages whose unit of work is still open; not counted before.",
        ),
    ),
    chart=Chart("trigger_messages", by="hour"),
)

_RESPONSES = table(
    "responses",
    "Time from a trigger message to the first open for input and the first get.",
    build=responses,
    reads=("messages",),
    order=("qmgr", "queue", "process"),
    columns=(
        QMGR,
        _QUEUE,
        _PROCESS,
        Column(
            "trigger_messages",
            NUMBER,
            "Trigger messages put on the initiation queue.",
            sql="triggers",
            worst=True,
        ),
        Column(
            "opened",
            NUMBER,
            "How many of them were followed by an open of the queue for input.",
            sql="to_open_count",
        ),
        Percentiles(
            "to_open",
            "Time from the trigger message to the first open for input",
            of="to_open",
        ),
        Column(
            "got",
            NUMBER,
            "How many of them were followed by a get from the queue.",
            sql="to_get_count",
        ),
        Percentiles("to_get", "Time from the trigger message to the first get", of="to_get"),
    ),
)

_PROGRAMS = table(
    "programs",
    "Programs that the trigger monitor started, how they ended and how long they ran.",
    build=programs,
    reads=("messages",),
    order=("qmgr", "queue", "process", "program"),
    columns=(
        QMGR,
        _QUEUE,
        _PROCESS,
        _PROGRAM,
        Column(
            "started",
            NUMBER,
            "How often it was started.",
            total="programs started",
            worst=True,
        ),
        Column("ended", NUMBER, "How many of these runs are known to have ended."),
        Column(
            "ended_badly",
            NUMBER,
            "How many ended with a non-zero exit status or by a signal.",
            problem="programs ended badly",
        ),
        Column("timed_out", NUMBER, "How many the monitor stopped because they ran too long."),
        Column(
            "failed",
            NUMBER,
            "How often it could not be started.",
            problem="programs not started",
        ),
        Percentiles("run_time", "Real time from start to end", of="run_times"),
    ),
    chart=Chart("started", by="program"),
)

_PROGRAM_RUNS = table(
    "program_runs",
    "The same programs, one row per run.",
    build=program_runs,
    reads=("messages",),
    order=("qmgr", "queue", "at", "msg_id", "process_id"),
    columns=(
        QMGR,
        _QUEUE,
        _PROCESS,
        _PROGRAM,
        Column("at", TIME, "When it was started, or failed to start, UTC.", worst=True),
        Column("msg_id", IDENTIFIER, "MsgId of the trigger message, hexadecimal."),
        Column(
            "waited",
            MICROSECONDS,
            "How long the trigger message had waited, seconds.",
            sql=elapsed("triggered_at", "at"),
        ),
        Column(
            "state",
            TEXT,
            "State of the run: started (end unknown), ended, timed out or failed.",
        ),
        Column("process_id", CODE, "Number of the operating system's process."),
        Column("exit_status", CODE, "Its exit status; negative is the signal that ended it."),
        Column("run_time", MICROSECONDS, "Real time from start to end, seconds."),
        Column("reason", CODE, "Reason code for which the trigger message was dead-lettered."),
        REASON_NAME,
        Column("why", TEXT, "Why the program could not be started, in words."),
    ),
)

REPORT = Report(
    "trigger-history",
    "Trigger messages by cause, how soon programs opened the queue and got from it, "
    "and the programs started.",
    reads=_READS,
    tables=(_TRIGGERS, _RESPONSES, _PROGRAMS, _PROGRAM_RUNS),
    identities=(
        Identity(
            "triggers.trigger_messages = responses.trigger_messages",
            by=("qmgr", "queue", "process"),
        ),
        Identity(
            "programs.started + programs.failed = program_runs.*",
            by=("qmgr", "queue", "process", "program"),
        ),
    ),
)

"""Trigger messages by cause, how soon a program opened the queue or got from it, and the programs that ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from reports.columns import HOUR, QMGR, SECONDS, compute, elapsed, hexadecimal, reason_name
from reports.declaration import Chart, Identity, Reads, Report, ReportColumn, Table, Total, Unit
from reports.quantiles import sketch, span, summarised
from reports.units import BACKOUTS
from store.published import KINDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KINDS = ("TRIGGER", "TRIGGER_LOST", "DEAD_LETTER", "PROGRAM", "OPEN", "GET")
_CAUSES = (*KINDS["TRIGGER"].causes, "monitor")
_WHERE = f"kind IN {_KINDS} AND (kind <> 'DEAD_LETTER' OR cause IN {_CAUSES})"
_DETAIL = (
    "process STRING, type STRING, loop STRING, options BIGINT, program STRING, process_id BIGINT, exit_status BIGINT, "
    "run_time BIGINT, timed_out BOOLEAN, why STRING, member STRING"
)
# 7: MQOO_INPUT_AS_Q_DEF, MQOO_INPUT_SHARED and MQOO_INPUT_EXCLUSIVE.
_IS_OPEN_FOR_INPUT = "kind = 'OPEN' AND detail_fields.options & 7 <> 0"
_BY_MONITOR = "coalesce(kind = 'DEAD_LETTER' AND cause = 'monitor', FALSE)"
# What the events of one trigger message say: created, dead-lettered by the monitor, programs started.
_OF_MESSAGE = {
    "seq": "min(seq)",
    "at": "min_by(at, seq)",
    "chosen": "min_by(chosen, seq)",
    "queue": "min_by(queue, seq)",
    # Events of a shared queue belong to its group: the member that created the message, else that of the monitor.
    "member": (
        f"coalesce(max(CASE WHEN kind <> 'PROGRAM' AND NOT {_BY_MONITOR} THEN member END), max(member), min(qmgr))"
    ),
    "process": "max(detail_fields.process)",
    "type": "max(detail_fields.type)",
    "cause": f"max(CASE WHEN kind <> 'PROGRAM' AND NOT {_BY_MONITOR} THEN cause END)",
    "undone": "bool_or(undone)",
    "uncommitted": "bool_or(uncommitted)",
    "placed": "bool_or(kind = 'TRIGGER' AND NOT undone AND NOT uncommitted)",
    "dead_lettered": f"bool_or(kind = 'DEAD_LETTER' AND NOT {_BY_MONITOR} AND NOT undone AND NOT uncommitted)",
    "lost": "bool_or(kind = 'TRIGGER_LOST' AND NOT undone)",
    "refused": f"bool_or({_BY_MONITOR})",
    "served": "max(CASE WHEN kind = 'TRIGGER' THEN least(opened.seq, got.seq) END)",
    "to_open": f"max(IF(kind = 'TRIGGER', {elapsed('at', 'opened.at')}, NULL))",
    "to_get": f"max(IF(kind = 'TRIGGER', {elapsed('at', 'got.at')}, NULL))",
    "loop": "max(try_cast(regexp_extract(detail_fields.loop, '^[0-9]+', 0) AS BIGINT))",
    "triggered_at": "max(CASE WHEN kind = 'TRIGGER' THEN at END)",
    "programs": (
        "collect_list(struct(queue, seq, at, chosen, cause, reason, detail_fields)) FILTER (WHERE kind = 'PROGRAM')"
    ),
}

_QUEUE = ReportColumn(
    "queue", "string", "queue", "The queue that triggered; if the message names none, the queue it was got from."
)
_PROCESS = ReportColumn("process", "string", "process", "The process that the trigger message names; may be blank.")
TRIGGERS = (
    QMGR,
    _QUEUE,
    _PROCESS,
    ReportColumn("hour", "timestamp", "timestamp_micros(hour)", "Start of the hour (UTC) in which they were created."),
    ReportColumn("type", "string", "type", "TRIGTYPE: FIRST, EVERY or DEPTH; empty if no queue manager created them."),
    ReportColumn("cause", "string", "cause", f"What triggered: {', '.join(KINDS['TRIGGER'].causes)}."),
    ReportColumn("trigger_messages", "bigint", "placed", "Trigger messages put on the initiation queue."),
    ReportColumn("backed_out", "bigint", "undone", "Trigger messages backed out with their unit of work (only EVERY)."),
    ReportColumn("dead_lettered", "bigint", "dead_lettered", "Trigger messages put on the dead-letter queue instead."),
    ReportColumn(
        "refused", "bigint", "refused", "Trigger messages that the trigger monitor put on the dead-letter queue."
    ),
    ReportColumn("lost", "bigint", "lost", "Trigger messages that could not be put anywhere."),
    ReportColumn(
        "duplicates", "bigint", "duplicates", "Those created before a program reacted to the one before; not EVERY."
    ),
    ReportColumn("looped", "bigint", "looped", "Those created again by a close although the depth had not fallen."),
    ReportColumn(
        "longest_loop", "bigint", "longest_loop", "Most triggers in a row in such a loop; empty if there was none."
    ),
    ReportColumn(
        "uncommitted", "bigint", "uncommitted", "Trigger messages whose unit of work is still open; not counted before."
    ),
)
RESPONSES = (
    QMGR,
    _QUEUE,
    _PROCESS,
    ReportColumn("trigger_messages", "bigint", "triggers", "Trigger messages put on the initiation queue."),
    ReportColumn(
        "opened", "bigint", "to_open_count", "How many of them were followed by an open of the queue for input."
    ),
    *span("to_open", "to_open", "Time from the trigger message to the first open for input"),
    ReportColumn("got", "bigint", "to_get_count", "How many of them were followed by a get from the queue."),
    *span("to_get", "to_get", "Time from the trigger message to the first get"),
)
_PROGRAM = ReportColumn("program", "string", "program", "The command that was, or should have been, started.")
PROGRAMS = (
    QMGR,
    _QUEUE,
    _PROCESS,
    _PROGRAM,
    ReportColumn("started", "bigint", "started", "How often it was started."),
    ReportColumn("ended", "bigint", "ended", "How many of these runs are known to have ended."),
    ReportColumn("ended_badly", "bigint", "ended_badly", "How many ended with a non-zero exit status or by a signal."),
    ReportColumn("timed_out", "bigint", "timed_out", "How many the monitor stopped because they ran too long."),
    ReportColumn("failed", "bigint", "failed", "How often it could not be started."),
    *span("run_time", "run_times", "Real time from start to end"),
)
RUNS = (
    QMGR,
    _QUEUE,
    _PROCESS,
    _PROGRAM,
    ReportColumn("at", "timestamp", "timestamp_micros(at)", "When it was started, or failed to start, UTC."),
    ReportColumn("msg_id", "string", hexadecimal("msg_id"), "MsgId of the trigger message, hexadecimal."),
    ReportColumn(
        "waited",
        SECONDS,
        f"({elapsed('triggered_at', 'at')}) / 1e6",
        "How long the trigger message had waited, seconds.",
    ),
    ReportColumn("state", "string", "state", "State of the run: started (end unknown), ended, timed out or failed."),
    ReportColumn("process_id", "bigint", "process_id", "Number of the operating system's process.", unit=Unit.CODE),
    ReportColumn(
        "exit_status", "bigint", "exit_status", "Its exit status; negative is the signal that ended it.", unit=Unit.CODE
    ),
    ReportColumn("run_time", SECONDS, "run_time / 1e6", "Real time from start to end, seconds."),
    ReportColumn(
        "reason", "bigint", "reason", "Reason code for which the trigger message was dead-lettered.", unit=Unit.CODE
    ),
    ReportColumn("reason_name", "string", reason_name("reason"), "Its name."),
    ReportColumn("why", "string", "why", "Why the program could not be started, in words."),
)


def trigger_messages(events: DataFrame, backouts: DataFrame, uncommitted: DataFrame) -> DataFrame:
    """One row per trigger message: its cause and fate, the first open and get after it, and the programs it started."""
    waiting = uncommitted.select("store", "msg_id", F.lit(True).alias("waiting")).distinct()
    undone = backouts.select("store", "unit", F.lit(True).alias("undone")).distinct()
    detailed = events.withColumn("detail_fields", F.from_json("detail", _DETAIL))
    own = _at_home(_followed(detailed).where("kind NOT IN ('OPEN', 'GET')")).join(undone, ["store", "unit"], "left")
    # FIRST and DEPTH survive the backout of their unit of work.
    marked = own.withColumn("undone", F.expr("coalesce(undone AND detail_fields.type = 'EVERY', FALSE)"))
    # COMMIT is not in the history with ACCTQ(OFF); the messages that are still there say whether it happened.
    marked = marked.join(waiting, ["store", "msg_id"], "left")
    marked = marked.withColumn("uncommitted", F.expr("coalesce(waiting, FALSE)"))
    messages = marked.groupBy("qmgr", "msg_id").agg(*(F.expr(sql).alias(name) for name, sql in _OF_MESSAGE.items()))
    messages = messages.drop("qmgr").withColumnRenamed("member", "qmgr")
    # A duplicate: no program opened the queue or got from it since the one before. EVERY triggers for each message.
    earlier = Window.partitionBy("qmgr", "queue").orderBy("seq").rowsBetween(Window.unboundedPreceding, -1)
    before = F.expr("CASE WHEN placed THEN struct(seq, served) END")
    messages = messages.withColumn("before", F.last(before, ignorenulls=True).over(earlier))
    duplicate = "placed AND type <> 'EVERY' AND before IS NOT NULL AND coalesce(before.served > seq, TRUE)"
    return messages.withColumns({"hour": F.expr(HOUR), "duplicate": F.expr(duplicate)}).drop("before")


def _at_home(events: DataFrame) -> DataFrame:
    """Events of a shared queue's trigger message under the group, even where a dead-letter queue is a member's own."""
    group = F.max(F.expr("IF(detail_fields.member IS NULL, NULL, qmgr)")).over(Window.partitionBy("queue", "msg_id"))
    at_member = F.expr("IF(detail_fields.member IS NULL AND group IS NOT NULL, qmgr, detail_fields.member)")
    told = events.withColumn("group", group).withColumn("member", at_member)
    return told.withColumn("qmgr", F.expr("coalesce(group, qmgr)")).drop("group")


def _followed(events: DataFrame) -> DataFrame:
    """Add to each event the first later open for input of its queue, and the first later get, in commit order."""
    # Sorted backwards, so that the window of later events only grows.
    later = Window.partitionBy("qmgr", "queue").orderBy(F.desc("seq")).rowsBetween(Window.unboundedPreceding, -1)
    places = {"opened": _IS_OPEN_FOR_INPUT, "got": "kind = 'GET'"}
    first = {name: F.expr(f"CASE WHEN {met} THEN struct(seq, at) END") for name, met in places.items()}
    return events.withColumns({name: F.last(each, ignorenulls=True).over(later) for name, each in first.items()})


def triggers(messages: DataFrame) -> DataFrame:
    """One row per queue, process, hour, type and cause."""
    fates = ("placed", "undone", "dead_lettered", "refused", "lost", "uncommitted")
    chosen = messages.where(f"chosen AND ({' OR '.join(fates)})")
    counted = chosen.groupBy("qmgr", "queue", "process", "hour", "type", "cause").agg(
        *(F.expr(f"count_if({fate}) AS {fate}") for fate in fates),
        F.expr("count_if(duplicate) AS duplicates"),
        F.expr("count(loop) AS looped"),
        F.expr("max(loop) AS longest_loop"),
    )
    return compute(counted, TRIGGERS)


def responses(messages: DataFrame) -> DataFrame:
    """One row per queue and process with trigger messages on the initiation queue."""
    times = ("to_open", "to_get")
    counts = (F.expr(f"count({name}) AS {name}_count") for name in times)
    sketches = (F.expr(f"{sketch(name)} AS {name}") for name in times)
    groups = messages.where("chosen AND placed").groupBy("qmgr", "queue", "process")
    counted = groups.agg(F.expr("count(*) AS triggers"), *counts, *sketches)
    return compute(summarised(counted, *times), RESPONSES)


def programs(messages: DataFrame) -> DataFrame:
    """One row per queue, process and program."""
    counted = (
        _runs(messages)
        .groupBy("qmgr", "queue", "process", "program")
        .agg(
            F.expr("count_if(state <> 'failed') AS started"),
            F.expr("count_if(state IN ('ended', 'timed out')) AS ended"),
            F.expr("count_if(exit_status <> 0) AS ended_badly"),
            F.expr("count_if(state = 'timed out') AS timed_out"),
            F.expr("count_if(state = 'failed') AS failed"),
            F.expr(f"{sketch('run_time')} AS run_times"),
        )
    )
    return compute(summarised(counted, "run_times"), PROGRAMS)


def program_runs(messages: DataFrame) -> DataFrame:
    """One row per start of a program, or failure to start one."""
    return compute(_runs(messages), RUNS)


def _runs(messages: DataFrame) -> DataFrame:
    listed = messages.select("qmgr", "msg_id", "triggered_at", F.expr("inline(programs)"))
    flat = listed.select("*", "detail_fields.*").drop("detail_fields")
    flat = flat.withColumn("qmgr", F.expr("coalesce(member, qmgr)"))
    runs = flat.groupBy("qmgr", "msg_id", "triggered_at", "queue", "process", "program", "process_id").agg(
        F.expr("min_by(at, seq) AS at"),
        F.expr("min_by(chosen, seq) AS chosen"),
        F.expr("max_by(cause, seq) AS cause"),
        F.expr("max(exit_status) AS exit_status"),
        F.expr("max(run_time) AS run_time"),
        F.expr("coalesce(bool_or(timed_out), FALSE) AS timed_out"),
        F.expr("max(reason) AS reason"),
        F.expr("max(why) AS why"),
    )
    return runs.where("chosen").withColumn("state", F.expr("IF(timed_out, 'timed out', cause)"))


REPORT = Report(
    name="trigger-history",
    doc="Trigger messages by cause, how soon programs opened the queue and got from it, and the programs started.",
    reads={
        "event": Reads(
            ("seq", "at", "qmgr", "kind", "cause", "queue", "msg_id", "unit", "reason", "detail"),
            _WHERE,
            trigger_messages,
            beside=("backouts", "uncommitted"),
            chosen_by="queue",
        ),
        "backouts": BACKOUTS,
        # Of every queue: trigger messages are not on the queues that `--queue` selects, and can be on one of the group.
        "uncommitted": Reads(
            ("qmgr", "queue", "msg_id", "state"), "state = 'PUT'", relation="pending", chosen_by="queue", owner=""
        ),
    },
    tables=(
        Table(
            "triggers",
            "Trigger messages by queue, process, hour, type and cause, and where they went.",
            ("event",),
            triggers,
            TRIGGERS,
            ("qmgr", "queue", "process", "hour", "type", "cause"),
            Chart("trigger_messages", "hour"),
            totals=(
                Total("trigger_messages", "trigger messages"),
                Total("lost", "trigger messages lost", problem=True),
                Total("looped", "triggers in a loop", problem=True),
            ),
            worst="trigger_messages",
        ),
        Table(
            "responses",
            "Time from a trigger message to the first open for input and the first get.",
            ("event",),
            responses,
            RESPONSES,
            ("qmgr", "queue", "process"),
            worst="trigger_messages",
        ),
        Table(
            "programs",
            "Programs that the trigger monitor started, how they ended and how long they ran.",
            ("event",),
            programs,
            PROGRAMS,
            ("qmgr", "queue", "process", "program"),
            Chart("started", "program"),
            totals=(
                Total("started", "programs started"),
                Total("ended_badly", "programs ended badly", problem=True),
                Total("failed", "programs not started", problem=True),
            ),
            worst="started",
        ),
        Table(
            "program_runs",
            "The same programs, one row per run.",
            ("event",),
            program_runs,
            RUNS,
            ("qmgr", "queue", "at", "msg_id", "process_id"),
            worst="at",
        ),
    ),
    identities=(
        Identity("triggers.trigger_messages = responses.trigger_messages", ("qmgr", "queue", "process")),
        Identity("programs.started + programs.failed = program_runs.*", ("qmgr", "queue", "process", "program")),
    ),
)

"""What triggering came to: trigger messages by cause, how soon anybody opened or got, and the programs that ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from reports.columns import BACKOUTS, HOUR, QMGR, SECONDS, Made, declared, elapsed, made, reason_name, span
from reports.declaration import Chart, Reads, Report, Table
from store.published import KINDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KINDS = ("TRIGGER", "TRIGGER_LOST", "DEAD_LETTER", "PROGRAM", "OPEN", "GET")
_CAUSES = (*KINDS["TRIGGER"].causes, "monitor")
_WHERE = f"kind IN {_KINDS} AND (kind <> 'DEAD_LETTER' OR cause IN {_CAUSES})"
_TOLD = (
    "process STRING, type STRING, loop STRING, options BIGINT, program STRING, process_id BIGINT, exit_status BIGINT, "
    "run_time BIGINT, timed_out BOOLEAN, why STRING"
)
# MQOO_INPUT_AS_Q_DEF, MQOO_INPUT_SHARED or MQOO_INPUT_EXCLUSIVE.
_IS_SERVER = "kind = 'OPEN' AND told.options & 7 <> 0"
_BY_MONITOR = "coalesce(kind = 'DEAD_LETTER' AND cause = 'monitor', FALSE)"
# Of every trigger message, from its events: made, put to the dead-letter queue by the monitor, programs started by it.
_OF_MESSAGE = {
    "seq": "min(seq)",
    "at": "min_by(at, seq)",
    "chosen": "min_by(chosen, seq)",
    "queue": "min_by(queue, seq)",
    "process": "max(told.process)",
    "type": "max(told.type)",
    "cause": f"max(CASE WHEN kind <> 'PROGRAM' AND NOT {_BY_MONITOR} THEN cause END)",
    "undone": "bool_or(undone)",
    "placed": "bool_or(kind = 'TRIGGER' AND NOT undone)",
    "dead_lettered": f"bool_or(kind = 'DEAD_LETTER' AND NOT {_BY_MONITOR} AND NOT undone)",
    "lost": "bool_or(kind = 'TRIGGER_LOST' AND NOT undone)",
    "refused": f"bool_or({_BY_MONITOR})",
    "served": "max(CASE WHEN kind = 'TRIGGER' THEN least(opened.seq, got.seq) END)",
    "to_open": f"max(IF(kind = 'TRIGGER', {elapsed('at', 'opened.at')}, NULL))",
    "to_get": f"max(IF(kind = 'TRIGGER', {elapsed('at', 'got.at')}, NULL))",
    "loop": "max(try_cast(regexp_extract(told.loop, '^[0-9]+', 0) AS BIGINT))",
    "triggered_at": "max(CASE WHEN kind = 'TRIGGER' THEN at END)",
    "programs": "collect_list(struct(queue, seq, at, chosen, cause, reason, told)) FILTER (WHERE kind = 'PROGRAM')",
}

_QUEUE = Made("queue", "string", "queue", "The queue that triggered; for a message that names none, where it was got.")
_PROCESS = Made(
    "process", "string", "process", "The process that the trigger message names; blank where it needs none."
)
TRIGGERS = (
    QMGR,
    _QUEUE,
    _PROCESS,
    Made("hour", "timestamp", "timestamp_micros(hour)", "Start of the hour (UTC) in which they were made."),
    Made("type", "string", "type", "TRIGTYPE in force: FIRST, EVERY or DEPTH; empty when no queue manager made them."),
    Made("cause", "string", "cause", f"What raised them: {', '.join(KINDS['TRIGGER'].causes)}."),
    Made("trigger_messages", "bigint", "placed", "Trigger messages put on the initiation queue."),
    Made("backed_out", "bigint", "undone", "Trigger messages that vanished with their unit of work (EVERY alone)."),
    Made("dead_lettered", "bigint", "dead_lettered", "Trigger messages put on the dead-letter queue instead."),
    Made("refused", "bigint", "refused", "Trigger messages that the trigger monitor put on the dead-letter queue."),
    Made("lost", "bigint", "lost", "Trigger messages that could be put nowhere."),
    Made("duplicates", "bigint", "duplicates", "Those that came before anybody had opened or got; not of EVERY."),
    Made("looped", "bigint", "looped", "Those that a close made again without the depth having fallen."),
    Made("longest_loop", "bigint", "longest_loop", "The most in a row in such a loop; empty when there was none."),
)
RESPONSES = (
    QMGR,
    _QUEUE,
    _PROCESS,
    Made("trigger_messages", "bigint", "triggers", "Trigger messages put on the initiation queue."),
    Made("opened", "bigint", "size(to_open)", "How many of them an open of the queue for input came after."),
    *span("to_open", "to_open", "From the trigger message to the first open for input"),
    Made("got", "bigint", "size(to_get)", "How many of them a get from the queue came after."),
    *span("to_get", "to_get", "From the trigger message to the first get"),
)
_PROGRAM = Made("program", "string", "program", "What was started, or should have been.")
PROGRAMS = (
    QMGR,
    _QUEUE,
    _PROCESS,
    _PROGRAM,
    Made("started", "bigint", "started", "How often it was started."),
    Made("ended", "bigint", "ended", "How many of these runs have ended; of the others no end is known."),
    Made("ended_badly", "bigint", "ended_badly", "How many ended with an exit status that is not 0, or by a signal."),
    Made("timed_out", "bigint", "timed_out", "How many the monitor ended because they ran too long."),
    Made("failed", "bigint", "failed", "How often it could not be started."),
    *span("run_time", "run_times", "Real time from start to end"),
)
RUNS = (
    QMGR,
    _QUEUE,
    _PROCESS,
    _PROGRAM,
    Made("at", "timestamp", "timestamp_micros(at)", "When it was started or could not be, UTC."),
    Made("msg_id", "string", "hex(msg_id)", "MsgId of the trigger message, hexadecimal."),
    Made(
        "waited",
        SECONDS,
        f"({elapsed('triggered_at', 'at')}) / 1e6",
        "How long the trigger message had waited, seconds.",
    ),
    Made("state", "string", "state", "State of the run: started (no end is known), ended, timed out, failed."),
    Made("process_id", "bigint", "process_id", "Number of the operating system's process."),
    Made("exit_status", "bigint", "exit_status", "Its exit status; negative is the signal that ended it."),
    Made("run_time", SECONDS, "run_time / 1e6", "Real time from start to end, seconds."),
    Made("reason", "bigint", "reason", "Why the trigger message went to the dead-letter queue, as a number."),
    Made("reason_name", "string", reason_name("reason"), "The name of that number."),
    Made("why", "string", "why", "Why the program could not be started, in words."),
)


def trigger_messages(events: DataFrame, backouts: DataFrame) -> DataFrame:
    """One row per trigger message: what made it, what became of it, who came after it, and the programs it started."""
    undone = backouts.select("qmgr", "unit", F.lit(True).alias("undone")).distinct()
    told = events.withColumn("told", F.from_json("detail", _TOLD))
    own = _followed(told).where("kind NOT IN ('OPEN', 'GET')").join(undone, ["qmgr", "unit"], "left")
    # One of type FIRST or DEPTH stays when its unit of work is backed out.
    marked = own.withColumn("undone", F.expr("coalesce(undone AND told.type = 'EVERY', FALSE)"))
    messages = marked.groupBy("qmgr", "msg_id").agg(*(F.expr(sql).alias(name) for name, sql in _OF_MESSAGE.items()))
    # A duplicate: nobody had opened or got between the one before and this one. EVERY makes one a message.
    earlier = Window.partitionBy("qmgr", "queue").orderBy("seq").rowsBetween(Window.unboundedPreceding, -1)
    before = F.expr("CASE WHEN placed THEN struct(seq, served) END")
    messages = messages.withColumn("before", F.last(before, ignorenulls=True).over(earlier))
    duplicate = "placed AND type <> 'EVERY' AND before IS NOT NULL AND coalesce(before.served > seq, TRUE)"
    return messages.withColumns({"hour": F.expr(HOUR), "duplicate": F.expr(duplicate)}).drop("before")


def _followed(events: DataFrame) -> DataFrame:
    """With the first open for input and the first get on its queue that came after each event, in commit order."""
    # From the last event on, so that "all that came after" only grows.
    later = Window.partitionBy("qmgr", "queue").orderBy(F.desc("seq")).rowsBetween(Window.unboundedPreceding, -1)
    places = {"opened": _IS_SERVER, "got": "kind = 'GET'"}
    first = {name: F.expr(f"CASE WHEN {met} THEN struct(seq, at) END") for name, met in places.items()}
    return events.withColumns({name: F.last(each, ignorenulls=True).over(later) for name, each in first.items()})


def triggers(messages: DataFrame) -> DataFrame:
    """One row per queue, process, hour, type and cause."""
    fates = ("placed", "undone", "dead_lettered", "refused", "lost")
    chosen = messages.where(f"chosen AND ({' OR '.join(fates)})")
    counted = chosen.groupBy("qmgr", "queue", "process", "hour", "type", "cause").agg(
        *(F.expr(f"count_if({fate}) AS {fate}") for fate in fates),
        F.expr("count_if(duplicate) AS duplicates"),
        F.expr("count(loop) AS looped"),
        F.expr("max(loop) AS longest_loop"),
    )
    return made(counted, TRIGGERS)


def responses(messages: DataFrame) -> DataFrame:
    """One row per queue and process with trigger messages that reached the initiation queue."""
    lists = (F.expr(f"sort_array(collect_list({name})) AS {name}") for name in ("to_open", "to_get"))
    groups = messages.where("chosen AND placed").groupBy("qmgr", "queue", "process")
    return made(groups.agg(F.expr("count(*) AS triggers"), *lists), RESPONSES)


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
            F.expr("sort_array(collect_list(run_time)) AS run_times"),
        )
    )
    return made(counted, PROGRAMS)


def program_runs(messages: DataFrame) -> DataFrame:
    """One row per start of a program, or failure to start one."""
    return made(_runs(messages), RUNS)


def _runs(messages: DataFrame) -> DataFrame:
    told = messages.select("qmgr", "msg_id", "triggered_at", F.expr("inline(programs)"))
    flat = told.select("*", "told.*").drop("told")
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
    doc="Trigger messages by cause, how soon the queue was opened and got from, and the programs that were started.",
    reads={
        "event": Reads(
            ("seq", "at", "qmgr", "kind", "cause", "queue", "msg_id", "unit", "reason", "detail"),
            _WHERE,
            trigger_messages,
            beside=("backouts",),
            chosen_by="queue",
        ),
        "backouts": BACKOUTS,
    },
    tables=(
        Table(
            "triggers",
            "Trigger messages by queue, process, hour, type and cause, and what became of them.",
            ("event",),
            triggers,
            declared(TRIGGERS),
            ("qmgr", "queue", "process", "hour", "type", "cause"),
            Chart("trigger_messages", "hour"),
        ),
        Table(
            "responses",
            "How soon after a trigger message the queue was first opened for input, and first got from.",
            ("event",),
            responses,
            declared(RESPONSES),
            ("qmgr", "queue", "process"),
        ),
        Table(
            "programs",
            "What the trigger monitor started, how it ended and how long it ran.",
            ("event",),
            programs,
            declared(PROGRAMS),
            ("qmgr", "queue", "process", "program"),
            Chart("started", "program"),
        ),
        Table(
            "program_runs",
            "Those programs, run by run.",
            ("event",),
            program_runs,
            declared(RUNS),
            ("qmgr", "queue", "at", "msg_id", "process_id"),
        ),
    ),
)

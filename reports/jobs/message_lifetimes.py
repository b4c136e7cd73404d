"""How messages ended and how long they lived; and for every queue whether all that were put are
accounted for.
"""

from dataclasses import replace

from pyspark.sql import DataFrame, functions as F

from mqsc.reports import shared_reads
from mqsc.reports.blocks import in_block, in_blocks
from mqsc.reports.columns import BYTES, NUMBER, TEXT, TIME, Column, Percentiles, table
from mqsc.reports.declaration import Chart, Identity, Reads, Report
from mqsc.reports.endings import OUTCOMES
from mqsc.reports.expressions import HOUR, elapsed, grouped
from mqsc.reports.quantiles import listed, summed
from mqsc.reports.shared_columns import MOVED_IN, QMGR, QUEUE, UNRECORDED
from mqsc.reports.unit_sets import not_in_set
from mqsc.reports.units import DEPARTS, REMOVED, with_unrecorded
from mqsc.store.published import EVENT, PENDING

_ENDING = """CASE kind WHEN 'PUT' THEN 'put' WHEN 'GET' THEN coalesce({}, 'got') WHEN 'EXPIRE' THEN 'expired'
    WHEN 'DISCARD' THEN 'dropped' WHEN 'CLEAR' THEN 'cleared' ELSE 'moved' END"""
_COUNT = "kind IN ('CLEAR', 'MOVE')"
# A backout undoes as many puts and gets of a queue as it recorded: trigger messages of type FIRST
# and DEPTH stay, and nothing returns to a dynamic queue that was deleted.
_UNDONE = (
    "CASE kind WHEN 'PUT' THEN nullif(puts_undone, 0) WHEN 'GET' THEN nullif(gets_undone, 0) END"
)
_LIFETIME = f"IF(kind = 'PUT', NULL, {elapsed('put_at', 'at')})"
_COUNTED = (
    f"sum(IF({_COUNT}, NULL, coalesce(length, 0))) AS bytes",
    f"{listed(_LIFETIME)} AS lifetimes",
    "bool_and(is_live) AS is_live",
)
# The columns of `balance`, and the endings that they count.
_COUNTED_ENDINGS = {
    "backed_out": "backed out",
    "got": "got",
    "requeued": "requeued",
    "forwarded": "forwarded",
    "dead_lettered": "dead-lettered",
    "discarded": "discarded",
    "dropped": "dropped",
    "expired": "expired",
    "moved_out": "moved",
    "cleared": "cleared",
}


def known_outcomes(outcomes: DataFrame) -> DataFrame:
    """One row per message got of which its unit of work recorded what became of it."""
    told = F.create_map(*(F.lit(text) for pair in OUTCOMES.items() for text in pair))
    named = outcomes.withColumns({"last_unit": F.col("unit"), "told": told[F.col("kind")]})
    return grouped(
        named,
        "store last_unit queue msg_id put_at",
        "min(told) AS outcome",
        "min(cause) AS outcome_cause",
    )


def departures(
    events: DataFrame,
    undone: DataFrame,
    units: DataFrame,
    outcomes: DataFrame,
    arrivals: DataFrame,
    earlier: DataFrame,
) -> DataFrame:
    """Puts and endings of messages: counts by queue, hour, cause and block of the history, with
    lists of lifetimes.

    What a unit of work that was backed out did has rows of its own, with the number `undone` of
    their `messages`. `units` are those with an outcome, too, and `undone` has their events. Events
    that are only counted in `earlier` are in no such unit.
    """
    fates = _fates(undone, outcomes)
    others = not_in_set(events, units).withColumn("ending", F.expr(_ENDING.format("NULL")))
    final = others.unionByName(fates.where("undone IS NULL"), allowMissingColumns=True).withColumn(
        "hour",
        F.expr(HOUR),
    )
    messages = f"sum(IF({_COUNT}, {REMOVED}, 1)) AS messages"
    ended = grouped(
        in_blocks(final),
        "qmgr queue ending cause hour chosen block",
        messages,
        *_COUNTED,
    )
    return (
        ended.withColumn("undone", F.lit(0).cast("bigint"))
        .unionByName(_withdrawn(fates.where("undone IS NOT NULL")), allowMissingColumns=True)
        .unionByName(_moved_in(arrivals), allowMissingColumns=True)
        .unionByName(_earlier(earlier), allowMissingColumns=True)
    )


def _fates(events: DataFrame, outcomes: DataFrame) -> DataFrame:
    """What each event meant to its message; `undone` is how many of its kind a backout undid on
    the queue.
    """
    known = events.join(outcomes, ["store", "last_unit", "queue", "msg_id", "put_at"], "left")
    return known.withColumns(
        {
            "ending": F.expr(_ENDING.format("outcome")),
            "cause": F.expr("coalesce(outcome_cause, cause)"),
            "undone": F.expr(_UNDONE),
        },
    )


def _withdrawn(fates: DataFrame) -> DataFrame:
    """Puts and gets of units of work that were backed out, at the hour of the backout: not all
    of them are undone.
    """
    hour = F.expr("backed_out_at - pmod(backed_out_at, 3600000000)")
    return grouped(
        fates.withColumn("hour", hour),
        "qmgr queue ending cause hour last_unit",
        *_COUNTED,
        "count(*) AS messages",
        "least(count(*), max(undone)) AS undone",
        "bool_or(chosen) AS chosen",
        "max(back_cause) AS back_cause",
        f"{in_block('min(seq)')} AS block",
    ).drop("last_unit")


def _moved_in(arrivals: DataFrame) -> DataFrame:
    """Messages that MOVE QLOCAL brought to its target."""
    moved = arrivals.withColumn("queue", F.col("target"))
    sums = (
        f"sum({REMOVED}) AS messages",
        "bool_or(chosen) AS chosen",
        "bool_and(is_live) AS is_live",
    )
    marks = {"ending": F.lit("moved in"), "undone": F.lit(0).cast("bigint")}
    return grouped(moved, "qmgr queue", *sums).withColumns(marks)


def _earlier(sums: DataFrame) -> DataFrame:
    """Puts and endings before the period: only the balance has them."""
    columns = ("qmgr", "queue", "ending", "cause", "messages", "undone", "is_live")
    return sums.select(*columns).withColumn("chosen", F.lit(False))


def balance(departed: DataFrame, pending: DataFrame, unrecorded: DataFrame) -> DataFrame:
    """One row per queue, over the whole history."""
    totals = {
        "put": _total("put", "messages"),
        "streamed": "coalesce(sum(messages) FILTER (WHERE ending = 'put' AND cause = 'stream'), 0)",
        "moved_in": _total("moved in", "messages"),
        **{name: _total(word, "messages - undone") for name, word in _COUNTED_ENDINGS.items()},
        "backed_out": _total("put", "undone"),
        "chosen": "bool_or(chosen)",
        "is_live": "bool_and(is_live)",
    }
    went = grouped(departed, "qmgr queue", *(f"{sql} AS {name}" for name, sql in totals.items()))
    now = grouped(
        pending,
        "qmgr queue",
        "count_if(state <> 'GOT') AS there",
        "count_if(state = 'GOT') AS held",
    )
    both = went.join(now, ["qmgr", "queue"], "full").where("chosen OR there IS NOT NULL")
    # The history has the get of a message when a unit of work gets it, not when it is committed.
    final = both.fillna(0).withColumn("got", F.expr("greatest(got - held, 0)"))
    left = " - ".join((*_COUNTED_ENDINGS, "there", "held"))
    checked = final.withColumn("difference", F.expr(f"put + moved_in - {left}"))
    marked = with_unrecorded(checked, unrecorded)
    told = {name: F.expr(f"IF(is_live IS FALSE, NULL, {name})") for name in ("there", "held")}
    is_known = "is_live IS NOT FALSE AND unrecorded = 0"
    for name, sign in (("lost", ""), ("surplus", "-")):
        told[name] = F.expr(f"IF({is_known}, greatest({sign}difference, 0), NULL)")
    return marked.withColumns(told)


def _total(ending: str, number: str) -> str:
    return f"coalesce(sum({number}) FILTER (WHERE ending = '{ending}'), 0)"


def endings(departed: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per queue, ending, cause and hour."""
    chosen = departed.where("chosen AND ending <> 'moved in' AND (ending <> 'put' OR undone > 0)")
    left = chosen.selectExpr(
        "qmgr",
        "queue",
        "IF(ending = 'put', 'backed out', ending) AS ending",
        "IF(ending = 'put', back_cause, cause) AS cause",
        "hour",
        "IF(ending = 'put', undone, messages - undone) AS messages",
        "IF(ending = 'put', NULL, bytes) AS bytes",
        "lifetimes",
        "block",
    ).where("messages > 0")
    there = grouped(
        in_blocks(pending.where("state <> 'GOT'"), "id"),
        "qmgr queue block",
        "count(*) AS messages",
        "sum(length) AS bytes",
        f"{listed(elapsed('put_at', 'now'))} AS lifetimes",
    )
    both = left.unionByName(there.withColumn("ending", F.lit("there")), allowMissingColumns=True)
    ending = "qmgr queue ending cause hour"
    return summed(both, ending, "messages", "bytes", lists=["lifetimes"])


# What the report reads.

_READS = {
    "losses": shared_reads.LOSSES,
    "outcomes": Reads(
        EVENT,
        columns=("at", "qmgr", "kind", "cause", "queue", "msg_id", "put_at", "unit"),
        where=f"kind IN {tuple(OUTCOMES)} AND unit IS NOT NULL AND put_at IS NOT NULL",
        gather=known_outcomes,
        chosen_by="queue",
    ),
    "units": shared_reads.UNITS._replace(beside=("losses", "outcomes")),
    "undone": shared_reads.UNDONE,
    "arrivals": shared_reads.ARRIVALS,
    "earlier": shared_reads.EARLIER_SUMS,
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
            "length",
            "put_at",
            "unit",
            "detail",
        ),
        where=f"kind IN ('PUT', 'GET', 'EXPIRE', 'DISCARD', 'CLEAR', 'MOVE') AND {DEPARTS}",
        gather=departures,
        beside=("undone", "units", "outcomes", "arrivals", "earlier"),
        chosen_by="queue",
    ),
    "pending": Reads(
        PENDING,
        columns=("id", "qmgr", "queue", "length", "put_at", "state"),
        where="TRUE",
    ),
    "dynamic": shared_reads.DYNAMIC,
    "unrecorded": shared_reads.UNRECORDED,
}

# The tables.

_BALANCE = table(
    "balance",
    "For every queue, the messages put and what became of them, over the whole "
    "history. --since and --until only choose the queues: those with an event in the "
    "period, or with messages.",
    build=balance,
    reads=("event", "pending", "unrecorded"),
    rows_from=("event", "pending"),
    order=("qmgr", "queue"),
    columns=(
        QMGR,
        QUEUE,
        Column(
            "put",
            NUMBER,
            "Messages put on the queue, also by the queue manager and as copies.",
            worst=True,
        ),
        Column(
            "streamed",
            NUMBER,
            "How many of them were copies of messages put on another queue.",
        ),
        MOVED_IN,
        Column(
            "backed_out",
            NUMBER,
            "Messages withdrawn because the unit of work that put them was backed out.",
        ),
        Column("got", NUMBER, "Messages got for good by programs and channels."),
        Column(
            "requeued",
            NUMBER,
            "Messages got to be moved to the queue that they were meant for, or to a backout "
            "queue.",
        ),
        Column(
            "forwarded",
            NUMBER,
            "Messages got from a dead-letter queue to be moved to another queue.",
        ),
        Column(
            "dead_lettered",
            NUMBER,
            "Messages got to be put on a dead-letter queue: poison, or undeliverable.",
        ),
        Column(
            "discarded",
            NUMBER,
            "Messages got to be discarded by a rule, a command, a consumer or a channel.",
        ),
        Column(
            "dropped",
            NUMBER,
            "Non-persistent messages lost when the queue manager started again.",
        ),
        Column("expired", NUMBER, "Messages discarded because they had expired."),
        Column("moved_out", NUMBER, "Messages that MOVE QLOCAL took to another queue."),
        Column(
            "cleared",
            NUMBER,
            "Messages removed by CLEAR, or deleted together with their queue.",
        ),
        Column(
            "there",
            NUMBER,
            "Messages on the queue now, also those of units of work still open; empty if only an "
            "archive is read.",
        ),
        Column(
            "held",
            NUMBER,
            "Messages that an open unit of work has got; they are not in `got`; empty if only "
            "an archive is read.",
        ),
        Column(
            "lost",
            NUMBER,
            "How many more messages came (put and moved_in) than left or are there: they are "
            "gone without a trace. Empty if only an archive is read, or if the queue is "
            "`unrecorded`.",
            problem="messages lost",
            alarm=True,
        ),
        Column(
            "surplus",
            NUMBER,
            "How many more messages left or are there than came: the history does not begin "
            "with the queue. Empty as `lost` is.",
            problem="messages without a put",
            alarm=True,
        ),
        replace(UNRECORDED, total="queues with gaps in the history"),
    ),
    chart=Chart("put", by="queue"),
)

_ENDINGS = table(
    "endings",
    "How messages ended by queue, cause and hour, and how long they lived; also those "
    "that are there now, whatever the period.",
    build=endings,
    reads=("event", "pending"),
    order=("qmgr", "queue", "ending", "cause", "hour"),
    columns=(
        QMGR,
        Column("queue", TEXT, "The local queue that the messages left, or are on."),
        Column(
            "ending",
            TEXT,
            f"What became of them: {', '.join(_COUNTED_ENDINGS.values())}; there if they are on "
            "the queue now.",
        ),
        Column(
            "cause",
            TEXT,
            "The cause in the history, such as interval or poison; empty for the ordinary one.",
        ),
        Column("hour", TIME, "Start of the hour (UTC) in which they left; empty if there."),
        Column(
            "messages",
            NUMBER,
            "Number of messages; those got count before the commit.",
            worst=True,
        ),
        Column("bytes", BYTES, "Bytes of message data; empty if moved, cleared or backed out."),
        Percentiles("lifetime", "Time since the put", of="lifetimes"),
    ),
    chart=Chart("messages", by="ending"),
)

_LEFT_OR_THERE = " + ".join(f"balance.{name}" for name in (*_COUNTED_ENDINGS, "there", "held"))
REPORT = Report(
    "message-lifetimes",
    "How messages ended and how long they lived, and whether every message that was "
    "put is accounted for.",
    reads=_READS,
    tables=(_BALANCE, _ENDINGS),
    identities=(
        Identity(
            f"balance.put + balance.moved_in = {_LEFT_OR_THERE} + balance.lost - balance.surplus",
            by=("qmgr", "queue"),
            whole=True,
            exempt=("balance.unrecorded",),
        ),
        Identity("balance.lost = 0", by=("qmgr", "queue")),
        Identity("balance.surplus = 0", by=("qmgr", "queue")),
        Identity(
            f"endings.messages = {_LEFT_OR_THERE}",
            by=("qmgr", "queue"),
            whole=True,
            exempt=("balance.unrecorded",),
        ),
    ),
)

"""What goes through queues: puts, gets and bytes, depths, time spent on the queue, and the
busiest minutes.
"""

from pyspark.sql import DataFrame, Window, functions as F

from mqsc.reports import shared_reads
from mqsc.reports.blocks import EVENTS, in_blocks
from mqsc.reports.columns import BYTES, CODE, NUMBER, TIME, Column, Percentiles, table
from mqsc.reports.declaration import Chart, Curve, Identity, Reads, Report
from mqsc.reports.expressions import HOUR, elapsed, grouped
from mqsc.reports.quantiles import listed, summed
from mqsc.reports.shared_columns import MOVED_IN, QMGR, QUEUE
from mqsc.reports.unit_sets import not_in_set
from mqsc.reports.units import DEPARTS, IMPORTED, REMOVED
from mqsc.store.published import EVENT, PENDING

_BUSIEST = 10
_MINUTE = "at - pmod(at, 60000000)"
# Depths are followed inside blocks of the history, by several tasks, and then from block to block.
# To sort fewer bytes, a change in a block is one number: the place of its event, above the 40 bits
# of the change itself.
_PACKED = f"shiftleft(pmod(seq, {EVENTS}), 40) + change + shiftleft(1L, 39)"
_UNPACKED = "(packed & (shiftleft(1L, 40) - 1)) - shiftleft(1L, 39)"
_PIECES = "ARRAY<STRUCT<seq: BIGINT, change: BIGINT, high: BIGINT, low: BIGINT>>"
# All changes of a group as one piece; heights are from its start.
_TOGETHER = f"""array(aggregate(
    transform(sort_array(changes), packed -> {_UNPACKED}),
    named_struct('seq', first, 'change', 0L, 'high', CAST(NULL AS BIGINT), 'low', CAST(NULL AS BIGINT)),
    (sum, each) -> named_struct('seq', sum.seq, 'change', sum.change + each,
        'high', greatest(sum.high, sum.change + each), 'low', least(sum.low, sum.change + each))))"""
_ONE_BY_ONE = f"""transform(changes, packed -> named_struct(
    'seq', block * {EVENTS} + shiftright(packed, 40),
    'change', {_UNPACKED}, 'high', {_UNPACKED}, 'low', {_UNPACKED}))"""
_EMPTIES = "kind IN ('CLEAR', 'MOVE')"
# How every event changes a depth: the sum of these columns, with the sign.
_CHANGES = {
    "puts": ("+", "IF(kind = 'PUT', 1, 0)"),
    "gets": ("-", "IF(kind = 'GET', 1, 0)"),
    "puts_undone": ("-", "0"),
    "gets_undone": ("+", "0"),
    "moved_in": ("+", "0"),
    "removed": (
        "-",
        f"CASE WHEN {_EMPTIES} THEN {REMOVED} WHEN kind IN ('PUT', 'GET') THEN 0 ELSE 1 END",
    ),
}
_STEP = {
    **{name: f"CAST({sql} AS BIGINT)" for name, (_, sql) in _CHANGES.items()},
    "bytes_put": "IF(kind = 'PUT', coalesce(length, 0), 0)",
    "bytes_got": "IF(kind = 'GET', coalesce(length, 0), 0)",
    # A get that was backed out ends no stay.
    "stay": f"IF(kind = 'GET' AND coalesce(gets_undone, 0) = 0, {elapsed('put_at', 'at')}, NULL)",
}
_OF_EVERY_STEP = ("seq", "at", "qmgr", "queue", "chosen", "is_live", "imported")
_SUMS = tuple(name for name in _STEP if name != "stay")
_OF_EVERY_PIECE = ("qmgr", "queue", "hour", "chosen", "is_live", "imported")


def blocks(
    events: DataFrame,
    undone: DataFrame,
    units: DataFrame,
    arrivals: DataFrame,
) -> DataFrame:
    """One row per queue, hour and block of the history: sums, and lists of changes and stays.

    An hour in which the period begins or ends has one for its events outside the period, too.
    """
    told = not_in_set(events, units).withColumn("imported", F.expr(IMPORTED))
    went = told.unionByName(undone, allowMissingColumns=True)
    moved_in = {"moved_in": F.expr(REMOVED), "queue": F.col("target"), "imported": F.lit(False)}
    steps = (
        went.selectExpr(*_OF_EVERY_STEP, *(f"{sql} AS {name}" for name, sql in _STEP.items()))
        .unionByName(_undone(undone.where("backout IS NOT NULL")), allowMissingColumns=True)
        .unionByName(
            arrivals.withColumns(moved_in).select(*_OF_EVERY_STEP, "moved_in"),
            allowMissingColumns=True,
        )
        .fillna(0, _SUMS)
    )
    change = " ".join(f"{sign} {name}" for name, (sign, _) in _CHANGES.items()).removeprefix("+ ")
    changed = in_blocks(steps).withColumns({"hour": F.expr(HOUR), "change": F.expr(change)})
    return grouped(
        changed,
        "qmgr queue block hour chosen",
        *(f"sum({name}) AS {name}" for name in _SUMS),
        "min(seq) AS first",
        "max(seq) AS last",
        f"collect_list({_PACKED}) AS changes",
        f"{listed('stay')} AS stays",
        "bool_and(is_live) AS is_live",
        "bool_or(coalesce(imported, FALSE)) AS imported",
    )


def _undone(events: DataFrame) -> DataFrame:
    """What backouts undid on each queue, at the time of the backout; the puts and gets of the
    unit name its owner.
    """
    return grouped(
        events.withColumns({"seq": F.col("backout"), "at": F.col("backed_out_at")}),
        "seq at qmgr queue",
        "least(count_if(kind = 'PUT'), max(puts_undone)) AS puts_undone",
        "least(count_if(kind = 'GET'), max(gets_undone)) AS gets_undone",
        "bool_or(named AND backed_out_in_period) AS chosen",
        "bool_and(is_live) AS is_live",
        "bool_or(imported) AS imported",
    )


def hours(blocks: DataFrame, pending: DataFrame, earlier: DataFrame) -> DataFrame:
    """One row per queue and hour with an event of the period."""
    sums = summed(blocks.where("chosen"), "qmgr queue hour", *_SUMS, lists=["stays"])
    depths = _depths(_with_depths(_pieces(blocks), pending, earlier))
    return sums.join(depths, ["qmgr", "queue", "hour"])


def _pieces(blocks: DataFrame) -> DataFrame:
    """Pieces of the history of a queue, each in one hour, that do not overlap.

    A piece is what happened in a block and an hour, or one event if the block has events of another
    hour in between.
    """
    in_block = Window.partitionBy("qmgr", "queue", "block").orderBy("first")
    before = F.max("last").over(in_block.rowsBetween(Window.unboundedPreceding, -1))
    overlaps = F.coalesce(
        (before > F.col("first")) | (F.lead("first").over(in_block) < F.col("last")),
        F.lit(False),
    )
    pieces = F.expr(f"CAST(IF(overlaps, {_ONE_BY_ONE}, {_TOGETHER}) AS {_PIECES})")
    return blocks.withColumn("overlaps", overlaps).select(*_OF_EVERY_PIECE, F.inline(pieces))


def _with_depths(pieces: DataFrame, pending: DataFrame, earlier: DataFrame) -> DataFrame:
    """Add the depths at the start and the end of each piece, and the greatest and the least in
    between.

    They are counted back from the messages there now, so that they are right even if the history
    does not begin with the queue. What is there now is unknown if only an archive is read: then
    they are counted from the first event, also from those that are only counted in `earlier`. They
    are NULL if events of the queue were imported.
    """
    there = grouped(pending, "qmgr queue", "count_if(state <> 'GOT') AS there")
    before = grouped(
        earlier,
        "qmgr queue",
        "sum(IF(ending IN ('put', 'moved in'), messages - undone, undone - messages)) AS before",
    )
    of_queue = Window.partitionBy("qmgr", "queue")
    both = pieces.join(there, ["qmgr", "queue"], "left").join(before, ["qmgr", "queue"], "left")
    changes = F.sum("change").over(of_queue)
    known = both.withColumns(
        {
            "imported": F.max("imported").over(of_queue),
            "now": F.when(F.max("imported").over(of_queue), None)
            .when(F.min("is_live").over(of_queue), F.expr("coalesce(there, 0)"))
            .otherwise(changes + F.coalesce("before", F.lit(0))),
            "place": F.row_number().over(of_queue.orderBy(F.desc("seq"))),
            "later": F.sum("change").over(
                of_queue.orderBy(F.desc("seq")).rowsBetween(Window.unboundedPreceding, 0),
            ),
        },
    )
    based = known.withColumn("start", F.expr("now - later"))
    return based.withColumns(
        {"end": F.expr("start + change"), **{n: F.expr(f"start + {n}") for n in ("high", "low")}},
    )


def _depths(pieces: DataFrame) -> DataFrame:
    return grouped(
        pieces.where("chosen"),
        "qmgr queue hour",
        "min_by(start, seq) AS depth_start",
        "max_by(end, seq) AS depth_end",
        "greatest(min_by(start, seq), max(high)) AS depth_high",
        "least(min_by(start, seq), min(low)) AS depth_low",
        "IF(max(place) - min(place) = count(*) - 1, 0, 1) AS set_back",
        "CAST(bool_or(imported) AS INT) AS imported",
    )


def busiest_minutes(events: DataFrame) -> DataFrame:
    """The busiest minutes of every queue, by puts and gets together."""
    minutes = grouped(
        events.withColumn("minute", F.expr(_MINUTE)),
        "qmgr queue minute",
        "count_if(kind = 'PUT') AS puts",
        "count_if(kind = 'GET') AS gets",
        "sum(length) FILTER (WHERE kind = 'PUT') AS bytes_put",
        "sum(length) FILTER (WHERE kind = 'GET') AS bytes_got",
    ).fillna(0)
    order = (F.expr("puts + gets").desc(), F.expr("bytes_put + bytes_got").desc(), F.col("minute"))
    ranked = minutes.withColumn(
        "place",
        F.row_number().over(Window.partitionBy("qmgr", "queue").orderBy(*order)),
    )
    return ranked.where(f"place <= {_BUSIEST}")


# What the report reads.

_READS = {
    "losses": shared_reads.LOSSES,
    "units": shared_reads.UNITS,
    "undone": shared_reads.UNDONE,
    "arrivals": shared_reads.ARRIVALS,
    "earlier": shared_reads.EARLIER_SUMS,
    "pending": Reads(
        PENDING,
        columns=("qmgr", "queue", "state"),
        where="TRUE",
    ),
    "event": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "queue",
            "msg_id",
            "length",
            "put_at",
            "unit",
            "detail",
        ),
        where=f"kind IN ('PUT', 'GET', 'EXPIRE', 'DISCARD', 'CLEAR', 'MOVE') AND {DEPARTS}",
        gather=blocks,
        beside=("undone", "units", "arrivals"),
        chosen_by="queue",
    ),
    "calls": Reads(
        EVENT,
        columns=("at", "qmgr", "kind", "queue", "length"),
        where="kind IN ('PUT', 'GET')",
    ),
}

# Columns that several tables have.

_BYTES_PUT = Column("bytes_put", BYTES, "Bytes of message data put.")
_BYTES_GOT = Column("bytes_got", BYTES, "Bytes of message data got.")

# The tables.

_HOURS = table(
    "hours",
    "Puts, gets and bytes by queue and hour, what else changed the depth, the depths, "
    "and residence times.",
    build=hours,
    reads=("event", "pending", "earlier"),
    rows_from=("event",),
    order=("qmgr", "queue", "hour"),
    columns=(
        QMGR,
        QUEUE,
        Column(
            "hour",
            TIME,
            "Start of the hour (UTC). Of an hour in which the period begins or ends, only the "
            "events of the period count; hours without one have no row.",
        ),
        Column(
            "puts",
            NUMBER,
            "Messages put, also by units of work backed out later.",
            total="messages put",
            worst=True,
        ),
        _BYTES_PUT,
        Column(
            "gets",
            NUMBER,
            "Messages got, also by units of work backed out later.",
            total="messages got",
        ),
        _BYTES_GOT,
        Column(
            "puts_backed_out",
            NUMBER,
            "Puts that backouts of this hour undid.",
            sql="puts_undone",
        ),
        Column(
            "gets_backed_out",
            NUMBER,
            "Gets that backouts of this hour undid.",
            sql="gets_undone",
        ),
        MOVED_IN,
        Column("removed", NUMBER, "Messages that expired, were discarded, cleared or moved away."),
        Column("depth_start", NUMBER, "Depth before the first of these events."),
        Column("depth_end", NUMBER, "Depth after the last of them."),
        Column("depth_high", NUMBER, "The greatest depth in between."),
        Column("depth_low", NUMBER, "The least depth in between."),
        Column(
            "set_back",
            NUMBER,
            "1 if the clock was set back, so that events of other hours are between the first "
            "and the last; otherwise 0.",
        ),
        Column(
            "imported",
            NUMBER,
            "1 if events of the queue were imported, so that its depths are not known and "
            "empty; otherwise 0.",
        ),
        Percentiles("residence", "Time from put to get on messages got for good", of="stays"),
    ),
    chart=Chart("puts", by="hour", label="messages put and got", beside="gets"),
    curve=Curve("depth_high", last="depth_end", label="greatest depth in each hour"),
)

_BUSIEST_MINUTES = table(
    "busiest_minutes",
    f"The {_BUSIEST} busiest minutes of every queue, by puts and gets together.",
    build=busiest_minutes,
    reads=("calls",),
    order=("qmgr", "queue", "rank"),
    columns=(
        QMGR,
        QUEUE,
        Column(
            "rank",
            CODE,
            f"1 for the busiest minute of the queue, up to {_BUSIEST}.",
            sql="place",
        ),
        Column("minute", TIME, "Start of the minute (UTC)."),
        Column("messages", NUMBER, "Messages put and got.", sql="puts + gets", worst=True),
        Column("puts", NUMBER, "Messages put."),
        _BYTES_PUT,
        Column("gets", NUMBER, "Messages got."),
        _BYTES_GOT,
    ),
)

REPORT = Report(
    "queue-activity",
    "Puts, gets, bytes, depths and residence times of queues by hour, and their busiest minutes.",
    reads=_READS,
    tables=(_HOURS, _BUSIEST_MINUTES),
    identities=(
        Identity(
            "hours.depth_end - hours.depth_start = hours.puts - hours.gets - "
            "hours.puts_backed_out + hours.gets_backed_out + hours.moved_in - hours.removed",
            by=("qmgr", "queue", "hour"),
            exempt=("hours.set_back", "hours.imported"),
        ),
    ),
)

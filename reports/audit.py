"""The audit of archives, with Spark: for each queue what came and what went, and the same for each
message.

It adds up what `store.past` follows event by event, so that the history may have billions of
events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import DataFrame, functions as F

from mqsc.reports import catalog, columns, declaration, sources
from mqsc.reports.columns import CODE, NUMBER, Column
from mqsc.reports.declaration import Reads, Report
from mqsc.reports.errors import ReportFailedError
from mqsc.reports.expressions import grouped
from mqsc.reports.output import in_order, values_of
from mqsc.reports.page import document, table_sums
from mqsc.reports.page.tables import MOST_ROWS
from mqsc.reports.periods import require_whole
from mqsc.reports.progress import Progress, silent
from mqsc.reports.selection import ReportSelection
from mqsc.reports.session import QUICK_ROWS, session
from mqsc.reports.shared_columns import MSG_ID, QMGR, QUEUE
from mqsc.reports.spark_errors import cause_of, failures
from mqsc.reports.table_building import build_tables, is_small
from mqsc.reports.unit_sets import in_set, not_in_set
from mqsc.reports.units import DEPARTS, REMOVED, TARGET_OWNER, with_losses
from mqsc.store.published import EVENT, PENDING

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

BALANCE, MESSAGES = "balance", "messages"
# As many findings about messages are kept.
MOST_FINDINGS = 1_000
_LIFETIMES = catalog.report("message-lifetimes")
# What each event adds to `came` and `went`, and what of that is not certain. Of the calls of a unit
# of work on a queue, a backout may keep some: trigger messages that it put, and gets of another
# queue of that name, which is deleted.
_UNDONE = {"PUT": "coalesce(puts_undone, 0)", "GET": "coalesce(gets_undone, 0)"}
_STEPS = {
    "came": f"kind = 'PUT' AND {_UNDONE['PUT']} < calls",
    "may_have_come": f"kind = 'PUT' AND {_UNDONE['PUT']} BETWEEN 1 AND calls - 1",
    "went": f"kind <> 'PUT' AND (kind <> 'GET' OR {_UNDONE['GET']} < calls)",
    "may_have_gone": f"kind = 'GET' AND {_UNDONE['GET']} BETWEEN 1 AND calls - 1",
}
# Neither a CLEAR or MOVE that took messages explains what is there too much, nor one that brought
# some what is not.
_TOO_FEW = "NOT coalesce(leaves, FALSE) AND came - may_have_come - went > there"
_TOO_MANY = "NOT coalesce(arrives, FALSE) AND came - went + may_have_gone < coalesce(there, 0)"


def messages(
    plain: DataFrame,
    in_units: DataFrame,
    losses: DataFrame,
    units: DataFrame,
    present: DataFrame,
    counted: DataFrame,
    unrecorded: DataFrame,
) -> DataFrame:
    """One row per MsgId on a queue that does not add up, except on queues of which not
    everything is recorded.
    """
    alone = not_in_set(plain, units).withColumns(
        dict.fromkeys(("puts_undone", "gets_undone"), F.lit(0)),
    )
    together = F.expr("count(*) OVER (PARTITION BY store, last_unit, qmgr, queue, kind)")
    told = with_losses(in_set(in_units, units), losses).withColumn("calls", together)
    steps = alone.withColumn("calls", F.lit(1)).unionByName(told, allowMissingColumns=True)
    sums = grouped(
        steps,
        "qmgr queue msg_id",
        *(f"count_if({sql}) AS {name}" for name, sql in _STEPS.items()),
        "min(seq) AS first_event",
        "max(seq) AS last_event",
        "bool_and(is_live) AS is_live",
    )
    now = grouped(present, "qmgr queue msg_id", "count_if(state <> 'GOT') AS there")
    both = sums.join(now, ["qmgr", "queue", "msg_id"], "full").fillna(0, [*_STEPS, "there"])
    known = both.join(
        F.broadcast(unrecorded.select("qmgr", "queue")),
        ["qmgr", "queue"],
        "left_anti",
    )
    whole = known.join(F.broadcast(counted), ["qmgr", "queue"], "left")
    there = F.expr("IF(is_live IS FALSE, NULL, there)")
    return whole.withColumn("there", there).where(f"{_TOO_FEW} OR {_TOO_MANY}")


def counted_queues(events: DataFrame) -> DataFrame:
    """The queues from which CLEAR or MOVE took messages, and those to which MOVE brought some."""
    moved = events.where(f"{REMOVED} > 0")
    leaving = moved.selectExpr("qmgr", "queue", "FALSE AS here")
    arriving = moved.where("kind = 'MOVE'").selectExpr(
        f"{TARGET_OWNER} AS qmgr",
        "target AS queue",
        "TRUE AS here",
    )
    both = leaving.unionByName(arriving)
    return grouped(
        both,
        "qmgr queue",
        "bool_or(NOT here) AS leaves",
        "bool_or(here) AS arrives",
    )


# What the audit reads beside what the report of lifetimes does.

_READS = {
    "plain": Reads(
        EVENT,
        columns=("seq", "qmgr", "kind", "cause", "queue", "msg_id", "put_at", "unit"),
        where=f"kind IN ('PUT', 'GET', 'EXPIRE', 'DISCARD') AND {DEPARTS}",
        chosen_by="queue",
    ),
    "in_units": Reads(
        EVENT,
        columns=("seq", "qmgr", "kind", "cause", "queue", "msg_id", "put_at", "unit", "detail"),
        where="kind IN ('PUT', 'GET') AND unit IS NOT NULL",
        chosen_by="queue",
    ),
    "present": Reads(PENDING, columns=("qmgr", "queue", "msg_id", "state"), where="TRUE"),
    "counted": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "queue", "target", "detail"),
        where="kind IN ('CLEAR', 'MOVE')",
        gather=counted_queues,
        chosen_by="queue",
    ),
}

_MESSAGES = columns.table(
    MESSAGES,
    "Messages, by MsgId, that came to a queue and left it again not equally often: each is a "
    "finding. CLEAR and MOVE do not say which messages they took, so those of a queue that lost "
    "some in this way, or got some, are only counted by `balance`.",
    build=messages,
    reads=("plain", "in_units", "losses", "units", "present", "counted", "unrecorded"),
    order=("qmgr", "queue", "msg_id"),
    columns=(
        QMGR,
        QUEUE,
        MSG_ID,
        Column(
            "came",
            NUMBER,
            "How often a message with this MsgId was put on the queue, or came back by a backout.",
        ),
        Column(
            "went",
            NUMBER,
            "How often one was got, expired, was discarded or withdrawn by a backout.",
        ),
        Column("there", NUMBER, "How many are on the queue; empty if only an archive is read."),
        Column(
            "first_event",
            CODE,
            "The number of the first event of these messages; empty if there is none.",
        ),
        Column("last_event", CODE, "The number of the last one."),
    ),
)

REPORT = Report(
    "audit",
    "Whether every message that came to a queue has left it once, or is still there.",
    reads={**_LIFETIMES.reads, **_READS},
    tables=(*(table for table in _LIFETIMES.tables if table.name == BALANCE), _MESSAGES),
    identities=tuple(
        identity for identity in _LIFETIMES.identities if "endings" not in identity.says
    ),
)


class Audited(NamedTuple):
    """The rows of both tables, by their columns; of `messages` at most MOST_FINDINGS."""

    balance: pa.Table
    messages: pa.Table


def audited(
    read: sources.Sources,
    *,
    master: str = "local[*]",
    progress: Progress = silent,
) -> Audited:
    """Add up all events of these sources. ReportFailedError for a file that was changed, or an
    error in Spark.
    """
    require_whole(read, [REPORT], ReportSelection())
    progress("starting Spark")
    with session(master, events=read.rows, quick=read.rows <= QUICK_ROWS) as spark:
        try:
            return tables_of(spark, read, progress)
        except failures() as error:
            raise ReportFailedError(f"the reconciliation failed: {cause_of(error)}") from error


def tables_of(spark: SparkSession, read: sources.Sources, progress: Progress = silent) -> Audited:
    """The same in a running session, without checks."""
    if is_small(spark, read):
        read = sources.holding(
            read,
            {reads.relation.name for reads in REPORT.reads.values()},
        )
    most = {BALANCE: None, MESSAGES: MOST_FINDINGS}

    def take(table: declaration.Table, frame: DataFrame) -> pa.Table:
        limit = most[table.name]
        return in_order(table, (frame if limit is None else frame.limit(limit)).toArrow())

    return Audited(*build_tables(spark, REPORT, read, ReportSelection(), progress, take))


def page_of(audit: Audited, source: document.Source, findings: Sequence[str]) -> str:
    """The page of an audit, in HTML."""
    sections = []
    for table, rows in zip(REPORT.tables, audit, strict=True):
        first = tuple(values_of(table_sums.worst_first(table, rows).slice(0, MOST_ROWS)))
        sections.append(
            document.Section(table, first, rows.num_rows, table_sums.charted(table, rows)),
        )
    return document.page(
        source._replace(kind="mqsc reconcile", about="Reconciliation of"),
        [(REPORT, sections)],
        (),
        findings,
    )

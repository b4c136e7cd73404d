"""A store in which everything happens, from calls and commands to the tables of the reports.

Each report is about a queue manager of its own. QM1 and QM7 are members of QSG1; QM2 was deleted.
"""

from __future__ import annotations

import csv
import shlex
import sqlite3
from contextlib import chdir, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import mqsc
from mqsc import reports
from mqsc.main import run_to_exit_code
from mqsc.reports.catalog import report
from mqsc.reports.selection import ReportSelection
from mqsc.reports.sources import Sources
from mqsc.store import Environment
from mqsc.store.admin.history import record
from mqsc.store.admin.queue_managers import delete_queue_manager
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.headers import mqdlh
from mqsc.store.published import Bound
from tests.reports.history import at
from tests.reports.parts import lines_of, rows_of
from tests.scenarios.play import Play

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = (
    "admin-audit backouts channels dead-letters message-lifetimes queue-activity trigger-history"
).split()
TEN, ELEVEN, NINE = "2023-11-14T22:00:00Z", "2023-11-14T23:00:00Z", "2026-03-02T09:00:00Z"
# Messages come to queues and leave them in every way that there is.
LIFETIMES = """
    ALTER QMGR DEADQ(DLQ) PERFMEV(ENABLED) CONFIGEV(ENABLED)
    DEFINE QLOCAL(DLQ) · DEFINE QLOCAL(COPIES) DEFPSIST(YES) · DEFINE QLOCAL(INIT)
    DEFINE PROCESS(P) APPLICID('/bin/true')
    DEFINE QLOCAL(ORDERS) DEFPSIST(YES) STREAMQ(COPIES) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)
    ALTER QLOCAL(ORDERS) QDEPTHHI(1) QDPHIEV(ENABLED)
    DEFINE QLOCAL(PLAIN) · DEFINE QLOCAL(OLD) · DEFINE QLOCAL(SHORT) · DEFINE QLOCAL(DOOMED)
    DEFINE QMODEL(PERMANENT) DEFTYPE(PERMDYN) · DEFINE QLOCAL(UNSEEN) ACCTQ(OFF)
    DEFINE CFSTRUCT(CF1)
    DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(CF1) · DEFINE QLOCAL(SQ2) QSGDISP(SHARED) CFSTRUCT(CF1)
    put a*3 on ORDERS syncpoint · back · put m*5 on ORDERS
    put m*2 on UNSEEN · put m*2 on SHORT expiry=1 · put m*6 on SQ · put m*6 on PLAIN · put m*6 on DOOMED
    get from ORDERS syncpoint => m1 · get from ORDERS syncpoint mark-skip-backout => m2
    get from SQ syncpoint => m1 · get from SQ syncpoint => m2 · back · commit
    get from SQ syncpoint => m1 · put n*2 on SQ syncpoint · commit
    open SYSTEM.DEFAULT.MODEL.QUEUE input-shared output dynamic=D.* as D
    put m*3 on D · get from D syncpoint => m1 · put n on D syncpoint · close D · back
    open PERMANENT input-shared output dynamic=D.* as D
    put m*3 on D · get from D syncpoint => m1 · put n on D syncpoint · close D · back · disconnect
    advance 10
    REFRESH QMGR TYPE(EXPIRY) NAME(*)
    MOVE QLOCAL(ORDERS) TOQLOCAL(OLD) · MOVE QLOCAL(SQ) QSGDISP(SHARED) TOQLOCAL(SQ2) · MOVE QLOCAL(PLAIN) TOQLOCAL(SQ)
    CLEAR QLOCAL(DOOMED) · CLEAR QLOCAL(SQ2) QSGDISP(SHARED)
    put m*2 on PLAIN · put m*4 on DOOMED · get from DOOMED syncpoint => m1 · put n on DOOMED syncpoint · prepare XA 1
    disconnect
    DELETE QLOCAL(INIT) PURGE
    end · start
    QM2: DEFINE QLOCAL(Q)
    QM2: put m*5 · QM2: get syncpoint => m1 · QM2: put n*2 syncpoint · QM2: prepare XA 2 · QM2: disconnect · QM2: end
"""
BACKOUTS = """
    QM3: DEFINE QLOCAL(SPUN) · QM3: DEFINE QLOCAL(GUARDED) BOTHRESH(3) · QM3: ALTER QLOCAL(GUARDED) BOTHRESH(5)
    billing@QM3: put m on SPUN · billing@QM3: put m on GUARDED
    billing@QM3: get from SPUN syncpoint => m · billing@QM3: back
    billing@QM3: get from SPUN syncpoint => m · billing@QM3: get from GUARDED syncpoint => m · billing@QM3: back
    billing@QM3: get from SPUN syncpoint => m · billing@QM3: get from GUARDED syncpoint => m · billing@QM3: back
    billing@QM3: get from SPUN syncpoint mark-skip-backout => m · billing@QM3: back · billing@QM3: abend
    web@QM3: get from GUARDED syncpoint mark-skip-backout => m · web@QM3: back · web@QM3: abend
"""
ACTIVITY = """
    QM5: DEFINE QLOCAL(Q) · QM5: DEFINE QLOCAL(P)
    QM5: list abc de
    advance 3590
    QM5: get syncpoint => abc · QM5: back · QM5: get => abc · QM5: disconnect
    QM5: MOVE QLOCAL(Q) TOQLOCAL(P)
"""
AUDIT = """
    QM6: DEFINE QLOCAL(A) DESCR('x') · QM6: ALTER QLOCAL(A) MAXDEPTH(8)
    QM6: SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)
    QM6: SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(PUT)
    QM6: CLEAR QLOCAL(A) · QM6: DELETE QLOCAL(A)
"""
# The unit of work belongs to the member, the initiation and the dead-letter queue to the group.
TRIGGERS = """
    QM7: DEFINE QLOCAL(SQ.INIT) QSGDISP(SHARED) CFSTRUCT(CF1) MAXDEPTH(6)
    QM7: DEFINE QLOCAL(SQ.DLQ) QSGDISP(SHARED) CFSTRUCT(CF1)
    QM7: ALTER QMGR DEADQ(SQ.DLQ) · QM7: DEFINE PROCESS(P) APPLICID('/bin/true')
    QM7: DEFINE QLOCAL(A) TRIGGER TRIGTYPE(EVERY) INITQ(SQ.INIT) PROCESS(P)
    monitor@QM7: open SQ.INIT input-shared
    open@QM7: put m*3 on A syncpoint
    QM7: put m on A syncpoint · QM7: commit
    # Two of the trigger messages go to the dead-letter queue.
    QM7: put m*4 on A syncpoint · QM7: back
"""


PROGRAMS = """
    QM8: DEFINE QLOCAL(DLQ) · QM8: DEFINE QLOCAL(INIT) · QM8: DEFINE QLOCAL(LATER) · QM8: ALTER QMGR DEADQ(DLQ)
    QM8: DEFINE PROCESS(SERVE) APPLICID('/bin/true') · QM8: DEFINE PROCESS(NOTHING) APPLICID('/no/such/program')
    QM8: DEFINE QLOCAL(ORDERS) TRIGGER INITQ(INIT) PROCESS(SERVE)
    QM8: DEFINE QLOCAL(QUOTES) TRIGGER INITQ(INIT) PROCESS(NOTHING)
"""
# One program runs, one is not found, and the handler of dead letters has both letters and rules.
COMMANDS = """
    clock set 2026-03-02T09:00:00
    put ORDERS 'one espresso machine'
    put QUOTES '249.00 EUR'
    trigger run -q INIT --once
    clock advance 5s
    get ORDERS
    put DLQ 'no dead letter'
    put DLQ --file letter --format-name MQDEAD
    clock advance 2h
    dlq run rules
"""
RULES = """
WAIT(NO)
REASON(265) MSGTYPE(MQMT_REQUEST) ACTION(DISCARD)
REASON(265) DESTQ(INIT) ACTION(FWD) FWDQ(LATER) HEADER(NO)
"""
LETTER = mqdlh.DeadLetterHeader(
    2085,
    "NOWHERE",
    "QM8",
    546,
    1208,
    "MQSTR",
    28,
    "shop",
    "20260302",
    "09000500",
)


class Told(NamedTuple):
    """The store, what of it is reported, and the folder of the reports."""

    path: Path
    bound: Bound
    out: Path

    def lines(self, qmgr: str, name: str) -> dict[str, list[str]]:
        """The lines about a queue manager in the tables of a report, without its name."""
        found = lines_of(self.out, name)
        return {
            table: [line[4:] for line in lines if line[:4] == f"{qmgr},"]
            for table, lines in found.items()
        }

    def rows(self, name: str, table: str) -> list[dict[str, str]]:
        with (self.out / name / f"{table}.csv").open(newline="", encoding="utf-8") as lines:
            return list(csv.DictReader(lines))

    def columns(self, qmgr: str, name: str, table: str, columns: str) -> list[str]:
        """These columns of the rows about a queue manager, with a dash for a blank one."""
        rows = [row for row in self.rows(name, table) if row["qmgr"] == qmgr]
        return [" ".join(row[column] or "-" for column in columns.split()) for row in rows]


def use_channels(qmgr: QueueManager) -> None:
    """Record what a sender does: a batch was in doubt and then committed, another cannot be
    sent.
    """
    end, common = {"role": "sender", "partner": "QM2"}, {"target": "TO.QM2", "queue": "XQ"}
    counts = {"luwid": "A1", "sequence": 2, "messages": 2, "bytes": 20, "fast": 1}
    record(qmgr, "CHANNEL", "in-doubt", detail={**end, "luwid": "A1", "sequence": 2}, **common)
    record(qmgr, "CHANNEL", "batch", detail={**end, **counts}, connection=7, **common)
    record(
        qmgr,
        "CHANNEL",
        "resolved",
        detail={**end, "luwid": "A1", "decision": "commit"},
        **common,
    )
    record(qmgr, "CHANNEL", "retry", detail={**end, "message": "AMQ9202E: no answer"}, **common)


def use_command_line(folder: Path) -> None:
    (folder / "rules").write_text(RULES)
    (folder / "letter").write_bytes(mqdlh.pack_mqdlh(LETTER))
    with chdir(folder):
        for line in COMMANDS.strip().splitlines():
            words = [
                "--store",
                "sqlite:///store.db",
                "--qmgr",
                "QM8",
                "--quiet",
                *shlex.split(line),
            ]
            assert run_to_exit_code(words) == 0, line


@pytest.fixture(scope="module")
def told(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """All reports about the store, made at once."""
    folder = tmp_path_factory.mktemp("stores")
    manual = {"manual_clock_at": at(0)}
    kinds: dict[str, Any] = {
        "QM1": {"group": "QSG1"},
        "QM6": manual,
        "QM7": {"group": "QSG1"},
        "QM8": manual,
    }
    with mqsc.open_store(
        f"sqlite:///{folder}/store.db",
        environment=Environment.frozen(at=at(0)),
    ) as store:
        made = {
            name: store.create_queue_manager(name, **kinds.get(name, {}))
            for name in map("QM{}".format, range(1, 9))
        }
        use_channels(made["QM4"])
        play = Play(*made.values())
        play.run(BACKOUTS + LIFETIMES + AUDIT + ACTIVITY)
        delete_queue_manager(store, "QM2")
        made["QM6"].advance_clock(2_500_000)
        play.run(TRIGGERS + PROGRAMS)
        use_command_line(folder)
        # Where time stands still, it does so for manual clocks, too.
        with mqsc.open_store(f"sqlite:///{folder}/store.db") as again:
            bound = again.bound()
        path, out = folder / "store.db", folder / "out"
        reports.run(NAMES, str(path), str(out), bound=bound)
    return Told(path, bound, out)


def test_what_was_administered(told: Told) -> None:
    """The clock of the queue manager was moved, too."""
    names = ("action", "object", "record", "attribute", "before", "after")
    rows = [
        tuple(row[name] for name in names)
        for row in told.rows("admin-audit", "changes")
        if row["qmgr"] == "QM6"
    ]
    joe = "OBJTYPE(QUEUE) ENTTYPE(PRINCIPAL) ENTITY(joe)"
    assert rows == [
        *(("CREATE", "QM6", "", "", "", ""), ("START", "QM6", "", "", "", "")),
        *(("DEFINE", "A", "", "DESCR", "", "x"), ("ALTER", "A", "", "MAXDEPTH", "5000", "8")),
        *(("SET", "A", joe, "AUTHLIST", "", '["GET"]'), ("SET", "A", joe, "ENTITY", "", "joe")),
        *(("SET", "A", joe, "ENTTYPE", "", "PRINCIPAL"), ("SET", "A", joe, "OBJTYPE", "", "QUEUE")),
        ("SET", "A", joe, "AUTHLIST", '["GET"]', '["GET","PUT"]'),
        ("CLEAR", "A", "", "", "", ""),
        *(("DELETE", "A", "", "DESCR", "x", ""), ("DELETE", "A", "", "MAXDEPTH", "8", "")),
        ("DELETE", "A", joe, "AUTHLIST", '["GET","PUT"]', ""),
        *(
            ("DELETE", "A", joe, "ENTITY", "joe", ""),
            ("DELETE", "A", joe, "ENTTYPE", "PRINCIPAL", ""),
        ),
        ("DELETE", "A", joe, "OBJTYPE", "QUEUE", ""),
        ("CLOCK", "QM6", "", "CLOCK", "2023-11-14 22:00:00.000000Z", "2023-11-14 22:00:02.500000Z"),
    ]


def test_programs_that_backed_out(told: Told) -> None:
    lines = told.lines("QM3", "backouts")
    assert lines["backouts"] == [
        f"GUARDED,billing,{TEN},2,1,2,0,0,0,0",
        f"GUARDED,web,{TEN},1,1,3,0,0,0,0",
        f"SPUN,billing,{TEN},4,1,4,0,0,0,0",
    ]
    assert [line.split(",", 2)[2] for line in lines["loops"]] == [
        f"billing,2,{TEN},{TEN},0.000000,{TEN},THERE,5",
        f"billing,4,{TEN},{TEN},0.000000,{TEN},THERE,0",
    ]
    assert lines["spinning"] == [f"SPUN,1,4,4,1,{TEN},{TEN}"]


def test_a_channel(told: Told) -> None:
    lines = told.lines("QM4", "channels")
    assert lines["channels"] == [f"TO.QM2,sender,QM2,{TEN},1,2,20,1,,,,1,0,0,0,0,0,1"]
    assert lines["failures"] == [
        f"TO.QM2,sender,QM2,AMQ9202E,retry,1,{TEN},{TEN},AMQ9202E: no answer",
    ]
    assert lines["in_doubt"] == [f"TO.QM2,QM2,A1,2,{TEN},{TEN},0.000000,commit"]


def test_programs_that_worked(told: Told) -> None:
    lines = told.lines("QM5", "queue-activity")
    assert [line for line in lines["hours"] if line[0] in "PQ"] == [
        f"P,{ELEVEN},0,0,0,0,0,0,1,0,0,1,1,0,0,0,,,,",
        f"Q,{TEN},2,5,0,0,0,0,0,0,0,2,2,0,0,0,,,,",
        f"Q,{ELEVEN},0,0,2,6,0,1,0,1,2,0,2,0,0,0,3590.000000,3590.000000,3590.000000,3590.000000",
    ]
    assert [line for line in lines["busiest_minutes"] if line[0] == "Q"] == [
        f"Q,1,{ELEVEN},2,0,0,2,6",
        f"Q,2,{TEN},2,2,5,0,0",
    ]


def test_nothing_is_left_over(spark: SparkSession, told: Told) -> None:
    """Except on the queue whose puts are not recorded. A deleted queue manager has nothing."""
    (table,) = (each for each in report("message-lifetimes").tables if each.name == "balance")
    sums = [each.name for each in table.columns[2:] if each.name != "unrecorded"]
    rows = told.rows("message-lifetimes", "balance")
    counts = {
        (each["qmgr"], each["queue"]): {name: int(each[name] or 0) for name in sums}
        for each in rows
    }
    assert {key for key, each in counts.items() if each["lost"] or each["surplus"]} == set()
    not_known = {
        each["queue"]: (each["lost"], each["surplus"]) for each in rows if each["unrecorded"] == "1"
    }
    assert not_known == {"UNSEEN": ("", "")}
    # By the store's own count.
    with closing(sqlite3.connect(told.path)) as connection:
        query = "SELECT qmgr, queue, count(*) FROM published_message GROUP BY qmgr, queue"
        there = {(qmgr, queue): number for qmgr, queue, number in connection.execute(query)}
    assert {key: each["there"] + each["held"] for key, each in counts.items()} == dict.fromkeys(
        counts,
        0,
    ) | there
    assert {name for each in counts.values() for name in sums if each[name]} >= {
        *(
            "put",
            "streamed",
            "moved_in",
            "backed_out",
            "got",
            "dropped",
            "expired",
            "moved_out",
            "cleared",
            "held",
        ),
    }
    assert counts["QM2", "Q"] == {**dict.fromkeys(sums, 0), "put": 7, "got": 1, "cleared": 6}
    balances = [tuple(each.values()) for each in rows if each["qmgr"] == "QSG1"]
    assert [each[1] for each in balances] == ["SQ", "SQ.DLQ", "SQ.INIT", "SQ2"]
    # Backouts belong to members of the group, and a MOVE to the owner of its source.
    read, of_group = Sources(told.path, told.bound), ReportSelection(qmgrs=("QSG1",))
    selected = rows_of(spark, "message-lifetimes", "balance", " ".join(rows[0]), read, of_group)
    assert [tuple(map(str, row)) for row in selected] == balances
    columns = "qmgr queue application gets_backed_out messages"
    assert rows_of(spark, "backouts", "backouts", columns, read, of_group) == [
        ("QSG1", "SQ", "A", 2, 2),
    ]


def test_trigger_messages_on_shared_queues_that_were_backed_out(
    spark: SparkSession,
    told: Told,
) -> None:
    columns = "qmgr queue type trigger_messages backed_out dead_lettered uncommitted"
    selections = {
        name: ReportSelection(qmgrs=(name,) if name else ()) for name in ("QM7", "QSG1", "")
    }
    read = Sources(told.path, told.bound)
    found = {
        name: rows_of(spark, "trigger-history", "triggers", columns, read, each)
        for name, each in selections.items()
    }
    assert found["QM7"] == [("QM7", "A", "EVERY", 1, 2, 0, 3)]
    assert found["QSG1"] == [("QM7", "A", "EVERY", 0, 2, 0, 0)]
    assert [row for row in found[""] if row[0] == "QM7"] == [("QM7", "A", "EVERY", 1, 4, 0, 3)]


def test_members_have_the_names_that_reports_show(spark: SparkSession, told: Told) -> None:
    renamed = {"": {name: f"{name}@shop" for name in ("QM7", "QSG1")}}
    read = Sources(told.path, told.bound, renamed=renamed)
    columns = "qmgr queue trigger_messages backed_out"
    found = rows_of(spark, "trigger-history", "triggers", columns, read, ReportSelection())
    assert [row for row in found if row[0].startswith("QM7")] == [("QM7@shop", "A", 1, 4)]


def test_programs_that_were_triggered(told: Told) -> None:
    columns = "queue process hour type cause trigger_messages refused lost"
    assert told.columns("QM8", "trigger-history", "triggers", columns) == [
        f"ORDERS SERVE {NINE} FIRST monitor-opened 1 0 0",
        f"QUOTES NOTHING {NINE} FIRST monitor-opened 1 1 0",
    ]
    columns = "queue opened to_open_max got to_get_max"
    found = told.columns("QM8", "trigger-history", "responses", columns)
    assert found == ["ORDERS 1 5.000000 1 5.000000", "QUOTES 0 - 0 -"]
    columns = "queue process program state exit_status reason_name waited"
    assert told.columns("QM8", "trigger-history", "program_runs", columns) == [
        "ORDERS SERVE /bin/true ended 0 - 0.000000",
        "QUOTES NOTHING /no/such/program failed - MQFB_APPL_CANNOT_BE_STARTED 0.000000",
    ]
    ran, *_ = told.columns(
        "QM8",
        "trigger-history",
        "programs",
        "started ended failed run_time_max",
    )
    assert ran[:6] == "1 1 0 "
    assert float(ran[6:]) > 0


def test_what_the_handler_of_dead_letters_did(told: Told) -> None:
    columns = "queue hour reason_name destination cause messages"
    assert told.columns("QM8", "dead-letters", "arrivals", columns) == [
        f"DLQ {NINE} MQFB_APPL_CANNOT_BE_STARTED INIT monitor 1",
        f"DLQ {NINE} MQRC_UNKNOWN_OBJECT_NAME NOWHERE - 1",
        f"DLQ {NINE} - - - 1",
    ]
    columns = "outcome cause rule attempt target messages time_spent_max"
    assert told.columns("QM8", "dead-letters", "outcomes", columns) == [
        "FORWARD handler 4 1 LATER 1 7205.000000",
    ]
    left = told.columns("QM8", "dead-letters", "left_messages", "queue reason length stay state")
    assert sorted(left) == ["DLQ - 14 7200.000000 AVAILABLE", "DLQ 2085 172 7200.000000 AVAILABLE"]

"""Reports on what commands did, from the commands to the files, all through `mqsc`."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from mqsc.main import run_to_exit_code
from store.headers import mqxqh

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OBJECTS = """
DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(INIT)
DEFINE QLOCAL(LATER)
DEFINE PROCESS(SERVE) APPLICID('/bin/true')
DEFINE PROCESS(NOTHING) APPLICID('/no/such/program')
DEFINE QLOCAL(ORDERS) TRIGGER INITQ(INIT) PROCESS(SERVE)
DEFINE QLOCAL(QUOTES) TRIGGER INITQ(INIT) PROCESS(NOTHING)
ALTER QMGR DEADQ(DLQ)
"""
LETTER = mqxqh.DeadLetterHeader(2085, "NOWHERE", "QM1", 546, 1208, "MQSTR", 28, "shop", "20260302", "09000500")
RULES = """
WAIT(NO)
REASON(265) MSGTYPE(MQMT_REQUEST) ACTION(DISCARD)
REASON(265) DESTQ(INIT) ACTION(FWD) FWDQ(LATER) HEADER(NO)
"""
Table = Callable[[str, str, str], list[tuple[str, ...]]]


@pytest.fixture(scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Reads columns of a table, for a store where one program ran, one was not found, and the handler has run."""
    folder = tmp_path_factory.mktemp("commands")

    def mqsc(*arguments: str) -> None:
        assert run_to_exit_code(["--store", f"sqlite:///{folder}/store.db", *arguments]) == 0

    (folder / "rules").write_text(RULES)
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("clock", "set", "2026-03-02T09:00:00")
    mqsc("run", "-c", OBJECTS)
    mqsc("put", "ORDERS", "one espresso machine")
    mqsc("put", "QUOTES", "249.00 EUR")
    mqsc("trigger", "run", "-q", "INIT", "--once")
    mqsc("clock", "advance", "5s")
    mqsc("get", "ORDERS")
    mqsc("put", "DLQ", "no dead letter")
    (folder / "letter").write_bytes(mqxqh.pack_mqdlh(LETTER))
    mqsc("put", "DLQ", "--file", str(folder / "letter"), "--format-name", "MQDEAD")
    mqsc("clock", "advance", "2h")
    mqsc("dlq", "run", str(folder / "rules"))
    mqsc("report", "trigger-history", "dead-letters", "--out", str(folder))

    def table(report: str, name: str, columns: str) -> list[tuple[str, ...]]:
        with (folder / report / f"{name}.csv").open(newline="") as lines:
            return [tuple(row[column] for column in columns.split()) for row in csv.DictReader(lines)]

    return table


@pytest.mark.long
def test_trigger_history(table: Table) -> None:
    assert table("trigger-history", "triggers", "queue process hour type cause trigger_messages refused lost") == [
        ("ORDERS", "SERVE", "2026-03-02T09:00:00Z", "FIRST", "monitor-opened", "1", "0", "0"),
        ("QUOTES", "NOTHING", "2026-03-02T09:00:00Z", "FIRST", "monitor-opened", "1", "1", "0"),
    ]
    assert table("trigger-history", "responses", "queue opened to_open_max got to_get_max") == [
        ("ORDERS", "1", "5.000000", "1", "5.000000"),
        ("QUOTES", "0", "", "0", ""),
    ]
    assert table("trigger-history", "program_runs", "queue process program state exit_status reason_name waited") == [
        ("ORDERS", "SERVE", "/bin/true", "ended", "0", "", "0.000000"),
        ("QUOTES", "NOTHING", "/no/such/program", "failed", "", "MQFB_APPL_CANNOT_BE_STARTED", "0.000000"),
    ]
    (ran,) = table("trigger-history", "programs", "started ended failed run_time_max")[:1]
    assert ran[:3] == ("1", "1", "0")
    assert float(ran[3]) > 0


@pytest.mark.long
def test_dead_letters(table: Table) -> None:
    assert table("dead-letters", "arrivals", "queue hour reason_name destination cause messages") == [
        ("DLQ", "2026-03-02T09:00:00Z", "MQFB_APPL_CANNOT_BE_STARTED", "INIT", "monitor", "1"),
        ("DLQ", "2026-03-02T09:00:00Z", "MQRC_UNKNOWN_OBJECT_NAME", "NOWHERE", "", "1"),
        ("DLQ", "2026-03-02T09:00:00Z", "", "", "", "1"),
    ]
    assert table("dead-letters", "outcomes", "outcome cause rule attempt target messages time_spent_max") == [
        ("FORWARD", "handler", "4", "1", "LATER", "1", "7205.000000")
    ]
    assert sorted(table("dead-letters", "left_messages", "queue reason length stay state")) == [
        ("DLQ", "", "14", "7200.000000", "AVAILABLE"),
        ("DLQ", "2085", "172", "7200.000000", "AVAILABLE"),
    ]

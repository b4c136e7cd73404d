"""`mqsc report`: what is rejected before Spark starts, and one report from message to table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc.cli.report_output import print_results
from mqsc.reports import catalog
from mqsc.reports.declaration import ReportColumn
from mqsc.reports.output import Result
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.source import ROOT


def test_refusals(session: Session) -> None:
    session("""
        qmgr create QM1
        report ...
        expired-messages => 20 ! Missing option '--out'
        --out o => 20 ! Missing argument 'NAME...'
        expird-messages --out o => 20 ! did you mean expired-messages?
        expird-messages => 20 ! did you mean expired-messages?
        expired-messages --out o --as xml => 20 ! 'csv', 'parquet'
        expired-messages --out o --since later => 20 ! 'later' is not a time; examples: 2026-03-01,
        expired-messages --out o --since 1h --until 2h => 20 ! so no event can be between them
        daily --archive x --out o --since 2h --until 1h => 20 ! there is no archive at
        expired-messages --out o --queue A*B => 20 ! only its last character may be *
        expired-messages --out o -m QM9 => 10 ! AMQ8118E: IBM MQ queue manager 'QM9' does not exist.
        expired-messages --out o --store sqlite:///none.db => 20 ! there is no store at
        dead-letter --describe => 20 ! did you mean dead-letters?
        backouts --kept-data --out o => 20 ! --kept-data is for the reports expired-messages and dead-letters
        daily --kept-data --live --archive x --out o => 20 ! --live has no kept data
        backouts --describe --out x => 20 ! --describe makes no report; leave out --out
    """)


def test_the_help_names_every_report_and_a_group_may_be_named(
    mqsc: Command,
    session: Session,
) -> None:
    words = mqsc("report", "--help").out.split()
    assert set(catalog.names()) <= set(words)
    session("""
        qmgr create QM1 --group QSG1
        report expird-messages --out o -m QSG1 => 20 ! did you mean expired-messages?
    """)


def test_which_queues_are_known(session: Session) -> None:
    """One that only the history knows is no error: the next thing is refused, a file where the
    folder should be.

    A channel is no queue, and those of another queue manager are not meant.
    """
    session("""
        qmgr create QM1
        qmgr create QM2
        DEFINE QLOCAL(ORDERS)
        DEFINE QLOCAL(ORDER.OLD)
        DELETE QLOCAL(ORDER.OLD)
        DEFINE CHANNEL(TO.PARIS) CHLTYPE(RCVR)
        DELETE CHANNEL(TO.PARIS)
        report backouts --out o --queue ...
        ORDRES => 10 ! there is no queue ORDRES, and the history mentions none; did you mean ORDERS?
        orders => 10 ! there is no queue orders, and the history mentions none; did you mean ORDERS or ORDER.OLD?
        ORDERS --queue ORDER.OLDE => 10 ! did you mean ORDER.OLD or ORDERS?
        ORDRE* => 10 ! there is no queue whose name begins with ORDRE, and the history mentions none; did you
        TO.PARIS => 10 ! there is no queue TO.PARIS, and the history mentions none; DISPLAY QUEUE(*) lists those
        ORDERS -m QM2 => 10 ! QM2 has no queue ORDERS, and the history mentions none; DISPLAY QUEUE(*)
    """)
    for queue in ("ORDERS", "ORDER*", "*", "ORDER.OLD", "ORDER.O*", "SYSTEM.DEFAULT.LOCAL.QUEUE"):
        told = "store.db is a file; name a folder for the reports"
        session(f"report backouts --out store.db --queue {queue} => 20 ! {told}")


def test_describe_needs_no_store_and_no_java(
    mqsc: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    ended = mqsc("report", "--describe", "dead-letters", "backouts")
    assert ended.code == 0
    assert ended.lines[:5] == [
        "dead-letters: Messages that arrived on dead-letter queues, how they left, and those still "
        "there.",
        "",
        "  arrivals: Arrivals on dead-letter queues, by hour, reason, destination and cause.",
        "    qmgr                       string     The queue manager.",
        "    queue                      string     The dead-letter queue.",
    ]
    assert "backouts: Gets that were backed out," in ended.out
    assert (
        "  Checked in every run:\n    arrivals.messages = outcomes.messages + left.messages\n"
        in ended.out
    )
    assert not (tmp_path / "store.db").exists()
    every = mqsc("report", "--describe", "--format", "json").rows
    assert [each["report"] for each in every] == list(catalog.names())
    (first, *_) = next(each["tables"] for each in every if each["report"] == "backouts")
    assert first["table"] == "backouts"
    assert first["columns"][0] == {
        "name": "qmgr",
        "type": "string",
        "description": "The queue manager.",
    }


# Runs a report in a Python where the packages of the extra cannot be imported.
WITHOUT_EXTRA = """
import sys
from mqsc.main import run_to_exit_code
sys.modules.update(dict.fromkeys(sys.argv[1].split(",")))
sys.exit(run_to_exit_code(["report", "expired-messages", "--out", "out"]))
"""


@pytest.mark.parametrize(
    ("blocked", "named"),
    [("pyspark,pyarrow,adbc_driver_manager,adbc_driver_sqlite", "pyspark"), ("pyarrow", "pyarrow")],
)
def test_without_the_extra_it_says_how_to_install_it(
    mqsc: Command,
    tmp_path: Path,
    blocked: str,
    named: str,
) -> None:
    mqsc("qmgr", "create", "QM1")
    command, environment = (
        [sys.executable, "-c", WITHOUT_EXTRA, blocked],
        {**os.environ, "PYTHONPATH": str(ROOT)},
    )
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (20, "")
    assert (
        ended.stderr
        == f"mqsc: reports need {named}, which is not installed; in the source tree of mqsc, run: "
        "pip install '.[reports]'\n"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.long
@pytest.mark.usefixtures("spark")
def test_expired_messages(mqsc: Command, session: Session, tmp_path: Path) -> None:
    rows = session("""
        qmgr create QM1 --clock manual
        clock set 2026-03-02T09:00:00
        DEFINE QLOCAL(QUOTES)
        history keep QUOTES
        put QUOTES '249.00 <EUR>' --expiry 600 --count 3
        clock advance 90s
        REFRESH QMGR TYPE(EXPIRY)
        report expired-messages --out out --format jsonl --master local[1]
    """).rows
    tables = {table["table"]: table for table in rows}
    (row,) = tables["expired"]["rows"]
    expected = {
        "queue": "QUOTES",
        "hour": "2026-03-02T09:00:00Z",
        "messages": 3,
        "lateness_max": "30",
    }
    assert {**row, **expected} == row
    assert (
        (tmp_path / tables["expired"]["path"])
        .read_text()
        .startswith("qmgr,queue,hour,messages,bytes,")
    )
    assert (tables["overdue"]["rows"], "expired_data" in tables) == ([], False)
    mqsc("archive", "--to", "archive", "--kept-data")
    made = (
        "report",
        "expired-messages",
        "--kept-data",
        "--archive",
        "archive",
        "--master",
        "local[1]",
    )
    page = mqsc(*made, "--out", "page", "--as", "html")
    assert page.err == "mqsc: all reports of this run are on one page: page/index.html\n"
    text = (tmp_path / "page" / "expired-messages.html").read_text("utf-8")
    assert ("<h1>QM1</h1>" in text, text.count("<td>249.00 &lt;EUR&gt;</td>")) == (True, 3)


@pytest.mark.usefixtures("spark")
def test_what_was_archived_and_removed_is_missed_even_quietly(
    mqsc: Command,
    session: Session,
    tmp_path: Path,
) -> None:
    session("""
        qmgr create QM1 --clock manual
        clock set 2026-03-02T09:00:00
        DEFINE QLOCAL(Q)
        SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)
    """)
    mqsc("archive", "--to", "old")
    session("""
        clock advance 60s
        DEFINE QLOCAL(LATER)
        clock advance 60s
    """)
    made = ("report", "admin-audit", "--quiet", "--out", "made", "--as", "html")
    spark = ("--master", "local[1]")
    url = f"{tmp_path}/old"
    warning = "were archived and removed, and are not in these reports; add --archive"
    assert f"{warning} {url} to include them\n" in mqsc(*made, *spark).err
    (said,) = json.loads((tmp_path / "made" / "manifest.json").read_text("utf-8"))["warnings"]
    assert warning in said
    assert f"{warning} {url}" in (tmp_path / "made" / "index.html").read_text("utf-8")
    assert mqsc(*made, *spark, "--since", "2026-03-02T09:01:30").err == ""
    whole = (*spark, "--archive", "old", "--store", "sqlite:///store.db")
    assert mqsc(*made, *whole).err == ""
    # Which authorities are there is not in an archive.
    doubt = "so authorities of QM1 in the table unused may have been used in the last 30 days\n"
    assert mqsc("report", "authority", "--quiet", "--out", "other", *whole).err.endswith(doubt)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ((), 20, "--live reads archives alone"),
        (("--archive", "none", "--store", "sqlite:///store.db"), 20, "--live reads archives alone"),
        (("--archive", "none"), 20, "there is no archive at"),
        (
            ("--archive", "none", "--master", "sc://127.0.0.1:1"),
            20,
            "cannot keep reports up to date",
        ),
    ],
)
def test_what_cannot_be_live_is_refused(
    mqsc: Command,
    arguments: tuple[str, ...],
    code: int,
    sentence: str,
) -> None:
    """The store that MQSC_STORE names is not read."""
    ended = mqsc("report", "daily", "--live", "--out", "out", *arguments)
    assert (ended.code, sentence in ended.err) == (code, True)


def test_a_column_without_values_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    columns = tuple(ReportColumn(name, "string", "", "") for name in ("queue", "record", "user"))
    rows = (("ORDERS", None, "anna"), ("QUOTES", None, None))
    print_results([Result("audit", "changes", "", Path("changes.csv"), columns, 2, rows)], None)
    assert capsys.readouterr().out.splitlines() == [
        "audit: changes (2 rows in changes.csv)",
        "queue   user",
        "ORDERS  anna",
        "QUOTES  -",
        "",
    ]

"""`mqsc report`: what is rejected before Spark starts, and one report from message to table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reports import catalog
from tests.mqsc.conftest import Command
from tests.source import ROOT


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("expired-messages",), 20, "Missing option '--out'"),
        (("--out", "o"), 20, "Missing argument 'NAME...'"),
        (("expird-messages", "--out", "o"), 20, "did you mean expired-messages?"),
        (("expired-messages", "--out", "o", "--as", "xml"), 20, "'csv', 'parquet'"),
        (("expired-messages", "--out", "o", "--since", "later"), 20, "'later' is not a time; examples: 2026-03-01, "),
        (("expired-messages", "--out", "o", "--since", "1h", "--until", "2h"), 20, "so no event can be between them"),
        (("daily", "--from", "x", "--out", "o", "--since", "2h", "--until", "1h"), 20, "there is no archive at "),
        (("expired-messages", "--out", "o", "--queue", "A*B"), 20, "only its last character may be *"),
        (("expired-messages", "--out", "o", "-m", "QM9"), 10, "AMQ8118E: IBM MQ queue manager 'QM9' does not exist."),
        (("expired-messages", "--out", "o", "--store", "sqlite:///none.db"), 20, "there is no store at"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("report", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_the_help_names_every_report(mqsc: Command) -> None:
    words = mqsc("report", "--help").out.split()
    assert set(catalog.names()) <= set(words)


def test_the_name_of_a_group_selects_its_shared_queues(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--group", "QSG1")
    ended = mqsc("report", "expird-messages", "--out", "o", "-m", "QSG1")
    assert "did you mean expired-messages?" in ended.err


@pytest.mark.parametrize(
    ("queues", "qmgr", "says"),
    [
        (["ORDRES"], "", "there is no queue ORDRES, and the history mentions none; did you mean ORDERS?"),
        (["orders"], "", "there is no queue orders, and the history mentions none; did you mean ORDERS or ORDER.OLD?"),
        (["ORDERS", "ORDER.OLDE"], "", "did you mean ORDER.OLD or ORDERS?"),
        (["ORDRE*"], "", "there is no queue whose name begins with ORDRE, and the history mentions none; did you"),
        (["TO.PARIS"], "", "there is no queue TO.PARIS, and the history mentions none; DISPLAY QUEUE(*) lists those"),
        (["ORDERS"], "QM2", "QM2 has no queue ORDERS, and the history mentions none; DISPLAY QUEUE(*)"),
    ],
)
def test_a_queue_that_nobody_knows_is_refused(mqsc: Command, queues: list[str], qmgr: str, says: str) -> None:
    """A channel is no queue, and those of another queue manager are not meant."""
    two_queues(mqsc)
    named = [part for queue in queues for part in ("--queue", queue)]
    ended = mqsc("report", "backouts", "--out", "o", *named, *(["-m", qmgr] if qmgr else []))
    assert (ended.code, ended.out) == (10, "")
    assert says in ended.err


@pytest.mark.parametrize("queue", ["ORDERS", "ORDER*", "*", "ORDER.OLD", "ORDER.O*", "SYSTEM.DEFAULT.LOCAL.QUEUE"])
def test_a_queue_that_only_the_history_knows_is_no_error(mqsc: Command, queue: str) -> None:
    """What is refused is the next thing: a file where the folder should be."""
    two_queues(mqsc)
    ended = mqsc("report", "backouts", "--out", "store.db", "--queue", queue)
    assert "store.db is a file; name a folder for the reports" in ended.err


def two_queues(mqsc: Command) -> None:
    """One queue exists, another one did."""
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(ORDER.OLD)\nDELETE QLOCAL(ORDER.OLD)")
    mqsc("run", "-c", "DEFINE CHANNEL(TO.PARIS) CHLTYPE(RCVR)\nDELETE CHANNEL(TO.PARIS)")


def test_describe_needs_no_store_and_no_java(mqsc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    ended = mqsc("report", "--describe", "dead-letters", "backouts")
    assert ended.code == 0
    assert ended.lines[:5] == [
        "dead-letters: Messages that arrived on dead-letter queues, how they left, and those still there.",
        "",
        "  arrivals: Arrivals on dead-letter queues, by hour, reason, destination and cause.",
        "    qmgr                       string     The queue manager.",
        "    queue                      string     The dead-letter queue.",
    ]
    assert "backouts: Gets that were backed out," in ended.out
    assert "  Checked in every run:\n    arrivals.messages = outcomes.messages + left.messages\n" in ended.out
    assert not (tmp_path / "store.db").exists()
    every = json.loads(mqsc("report", "--describe", "--format", "json").out)
    assert [each["report"] for each in every] == list(catalog.names())
    (first, *_) = next(each["tables"] for each in every if each["report"] == "backouts")
    assert first["table"] == "backouts"
    assert first["columns"][0] == {"name": "qmgr", "type": "string", "description": "The queue manager."}
    with_output = mqsc("report", "--describe", "backouts", "--out", "x")
    assert (with_output.code, "--describe makes no report; leave out --out" in with_output.err) == (20, True)
    unknown = mqsc("report", "--describe", "dead-letter")
    assert (unknown.code, unknown.out) == (20, "")
    assert "did you mean dead-letters?" in unknown.err


# Runs a report in a Python where the packages of the extra cannot be imported.
WITHOUT_EXTRA = """
import sys
from mqsc.main import run_to_exit_code

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
sys.exit(run_to_exit_code(["report", "expired-messages", "--out", "out"]))
"""


@pytest.mark.parametrize(
    ("blocked", "named"),
    [("pyspark,pyarrow,adbc_driver_manager,adbc_driver_sqlite", "pyspark"), ("pyarrow", "pyarrow")],
)
def test_without_the_extra_it_says_how_to_install_it(mqsc: Command, tmp_path: Path, blocked: str, named: str) -> None:
    mqsc("qmgr", "create", "QM1")
    command = [sys.executable, "-c", WITHOUT_EXTRA, blocked]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=import_path(), check=False)
    assert (ended.returncode, ended.stdout) == (20, "")
    assert ended.stderr == f"mqsc: reports need {named}, which is not installed; run: pip install 'mqsc[reports]'\n"
    assert not (tmp_path / "out").exists()


def import_path() -> dict[str, str]:
    """Return an environment in which Python imports the product from this tree, in any folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.long
@pytest.mark.usefixtures("spark")
def test_expired_messages(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("clock", "set", "2026-03-02T09:00:00")
    mqsc("run", "-c", "DEFINE QLOCAL(QUOTES)")
    mqsc("put", "QUOTES", "249.00 EUR", "--expiry", "600", "--count", "3")
    mqsc("clock", "advance", "90s")
    mqsc("run", "-c", "REFRESH QMGR TYPE(EXPIRY)")
    ended = mqsc("report", "expired-messages", "--out", "out", "--format", "jsonl", "--master", "local[1]")
    assert ended.code == 0
    tables = {table["table"]: table for table in map(json.loads, ended.out.splitlines())}
    (row,) = tables["expired"]["rows"]
    assert (row["queue"], row["hour"], row["messages"], row["lateness_max"]) == (
        "QUOTES",
        "2026-03-02T09:00:00Z",
        3,
        "30",
    )
    assert (tmp_path / tables["expired"]["path"]).read_text().startswith("qmgr,queue,hour,messages,bytes,")
    assert tables["overdue"]["rows"] == []
    page = mqsc("report", "expired-messages", "--out", "page", "--as", "html", "--master", "local[1]")
    assert page.err == "mqsc: all reports of this run are on one page: page/index.html\n"
    assert "<h1>QM1</h1>" in (tmp_path / "page" / "expired-messages.html").read_text("utf-8")

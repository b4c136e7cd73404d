"""`mqsc report`: what is rejected before Spark starts, and one report from message to table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reports.catalog import names
from tests.mqsc.conftest import Command
from tests.source import ROOT


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("expired-messages",), 20, "Missing option '--out'"),
        (("--out", "o"), 20, "Missing argument 'NAME...'"),
        (("expird-messages", "--out", "o"), 20, "did you mean expired-messages?"),
        (("expired-messages", "--out", "o", "--as", "xml"), 20, "'csv', 'parquet'"),
        (("expired-messages", "--out", "o", "--since", "later"), 20, "since 'later' is not a moment"),
        (("expired-messages", "--out", "o", "--queue", "A*B"), 20, "only its last character may be *"),
        (("expired-messages", "--out", "o", "-m", "QM9"), 20, "AMQ8118E: IBM MQ queue manager 'QM9' does not exist."),
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
    assert set(names()) <= set(words)


def test_the_name_of_a_group_selects_its_shared_queues(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--group", "QSG1")
    ended = mqsc("report", "expird-messages", "--out", "o", "-m", "QSG1")
    assert "did you mean expired-messages?" in ended.err


# Runs a report in a Python where the packages of the extra cannot be imported.
WITHOUT_EXTRA = """
import sys
from mqsc.cli.main import run_to_exit_code

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

"""`mqsc doctor`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.cli.upkeep import report_findings
from store.client.api import open_store
from store.rules.health import CHECKS
from store.sqlite.database import Transaction
from tests.mqsc.conftest import Command


@pytest.mark.usefixtures("queues")
def test_a_sound_store(mqsc: Command) -> None:
    ended = mqsc("doctor")
    assert ended.code == 0, ended.out
    assert [line.split()[:2] for line in ended.lines] == [["ok", name] for name in [*dict(CHECKS), "reports"]]
    quiet = mqsc("--quiet", "doctor")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


@pytest.mark.usefixtures("queues")
def test_an_error_is_found_repaired_and_gone(mqsc: Command, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/store.db") as store, Transaction(store.database, durable=True) as tx:
        tx.script(["UPDATE queue SET depth = 3 WHERE name = 'A'"])
    ended = mqsc("doctor", "--quiet")
    assert ended.code == 10
    assert ended.lines == [
        "error   depth      QM1 A: CURDEPTH is 3, but the queue holds 0",
        "                   → run `mqsc doctor --repair` to correct CURDEPTH",
    ]
    repaired = mqsc("doctor", "--repair")
    assert repaired.code == 0
    assert "mqsc: QM1 A: CURDEPTH is now 0, it was 3" in repaired.err
    rows = json.loads(mqsc("doctor", "--format", "json").out)
    assert {"check", "severity", "finding", "remedy"} == set(rows[0])
    assert {row["severity"] for row in rows} == {"ok"}


@pytest.mark.usefixtures("queues")
def test_a_damaged_file_is_a_finding(mqsc: Command, tmp_path: Path) -> None:
    with (tmp_path / "store.db").open("r+b") as file:
        for page in range(20, 60):
            file.seek(page * 4096)
            file.write(b"\xff" * 4096)
    for arguments in (["doctor"], ["doctor", "--repair"]):
        ended = mqsc(*arguments)
        assert ended.code == 10
        assert "damaged" in ended.out
        assert "mqsc restore" in ended.out


@pytest.mark.usefixtures("queues")
def test_a_damaged_definition_gives_a_sentence_in_display(mqsc: Command, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/store.db") as store, Transaction(store.database, durable=True) as tx:
        tx.script(["UPDATE object SET attributes = x'00ff' WHERE name = 'R'"])
    for command in ("DISPLAY QLOCAL(*)", "DISPLAY QLOCAL(R)", "ALTER QLOCAL(R) DESCR('x')"):
        ended = mqsc("run", "-c", command)
        assert ended.code in (10, 20)
        assert "the definition of QLOCAL(R) of QM1 is damaged" in ended.out + ended.err
    assert mqsc("doctor").code == 10


def test_a_missing_store_is_not_created(mqsc: Command, tmp_path: Path) -> None:
    assert mqsc("doctor").code == 20
    assert mqsc("--store", "sqlite://", "doctor").code == 20
    assert list(tmp_path.iterdir()) == []


def test_reports_are_optional() -> None:
    (found,) = report_findings()
    assert found.text

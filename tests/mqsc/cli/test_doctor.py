"""`mqsc doctor`: findings, repairs and damaged files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from mqsc.cli.doctor import report_findings
from mqsc.store.client.store import open_store
from mqsc.store.rules.health import CHECKS
from mqsc.store.sqlite.database import Transaction
from tests.mqsc.session import Session

pytestmark = pytest.mark.usefixtures("queues")


def edit(folder: Path, statement: str) -> None:
    with (
        open_store(f"sqlite:///{folder}/store.db") as store,
        Transaction(store.database, durable=True) as tx,
    ):
        tx.script([statement])


def test_a_sound_store_and_a_file_that_exists(session: Session) -> None:
    lines = session("--quiet doctor => |\n!|\ndoctor").lines
    assert [line.split()[:2] for line in lines] == [
        ["ok", name] for name in [*dict(CHECKS), "reports"]
    ]
    (found,) = report_findings()
    assert found.text
    session("""
        cat > copy.db << mine
        backup copy.db => 20 ! exists already; replace it with --force
        backup --force copy.db
    """)


def test_an_error_is_found_repaired_and_gone(session: Session, tmp_path: Path) -> None:
    edit(tmp_path, "UPDATE queue SET depth = 3 WHERE name = 'A'")
    rows = session("""
        doctor --quiet => 10
            | error   depth      QM1 A: CURDEPTH is 3, but the queue holds 0
            |                    → run `mqsc doctor --repair` to correct CURDEPTH
        doctor --repair => ! mqsc: QM1 A: CURDEPTH is now 0, it was 3
        doctor --format json
    """).rows
    assert {"check", "severity", "finding", "remedy"} == set(rows[0])
    assert {row["severity"] for row in rows} == {"ok"}


def test_a_damaged_file_is_a_finding(session: Session, tmp_path: Path) -> None:
    with (tmp_path / "store.db").open("r+b") as file:
        for page in range(20, 60):
            file.seek(page * 4096)
            file.write(b"\xff" * 4096)
    for command in ("doctor", "doctor --repair"):
        session(f"{command} => 10 > damaged\n> mqsc restore")


def test_a_damaged_definition_gives_a_sentence_in_display(session: Session, tmp_path: Path) -> None:
    edit(tmp_path, "UPDATE object SET attributes = x'00ff' WHERE name = 'R'")
    session("""
        DISPLAY QLOCAL(*) => 20 ! the definition of QLOCAL(R) of QM1 is damaged
            > 1 : DISPLAY QLOCAL(*)
        DISPLAY QLOCAL(R) => 20 ! the definition of QLOCAL(R) of QM1 is damaged
            > 1 : DISPLAY QLOCAL(R)
        ALTER QLOCAL(R) DESCR('x') => 20 ! the definition of QLOCAL(R) of QM1 is damaged
            > 1 : ALTER QLOCAL(R)
        doctor => 10 > damaged
    """)


def test_quiet_prints_nothing_and_json_prints_a_row(session: Session, tmp_path: Path) -> None:
    (row,) = session("--quiet backup copy.db => |\n!|\nbackup copy.db --force --format json").rows
    copy = (tmp_path / "copy.db").read_bytes()
    assert row == {
        "store": f"{tmp_path}/store.db",
        "file": "copy.db",
        "bytes": len(copy),
        "sha256": hashlib.sha256(copy).hexdigest(),
    }
    (row,) = session("restore copy.db --format json").rows
    assert Path(row["old_store"]).exists()

"""`mqsc backup` and `mqsc restore`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command


@pytest.mark.usefixtures("queues")
def test_a_backup_is_restored(mqsc: Command, tmp_path: Path) -> None:
    mqsc("put", "A", "kept")
    made = mqsc("backup", "copy.db")
    assert (made.code, made.out) == (0, "")
    assert f"backed up {tmp_path}/store.db to copy.db (" in made.err
    mqsc("put", "A", "lost")
    restored = mqsc("restore", "copy.db")
    assert restored.code == 0
    assert f"restored {tmp_path}/store.db from copy.db" in restored.err
    assert f"the old store is now {tmp_path}/store.db.before-2" in restored.err
    assert bodies(mqsc) == ["kept"]


@pytest.mark.usefixtures("queues")
def test_quiet_prints_nothing_and_json_prints_a_row(mqsc: Command, tmp_path: Path) -> None:
    quiet = mqsc("--quiet", "backup", "copy.db")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    (row,) = json.loads(mqsc("backup", "copy.db", "--force", "--format", "json").out)
    assert row == {"store": f"{tmp_path}/store.db", "file": "copy.db", "bytes": (tmp_path / "copy.db").stat().st_size}
    (row,) = json.loads(mqsc("restore", "copy.db", "--format", "json").out)
    assert Path(row["old_store"]).exists()


@pytest.mark.usefixtures("queues")
def test_an_existing_file_needs_force(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")
    refused = mqsc("backup", "copy.db")
    assert refused.code == 20
    assert "exists already; replace it with --force" in refused.err
    assert mqsc("backup", "--force", "copy.db").code == 0


def test_there_must_be_a_store_or_a_backup(mqsc: Command) -> None:
    assert mqsc("backup", "copy.db").code == 20
    assert mqsc("restore", "copy.db").code == 20
    assert mqsc("--store", "sqlite://", "restore", "copy.db").code == 20

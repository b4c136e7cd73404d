"""`mqsc archive`, `mqsc archive verify` and `mqsc archive list`."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow import parquet
from sqlalchemy import text

from mqsc.agents.archiver import Archiver
from store.client.api import open_store
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen
from tests.processes.disks import small_file_system
from tests.processes.programs import run_program
from tests.reports.archive.reading import events_archived, events_in


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store and its archive of three ranges on one day, and the archive of a copy that went on."""
    folder = tmp_path_factory.mktemp("prepared")
    with open_store(f"sqlite:///{folder}/store.db") as store:
        store.create_queue_manager("QM1")
        for each in (30, 60, 90):
            archive(folder, "archive", each)
    return folder


def archive(folder: Path, name: str, until: int) -> None:
    """Archive events up to a number, without pruning."""
    with (
        open_store(f"sqlite:///{folder}/store.db", create=False) as store,
        Archiver(store, str(folder / name), most=30) as archiver,
    ):
        for each in archiver.archive():
            if each.last >= until:
                return


@pytest.fixture
def archived(prepared: Path, tmp_path: Path, mqsc: Command) -> Path:
    """A copy of the prepared store and archive, for `mqsc`."""
    shutil.copytree(prepared / "archive", tmp_path / "archive")
    shutil.copyfile(prepared / "store.db", tmp_path / "store.db")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store, Transaction(store.database, durable=False) as tx:
        tx.run(Statement(text(f"UPDATE archive SET url = '{tmp_path}/archive'")))
    return tmp_path / "archive"


def test_the_history_is_archived_and_pruned(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        before = events_in(store)
    planned = mqsc("archive", "--to", "archive", "--dry-run")
    said = f"Would archive {len(before)} events (1 to {len(before)}) to {tmp_path}/archive, and prune "
    assert planned.out.startswith(said)
    assert not (tmp_path / "archive").exists()
    kept = mqsc("archive", "--to", "archive", "--keep", "1")
    assert (kept.code, kept.out) == (0, "")
    assert f"archived events 1 to {len(before)} (1 file, " in kept.err
    assert "pruned 0 events" in kept.err
    assert events_archived(str(tmp_path / "archive")) == before
    assert "pruned 9" in mqsc("archive", "--to", "archive").err
    assert mqsc("archive", "--to", f"file://{tmp_path}/archive", "--quiet").err == ""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        assert {event[3] for event in events_in(store)} == {"CREATE", "PUT"}
    assert mqsc("doctor").code in (0, 2)
    # Only the user can read it, as the store.
    assert {file.stat().st_mode & 0o077 for file in (tmp_path / "archive").rglob("*.*") if file.is_file()} == {0}


def test_as_data(archived: Path, mqsc: Command) -> None:
    made = mqsc("archive", "--to", str(archived), "--format", "jsonl")
    rows = [json.loads(line) for line in made.out.splitlines()]
    assert [row["from"] for row in rows[:-1]] == [91]
    assert set(rows[-1]) == {"archive", "pruned", "returned"}
    (plan,) = json.loads(mqsc("archive", "--to", str(archived), "--dry-run", "--format", "json").out)
    assert plan["from"] == plan["to"] + 1
    (listed,) = json.loads(mqsc("archive", "list", str(archived), "--format", "json").out)
    assert (listed["name"], listed["first"], listed["last"], listed["commits"]) == ("store", 1, plan["to"], 4)
    (verified,) = json.loads(mqsc("archive", "verify", str(archived), "--format", "json").out)
    assert (verified["events"], verified["problems"]) == (plan["to"], [])


@pytest.mark.parametrize("width", [40, 80, 100])
def test_a_list_fits_the_terminal(archived: Path, width: int) -> None:
    lines = screen(archived.parent, "archive", "list", str(archived), width=width).splitlines()
    assert [line for line in lines if len(line) > width and len(line.split()) > 1] == []
    assert any(line.startswith(("name", "store")) for line in lines)


def test_an_archive_is_whole(archived: Path, mqsc: Command) -> None:
    whole = mqsc("archive", "verify", str(archived))
    assert whole.code == 0
    assert "90 events up to 90 are whole (3 commits, 3 files)" in whole.out
    assert mqsc("archive", "verify", str(archived), "--quiet").out == ""


def parquet_file(archive: Path, first: int) -> Path:
    (file,) = archive.rglob(f"events-{first}-*.parquet")
    return file


def commit_file(archive: Path, first: int) -> Path:
    (file,) = archive.rglob(f"_commits/{first}-*.json")
    return file


def remove_file(archive: Path) -> None:
    parquet_file(archive, 31).unlink()


def change_byte(archive: Path) -> None:
    file = parquet_file(archive, 31)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def truncate(archive: Path) -> None:
    file = parquet_file(archive, 31)
    file.write_bytes(file.read_bytes()[:-9])


def write_other_events(archive: Path) -> None:
    """As many events, with other content, and a commit that admits to the file's bytes only."""
    file = parquet_file(archive, 31)
    rows = parquet.ParquetFile(file).read()
    changed = rows.set_column(rows.schema.get_field_index("reason"), "reason", pa.array([7] * len(rows), pa.int64()))
    parquet.write_table(changed, file)
    content = file.read_bytes()
    commit = commit_file(archive, 31)
    row = json.loads(commit.read_text())
    row["files"][0] |= {"bytes": len(content), "file_sha256": hashlib.sha256(content).hexdigest()}
    commit.write_text(json.dumps(row))


def remove_commit(archive: Path) -> None:
    commit_file(archive, 31).unlink()


def remove_first_commit(archive: Path) -> None:
    commit_file(archive, 1).unlink()


def change_commit(archive: Path) -> None:
    commit = commit_file(archive, 1)
    commit.write_text(commit.read_text().replace('"name": "store"', '"name": "Store"'))


def spoil_commit(archive: Path) -> None:
    commit_file(archive, 31).write_text("{")


def newer_commit(archive: Path) -> None:
    commit = commit_file(archive, 31)
    commit.write_text(commit.read_text().replace('"format": 1', '"format": 2'))


def rename_commit(archive: Path) -> None:
    commit = commit_file(archive, 31)
    commit.rename(commit.with_name("31-61.json"))


def commit_twice(archive: Path) -> None:
    commit = commit_file(archive, 31)
    row = json.loads(commit.read_text()) | {"from": 30}
    commit.with_name("30-60.json").write_text(json.dumps(row))


def rename_store(archive: Path) -> None:
    (folder,) = archive.glob("store=*")
    folder.rename(archive / "store=11111111-1111-8111-8111-111111111111")


def misname_store(archive: Path) -> None:
    (folder,) = archive.glob("store=*")
    folder.rename(archive / "store=mine")


def move_day(archive: Path) -> None:
    file = parquet_file(archive, 31)
    other = file.parent.with_name("day=2001-01-01")
    other.mkdir()
    file.rename(other / file.name)


def note_missing(archive: Path) -> None:
    commit = commit_file(archive, 61)
    row = json.loads(commit.read_text()) | {"missing": [[62, 64], [70, 70]]}
    commit.write_text(json.dumps(row))


DAMAGE: list[tuple[Callable[[Path], None], str, str]] = [
    (remove_file, "events-31-60.parquet", "the file is missing"),
    (change_byte, "events-31-60.parquet", "the file was changed: its hash differs"),
    (truncate, "events-31-60.parquet", "the file was changed: it has"),
    (write_other_events, "events-31-60.parquet", "its events are not those that were committed"),
    (remove_commit, "61-90.json", "the commits of events 31 to 60 are missing"),
    (remove_first_commit, "31-60.json", "the commits of events 1 to 30 are missing"),
    (change_commit, "31-60.json", "the commit before it was changed or replaced"),
    (spoil_commit, "31-60.json", "it is not a commit file"),
    (newer_commit, "31-60.json", "its format is 2, this version of mqsc knows 1"),
    (rename_commit, "31-61.json", "is the commit of events 31 to 60 of the store"),
    (commit_twice, "30-60.json", "events 30 to 30 are committed twice"),
    (rename_store, "1-30.json", "is the commit of events 1 to 30 of the store"),
    (misname_store, "store=mine", "the folder is not named after the UUID of a store"),
    (move_day, "events-31-60.parquet", "the file is missing"),
    (note_missing, "61-90.json", "the store did not have the events 62 to 64, 70: somebody had removed them"),
]


@pytest.mark.parametrize(("damage", "where", "what"), DAMAGE, ids=[each[0].__name__ for each in DAMAGE])
def test_damage_is_found(
    damage: Callable[[Path], None], where: str, what: str, archived: Path, mqsc: Command, tmp_path: Path
) -> None:
    damage(archived)
    found = mqsc("archive", "verify", str(archived))
    assert found.code == 10
    (line,) = [line for line in found.lines if what in line and where in line.partition(": ")[0]]
    assert line
    assert "is damaged: " in found.err


def test_what_is_no_archive(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "file").write_text("")
    refused = [
        (("archive", "--to", "file"), "file is not a folder"),
        (("archive", "--to", "sqlite:///store.db"), "is a store; an archive is a folder"),
        (("archive", "--to", "what://ever/x"), "what://ever/x cannot be an archive"),
        (("archive",), "Missing option '--to'"),
        (("archive", "--to", ""), "Missing option '--to'"),
        (("archive", "--to", "x", "--keep", "soon"), "'soon' is not a length of time"),
        (("archive", "--to", "x", "--keep", "-1"), "'-1' is too short"),
        (("archive", "verify", "nowhere"), "there is no archive at "),
        (("archive", "list", "nowhere"), "there is no archive at "),
        (("archive", "--to", "x", "verify", "y"), "are not for verify and list"),
        (("--store", "none.db", "archive", "--to", "x"), "there is no store at "),
        (("--store", "sqlite://", "archive", "--to", "x"), "is a store in memory"),
    ]
    for arguments, said in refused:
        ended = mqsc(*arguments)
        assert ended.code == 20, arguments
        assert said in ended.err, arguments
    assert not (tmp_path / "x").exists()


def edit(folder: Path, statement: str) -> None:
    with open_store(f"sqlite:///{folder}/store.db") as store, Transaction(store.database, durable=True) as tx:
        tx.run(Statement(text(statement)))


def test_a_store_that_somebody_edited(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    edit(tmp_path, "DELETE FROM event WHERE seq IN (5, 6, 9)")
    edited = mqsc("archive", "--to", "archive")
    assert edited.code == 10
    assert "the store does not have the events 5 to 6, 9: they were removed" in edited.err
    assert mqsc("archive", "--to", "archive").code == 0
    assert mqsc("archive", "verify", "archive").code == 10
    mqsc("run", "-c", "DEFINE QLOCAL(A)")
    edit(tmp_path, "UPDATE event SET length = 'long' WHERE seq = (SELECT max(seq) FROM event)")
    typed = mqsc("archive", "--to", "archive")
    assert typed.code == 10
    assert "length of one of the events 96 to 96 has a wrong type: somebody edited it" in typed.err


def test_a_store_that_was_restored(archived: Path, mqsc: Command, tmp_path: Path) -> None:
    mqsc("backup", "early.db")
    mqsc("run", "-c", "DEFINE QLOCAL(A)")
    assert mqsc("archive", "--to", str(archived), "--keep", "9").code == 0
    mqsc("restore", "early.db")
    refused = mqsc("archive", "--to", str(archived))
    assert refused.code == 20
    assert "was restored from a backup" in refused.err
    assert mqsc("archive", "--to", "another").code == 0


def test_commits_that_were_removed(archived: Path, mqsc: Command) -> None:
    commit_file(archived, 61).unlink()
    refused = mqsc("archive", "--to", str(archived))
    assert refused.code == 20
    assert "files are missing; bring them back" in refused.err


def test_years_that_have_more_than_four_digits_and_times_before_1970(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    edit(tmp_path, "UPDATE event SET at = CASE seq % 3 WHEN 0 THEN -1 WHEN 1 THEN 4611686018427387904 ELSE at END")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        before = events_in(store)
    assert mqsc("archive", "--to", "archive").code == 0
    days = {folder.name for folder in tmp_path.glob("archive/store=*/day=*")}
    assert {"day=1969-12-31", "day=+148108-07-06"} < days
    assert events_archived(str(tmp_path / "archive")) == before
    assert mqsc("archive", "verify", "archive").code == 0
    assert mqsc("archive", "list", "archive").code == 0


def test_a_range_with_many_days(mqsc: Command, tmp_path: Path) -> None:
    """More days than files are open at a time."""
    mqsc("qmgr", "create", "QM1")
    edit(tmp_path, "UPDATE event SET at = at + seq * 86400000000")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        before = events_in(store)
    assert f"({len(before)} files" in mqsc("archive", "--to", "archive").err
    assert events_archived(str(tmp_path / "archive")) == before
    assert mqsc("archive", "verify", "archive").code == 0


def test_a_folder_without_permission(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    program = "import sys; from mqsc.main import main; main(sys.argv[1:])"
    store = f"sqlite:///{tmp_path}/store.db"
    ended = run_program(program, "--store", store, "archive", "--to", str(locked / "archive"), obeying=True)
    assert ended.returncode == 10
    assert "Permission denied" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_full_disk(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_file_system(folder, 1 << 20) as disk:
        disk.fill()
        full = mqsc("archive", "--to", str(folder))
        assert full.code == 10
        assert "No space left on device" in full.err
        assert not list(folder.rglob("*.parquet")) + list(folder.rglob(".events*"))
        disk.free()
        assert mqsc("archive", "--to", str(folder)).code == 0
        assert mqsc("archive", "verify", str(folder)).code == 0


def test_without_the_libraries(tmp_path: Path, mqsc: Command) -> None:
    program = "import sys; sys.modules['pyarrow'] = None; from mqsc.main import main; main(sys.argv[1:])"
    ended = run_program(program, "archive", "list", os.fspath(tmp_path))
    assert ended.returncode == 20
    assert "pip install 'mqsc[archive]'" in ended.stderr

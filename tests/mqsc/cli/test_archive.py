"""`mqsc archive`, `mqsc archive verify` and `mqsc archive list`."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from shutil import copyfile

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow import parquet
from sqlalchemy import text

from mqsc.agents.archiver import Archiver
from mqsc.store.admin.archiving import identity
from mqsc.store.client.store import open_store
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sqlite.database import Transaction
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen, too_wide
from tests.mqsc.session import Session
from tests.processes.disks import small_file_system
from tests.processes.programs import run_program
from tests.reports.archive.reading import events_archived, events_in


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store and its archive of three ranges on one day, from which nothing was
    pruned.
    """
    folder = tmp_path_factory.mktemp("prepared")
    with open_store(f"sqlite:///{folder}/store.db") as store:
        store.create_queue_manager("QM1")
        with Archiver(store, str(folder / "archive"), most=30) as archiver:
            next(each for each in archiver.archive() if each.last >= 90)
    return folder


@pytest.fixture
def archived(prepared: Path, tmp_path: Path, mqsc: Command) -> Path:
    """A copy of the prepared store and archive, for `mqsc`."""
    shutil.copytree(prepared / "archive", tmp_path / "archive")
    shutil.copyfile(prepared / "store.db", tmp_path / "store.db")
    with (
        open_store(f"sqlite:///{tmp_path}/store.db") as store,
        Transaction(store.database, durable=False) as tx,
    ):
        tx.run(text_of(text(f"UPDATE archive SET url = '{tmp_path}/archive'")))
    return tmp_path / "archive"


def test_the_history_is_archived_and_pruned(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        before = events_in(store)
    planned = mqsc("archive", "--to", "archive", "--plan")
    said = (
        f"Would archive {len(before)} events (1 to {len(before)}) to {tmp_path}/archive, and prune "
    )
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
    assert {
        file.stat().st_mode & 0o077
        for file in (tmp_path / "archive").rglob("*.*")
        if file.is_file()
    } == {0}


def test_kept_data_is_archived_only_when_asked_and_once(
    mqsc: Command,
    session: Session,
    tmp_path: Path,
) -> None:
    session("""
        qmgr create QM1
        DEFINE QLOCAL(Q)
        history keep Q
        put Q one
        get Q
        archive --to archive => ! pruned
        archive --to archive --kept-data --plan => 20 ! leave out --kept-data
        archive --kept-data list archive => 20 ! are not for verify and list
    """)
    assert [*tmp_path.glob("archive/*/_kept")] == []
    take = "archive", "--to", "archive", "--kept-data"
    assert "archived the data of 1 message\n" in mqsc(*take).err
    mqsc("put", "Q", "two")
    mqsc("get", "Q")
    assert [
        row["kept_messages"]
        for row in mqsc(*take, "--format", "jsonl").rows
        if "kept_messages" in row
    ] == [1]
    assert "archived the data of 0 messages\n" in mqsc(*take).err
    files = sorted(tmp_path.glob("archive/*/_kept/*"))
    assert [file.name for file in files] == ["1.parquet", "2.parquet"]
    assert [parquet.read_table(file)["body"].to_pylist() for file in files] == [[b"one"], [b"two"]]
    assert {file.stat().st_mode & 0o077 for file in files} == {0}
    verified = mqsc("archive", "verify", "archive")
    assert (verified.code, "the data of 2 messages can be read" in verified.out) == (0, True)
    copyfile(files[0], files[0].with_name("4.parquet"))
    whole = files[1].read_bytes()
    for broken, fault in (
        (whole[:-9], "Parquet magic bytes not found"),
        (whole.replace(b"two", b"TWO"), "CRC checksum verification failed"),
    ):
        files[1].write_bytes(broken)
        ended = mqsc("archive", "verify", "archive")
        found = [line.partition("_kept/")[2] for line in ended.out.splitlines()]
        assert (ended.code, found[0].startswith("2.parquet: "), fault in found[0]) == (
            10,
            True,
            True,
        ), ended.out
        assert found[1:] == [
            "3.parquet: the file is missing",
            "4.parquet: 1 messages are in it twice, or in an earlier file",
        ]


def test_as_data(archived: Path, mqsc: Command) -> None:
    rows = mqsc("archive", "--to", str(archived), "--format", "jsonl").rows
    assert [row["from"] for row in rows[:-1]] == [91]
    assert set(rows[-1]) == {"archive", "pruned", "returned"}
    (plan,) = mqsc("archive", "--to", str(archived), "--plan", "--format", "json").rows
    assert (plan["from"], plan["to"]) == (None, None)
    (listed,) = mqsc("archive", "list", str(archived), "--format", "json").rows
    assert (listed["name"], listed["first"], listed["last"], listed["commits"]) == (
        "store",
        1,
        rows[0]["to"],
        4,
    )
    (verified,) = mqsc("archive", "verify", str(archived), "--format", "json").rows
    assert (verified["events"], verified["problems"]) == (rows[0]["to"], [])
    assert verified["uncommitted"] == []


def test_an_archive_is_whole_and_its_list_fits_the_terminal(
    archived: Path,
    session: Session,
) -> None:
    session(f"""
        archive verify {archived} => > 90 events up to 90 are whole (3 commits, 3 files)
        archive verify {archived} --quiet => |
    """)
    for width in (40, 80, 100):
        assert too_wide(archived.parent, width, "archive", "list", str(archived)) == []
        lines = screen(archived.parent, "archive", "list", str(archived), width=width).splitlines()
        assert any(line.startswith(("name", "store")) for line in lines)


def parquet_file(archive: Path, first: int) -> Path:
    (file,) = archive.rglob(f"events-{first}-*.parquet")
    return file


def commit_file(archive: Path, first: int) -> Path:
    (file,) = archive.rglob(f"_commits/{first}-*.json")
    return file


def rewrite(commit: Path, **fields: object) -> None:
    commit.write_text(json.dumps(json.loads(commit.read_text()) | fields))


def write_other_events(file: Path, commit: Path) -> None:
    """As many events, with other content, and a commit that admits to the file's bytes only."""
    rows = parquet.ParquetFile(file).read()
    changed = rows.set_column(
        rows.schema.get_field_index("reason"),
        "reason",
        pa.array([7] * len(rows), pa.int64()),
    )
    parquet.write_table(changed, file)
    content = file.read_bytes()
    (described,) = json.loads(commit.read_text())["files"]
    described |= {"bytes": len(content), "file_sha256": hashlib.sha256(content).hexdigest()}
    rewrite(commit, files=[described])


def damage(archive: Path, how: str) -> None:
    file, commit, first_commit = (
        parquet_file(archive, 31),
        commit_file(archive, 31),
        commit_file(archive, 1),
    )
    (folder,) = archive.glob("store=*")
    match how:
        case "file removed":
            file.unlink()
        case "byte changed":
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 1
            file.write_bytes(content)
        case "truncated":
            file.write_bytes(file.read_bytes()[:-9])
        case "other events":
            write_other_events(file, commit)
        case "commit removed":
            commit.unlink()
        case "first commit removed":
            first_commit.unlink()
        case "commit changed":
            rewrite(first_commit, name="Store")
        case "commit spoiled":
            commit.write_text("{")
        case "newer commit":
            rewrite(commit, format=2)
        case "commit renamed":
            commit.rename(commit.with_name("31-61.json"))
        case "committed twice":
            shutil.copyfile(commit, commit.with_name("30-60.json"))
            rewrite(commit.with_name("30-60.json"), **{"from": 30})
        case "store renamed":
            folder.rename(archive / "store=11111111-1111-8111-8111-111111111111")
        case "store misnamed":
            folder.rename(archive / "store=mine")
        case "day moved":
            file.parent.with_name("day=2001-01-01").mkdir()
            file.rename(file.parent.with_name("day=2001-01-01") / file.name)
        case "missing noted":
            rewrite(commit_file(archive, 61), missing=[[62, 64], [70, 70]])


DAMAGE = [
    ("file removed", "events-31-60.parquet", "the file is missing"),
    ("byte changed", "events-31-60.parquet", "the file was changed: its hash differs"),
    ("truncated", "events-31-60.parquet", "the file was changed: it has"),
    ("other events", "events-31-60.parquet", "committed: their content differs"),
    ("commit removed", "61-90.json", "the commits of events 31 to 60 are missing"),
    ("first commit removed", "31-60.json", "the commits of events 1 to 30 are missing"),
    ("commit changed", "31-60.json", "the commit before it was changed or replaced"),
    ("commit spoiled", "31-60.json", "it is not a commit file"),
    ("newer commit", "31-60.json", "its format is 2, this version of mqsc knows 1"),
    ("commit renamed", "31-61.json", "is the commit of events 31 to 60 of the store"),
    ("committed twice", "30-60.json", "events 30 to 30 are committed twice"),
    ("store renamed", "1-30.json", "is the commit of events 1 to 30 of the store"),
    ("store misnamed", "store=mine", "the folder is not named after the UUID of a store"),
    ("day moved", "events-31-60.parquet", "the file is missing"),
    (
        "missing noted",
        "61-90.json",
        "the store did not have the events 62 to 64, 70: somebody had removed them",
    ),
]


@pytest.mark.parametrize(("how", "where", "what"), DAMAGE)
def test_damage_is_found(how: str, where: str, what: str, archived: Path, mqsc: Command) -> None:
    damage(archived, how)
    found = mqsc("archive", "verify", str(archived))
    assert (found.code, "is damaged: " in found.err) == (10, True)
    (line,) = [line for line in found.lines if what in line and where in line.partition(": ")[0]]
    assert line


def test_what_is_no_archive(session: Session, tmp_path: Path) -> None:
    session("""
        qmgr create QM1
        cat > file
        archive --to file => 20 ! file is not a folder
        archive --to sqlite:///store.db => 20 ! is a store; an archive is a folder
        archive --to what://ever/x => 20 ! what://ever/x cannot be an archive
        archive => 20 ! Missing option '--to'
        archive --to '' => 20 ! Invalid value for '--to': the name is empty
        archive --to x --keep soon => 20 ! 'soon' is not a length of time
        archive --to x --keep -1 => 20 ! '-1' is too short
        archive verify nowhere => 20 ! there is no archive at
        archive list nowhere => 20 ! there is no archive at
        archive --to x verify y => 20 ! are not for verify and list
        --store none.db archive --to x => 20 ! there is no store at
        --store sqlite:// archive --to x => 20 ! is a store in memory
    """)
    assert not (tmp_path / "x").exists()


def edit(folder: Path, statement: str) -> None:
    with (
        open_store(f"sqlite:///{folder}/store.db") as store,
        Transaction(store.database, durable=True) as tx,
    ):
        tx.run(text_of(text(statement)))


def test_a_store_that_somebody_edited(session: Session, tmp_path: Path) -> None:
    session("qmgr create QM1")
    edit(tmp_path, "DELETE FROM event WHERE seq IN (5, 6, 9)")
    session("""
        archive --to archive => 10 ! the store does not have the events 5 to 6, 9: they were removed
        archive --to archive
        archive verify archive => 10 ! is damaged
            > 5 to 6, 9
        DEFINE QLOCAL(A)
    """)
    edit(tmp_path, "UPDATE event SET length = 'long' WHERE seq = (SELECT max(seq) FROM event)")
    told = "length of one of the events 96 to 96 has a wrong type: somebody edited it"
    session(f"archive --to archive => 10 ! {told}")


def test_a_store_that_was_restored(archived: Path, session: Session) -> None:
    session(f"""
        backup early.db
        DEFINE QLOCAL(A)
        archive --to {archived} --keep 9
        restore early.db
        archive --to {archived} => 20 ! was restored from a backup
        archive --to another
    """)


def test_commits_that_were_removed(archived: Path, session: Session) -> None:
    commit_file(archived, 61).unlink()
    left = f"{parquet_file(archived, 61)}: in no commit: "
    session(f"archive verify {archived} => > {left}")
    session(f"archive verify {archived} --quiet => > {left}")
    session(f"archive --to {archived} => 20 ! files are missing; bring them back")


def test_years_that_have_more_than_four_digits_and_times_before_1970(
    session: Session,
    tmp_path: Path,
) -> None:
    session("qmgr create QM1")
    edit(
        tmp_path,
        "UPDATE event SET at = CASE seq % 3 WHEN 0 THEN -1 WHEN 1 THEN 4611686018427387904 ELSE at "
        "END",
    )
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        before = events_in(store)
    session("archive --to archive\narchive verify archive\narchive list archive")
    days = {folder.name for folder in tmp_path.glob("archive/store=*/day=*")}
    assert {"day=1969-12-31", "day=+148108-07-06"} < days
    assert events_archived(str(tmp_path / "archive")) == before


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
    ended = run_program(
        program,
        "--store",
        store,
        "archive",
        "--to",
        str(locked / "archive"),
        obeying=True,
    )
    denied = f"Permission denied ({locked}/archive)" in ended.stderr
    assert (ended.returncode, denied, "Traceback" in ended.stderr) == (10, True, False)


def test_a_full_disk(session: Session, tmp_path: Path) -> None:
    session("qmgr create QM1")
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_file_system(folder, 1 << 20) as disk:
        disk.fill()
        session(f"archive --to {folder} => 10 ! No space left on device")
        assert not list(folder.rglob("*.parquet")) + list(folder.rglob(".events*"))
        disk.free()
        session(f"archive --to {folder}\narchive verify {folder}")


def test_without_the_libraries(tmp_path: Path, mqsc: Command) -> None:
    program = (
        "import sys; sys.modules['pyarrow'] = None; from mqsc.main import main; main(sys.argv[1:])"
    )
    ended = run_program(program, "archive", "list", os.fspath(tmp_path))
    assert (ended.returncode, "pip install '.[archive]'" in ended.stderr) == (20, True)


def test_a_store_restored_from_before_its_first_archive_is_recognised(session: Session) -> None:
    """Otherwise the same events would be archived twice, as those of two stores."""
    session("""
        qmgr create QM1
        backup copy.db
        archive --to archive
        restore copy.db
        DEFINE QLOCAL(Q)
        archive --to archive => 20 ! was restored from a backup
        archive --to other
    """)


def test_an_earlier_store_gets_its_identity_when_it_is_opened(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.db"
    with open_store(url) as store, Transaction(store.database, durable=False) as tx:
        tx.run(text_of(text("DELETE FROM archive")))
    with open_store(url) as store:
        given = identity(store)
    with open_store(url) as store:
        assert identity(store) == given

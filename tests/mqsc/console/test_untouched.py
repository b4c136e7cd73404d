"""Commands that only read leave backups and stores that cannot be written as they are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mqsc.store import Message, open_store
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.processes.disks import read_only, small_file_system
from tests.rows import rows

READING = (
    ["run", "-c", "DISPLAY QLOCAL(Q) CURDEPTH"],
    ["run", "-c", "DISPLAY QLOCAL(Q)", "--as-of", "100"],
    ["foreach", "--yes", "QLOCAL(Q) DO DISPLAY QLOCAL({})"],
    ["browse", "Q"],
    ["expiry", "Q"],
    ["export", "--messages", "Q"],
    ["history", "Q"],
    ["trace", "414D", "--as-of", "100"],
    ["reconcile"],
    ["depth", "Q"],
    ["diff", "--from", "100"],
    ["dmpmqcfg"],
    ["amqsbcg", "Q", "QM1"],
    ["amqsbcgc", "Q", "QM1"],
    ["dmpmqmsg", "-i", "Q", "-f", "stdout"],
    ["dspmqcsv"],
    ["dspmqver"],
    ["qmgr", "list"],
    ["user", "list"],
    ["user", "groups"],
    ["channel", "map"],
    ["auth", "status"],
    ["top", "--once"],
    ["top"],
    ["backup", "--force", "copy.db"],
)
# What it says depends on the disk, too.
CHECKING = ["doctor"]
WRITING = (
    ["run", "-c", "DEFINE QLOCAL(R)"],
    ["run", "-c", "DISPLAY QMGR", "-c", "DEFINE QLOCAL(R)"],
    ["put", "Q", "more"],
    ["get", "Q"],
    ["history", "Q", "--follow"],
    ["undo", "--yes"],
)


@pytest.fixture
def folder(session: Session, tmp_path: Path) -> Path:
    """A folder with a store, and a backup of it; one of two messages has expired since."""
    session("""
        qmgr create QM1 --clock manual
        DEFINE QLOCAL(Q)
        put Q stays
        put Q goes --expiry 10
        clock advance 60s
        backup backup.db
    """)
    folder = tmp_path / "kept"
    folder.mkdir()
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return what the files below a folder contain."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


@rows(*READING, CHECKING)
def test_a_backup_is_not_changed(mqsc: Command, folder: Path, command: list[str]) -> None:
    copy = shutil.copy("backup.db", folder)
    before = contents(folder)
    expected = mqsc(*command)
    assert mqsc(*command, "--store", f"sqlite:///{copy}").code == expected.code
    assert contents(folder) == before


@rows("store.db", "backup.db")
def test_a_disk_that_is_read_only(mqsc: Command, folder: Path, name: str) -> None:
    with small_file_system(folder):
        for file in Path().glob(f"{name}*"):
            (shutil.copytree if file.is_dir() else shutil.copy)(file, folder / file.name)
        with read_only(folder):
            url = f"sqlite:///{folder / name}"
            codes = [mqsc(*command, "--store", url).code for command in READING]
            checked = mqsc(*CHECKING, "--store", url)
            refusals = [mqsc(*command, "--store", url) for command in WRITING]
    assert codes == [mqsc(*command).code for command in READING]
    assert (checked.code in (0, 2), f"{folder / name}, schema" in checked.out) == (True, True)
    sentence = (
        f"mqsc: {folder / name} cannot be written: the file system is read-only; commands that "
        "only read can use it\n"
    )
    assert [(each.code, each.out, each.err) for each in refusals] == [(20, "", sentence)] * len(
        WRITING,
    )


def test_a_log_without_shared_memory_is_read_too(mqsc: Command, folder: Path) -> None:
    """A store that was copied while a program had it open, onto a disk that is read-only."""
    with small_file_system(folder):
        with (
            open_store("sqlite:///store.db") as store,
            store.queue_manager().connect() as connection,
        ):
            connection.put1("Q", Message(b"in the log"))
            for file in ("store.db", "store.db-wal"):
                shutil.copy(file, folder)
        with read_only(folder):
            ended = mqsc("browse", "Q", "--store", f"sqlite:///{folder}/store.db")
    assert "in the log" in ended.out


def test_expired_messages_are_skipped_and_stay(session: Session, folder: Path) -> None:
    session("""
        browse Q --store backup.db
            > stays
            ~ goes
            !| mqsc: 1 message had expired and is not shown
        browse Q
            !| mqsc: 1 expired message was discarded
        run -c 'DISPLAY QLOCAL(Q) CURDEPTH' --store backup.db
            > CURDEPTH(2)
        history Q --store backup.db
            ~ expired
    """)


def test_a_backup_that_is_written_becomes_a_store(session: Session, folder: Path) -> None:
    session("""
        put Q more --store backup.db
        browse Q --store backup.db
            > more
            !| mqsc: 1 expired message was discarded
    """)


def test_an_error_names_the_backup_and_not_the_copy(session: Session, folder: Path) -> None:
    page = Path("backup.db").read_bytes()
    Path("backup.db").write_bytes(page[:4096] + bytes(len(page) - 4096))
    session("browse Q --store backup.db => 20 ! $PWD/backup.db is damaged")


def test_a_backup_is_checked_and_copied_under_its_own_name(session: Session, folder: Path) -> None:
    """Two copies of it are equal, and a queue whose depth is wrong is found and stays so."""
    session("""
        doctor --store backup.db
            > $PWD/backup.db, schema
        backup first.db --store backup.db => ! backed up $PWD/backup.db to first.db
        backup second.db --store first.db --quiet
        backup backup.db --force --store backup.db => 20 ! backup.db
    """)
    assert not Path("backup.db.processes").exists()
    with open_store("sqlite:///second.db") as store:
        assert store.queue_manager().name == "QM1"
    session("""
        doctor --repair --store backup.db
        browse Q --store backup.db
            > stays
    """)
    assert Path("backup.db.processes").exists()

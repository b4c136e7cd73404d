"""Commands on damaged files: a sentence and the right exit code, never a traceback, and never a
wait without end.

MQSC_DAMAGED_FILES sets the number of files.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

import mqsc as public
from mqsc.cli import doctor
from mqsc.console.choices import Choices
from mqsc.console.target import opened_store
from mqsc.store.admin.report_bound import freeze
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.error import DamagedStoreError, StoreError
from mqsc.store.message import GetMessageOptions, Message
from tests.mqsc.cli.damage import damage
from tests.mqsc.conftest import Command

COUNT = int(os.environ.get("MQSC_DAMAGED_FILES", "13"))
OBJECTS = (
    "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(DLQ)\nDEFINE "
    "PROCESS(P)"
)
PARTS = 4
# A table of events that can no longer be told from an empty one has no event to show.
CODES = {"doctor": (0, 2, 10), "history": (0, 10, 20)}
# Much more than a file takes; reaching the sum of these is a failure.
SECONDS_PER_FILE = 2


def _used(qmgr: QueueManager) -> None:
    """Give every important table rows, on several pages."""
    list(public.run(qmgr, OBJECTS))
    with qmgr.connect() as connection:
        for number in range(40):
            connection.put1("Q", Message(bytes([number]) * number * 30))
        connection.put1("Q", Message(bytes(30_000)))
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        queue.get(GetMessageOptions())
        queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.back()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that was used, and beside it the log of one that is in use."""
    path = tmp_path_factory.mktemp("sound") / "store.db"
    with open_store(f"sqlite:///{path}") as store:
        _used(store.create_queue_manager("QM1"))
        shutil.copy(f"{path}-wal", f"{path}.log")
    return path


def _replaced(path: Path, by: Path, log: bytes | None = None) -> None:
    """Put another file in the place of a store, with a log or none; the commands before may have
    changed it.
    """
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    shutil.copy(by, path)
    if log is not None:
        Path(f"{path}-wal").write_bytes(log)


def _report_reads(path: Path) -> None:
    """Read what `mqsc report` reads of a store in this process; StoreError is an answer, too."""
    frozen = path.with_name("frozen.db")
    frozen.unlink(missing_ok=True)
    with suppress(StoreError), open_store(f"sqlite:///{path}", create=False) as store:
        freeze(store, frozen)


@pytest.mark.timeout(60 + SECONDS_PER_FILE * COUNT)
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_files(
    mqsc: Command,
    tmp_path: Path,
    sound: Path,
    part: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "report_findings", list)
    monkeypatch.setattr("mqsc.store.sqlite.files.CREATION_SECONDS", 0.0)
    path, log = tmp_path / "store.db", Path(f"{sound}.log").read_bytes()
    for number in range(part, COUNT, PARTS):
        _replaced(path, sound)
        damage(number, path, log)
        shutil.copy(path, tmp_path / "damaged.db")
        wal = Path(f"{path}-wal").read_bytes() if Path(f"{path}-wal").exists() else None
        restore = ("--store", "new.db", "restore", str(path))
        for arguments in (
            ("doctor",),
            ("doctor", "--repair"),
            ("history", "--format", "jsonl"),
            restore,
        ):
            _replaced(path, tmp_path / "damaged.db", wal)
            ended = mqsc(*arguments)
            said = ended.out + ended.err
            assert ended.code in CODES.get(arguments[0], (0, 20)), (number, arguments, said)
            assert said or ended.code == 0, (number, arguments)
            assert ".partial" not in said, (number, arguments, said)
        _replaced(path, tmp_path / "damaged.db", wal)
        _report_reads(path)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "CREATE TRIGGER t AFTER INSERT ON message BEGIN DELETE FROM message; END",
            "the trigger t is not part of a",
        ),
        ("CREATE TABLE other (a)", "the table other is not part of a store"),
        ("CREATE VIEW other AS SELECT 1", "the view other is not part of a store"),
        ("DROP INDEX message_order", "the index message_order is missing"),
        ("ALTER TABLE event ADD COLUMN other", "the table event is not as it was created"),
        ("UPDATE queue SET depth = 'many'", "table queue has values of a wrong type in depth"),
    ],
)
def test_an_altered_schema(
    mqsc: Command,
    tmp_path: Path,
    sound: Path,
    statement: str,
    says: str,
) -> None:
    """A trigger, for example, could delete messages: restore and backup refuse the file, and
    doctor names it.
    """
    path = shutil.copy(sound, tmp_path / "store.db")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)

    checked = mqsc("doctor")
    assert (checked.code, f"the file is damaged: {says}" in checked.out) == (10, True)
    for arguments in (("--store", "new.db", "restore", "store.db"), ("backup", "copy.db")):
        refused = mqsc(*arguments)
        assert (refused.code, says in refused.err) == (20, True)
    assert sorted(each.name for each in tmp_path.glob("*.db")) == ["store.db"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("detail = '}'", "its details are not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("at = -6267215032891674141", "-6267215032891674141 is not a time"),
        ("put_at = 253402300800000000", "253402300800000000 is not a time"),
        ("expires_at = 'x'", "'x' is not a time"),
    ],
)
def test_an_event_that_no_store_has_written(
    mqsc: Command,
    tmp_path: Path,
    sound: Path,
    change: str,
    why: str,
) -> None:
    with closing(sqlite3.connect(shutil.copy(sound, tmp_path / "store.db"))) as database, database:
        database.execute(f"UPDATE event SET {change} WHERE seq = 2")
    for form in ("jsonl", "text"):
        ended = mqsc("history", "--format", form)
        said = f"mqsc: event 2 of the history is damaged; restore the store from a copy ({why})\n"
        assert (ended.code, ended.err) == (20, said)


def test_two_rows_with_one_number(tmp_path: Path, sound: Path) -> None:
    """As where a page of a table has become a copy of another; a report reads a copy of the
    messages.
    """
    path = shutil.copy(sound, tmp_path / "store.db")
    with closing(sqlite3.connect(path)) as database, database:
        (view,) = database.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'published_message'",
        ).fetchone()
        database.execute("DROP VIEW published_message")
        database.execute(f"{view} UNION ALL {view[view.index('SELECT') :]}")
    damaged = (
        f"^{path} is damaged; restore it from a copy .UNIQUE constraint failed: "
        "published_message.id.$"
    )
    with (
        open_store(f"sqlite:///{path}", create=False) as store,
        pytest.raises(DamagedStoreError, match=damaged),
    ):
        freeze(store, tmp_path / "frozen.db")


def test_what_a_damaged_history_explains(tmp_path: Path, sound: Path) -> None:
    """An error of the program is shown as it is, unless there is damage; then the sentence says
    where it was.
    """
    choices = Choices(store=f"sqlite:///{shutil.copy(sound, tmp_path / 'store.db')}")
    with pytest.raises(KeyError), opened_store(choices):
        raise KeyError
    with closing(sqlite3.connect(tmp_path / "store.db")) as database, database:
        database.execute("DELETE FROM event WHERE seq = 50")
    said = r"is damaged; .*; noticed by KeyError in test_damaged_files\.py, line \d+\)$"
    with pytest.raises(DamagedStoreError, match=said) as caught, opened_store(choices):
        raise KeyError
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_file_that_is_no_database_is_named(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "notadb.db").write_text("no database" * 1000)
    refused = mqsc("restore", "notadb.db")
    told = f"mqsc: {tmp_path}/notadb.db is not a store: the file is not an SQLite database\n"
    assert (refused.code, refused.err) == (20, told)

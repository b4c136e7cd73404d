"""What `mqsc doctor` finds and repairs; backups are complete and private, and restores refuse a
store in use.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from mqsc.store.admin.backup import back_up, restore
from mqsc.store.admin.clearing import clear
from mqsc.store.admin.connection_status import connections
from mqsc.store.admin.defining import create
from mqsc.store.admin.health import facts_about, upkeep
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.store_repair import repair
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.error import StoreError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.health import CHECKS, Depth
from mqsc.store.sql.rows import SCHEMA_VERSION
from mqsc.store.sqlite.copies import partial_file
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.driver import LOG_SIZE_LIMIT
from mqsc.store.sqlite.locks import SingleInstanceLock, lock_beside
from mqsc.store.sqlite.proc_locks import held_locks
from tests.conftest import START
from tests.processes.programs import run_program
from tests.source import ROOT
from tests.store.admin.looking import put, queue_row


@pytest.fixture
def queue(qmgr: QueueManager) -> str:
    """The name of a queue that accepts large messages."""
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXMSGL": 100 << 20})
    with Transaction(qmgr.store.database, durable=False) as tx:
        tx.script(["UPDATE queue_manager SET max_length = 104857600"])
    return "Q"


def problems(store: Store) -> list[str]:
    found = [
        (name, each)
        for name, check in CHECKS
        for each in check(facts_about(store))
        if name != "disk"
    ]
    return [f"{name}: {each.text}" for name, each in found if each.severity]


def change(store: Store, text: str) -> None:
    with Transaction(store.database, durable=True) as tx:
        tx.script([text])


def test_a_store_that_works_has_no_problem(store: Store, qmgr: QueueManager, queue: str) -> None:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put([Message(b"1"), Message(b"2")])
        handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        assert problems(store) == []
        assert facts_about(store).programs[0].process == os.getpid()


def test_a_wrong_depth_is_corrected(store: Store, qmgr: QueueManager, queue: str) -> None:
    put(qmgr, queue, b"m")
    change(store, "UPDATE queue SET depth = 7 WHERE name = 'Q'")
    assert facts_about(store).wrong_depths == (Depth("QM1", "Q", 7, 1),)
    assert repair(store) == ["QM1 Q: CURDEPTH is now 1, it was 7"]
    assert (queue_row(qmgr, queue).depth, problems(store)) == (1, [])


def test_a_damaged_definition_is_named(store: Store, qmgr: QueueManager, queue: str) -> None:
    change(store, "UPDATE object SET attributes = '{\"DESCR' WHERE name = 'Q'")
    assert problems(store) == ["integrity: the definition of QLOCAL(Q) of QM1 is damaged"]
    with pytest.raises(
        StoreError,
        match=r"the definition of QLOCAL\(Q\) of QM1 is damaged; run `mqsc doctor`",
    ):
        list(inquire(qmgr, [KINDS["QLOCAL"]], "*"))
    repair(store)
    assert len(problems(store)) == 1


def test_a_gap_in_the_history_and_lost_rows_are_found(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    put(qmgr, queue, b"m")
    for text in ("event WHERE seq = 5", "queue_member", "queue WHERE name = 'Q'"):
        change(store, f"DELETE FROM {text}")
    lost, gap = "1 message of a queue that does not exist", "1 event missing from the history"
    assert problems(store) == [f"integrity: {lost}", f"history: {gap}"]


KILLED = """
import os, sys; from mqsc.store import *; from mqsc.store.constants import MQPMO
c = open_store(sys.argv[1]).queue_manager('QM1').connect()
c.put1('Q', Message(b'm'), PutMessageOptions(MQPMO.SYNCPOINT))
os.kill(os.getpid(), 9)
"""


def test_what_a_killed_program_left_is_backed_out(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    assert run_program(KILLED, f"sqlite:///{store.path}").returncode == -9
    assert problems(store) == [
        "programs: 1 program ended without disconnecting and left 1 connection",
    ]
    assert repair(store) == ["backed out the work of dead programs and closed their handles"]
    assert (problems(store), queue_row(qmgr, queue).depth) == ([], 0)


def test_a_dead_program_has_no_connection(store: Store, qmgr: QueueManager, queue: str) -> None:
    assert run_program(KILLED, f"sqlite:///{store.path}").returncode == -9
    assert list(connections(qmgr)) == []


def test_the_space_of_a_large_message_is_returned(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    """R12: after a message of 60 MB is gone, neither the file nor the log keeps more than a few
    MB.
    """
    path = Path(str(store.path))
    put(qmgr, queue, bytes(60 << 20))
    clear(qmgr, queue)
    gc.collect()
    facts = facts_about(store)
    assert facts.free_pages * facts.page_bytes > 60 << 20
    assert any(each.startswith("space: 60.") for each in problems(store))
    assert any("returned 60." in sentence for sentence in repair(store))
    assert problems(store) == []
    assert path.stat().st_size < 2 << 20
    assert path.with_name("test.db-wal").stat().st_size < 1 << 20


def test_serve_keeps_a_few_free_pages(store: Store, qmgr: QueueManager, queue: str) -> None:
    put(qmgr, queue, bytes(60 << 20))
    clear(qmgr, queue)
    done = upkeep(store)
    assert 50 << 20 < done.returned < 60 << 20
    assert done.log == ""
    assert Path(str(store.path)).stat().st_size < 6 << 20
    assert upkeep(store).returned == 0


def test_a_store_of_an_old_version_is_written_anew(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    store.close()
    with closing(sqlite3.connect(str(store.path))) as old:
        for text in ("PRAGMA auto_vacuum = NONE", "PRAGMA journal_mode = DELETE", "VACUUM"):
            old.execute(text)
    assert not facts_about(store).returns_pages
    (sentence,) = repair(store)
    assert sentence.startswith("wrote the file anew")
    facts = facts_about(store)
    assert (facts.returns_pages, facts.damage) == (True, ())


@contextmanager
def another(program: str, store: Store, says: str) -> Iterator[int]:
    """A Python program that works on the store until it is killed; yields its process id once it
    has said a line.
    """
    command = [sys.executable, "-c", program, str(store.path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline() == f"{says}\n"
            yield running.pid
        finally:
            running.kill()


READER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM event").fetchall()
print("reading", flush=True)
time.sleep(600)
"""
WRITER = """
import sys, time; from mqsc.store import *; from mqsc.store.sqlite.database import Transaction
with Transaction(open_store(f"sqlite:///{sys.argv[1]}").database, durable=False):
    print('writing', flush=True); time.sleep(600)
"""


def test_a_program_that_reads_an_old_state_is_named_and_the_log_truncated(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    """R7: the log grows while the program reads, and returns to its limit soon after it has
    ended.
    """
    with another(READER, store, "reading") as reader:
        put(qmgr, queue, bytes(40 << 20))
        facts = facts_about(store)
        assert not facts.log_is_copied
        assert facts.log_bytes > 40 << 20
        if held_locks():
            assert [program.process for program in facts.readers] == [reader]
            assert f"because {reader} (" in upkeep(store).log
    put(qmgr, queue, *[b"small"] * 20)
    assert Path(f"{store.path}-wal").stat().st_size <= LOG_SIZE_LIMIT


def test_a_stopped_writer_is_named(store: Store, qmgr: QueueManager, queue: str) -> None:
    with another(WRITER, store, "writing") as writer:
        writers = facts_about(store).blocking_writers
        assert writers is not None
        if held_locks():
            assert [each.process for each in writers] == [writer]
    assert problems(store) == []


def test_a_unit_left_in_doubt_is_named_until_it_is_resolved(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    with qmgr.connect() as connection:
        connection.put1(queue, Message(b"m"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("TO.QM2", "7")
        for _ in range(2):
            assert problems(store) == ["units: QM1: 1 message of TO.QM2 in doubt (7)"]
            repair(store)
        status = f"('QM1', 'TO.QM2', '', {store.process})"
        change(
            store,
            f"INSERT INTO channel_status (qmgr, channel, partner, process) VALUES {status}",
        )
        assert problems(store) == []
    qmgr.resolve("TO.QM2", "7", commit=True)
    assert problems(store) == []


def test_messages_of_a_unit_that_does_not_exist_are_found(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    with qmgr.connect() as connection:
        connection.put1(queue, Message(b"m"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("TO.QM2", "7")
    change(store, "DELETE FROM prepared_unit")
    assert problems(store) == ["integrity: 1 message of a unit of work that does not exist"]
    change(store, "UPDATE message SET unit = NULL")
    assert problems(store) == ["integrity: 1 message of a unit of work that does not exist"]


def test_a_lock_of_a_handle_that_does_not_exist_is_released(
    store: Store,
    qmgr: QueueManager,
    queue: str,
) -> None:
    put(qmgr, queue, b"m")
    change(store, "UPDATE message SET locked_by = 4711 WHERE id = (SELECT max(id) FROM message)")
    said = "1 message locked by a handle that does not exist, so no get or browse finds it"
    assert problems(store) == [f"integrity: {said}"]
    assert repair(store) == ["released the locks of 1 handle that did not exist"]
    assert problems(store) == []
    with qmgr.connect() as connection:
        assert connection.open(queue, MQOO.INPUT_SHARED).get().body == b"m"


# (what is lost, what is found, whether it is repaired)
@pytest.mark.parametrize(
    ("statement", "found", "is_repaired"),
    [
        ("DELETE FROM connection", "1 open handle of a connection that does not exist", True),
        ("DELETE FROM process", "1 connection of a program that is not registered", True),
        ("UPDATE handle SET queue = 4711", "1 open handle of a queue that does not exist", False),
        ("UPDATE queue SET owner = 'QM9' WHERE name = 'Q'", "1 queue of a queue manager", False),
    ],
)
def test_what_belongs_to_nothing_is_found(
    store: Store,
    qmgr: QueueManager,
    queue: str,
    statement: str,
    found: str,
    is_repaired: bool,
) -> None:
    put(qmgr, queue, b"m")
    connection = qmgr.connect()
    handle = connection.open(queue, MQOO.INPUT_EXCLUSIVE)
    assert problems(store) == []
    change(store, statement)
    assert any(found in each for each in problems(store))
    repair(store)
    assert (problems(store) == []) == is_repaired
    if is_repaired:
        with qmgr.connect() as another:
            assert another.open(queue, MQOO.INPUT_EXCLUSIVE).get().body == b"m"
    del handle, connection


ASIDE = ".before-20231114T221320Z"


@pytest.fixture
def filled(qmgr: QueueManager, tmp_path: Path) -> Path:
    """A closed store whose queue Q holds the message `kept`."""
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    put(qmgr, "Q", b"kept")
    return tmp_path / "test.db"


def bodies(path: Path) -> list[str]:
    """Get all messages of Q and return their data."""
    with (
        open_store(f"sqlite:///{path}") as store,
        store.queue_manager("QM1").connect() as connection,
    ):
        handle = connection.open("Q", MQOO.INPUT_SHARED)
        depth = queue_row(store.queue_manager("QM1"), "Q").depth
        return [handle.get().body.decode() for _ in range(depth)]


def test_a_backup_is_one_private_file_that_one_program_writes(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    assert back_up(store, copy) == copy.stat().st_size
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert bodies(copy) == ["kept"]
    copy = tmp_path / "copy.db"
    with partial_file(copy, None), pytest.raises(StoreError, match="another program is writing"):
        back_up(store, copy)
    # One that a killed program has left is replaced.
    (tmp_path / ".copy.db.mqsc-partial").write_text("left")
    back_up(store, copy)
    assert bodies(copy) == ["kept"]


def test_what_is_replaced_only_when_asked_and_what_never(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    copy, own = tmp_path / "copy.db", tmp_path / "copy.db.partial"
    for file in (copy, own):
        file.write_text("mine")
    with pytest.raises(StoreError, match="exists already"):
        back_up(store, copy)
    assert copy.read_text() == "mine"
    back_up(store, copy, replace=True)
    assert (bodies(copy), own.read_text()) == (["kept"], "mine")
    with pytest.raises(StoreError, match="the store itself"):
        back_up(store, filled, replace=True)
    with (
        open_store(f"sqlite:///{tmp_path / 'other.db'}"),
        pytest.raises(StoreError, match="programs use"),
    ):
        back_up(store, tmp_path / "other.db", replace=True)
    with pytest.raises(StoreError, match="cannot be created"):
        back_up(store, tmp_path / "missing" / "copy.db")
    assert not (tmp_path / "missing").exists()


def test_a_damaged_store_gives_no_backup(store: Store, filled: Path, tmp_path: Path) -> None:
    store.close()
    damage(filled)
    with open_store(f"sqlite:///{filled}") as damaged, pytest.raises(StoreError, match="damaged"):
        back_up(damaged, tmp_path / "copy.db")
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == []


def damage(path: Path) -> None:
    """Overwrite a page in the middle of the file."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 4096 // 2 * 4096)
        file.write(b"\xff" * 4096)


def test_a_restore_keeps_the_new_state_aside(
    store: Store,
    qmgr: QueueManager,
    filled: Path,
    tmp_path: Path,
) -> None:
    back_up(store, tmp_path / "copy.db")
    put(qmgr, "Q", b"lost")
    filled.chmod(0o660)
    store.close()
    restored = restore(str(filled), tmp_path / "copy.db", START)
    assert (restored.aside, stat.S_IMODE(filled.stat().st_mode)) == (
        Path(f"{filled}{ASIDE}"),
        0o660,
    )
    assert (bodies(filled), bodies(Path(f"{filled}{ASIDE}"))) == (["kept"], ["kept", "lost"])
    again = restore(str(filled), tmp_path / "copy.db", START)
    assert again.aside == Path(f"{filled}{ASIDE}-2")
    assert bodies(filled) == ["kept"]


def test_work_open_in_a_backup_is_backed_out(
    store: Store,
    qmgr: QueueManager,
    filled: Path,
    tmp_path: Path,
) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
    handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
    back_up(store, tmp_path / "copy.db")
    connection.disconnect()
    store.close()
    restore(str(filled), tmp_path / "copy.db", START)
    assert bodies(filled) == ["kept"]


def test_a_missing_or_damaged_store_is_restored(store: Store, filled: Path, tmp_path: Path) -> None:
    back_up(store, tmp_path / "copy.db")
    store.close()
    filled.unlink()
    assert restore(str(filled), tmp_path / "copy.db", START).aside is None
    assert bodies(filled) == ["kept"]
    filled.write_bytes(b"rubbish" * 1000)
    Path(f"{filled}-wal").write_bytes(b"old")
    assert restore(str(filled), tmp_path / "copy.db", START).aside == Path(f"{filled}{ASIDE}")
    assert (Path(f"{filled}{ASIDE}-wal").read_bytes(), bodies(filled)) == (b"old", ["kept"])


def test_a_restore_is_refused_while_the_store_is_in_use(
    store: Store,
    qmgr: QueueManager,
    filled: Path,
) -> None:
    """By a connection, a program that only has it open, or `serve`, whose lock is seen even if
    the store is damaged.
    """
    copy = filled.with_name("copy.db")
    back_up(store, copy)
    connection = qmgr.connect()
    refused(filled, copy, f"in use by process {os.getpid()}")
    connection.disconnect()
    # The liveness file stays until the store is closed.
    refused(filled, copy, f"in use by process {os.getpid()}")
    store.close()
    with open_store(f"sqlite:///{filled}") as opened:
        opened.queue_managers()
        refused(filled, copy, "another program has it open")
    lock = SingleInstanceLock(lock_beside(str(filled), "serve", "QM1"), filled)
    assert lock.acquire()
    refused(filled, copy, "holds test.db.serve-QM1")
    lock.release()
    restore(str(filled), copy, START)


def refused(path: Path, copy: Path, sentence: str) -> None:
    """Check that the restore fails with this message and changes no file."""
    before = sorted(path.parent.iterdir())
    identity = path.stat().st_ino
    with pytest.raises(StoreError, match=sentence):
        restore(str(path), copy, START)
    assert path.stat().st_ino == identity
    assert [file.name for file in path.parent.iterdir() if file not in before] in (
        [],
        ["test.db.recovery"],
    )


def test_only_a_sound_copy_of_a_store_is_restored(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy.db"
    back_up(store, copy)
    store.close()
    (tmp_path / "text.db").write_text("text " * 1000)
    (tmp_path / "empty.db").write_bytes(b"")
    refused(filled, tmp_path / "missing.db", "there is no file")
    refused(filled, filled, "the store itself")
    refused(filled, tmp_path / "text.db", "not an SQLite database")
    refused(filled, tmp_path / "empty.db", "not a copy of a store")
    set_version(copy, SCHEMA_VERSION + 1)
    refused(filled, copy, "newer version")
    set_version(copy, SCHEMA_VERSION)
    damage(copy)
    refused(filled, copy, "damaged")
    assert bodies(filled) == ["kept"]


def set_version(path: Path, number: int) -> None:
    """Write PRAGMA user_version into the file's header."""
    with path.open("r+b") as file:
        file.seek(60)
        file.write(number.to_bytes(4, "big"))


def test_the_names_of_files_beside_a_store_are_refused(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    back_up(store, tmp_path / "copy.db")
    for suffix in ("-wal", "-shm", ".reserve", ".recovery", ".job-QM1", ".processes/writer"):
        with pytest.raises(StoreError, match="belongs to the store"):
            back_up(store, Path(f"{filled}{suffix}"), replace=True)
        with pytest.raises(StoreError, match="belongs to the store"):
            restore(f"{filled}{suffix}", tmp_path / "copy.db", START)

"""What `mqsc doctor` finds and repairs; backups are complete and private, and restores refuse a
store in use.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from mqsc.store.admin.clearing import clear
from mqsc.store.admin.connection_status import connections
from mqsc.store.admin.defining import create
from mqsc.store.admin.health import facts_about, upkeep
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.store_repair import repair
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.error import StoreError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.health import CHECKS, Depth
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.driver import LOG_SIZE_LIMIT
from mqsc.store.sqlite.proc_locks import held_locks
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

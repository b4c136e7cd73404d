"""What `mqsc doctor` finds, and what it repairs."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from store.admin.defining import create
from store.admin.deleting import clear
from store.admin.health import facts_about, repair, upkeep
from store.admin.inquiring import inquire
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQGMO, MQOO, MQPMO
from store.error import StoreError
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.rules.health import CHECKS, Depth, Facts
from store.sqlite.database import Transaction
from store.sqlite.driver import LOG_SIZE_LIMIT
from store.sqlite.locks import held_locks
from tests.processes.programs import PATIENCE_SECONDS
from tests.source import ROOT
from tests.store.admin.looking import queue_row

LARGE = 100 << 20


@pytest.fixture
def queue(qmgr: QueueManager) -> str:
    """The name of a queue that accepts large messages."""
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXMSGL": LARGE})
    with Transaction(qmgr.store.database, durable=False) as tx:
        tx.script(["UPDATE queue_manager SET max_length = 104857600"])
    return "Q"


def problems(store: Store) -> list[str]:
    facts = facts_about(store)
    return [
        f"{name}: {each.text}" for name, check in CHECKS for each in check(facts) if each.severity and name != "disk"
    ]


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
    with qmgr.connect() as connection:
        connection.put1(queue, Message(b"m"))
    change(store, "UPDATE queue SET depth = 7 WHERE name = 'Q'")
    assert facts_about(store).wrong_depths == (Depth("QM1", "Q", 7, 1),)
    assert repair(store) == ["QM1 Q: CURDEPTH is now 1, it was 7"]
    assert queue_row(qmgr, queue).depth == 1
    assert problems(store) == []


def test_a_damaged_definition_is_named(store: Store, qmgr: QueueManager, queue: str) -> None:
    change(store, "UPDATE object SET attributes = '{\"DESCR' WHERE name = 'Q'")
    assert problems(store) == ["integrity: the definition of QLOCAL(Q) of QM1 is damaged"]
    with pytest.raises(StoreError, match=r"the definition of QLOCAL\(Q\) of QM1 is damaged; run `mqsc doctor`"):
        list(inquire(qmgr, [KINDS["QLOCAL"]], "*"))
    repair(store)
    assert len(problems(store)) == 1


def test_a_gap_in_the_history_and_lost_rows_are_found(store: Store, qmgr: QueueManager, queue: str) -> None:
    qmgr.connect().put1(queue, Message(b"m"))
    change(store, "DELETE FROM event WHERE seq = 5")
    change(store, "DELETE FROM queue_member")
    change(store, "DELETE FROM queue WHERE name = 'Q'")
    assert problems(store) == [
        "integrity: 1 message of a queue that does not exist",
        "history: 1 event missing from the history",
    ]


def test_what_a_killed_program_left_is_backed_out(store: Store, qmgr: QueueManager, queue: str) -> None:
    program = (
        "import os, sys; from store import *; from store.constants import MQPMO\n"
        "c = open_store(sys.argv[1]).queue_manager('QM1').connect()\n"
        "c.put1('Q', Message(b'm'), PutMessageOptions(MQPMO.SYNCPOINT))\n"
        "os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", program, f"sqlite:///{store.path}"]
    killed = subprocess.run(command, cwd=ROOT, timeout=PATIENCE_SECONDS, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert problems(store) == ["programs: 1 program ended without disconnecting and left 1 connection"]
    assert repair(store) == ["backed out the work of dead programs and closed their handles"]
    assert problems(store) == []
    assert queue_row(qmgr, queue).depth == 0


def test_the_space_of_a_large_message_is_returned(store: Store, qmgr: QueueManager, queue: str) -> None:
    """R12: after a message of 60 MB is gone, neither the file nor the log keeps more than a few MB."""
    path = Path(str(store.path))
    with qmgr.connect() as connection:
        connection.put1(queue, Message(bytes(60 << 20)))
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
    with qmgr.connect() as connection:
        connection.put1(queue, Message(bytes(60 << 20)))
    clear(qmgr, queue)
    done = upkeep(store)
    assert 50 << 20 < done.returned < 60 << 20
    assert done.log == ""
    assert Path(str(store.path)).stat().st_size < 6 << 20
    assert upkeep(store).returned == 0


def test_a_store_of_an_old_version_is_written_anew(store: Store, qmgr: QueueManager, queue: str) -> None:
    store.close()
    with sqlite3.connect(str(store.path)) as old:
        old.execute("PRAGMA auto_vacuum = NONE")
        old.execute("PRAGMA journal_mode = DELETE")
        old.execute("VACUUM")
    old.close()
    assert not facts_about(store).returns_pages
    (sentence,) = repair(store)
    assert sentence.startswith("wrote the file anew")
    facts = facts_about(store)
    assert facts.returns_pages
    assert not facts.damage


def test_a_program_that_reads_an_old_state_is_named_and_the_log_is_truncated_after_it(
    store: Store, qmgr: QueueManager, queue: str
) -> None:
    """R7: the log grows while the program reads, and returns to its limit soon after it has ended."""
    with subprocess.Popen(
        [sys.executable, "-c", _READER, str(store.path)], stdout=subprocess.PIPE, text=True
    ) as reader:
        try:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "reading\n"
            with qmgr.connect() as connection:
                connection.put1(queue, Message(bytes(40 << 20)))
            facts = facts_about(store)
            assert not facts.log_is_copied
            assert facts.log_bytes > 40 << 20
            if held_locks():
                assert [program.process for program in facts.readers] == [reader.pid]
                assert f"because {reader.pid} (" in upkeep(store).log
        finally:
            reader.kill()
    with qmgr.connect() as connection:
        for _ in range(20):
            connection.put1(queue, Message(b"small"))
    assert Path(f"{store.path}-wal").stat().st_size <= LOG_SIZE_LIMIT


_READER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM event").fetchall()
print("reading", flush=True)
time.sleep(600)
"""


def test_a_stopped_writer_is_named(store: Store, qmgr: QueueManager, queue: str) -> None:
    program = (
        "import sys, time; from store import *; from store.sqlite.database import Transaction\n"
        "with Transaction(open_store(sys.argv[1]).database, durable=False):\n"
        "    print('writing', flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program, f"sqlite:///{store.path}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "writing\n"
            facts: Facts = facts_about(store)
            assert facts.blocking_writers is not None
            if held_locks():
                assert [each.process for each in facts.blocking_writers] == [writer.pid]
        finally:
            writer.kill()
    assert problems(store) == []


def test_a_unit_left_in_doubt_is_named_until_it_is_resolved(store: Store, qmgr: QueueManager, queue: str) -> None:
    with qmgr.connect() as connection:
        connection.put1(queue, Message(b"m"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("TO.QM2", "7")
        assert problems(store) == ["units: QM1: 1 message of TO.QM2 in doubt (7)"]
        repair(store)
        assert problems(store) == ["units: QM1: 1 message of TO.QM2 in doubt (7)"]
        status = f"('QM1', 'TO.QM2', '', {store.process})"
        change(store, f"INSERT INTO channel_status (qmgr, channel, partner, process) VALUES {status}")
        assert problems(store) == []
    qmgr.resolve("TO.QM2", "7", commit=True)
    assert problems(store) == []


def test_messages_of_a_unit_that_does_not_exist_are_found(store: Store, qmgr: QueueManager, queue: str) -> None:
    with qmgr.connect() as connection:
        connection.put1(queue, Message(b"m"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("TO.QM2", "7")
    change(store, "DELETE FROM prepared_unit")
    assert problems(store) == ["integrity: 1 message of a unit of work that does not exist"]

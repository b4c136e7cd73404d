"""Copies made while other programs write, for reports and as backups; and logs as killed processes
leave them.

Each copy shows one moment, and is intact. So is a store with a log that is truncated, torn, or has
garbage in it: it holds the complete work of some number of units, those whose commits are still in
the log.
"""

from __future__ import annotations

import csv
import json
import random
import select
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, func, or_, select as sql_select

from mqsc import run
from mqsc.main import run_to_exit_code
from mqsc.store import GetMessageOptions, Message, MessageDescriptor, MQError, PutMessageOptions
from mqsc.store.admin.backup import back_up
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.environment import Environment
from mqsc.store.past.as_of import copy_as_of, moment_of_event
from mqsc.store.published import PENDING
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.conftest import START
from tests.processes.conftest import Start
from tests.processes.programs import Player, connected, is_whole
from tests.rows import rows
from tests.store.admin.looking import queue_row

BACKUPS, PAIR = 25, 2
LIVELY, SLOW = "LIVELY", "SLOW"
_COUNTS = text_of(
    sql_select(event.c.kind, func.count())
    .where(
        event.c.seq <= bindparam("seq"),
        or_(event.c.expires_at.is_not(None), event.c.kind == "BACKOUT"),
    )
    .group_by(event.c.kind),
)
_DEPTHS = (
    "SELECT (SELECT depth FROM queue WHERE name = 'Q'),"
    " (SELECT count(*) FROM message JOIN queue ON queue.id = message.queue WHERE queue.name = 'Q'),"
    " (SELECT count(*) - max(seq) FROM event),"
    " (SELECT count(*) FROM event WHERE kind = 'PUT' AND queue = 'Q')"
)
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


def put_what_has_expired(url: str) -> None:
    """Put messages until killed. Every one has expired already and is discarded by gets and
    scans; none is got.
    """
    past = open_store(url, environment=Environment.frozen(at=START)).queue_manager("QM1").connect()
    present = open_store(url).queue_manager("QM1")
    puts = {queue: past.open(queue, MQOO.OUTPUT) for queue in (LIVELY, SLOW)}
    gets = present.connect().open(LIVELY, MQOO.INPUT_SHARED)
    for turn in count():
        expiring = MessageDescriptor(expiry=1)
        for queue in puts.values():
            queue.put([Message(b"", expiring.copy()) for _ in range(7)])
        # Backed out, so that nothing of it may be seen.
        puts[SLOW].put(Message(b"", expiring.copy()), SYNCPOINT)
        past.back()
        if turn % 3 == 0:
            with suppress(MQError):
                gets.get(GetMessageOptions(MQGMO.NO_WAIT))
        # Not when the other queue has just been emptied: there is always something overdue.
        if turn % 42 == 1:
            run(present, f"REFRESH QMGR TYPE(EXPIRY) NAME({SLOW})")
        if turn == 50:
            print("ready")


@pytest.fixture
def written(store: Store, qmgr: QueueManager, start: Start) -> Store:
    """A store to which another program writes all the time."""
    run(qmgr, "DEFINE QLOCAL(LIVELY) MAXDEPTH(999999999)\nDEFINE QLOCAL(SLOW) MAXDEPTH(999999999)")
    assert start(put_what_has_expired).line() == "ready"
    return store


def frozen(file: Path, columns: str) -> list[Any]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(
            f"SELECT {columns} FROM {PENDING.table} ORDER BY {PENDING.key}",
        ).fetchall()


def counts(store: Store, seq: int) -> tuple[int, int]:
    """How many messages that expire were put and not backed out, and how many expired, up to an
    event.
    """
    with Reading(store.database) as reading:
        found = dict(reading.all(_COUNTS, {"seq": seq}))
    return found["PUT"] - found["BACKOUT"], found["EXPIRE"]


def test_the_messages_and_the_last_event_are_of_one_moment(written: Store, tmp_path: Path) -> None:
    """A.5: what was put is expired or still there, at each of 60 moments between calls of
    another program.
    """
    for number in range(60):
        file = tmp_path / f"frozen-{number}"
        bound = written.freeze(file)
        put, expired = counts(written, bound.seq)
        # A message in a unit of work has a PUT event, and one BACKOUT event takes it back.
        messages = [id for id, expires_at in frozen(file, "id, expires_at") if expires_at]
        assert put == expired + len(messages), number
        assert all(id <= bound.message for id in messages)
    assert expired


@pytest.mark.long
@pytest.mark.usefixtures("spark")
def test_the_tables_of_a_run_agree_while_programs_write(
    written: Store,
    url: str,
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    arguments = ["report", "expired-messages", "--store", url, "--out", str(out), "--quiet"]
    assert run_to_exit_code(arguments) == 0

    def table(name: str) -> list[dict[str, str]]:
        with (out / "expired-messages" / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    expired, overdue = (
        sum(int(row["messages"]) for row in table(name)) for name in ("expired", "overdue")
    )
    assert expired == sum(int(row["messages"]) for row in table("expired_by_cause"))
    assert overdue == len(table("overdue_messages"))
    bound = json.loads((out / "manifest.json").read_text())["bound"]
    assert (expired + overdue, expired) == counts(written, bound["event"])
    assert expired
    assert overdue


def test_dead_programs_are_recovered_first(store: Store, url: str, tmp_path: Path) -> None:
    """A.5: the message that a killed program had got is on its queue again, and the history says
    so.
    """
    run(store.create_queue_manager("QM1"), "DEFINE QLOCAL(Q)")
    with Player(url) as program:
        program.run("put m\nget syncpoint => m")
        assert frozen_states(store, tmp_path / "before") == ["GOT"]
        before = store.bound().seq
        program.kill()
        assert frozen_states(store, tmp_path / "after") == ["AVAILABLE"]
    assert store.bound().seq > before


def hold_past(url: str, folder: str) -> None:
    """Keep a copy of the store as it was after its first event until killed."""
    tempfile.tempdir = folder
    with open_store(url) as store, copy_as_of(store, moment_of_event(store, 1)) as past:
        print(past.file)
        sys.stdin.read()


def test_a_copy_of_the_past_is_removed_after_a_kill(
    qmgr: QueueManager,
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the next command that makes one, and not by one while it is in use."""
    run(qmgr, "DEFINE QLOCAL(Q)")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with start(hold_past, str(tmp_path)) as program:
        file = Path(program.line())
        for _ in range(2):
            with copy_as_of(qmgr.store, moment_of_event(qmgr.store, 1)):
                assert (file.is_relative_to(tmp_path), file.exists()) == (True, True)
        program.kill()
        with copy_as_of(qmgr.store, moment_of_event(qmgr.store, 1)):
            assert not file.parent.exists()
    assert [*tmp_path.glob("mqsc-*")] == []


def frozen_states(store: Store, file: Path) -> list[str]:
    store.freeze(file)
    return [state for state, queue in frozen(file, "state, queue") if queue == "Q"]


def put_pairs(url: str) -> None:
    """Put pairs of messages on Q and get most of them, in units of work, until there is input;
    say how many pairs.

    A queue that grew with the time would make each copy slower than the one before.
    """
    with connected(url) as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        number = 0
        while not select.select([sys.stdin], [], [], 0)[0]:
            number += 1
            body = b"m" * (number % 50 * 400)
            handle.put(
                [Message(body, MessageDescriptor(persistence=1)) for _ in range(PAIR)],
                SYNCPOINT,
            )
            if number % 10 > 1:
                for _ in range(PAIR):
                    handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.commit()
            if number == 1:
                print("writing")
    print(number)


def test_every_backup_made_while_a_program_writes_is_sound(
    qmgr: QueueManager,
    start: Start,
    tmp_path: Path,
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 999_999})
    copies = [tmp_path / f"copy{number}.db" for number in range(BACKUPS)]
    writer = start(put_pairs)
    assert writer.line() == "writing"
    for copy in copies:
        back_up(qmgr.store, copy)
    assert not writer.has_ended
    _, written, _ = writer.rest()
    ends = [consistent_end(copy) for copy in copies]
    assert ends == sorted(ends)
    assert 0 < ends[0] < ends[-1] <= int(written) * PAIR


def consistent_end(copy: Path) -> int:
    """Check that depth, rows and history of the copy agree; return the number of messages put."""
    with open_store(f"sqlite:///{copy}") as store:
        store.recover()
        with Reading(store.database) as reading:
            depth, rows, gaps, puts = reading.first_row(_DEPTHS)
        assert is_whole(store)
    assert (gaps, depth, depth % PAIR) == (0, rows, 0)
    return int(puts)


FILE = "test.db"
UNITS = 20
MOVED = 5
PAGE = 4096 + 24
_BODIES = "SELECT body FROM message JOIN queue ON queue.id = message.queue WHERE name = :name"


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a process that was killed in the middle of a unit of work, after UNITS others.

    Each unit puts two messages on Q and one on R.
    """
    folder = tmp_path_factory.mktemp("left")
    url = f"sqlite:///{folder / FILE}"
    with open_store(url) as store:
        store.create_queue_manager("QM1")
    with Player(url) as program:
        program.run("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)")
        for number in range(UNITS):
            program.run(f"put a{number} b{number} persistence=1 syncpoint length=3000")
            program.run(f"put c{number} on R persistence=1 syncpoint length=9000\ncommit")
        program.run("get syncpoint => a0\nput lost on R persistence=1 syncpoint")
    return folder


def holds(store: Store) -> int:
    """Return the number of units of work that the queues hold. AssertionError if one is
    incomplete.
    """
    store.recover()
    bodies = {}
    with Reading(store.database) as reading:
        for name in ("Q", "R"):
            bodies[name] = [
                row[0].decode().rstrip(".") for row in reading.all(_BODIES, {"name": name})
            ]
    assert is_whole(store)
    units = len(bodies["R"])
    assert bodies["R"] == [f"c{number}" for number in range(units)]
    assert sorted(bodies["Q"]) == sorted(
        f"{letter}{number}" for letter in "ab" for number in range(units)
    )
    if not units:
        return 0
    qmgr = store.queue_manager("QM1")
    assert (queue_row(qmgr, "Q").depth, queue_row(qmgr, "R").depth) == (2 * units, units)
    return units


def opened(left: Path, folder: Path, damage: Callable[[bytes], bytes]) -> int:
    """Damage the log and open the store twice; return the number of units of work that it holds."""
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
        shutil.copy(left / name, folder / name)
    log = folder / f"{FILE}-wal"
    log.write_bytes(damage(log.read_bytes()))
    url = f"sqlite:///{folder / FILE}"
    with open_store(url) as store:
        units = holds(store)
    with open_store(url) as store:
        assert holds(store) == units
    return units


def partly_lost(log: bytes, chance: random.Random) -> bytes:
    """Bytes that never reached the disk: a range is zeros or garbage; everything after it is
    ignored.
    """
    at, length = chance.randrange(len(log)), chance.randrange(1, 2 * PAGE)
    lost = bytes(length) if chance.random() < 0.5 else chance.randbytes(length)
    return (log[:at] + lost + log[at + length :])[: len(log)]


# What becomes of the log, in how many ways, and whether all units are still in it.
DAMAGES: dict[str, tuple[Callable[[bytes, random.Random], bytes], int, bool]] = {
    "none": (lambda log, chance: log, 1, True),
    "cut off at any byte, even within a page": (
        lambda log, chance: log[: chance.randrange(len(log))],
        10,
        False,
    ),
    "partly lost": (partly_lost, 10, False),
    "rubbish follows": (
        lambda log, chance: log + chance.randbytes(chance.randrange(1, 3 * PAGE)),
        5,
        True,
    ),
    "old pages of its own follow": (lambda log, chance: log + log[32 : 32 + 5 * PAGE], 1, True),
}


@pytest.mark.parametrize(
    ("damage", "seed"),
    [(name, seed) for name in DAMAGES for seed in range(DAMAGES[name][1])],
)
def test_a_log_that_was_damaged(left: Path, tmp_path: Path, damage: str, seed: int) -> None:
    act, _, keeps_all = DAMAGES[damage]
    units = opened(left, tmp_path, lambda log: act(log, random.Random(seed)))
    assert units == UNITS if keeps_all else 0 <= units <= UNITS


@rows("", f"{FILE}-wal")
def test_the_files_of_shared_memory_are_made_anew(left: Path, tmp_path: Path, kept: str) -> None:
    """They can be rebuilt at any time. Without the log, the store is as the last checkpoint left
    it.
    """
    for name in filter(None, (FILE, kept)):
        shutil.copy(left / name, tmp_path / name)
    with open_store(f"sqlite:///{tmp_path / FILE}") as store:
        assert holds(store) == (UNITS if kept else 0)

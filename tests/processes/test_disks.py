"""Disks that are full, and files and folders that are read-only: the message is clear, and nothing
is lost.

A full disk can be drained: the space for removing messages comes from the reserve, which puts
cannot use.
"""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mqsc.reports.errors import ReportError
from mqsc.store.admin.clearing import clear
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.admin.health import facts_about
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import StoreError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sqlite.database import Reading
from tests.processes import programs
from tests.processes.conftest import Start
from tests.processes.disks import Disk, largest_file_size, read_only, small_file_system
from tests.processes.programs import is_whole, run_program
from tests.reports.test_publication import files_of, made, whole
from tests.rows import rows
from tests.store.admin.looking import history, queue_row

WORDS = (
    "the disk is full; nothing of this call was kept|the disk failed, or a file has reached its "
    "largest size"
)
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)
ALL_WAYS = MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE | MQOO.CO_OP
UNIT = 200
MEGABYTE = 1 << 20
_BODIES = "SELECT body FROM message WHERE state = 0 AND format <> 'MQEVENT'"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk"


@pytest.fixture(
    params=[small_file_system, largest_file_size],
    ids=["no space", "largest file size"],
)
def disk(request: pytest.FixtureRequest, folder: Path) -> Iterator[Disk]:
    with request.param(folder) as disk:
        yield disk


@pytest.fixture
def store(disk: Disk) -> Iterator[Store]:
    """A store on that disk, with a queue that has room for more messages than the disk."""
    with open_store(f"sqlite:///{disk.folder / 'test.db'}") as opened:
        create(opened.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {"MAXDEPTH": 999_999})
        try:
            yield opened
        finally:
            disk.free()


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    return qmgr.connect()


@pytest.fixture
def queue(connection: Connection) -> ObjectHandle:
    return connection.open("Q", ALL_WAYS)


def message(name: str, length: int = 0) -> Message:
    return Message(name.encode().ljust(length, b"."), MessageDescriptor(persistence=1))


def fails(call: Callable[[], object]) -> None:
    """Check that the call fails and that the message names the disk."""
    with pytest.raises(StoreError, match=WORDS):
        call()


def without_reserve(disk: Disk) -> None:
    """Delete the reserve of the store, as somebody may who needs the space."""
    for reserve in disk.folder.glob("*.reserve"):
        reserve.unlink()


def calls_until_full(call: Callable[[int], object]) -> int:
    """Repeat a call until it fails because the disk is full; return how often it succeeded."""
    done = 0

    def calls() -> None:
        nonlocal done
        while True:
            call(done)
            done += 1

    fails(calls)
    return done


def holds(qmgr: QueueManager, *names: str) -> None:
    """Check that the store is intact and that exactly the messages with these names are
    available.
    """
    with Reading(qmgr.store.database) as reading:
        there = Counter(row[0].decode().rstrip(".") for row in reading.all(_BODIES))
    assert (is_whole(qmgr.store), there) == (True, Counter(names))


def test_puts_fill_a_disk(disk: Disk, qmgr: QueueManager, queue: ObjectHandle) -> None:
    queue.put(message("before"))
    disk.fill()
    done = calls_until_full(lambda number: queue.put(message(f"m{number}", 3000)))
    placed = ["before", *(f"m{number}" for number in range(done))]
    holds(qmgr, *placed)
    assert queue_row(qmgr, "Q").depth == len(placed)
    disk.free()
    queue.put(message("after"))
    holds(qmgr, *placed, "after")
    assert queue_row(qmgr, "Q").depth == len(placed) + 1


def test_a_message_and_its_copy_are_put_or_neither(
    disk: Disk,
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    """A full disk does not count as a reason to omit the copy, whatever STRMQOS says."""
    create(qmgr, KINDS["QLOCAL"], "COPIES", {"MAXDEPTH": 999_999})
    create(
        qmgr,
        KINDS["QLOCAL"],
        "STREAMED",
        {"MAXDEPTH": 999_999, "STREAMQ": "COPIES", "STRMQOS": "BESTEF"},
    )
    streamed = connection.open("STREAMED", ALL_WAYS)
    disk.fill()
    done = calls_until_full(lambda number: streamed.put(message(f"m{number}", 3000)))
    placed = [f"m{number}" for number in range(done)]
    holds(qmgr, *placed, *placed)
    assert [queue_row(qmgr, name).depth for name in ("STREAMED", "COPIES")] == [done, done]
    disk.free()
    streamed.put(message("after"))
    holds(qmgr, *placed, "after", *placed, "after")


def test_a_list_of_messages_is_put_or_not(
    disk: Disk,
    qmgr: QueueManager,
    queue: ObjectHandle,
) -> None:
    disk.fill()
    fails(lambda: queue.put([message(f"m{number}", 3000) for number in range(8000)]))
    holds(qmgr)


@rows("commit", "back")
def test_a_unit_of_work_is_finished_when_there_is_room(
    disk: Disk,
    qmgr: QueueManager,
    connection: Connection,
    queue: ObjectHandle,
    end: str,
) -> None:
    """Without a reserve it can be neither committed nor backed out before, and stays unchanged."""
    without_reserve(disk)
    queue.put(message("got"))
    assert queue.get(GetMessageOptions(MQGMO.SYNCPOINT)).body == b"got"
    queue.put([message(f"m{number}") for number in range(UNIT)], SYNCPOINT)
    disk.fill()
    more = calls_until_full(lambda _: queue.put(message("more", 3000), SYNCPOINT))
    fails(connection.commit)
    fails(connection.back)
    holds(qmgr)
    disk.free()
    getattr(connection, end)()
    left = (
        [f"m{number}" for number in range(UNIT)] + ["more"] * more if end == "commit" else ["got"]
    )
    holds(qmgr, *left)
    assert queue_row(qmgr, "Q").depth == len(left)


def test_expired_messages_go_when_there_is_room(
    disk: Disk,
    qmgr: QueueManager,
    queue: ObjectHandle,
) -> None:
    """REFRESH discards in batches: messages it could not discard are still there, and the
    history agrees.
    """
    queue.put([Message(b"old", MessageDescriptor(expiry=1)) for _ in range(4000)])
    queue.put(message("new"))
    qmgr.store.environment.clock.pause(0.1)
    disk.fill()
    fails(
        lambda: [
            refresh_expiry(qmgr),
            calls_until_full(lambda number: queue.put(message("x", 3000))),
        ],
    )
    told = len([each for each in history(qmgr.store, "Q") if each.kind == "EXPIRE"])
    assert queue_row(qmgr, "Q").depth == 4001 - told
    disk.free()
    (scan,) = refresh_expiry(qmgr, "Q")
    assert (scan.discarded, queue_row(qmgr, "Q").depth) == (4000 - told, 1)
    holds(qmgr, "new")


@pytest.mark.parametrize("disk", [largest_file_size], indirect=True)
def test_a_get_that_fails_has_got_nothing(
    disk: Disk,
    qmgr: QueueManager,
    connection: Connection,
    queue: ObjectHandle,
) -> None:
    """No message is in the unit of work, none skips backout, no cursor has moved and no lock is
    held.

    Only a file-size limit, which is exact to the byte, makes even a small transaction fail.
    """
    names = ["m1", "m2", "m3"]
    for name in names:
        queue.put(message(name))
    skipping = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)
    browsing = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.LOCK)
    marking = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_CO_OP)
    disk.fill()
    fails(lambda: queue.get(skipping))
    fails(lambda: queue.get(browsing))
    fails(lambda: queue.get(marking))
    fails(lambda: queue.get())
    fails(lambda: queue.close())
    fails(lambda: connection.open("Q", MQOO.INPUT_SHARED))
    fails(lambda: qmgr.connect())
    assert (connection.unit.is_open, connection.unit.marked, queue.cursor, queue.holds_lock) == (
        False,
        0,
        None,
        False,
    )
    disk.free()
    assert (queue.get(browsing).body, queue.get(GetMessageOptions(MQGMO.UNLOCK)).reason) == (
        b"m1",
        0,
    )
    assert queue.get(skipping).body == b"m1"
    connection.commit()
    holds(qmgr, "m2", "m3")
    connection.disconnect()


@pytest.mark.parametrize("disk", [largest_file_size], indirect=True)
def test_a_connection_that_is_collected_is_backed_out_when_there_is_room(
    disk: Disk,
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    abandon(qmgr)
    disk.fill()
    fails(lambda: connection.put1("Q", message("m1")))
    fails(lambda: connection.put1("Q", message("m1")))
    assert queue_row(qmgr, "Q").depth == 1
    disk.free()
    connection.put1("Q", message("m2"))
    holds(qmgr, "m2")
    assert queue_row(qmgr, "Q").depth == 1


def abandon(qmgr: QueueManager) -> None:
    """Let a connection with an open unit of work be garbage-collected."""
    lost = qmgr.connect()
    lost.put1("Q", message("lost"), SYNCPOINT)
    del lost
    gc.collect()


def test_a_store_is_opened_on_a_full_disk(disk: Disk) -> None:
    """Its messages can be got."""
    url = f"sqlite:///{disk.folder / 'full.db'}"
    with open_store(url) as created:
        create(created.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {})
        created.queue_manager("QM1").connect().open("Q", ALL_WAYS).put(message("m"))
    disk.fill()
    with open_store(url) as opened, opened.queue_manager("QM1").connect() as connection:
        assert (
            connection.open("Q", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_WAIT)).body
            == b"m"
        )


def test_a_store_on_a_full_disk_is_left(disk: Disk) -> None:
    """Without a reserve, closing fails with a clear message too, but does not block the next
    program.
    """
    url = f"sqlite:///{disk.folder / 'left.db'}"
    store = open_store(url)
    qmgr = store.create_queue_manager("QM1")
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    qmgr.connect().disconnect()
    without_reserve(disk)
    disk.fill()
    fails(store.close)
    disk.free()
    with open_store(url) as again, again.queue_manager("QM1").connect() as connection:
        connection.open("Q", MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT).put(message("m"))
        holds(again.queue_manager("QM1"), "m")
    assert [each.name for each in disk.folder.iterdir() if each.suffix == ".db-wal"] == []


Used = tuple[Disk, QueueManager]
how_it_is_filled = pytest.mark.parametrize("how", ["puts", "ballast"])


@pytest.fixture
def used(folder: Path) -> Iterator[Used]:
    """A larger disk, and a store that was closed and opened again, like every store in use."""
    with small_file_system(folder, 48 * MEGABYTE) as disk:
        url = f"sqlite:///{folder / 'test.db'}"
        with open_store(url) as created:
            create(created.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {"MAXDEPTH": 999_999})
        with open_store(url) as opened:
            yield disk, opened.queue_manager("QM1")


def fill(used: Used, how: str, expiry: int = -1) -> int:
    """Put messages until the disk is full. With `ballast`, another file takes the free space
    after 300 puts.
    """
    disk, qmgr = used
    letter = Message(bytes(3000), MessageDescriptor(persistence=1, expiry=expiry))
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT)
        first = 300 if how == "ballast" else 0
        for _ in range(first):
            queue.put(letter)
        if how == "ballast":
            disk.fill()
        return first + calls_until_full(lambda _: queue.put(letter))


def is_sound(qmgr: QueueManager) -> bool:
    facts = facts_about(qmgr.store)
    return not facts.damage and not facts.wrong_depths and facts.events == facts.last_event


@how_it_is_filled
def test_every_message_can_be_got(used: Used, how: str) -> None:
    """The reserve is allocated again after each get, so that puts cannot use it up."""
    depth, qmgr = fill(used, how), used[1]
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        assert {len(queue.get().body) for _ in range(depth)} == {3000}
    assert is_sound(qmgr)
    assert queue_row(qmgr, "Q").depth == 0


@how_it_is_filled
def test_a_unit_of_work_can_be_committed_and_backed_out(used: Used, how: str) -> None:
    depth, qmgr = fill(used, how), used[1]
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        for end in (connection.back, connection.commit):
            for _ in range(50):
                queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
            end()
    assert queue_row(qmgr, "Q").depth == depth - 50


@how_it_is_filled
def test_a_queue_can_be_cleared_and_deleted(used: Used, how: str) -> None:
    depth, qmgr = fill(used, how), used[1]
    assert clear(qmgr, "Q") == depth
    assert is_sound(qmgr)
    assert fill(used, "puts") > 0
    delete(qmgr, KINDS["QLOCAL"], "Q", purge=True)
    assert is_sound(qmgr)


@how_it_is_filled
def test_expired_messages_can_be_discarded(used: Used, how: str) -> None:
    depth, qmgr = fill(used, how, expiry=1), used[1]
    qmgr.store.environment.clock.pause(0.2)
    (scan,) = refresh_expiry(qmgr, "Q")
    assert scan.discarded == depth
    assert is_sound(qmgr)


@how_it_is_filled
def test_a_new_program_can_drain_it(used: Used, launch: Start, how: str) -> None:
    """`mqsc get` opens the store, connects, gets and disconnects."""
    depth, store = fill(used, how), used[1].store
    store.close()
    words = ("get", "--store", f"sqlite:///{store.path}", "Q", "--all", "--format", "jsonl")
    code, out, err = launch(programs.command, *words, errors=True).rest()
    assert (code, err, len(out.splitlines())) == (0, "", depth)


def test_puts_never_use_up_what_removals_need(used: Used) -> None:
    """Puts fill the disk again and again; each time, a message can still be got."""
    disk, qmgr = used
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        placed = calls_until_full(lambda _: queue.put(message("m", 3000)))
        for _ in range(20):
            queue.get()
            placed += calls_until_full(lambda _: queue.put(message("m", 3000))) - 1
            assert (disk.folder / "test.db.reserve").stat().st_size > 0
    assert (queue_row(qmgr, "Q").depth, clear(qmgr, "Q")) == (placed, placed)
    assert is_sound(qmgr)


def test_a_full_disk_leaves_the_old_output(folder: Path) -> None:
    with small_file_system(folder, MEGABYTE) as disk:
        made(folder / "out", {"a/x.csv": "old"})
        disk.fill()
        with pytest.raises((ReportError, OSError), match="No space left on device"):
            made(folder / "out", {"a/x.csv": "n" * MEGABYTE})
        assert files_of(folder / "out")["a/x.csv"] == "old"
        assert whole(folder / "out") == {"a/x.csv"}
        assert len(list((folder / "out").glob(".run-*"))) == 1
        disk.free()
        made(folder / "out", {"a/x.csv": "new"})
        assert files_of(folder / "out")["a/x.csv"] == "new"


def test_messages_that_do_not_fit_on_the_disk_are_one_sentence(
    tmp_path: Path,
    folder: Path,
) -> None:
    """And the connection that was to write them is usable for other calls."""
    with (
        open_store(f"sqlite:///{tmp_path}/store.db") as store,
        small_file_system(folder, MEGABYTE // 4),
    ):
        qmgr, file = store.create_queue_manager("QM1"), folder / "frozen.db"
        with qmgr.connect() as connection:
            connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.OUTPUT).put(
                [Message(b"") for _ in range(5000)],
            )
        for _ in range(2):
            with pytest.raises(StoreError, match=f"{file} cannot grow: the disk is full"):
                store.freeze(file)
            file.unlink()
        assert not store.recover()
        bound = store.freeze(tmp_path / "frozen.db")
    assert bound.frozen == str(tmp_path / "frozen.db")
    assert bound.message >= 5000


# Runs one command after the other, and prints their exit codes.
PROGRAM = """
import json, sys
from mqsc.main import run_to_exit_code
for command in json.loads(sys.argv[2]):
    print("code:", run_to_exit_code([*command, "--store", sys.argv[1]]), flush=True)
"""
PREPARING = [["run", "-c", "DEFINE QLOCAL(Q)"], ["put", "Q", "hello"]]
LOOKING = [
    ["run", "-c", "DISPLAY QLOCAL(Q) CURDEPTH"],
    ["qmgr", "list"],
    ["expiry", "Q"],
    ["history", "Q"],
    ["browse", "Q"],
]
WRITING = [
    ["run", "-c", "DEFINE QLOCAL(R)"],
    ["run", "-c", "DISPLAY QMGR", "-c", "DEFINE QLOCAL(R)"],
    ["put", "Q", "more"],
    ["get", "Q"],
    ["qmgr", "end"],
]
FILE = "test.db"
ONLY_READ = "; commands that only read can use it"


@pytest.fixture
def kept(folder: Path) -> Iterator[Path]:
    assert run(folder, PREPARING)[0] == [0, 0]
    yield folder
    for each in (folder, *folder.iterdir()):
        each.chmod(0o700)


def run(folder: Path, commands: list[list[str]]) -> tuple[list[int], list[str]]:
    """Return the exit codes of commands, and the lines on stderr."""
    ran = run_program(PROGRAM, f"sqlite:///{folder / FILE}", json.dumps(commands), obeying=True)
    codes = [int(line.split()[1]) for line in ran.stdout.splitlines() if line.startswith("code: ")]
    return codes, ran.stderr.splitlines()


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in the files of a folder, by name."""
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def refusals(folder: Path, commands: list[list[str]]) -> set[str]:
    """Run commands that must all fail; return their messages without the path."""
    codes, said = run(folder, commands)
    assert codes == [20] * len(commands)
    assert len(said) == len(commands)
    return {line.split(" ", 2)[2] for line in said}


@rows(
    (FILE, 0o400, False, "cannot be written: you may not read and write {}" + ONLY_READ),
    (".", 0o500, False, "cannot be written: you may not read and write its folder" + ONLY_READ),
    (FILE, 0, True, "cannot be opened: you may not read and write {}"),
)
def test_what_is_read_only(kept: Path, name: str, mode: int, is_hidden: bool, said: str) -> None:
    """A file, a folder, and a file that nobody may read. Of the first two only what writes is
    refused, and nothing is changed.
    """
    before = contents(kept)
    (kept / name).chmod(mode)
    if not is_hidden:
        assert run(kept, LOOKING) == ([0] * len(LOOKING), [])
    assert refusals(kept, LOOKING * is_hidden + WRITING) == {said.format(kept / FILE)}
    kept.chmod(0o700)
    (kept / FILE).chmod(0o600)
    assert contents(kept) == before


def test_a_folder_that_holds_no_store_yet(folder: Path) -> None:
    folder.chmod(0o500)
    commands = [["qmgr", "create", "QM2"], ["run", "-c", "DISPLAY QMGR"]]
    assert refusals(folder, commands) == {"cannot be created: Permission denied"}


def test_a_file_system_that_is_read_only(folder: Path) -> None:
    with small_file_system(folder):
        assert run(folder, PREPARING)[0] == [0, 0]
        with read_only(folder):
            assert run(folder, LOOKING) == ([0] * len(LOOKING), [])
            assert refusals(folder, WRITING) == {
                f"cannot be written: the file system is read-only{ONLY_READ}",
            }


def test_a_folder_for_reports_that_nobody_may_write(folder: Path) -> None:
    assert run(folder, [["qmgr", "create", "QM1"]]) == ([0], [])
    out = folder / "out"
    out.mkdir(mode=0o555)
    codes, said = run(folder, [["report", "backouts", "--out", str(out)]])
    sentence = f"mqsc: the folder {out} for the reports cannot be written: Permission denied"
    assert (codes, said[-1], list(out.iterdir())) == ([20], sentence, [])

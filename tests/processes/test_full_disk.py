"""A full disk: the call fails with a clear message and has no effect; everything works again once there is space."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from store.admin.defining import create
from store.admin.expiry import refresh_expiry
from store.catalog import KINDS
from store.client.api import Connection, ObjectHandle, QueueManager, Store, open_store
from store.constants import MQGMO, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.error import StoreError
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.processes.disks import Disk, largest_file_size, small_file_system
from tests.store.admin.looking import history, queue_row

WORDS = "the disk is full; nothing of this call was kept|the disk failed, or a file has reached its largest size"
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)
ALL_WAYS = MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE | MQOO.CO_OP
UNIT = 200

_BODIES = Statement(text("SELECT body FROM message WHERE state = 0 AND format <> 'MQEVENT'"))
_INTEGRITY = Statement(text("PRAGMA integrity_check"))


@pytest.fixture(params=[small_file_system, largest_file_size], ids=["no space", "largest file size"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """A disk that can be filled."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with request.param(folder) as disk:
        yield disk


@pytest.fixture
def store(disk: Disk) -> Iterator[Store]:
    """A store on that disk."""
    with open_store(f"sqlite:///{disk.folder / 'test.db'}") as opened:
        try:
            yield opened
        finally:
            disk.free()


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    """A connection, and a queue with room for more messages than the disk."""
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 999_999})
    return qmgr.connect()


@pytest.fixture
def queue(connection: Connection) -> ObjectHandle:
    """The queue Q, open for everything."""
    return connection.open("Q", ALL_WAYS)


def message(name: str, length: int = 0) -> Message:
    return Message(name.encode().ljust(length, b"."), MessageDescriptor(persistence=1))


def fails(call: Callable[[], object]) -> None:
    """Check that the call fails and that the message names the disk."""
    with pytest.raises(StoreError, match=WORDS):
        call()


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


def holds(store: Store, *names: str) -> None:
    """Check that the store is intact and that exactly the messages with these names are available."""
    with Reading(store.database) as reading:
        there = Counter(row[0].decode().rstrip(".") for row in reading.all(_BODIES))
        assert reading.value(_INTEGRITY) == "ok"
    assert there == Counter(names)


def test_puts_fill_a_disk(disk: Disk, store: Store, qmgr: QueueManager, queue: ObjectHandle) -> None:
    queue.put(message("before"))
    disk.fill()
    done = calls_until_full(lambda number: queue.put(message(f"m{number}", 3000)))
    placed = ["before", *(f"m{number}" for number in range(done))]
    holds(store, *placed)
    assert queue_row(qmgr, "Q").depth == len(placed)
    disk.free()
    queue.put(message("after"))
    holds(store, *placed, "after")
    assert queue_row(qmgr, "Q").depth == len(placed) + 1


def test_a_message_and_its_copy_are_put_or_neither(
    disk: Disk, store: Store, qmgr: QueueManager, connection: Connection
) -> None:
    """A full disk does not count as a reason to omit the copy, whatever STRMQOS says."""
    create(qmgr, KINDS["QLOCAL"], "COPIES", {"MAXDEPTH": 999_999})
    create(qmgr, KINDS["QLOCAL"], "STREAMED", {"MAXDEPTH": 999_999, "STREAMQ": "COPIES", "STRMQOS": "BESTEF"})
    streamed = connection.open("STREAMED", ALL_WAYS)
    disk.fill()
    done = calls_until_full(lambda number: streamed.put(message(f"m{number}", 3000)))
    placed = [f"m{number}" for number in range(done)]
    holds(store, *placed, *placed)
    assert [queue_row(qmgr, name).depth for name in ("STREAMED", "COPIES")] == [done, done]
    disk.free()
    streamed.put(message("after"))
    holds(store, *placed, "after", *placed, "after")


def test_a_list_of_messages_is_put_or_not(disk: Disk, store: Store, queue: ObjectHandle) -> None:
    disk.fill()
    fails(lambda: queue.put([message(f"m{number}", 3000) for number in range(8000)]))
    holds(store)


@pytest.mark.parametrize("end", ["commit", "back"])
def test_a_unit_of_work_is_finished_when_there_is_room(
    disk: Disk, store: Store, qmgr: QueueManager, connection: Connection, queue: ObjectHandle, end: str
) -> None:
    """It can be neither committed nor backed out before, and stays unchanged."""
    queue.put(message("got"))
    assert queue.get(GetMessageOptions(MQGMO.SYNCPOINT)).body == b"got"
    queue.put([message(f"m{number}") for number in range(UNIT)], SYNCPOINT)
    disk.fill()
    more = calls_until_full(lambda _: queue.put(message("more", 3000), SYNCPOINT))
    fails(connection.commit)
    fails(connection.back)
    holds(store)
    disk.free()
    getattr(connection, end)()
    left = [f"m{number}" for number in range(UNIT)] + ["more"] * more if end == "commit" else ["got"]
    holds(store, *left)
    assert queue_row(qmgr, "Q").depth == len(left)


def test_expired_messages_go_when_there_is_room(
    disk: Disk, store: Store, qmgr: QueueManager, queue: ObjectHandle
) -> None:
    """REFRESH discards in batches: messages it could not discard are still there, and the history agrees."""
    queue.put([Message(b"old", MessageDescriptor(expiry=1)) for _ in range(4000)])
    queue.put(message("new"))
    qmgr.store.environment.clock.pause(0.1)
    disk.fill()
    fails(lambda: [refresh_expiry(qmgr), calls_until_full(lambda number: queue.put(message("x", 3000)))])
    told = len([each for each in history(store, "Q") if each.kind == "EXPIRE"])
    assert queue_row(qmgr, "Q").depth == 4001 - told
    disk.free()
    (scan,) = refresh_expiry(qmgr, "Q")
    assert scan.discarded == 4000 - told
    assert queue_row(qmgr, "Q").depth == 1
    holds(store, "new")


@pytest.mark.parametrize("disk", [largest_file_size], indirect=True)
def test_a_get_that_fails_has_got_nothing(
    disk: Disk, store: Store, qmgr: QueueManager, connection: Connection, queue: ObjectHandle
) -> None:
    """No message is in the unit of work, none skips backout, no cursor has moved and no lock is held.

    Only a file-size limit, which is exact to the byte, makes even a small transaction fail.
    """
    names = ["m1", "m2", "m3"]
    for name in names:
        queue.put(message(name))
    skipping = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)
    browsing = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_CO_OP | MQGMO.LOCK)
    disk.fill()
    fails(lambda: queue.get(skipping))
    fails(lambda: queue.get(browsing))
    fails(lambda: queue.get())
    fails(lambda: queue.close())
    fails(lambda: connection.open("Q", MQOO.INPUT_SHARED))
    fails(lambda: qmgr.connect())
    assert (connection.unit.is_open, connection.unit.marked, queue.cursor, queue.holds_lock) == (False, 0, None, False)
    disk.free()
    assert queue.get(browsing).body == b"m1"
    assert queue.get(GetMessageOptions(MQGMO.UNLOCK)).reason == 0
    assert queue.get(skipping).body == b"m1"
    connection.commit()
    holds(store, "m2", "m3")
    connection.disconnect()


@pytest.mark.parametrize("disk", [largest_file_size], indirect=True)
def test_a_connection_that_is_collected_is_backed_out_when_there_is_room(
    disk: Disk, qmgr: QueueManager, connection: Connection
) -> None:
    abandon(qmgr)
    disk.fill()
    fails(lambda: connection.put1("Q", message("m1")))
    fails(lambda: connection.put1("Q", message("m1")))
    assert queue_row(qmgr, "Q").depth == 1
    disk.free()
    connection.put1("Q", message("m2"))
    holds(qmgr.store, "m2")
    assert queue_row(qmgr, "Q").depth == 1


def abandon(qmgr: QueueManager) -> None:
    """Let a connection with an open unit of work be garbage-collected."""
    lost = qmgr.connect()
    lost.put1("Q", message("lost"), SYNCPOINT)
    del lost
    gc.collect()


def test_a_store_on_a_full_disk_is_left(disk: Disk) -> None:
    """Closing fails with a clear message too, but does not block the next program."""
    url = f"sqlite:///{disk.folder / 'left.db'}"
    store = open_store(url)
    qmgr = store.create_queue_manager("QM1")
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    qmgr.connect().disconnect()
    disk.fill()
    fails(store.close)
    disk.free()
    with open_store(url) as again, again.queue_manager("QM1").connect() as connection:
        connection.open("Q", MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT).put(message("m"))
        holds(again, "m")
    assert [each.name for each in disk.folder.iterdir() if each.suffix == ".db-wal"] == []

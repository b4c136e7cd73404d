"""Which calls return only after their data is on disk: the table of the README, row by row."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from store.constants import MQOO
from store.descriptor import MessageDescriptor
from store.message import Message
from tests.scenarios.play import Play
from tests.store.tables import rows

# Values of PRAGMA synchronous: COMMIT syncs the log, or leaves that to a later sync.
SYNCED, LATER = 2, 1
OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(R)
    DEFINE QLOCAL(KEPT) DEFPSIST(YES)
    DEFINE QALIAS(AL) TARGET(Q) DEFPSIST(YES)
    DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)
"""

# (the steps before, the call, the mode of its transaction)
CALLS = [
    ("", "put m persistence=1", SYNCED),
    ("", "put m persistence=0", LATER),
    ("", "put m", LATER),
    ("", "put m on KEPT", SYNCED),
    ("", "put m on KEPT persistence=0", LATER),
    ("", "put m on AL", SYNCED),
    ("", "put1 m on KEPT", SYNCED),
    ("", "put1 m persistence=1", SYNCED),
    ("", "put1 m", LATER),
    ("put m\nALTER QLOCAL(Q) DEFPSIST(YES)", "put m", SYNCED),
    # Still synced: the handle notices the new default only during this put.
    ("put m on KEPT\nALTER QLOCAL(KEPT) DEFPSIST(NO)", "put m on KEPT", SYNCED),
    ("put m on KEPT\nALTER QLOCAL(KEPT) DEFPSIST(NO)\nput m on KEPT", "put m on KEPT", LATER),
    ("", "put m persistence=1 syncpoint", LATER),
    ("put m persistence=1 syncpoint", "commit", SYNCED),
    ("put m persistence=1 syncpoint", "back", SYNCED),
    ("put m persistence=1 syncpoint", "disconnect", SYNCED),
    ("put m persistence=1 syncpoint", "abend", SYNCED),
    ("put m1 syncpoint\nput m2 persistence=1 syncpoint\nput m3 syncpoint", "commit", SYNCED),
    ("put m syncpoint", "commit", LATER),
    ("put m syncpoint", "back", LATER),
    ("put m syncpoint", "disconnect", LATER),
    ("put m persistence=1 syncpoint\ncommit\nput m syncpoint", "commit", LATER),
    ("put m persistence=1", "get => m", SYNCED),
    ("put m", "get => m", LATER),
    ("put m1\nput m2 persistence=1\nget => m1", "get => m2", SYNCED),
    ("put m1 persistence=1\nput m2\nget => m1", "get => m2", SYNCED),
    ("put m1 persistence=1\nput m2 m3\nget => m1\nget => m2", "get => m3", LATER),
    ("put m persistence=1", "get syncpoint => m", LATER),
    ("put m persistence=1", "get syncpoint-if-persistent => m", LATER),
    ("put m", "get syncpoint-if-persistent => m", LATER),
    ("put m persistence=1\nget syncpoint => m", "commit", SYNCED),
    ("put m persistence=1\nget syncpoint => m", "back", SYNCED),
    ("put m persistence=1\nget syncpoint => m", "disconnect", SYNCED),
    ("put m persistence=1\nget syncpoint mark-skip-backout => m\nback", "commit", SYNCED),
    ("put m\nget syncpoint => m", "commit", LATER),
    ("put m persistence=1", "get browse-first => m", LATER),
    ("put m persistence=1", "get browse-first lock => m", LATER),
    ("put m persistence=1\nget browse-first => m", "get msg-under-cursor => m", SYNCED),
    ("", "open Q output as X", LATER),
    ("open Q output as X", "close X", LATER),
    ("", "open TEMP output dynamic=D as D", LATER),
    ("", "set R INHIBIT_PUT=1", LATER),
    ("", "DEFINE QLOCAL(NEW)", LATER),
    ("", "ALTER QLOCAL(Q) MAXDEPTH(7)", LATER),
    ("put m", "CLEAR QLOCAL(R)", SYNCED),
    ("put m expiry=1\nadvance 1", "REFRESH QMGR TYPE(EXPIRY)", LATER),
    ("put m\ndisconnect", "end", SYNCED),
    ("put m", "end", SYNCED),
    ("put m", "restart", SYNCED),
]


def mode(qmgr: QueueManager) -> int:
    """Return the synchronous mode of the last transaction."""
    database = qmgr.store.database
    connection = database.acquire_connection()
    found = int(connection.execute("PRAGMA synchronous").fetchone()[0])
    database.release_connection(connection)
    return found


@pytest.mark.parametrize(("before", "call", "expected"), CALLS, ids=[f"{call} after {then}" for then, call, _ in CALLS])
def test_what_is_synced(qmgr: QueueManager, before: str, call: str, expected: int) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + before)
    play.run(call)
    assert mode(qmgr) == expected


@rows(((0, 0), LATER), ((0, 1), SYNCED), ((1, 0), SYNCED))
def test_a_list_is_synced_for_any_of_its_messages(
    qmgr: QueueManager, persistence: tuple[int, int], expected: int
) -> None:
    Play(qmgr).run(OBJECTS)
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT)
        queue.put([Message(b"m", MessageDescriptor(persistence=each)) for each in persistence])
        assert mode(qmgr) == expected

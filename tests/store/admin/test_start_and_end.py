"""A start in several transactions."""

from __future__ import annotations

from store.admin import create
from store.admin.start_and_end import BATCH
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO
from store.descriptor import MessageDescriptor
from store.message import Message
from tests.store.admin.looking import history, queue_row


def test_every_nonpersistent_message_is_dropped_among_those_that_stay(qmgr: QueueManager) -> None:
    """However many there are, and whichever the batches end with; those of NPMCLASS(HIGH) stay too."""
    number = 2 * BATCH + 1
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 3 * number})
    create(qmgr, KINDS["QLOCAL"], "HIGH", {"NPMCLASS": "HIGH"})
    with qmgr.connect() as connection:
        connection.put1("HIGH", Message(b""))
        mixed = [Message(b"", MessageDescriptor(persistence=each % 2)) for each in range(2 * number)]
        connection.open("Q", MQOO.OUTPUT).put(mixed)
        connection.put1("HIGH", Message(b""))
    qmgr.end()
    assert qmgr.start()
    assert (queue_row(qmgr, "Q").depth, queue_row(qmgr, "HIGH").depth) == (number, 2)
    assert sum(each.kind == "DISCARD" for each in history(qmgr.store, "Q")) == number

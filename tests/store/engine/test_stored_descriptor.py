"""A row of the message table as a descriptor."""

from __future__ import annotations

from store.client.api import QueueManager
from store.descriptor import FIELDS, NO_ID, NO_TOKEN
from store.engine.stored_message import DESCRIPTOR, descriptor_of
from store.sql import messages
from store.sql.rows import StoredMessage
from store.sqlite.database import Reading
from tests.conftest import START
from tests.scenarios.play import Play
from tests.store.tables import rows


def test_a_row_holds_the_fields_of_a_descriptor_together_and_in_order() -> None:
    assert list(StoredMessage._fields)[DESCRIPTOR] == list(FIELDS)


def stored(qmgr: QueueManager, fields: str) -> StoredMessage:
    """Put a message with these fields; return its row."""
    Play(qmgr).run(f"DEFINE QLOCAL(Q)\nput m {fields}")
    with Reading(qmgr.store.database) as reading:
        found = messages.by_id(reading, 2)
    assert found is not None
    return found


# (Expiry as put, seconds since the put, Expiry as got)
@rows((-1, 99, -1), (50, 0, 50), (50, 0.09, 50), (50, 0.1, 49), (50, 4.9, 1), (50, 5, 1), (50, 9, 1), (50, -1, 50))
def test_expiry_is_what_remains_and_at_least_1(qmgr: QueueManager, expiry: int, seconds: float, left: int) -> None:
    found = stored(qmgr, f"expiry={expiry}")
    assert descriptor_of(found, START + round(seconds * 1_000_000)).expiry == left


def test_ids_that_are_not_stored_are_zero(qmgr: QueueManager) -> None:
    found = stored(qmgr, "priority=3 msg_id=M no-context")
    assert (found.correl_id, found.accounting_token, found.group_id) == (None, None, None)
    made = descriptor_of(found, START + 5)
    assert (made.correl_id, made.accounting_token, made.group_id) == (NO_ID, NO_TOKEN, NO_ID)
    assert (made.priority, made.msg_id, made.put_at) == (3, b"M".ljust(24, b"\0"), START)


def test_the_time_of_the_put_tells_its_date(qmgr: QueueManager) -> None:
    assert descriptor_of(stored(qmgr, "priority=3"), START + 5).put_date == "20231114"


def test_ids_that_are_stored_are_kept(qmgr: QueueManager) -> None:
    made = descriptor_of(stored(qmgr, "correl_id=C group_id=G flags=MSG_IN_GROUP"), START)
    assert (made.correl_id[:1], made.group_id[:1]) == (b"C", b"G")

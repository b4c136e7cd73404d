"""Which messages a get leaves to another that waits for them; for threads see tests/scenarios/test_get_fairness.py."""

from __future__ import annotations

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import Connection, QueueManager
from store.constants import MQGMO, MQMO, MQOO
from store.descriptor import MessageDescriptor
from store.message import GetMessageOptions, Message
from store.mqi.get import PATIENCE, GetFairness
from store.mqi.message_choice import Selection, selection
from store.sql.schema import waiter
from store.sqlite.database import Reading, Transaction
from store.sqlite.statement import Statement
from tests.conftest import START
from tests.store.admin.looking import queue_row
from tests.store.tables import rows

WAIT, BROWSE = int(MQGMO.WAIT), int(MQGMO.WAIT | MQGMO.BROWSE_FIRST)
ANY = GetMessageOptions(MQGMO.WAIT, wait_interval=-1)
BY_ID = GetMessageOptions(MQGMO.WAIT, wait_interval=-1, match_options=MQMO.MATCH_CORREL_ID, correl_id=b"C")
WANTED = Message(b"wanted", MessageDescriptor(correl_id=b"C"))


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr.connect()


class Get:
    """A waiting get whose searches the test makes one by one."""

    def __init__(
        self, connection: Connection, options: GetMessageOptions, asked: int = WAIT, interval: int = -1
    ) -> None:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE)
        self.connection, self.queue = connection, queue_row(connection.qmgr, "Q").id
        (self.chosen,) = selection(handle, self.queue, options, START)
        self.fairness = GetFairness(handle, asked, interval)

    def look(self) -> Selection:
        """Search the queue without finding a message; return the selection used."""
        chosen = self.fairness.narrowed(self.chosen)
        with Transaction(self.connection.store.database, durable=False) as tx:
            self.fairness.found_nothing(tx, self.queue, self.chosen, now=0)
        return chosen

    @property
    def waits_for(self) -> int:
        """The number of registered gets that wait for selected messages."""
        with Reading(self.connection.store.database) as reading:
            return len(reading.all(Statement(waiter.select())))


@rows((BY_ID, WAIT, -1, 1), (ANY, WAIT, -1, 0), (BY_ID, WAIT, 0, 0), (BY_ID, 0, -1, 0), (BY_ID, BROWSE, -1, 0))
def test_only_a_selective_destructive_get_that_waits_is_announced(
    connection: Connection, options: GetMessageOptions, asked: int, interval: int, announced: int
) -> None:
    get = Get(connection, options, asked, interval)
    get.look()
    get.look()
    assert get.waits_for == announced
    get.fairness.over()
    assert get.waits_for == 0


def test_a_get_that_found_its_message_is_no_longer_announced(connection: Connection) -> None:
    get = Get(connection, BY_ID)
    get.look()
    with Transaction(connection.store.database, durable=False) as tx:
        get.fairness.found(tx)
    assert get.waits_for == 0


def test_the_first_look_may_take_anything_and_later_ones_leave_what_others_wait_for(connection: Connection) -> None:
    general, selective = Get(connection, ANY), Get(connection, BY_ID)
    assert "unwanted" not in general.look().conditions
    assert "unwanted" in general.look().conditions
    assert ["unwanted" in selective.look().conditions for _ in range(2)] == [False, False]


def test_patience_with_a_waiter_that_does_not_take_its_message_ends(connection: Connection) -> None:
    general, selective = Get(connection, ANY), Get(connection, BY_ID)
    selective.look()
    general.look()
    assert not general.fairness.left_something
    connection.put1("Q", WANTED)
    narrowed = ["unwanted" in general.look().conditions for _ in range(PATIENCE + 1)]
    assert narrowed == [True] * PATIENCE + [False]
    assert general.fairness.left_something

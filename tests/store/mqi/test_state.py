"""The unit of work and the identifiers of a connection, and the initial state of a handle."""

from __future__ import annotations

from store.client.api import QueueManager
from store.constants import MQOO
from store.mqi.state import UnitOfWork
from store.rules.grouping import NO_GROUP
from store.sql.rows import UNIT_BITS
from tests.scenarios.play import Play


def test_a_unit_of_work_is_numbered_within_its_connection() -> None:
    unit = UnitOfWork(3)
    assert (unit.is_open, unit.begin(), unit.begin(), unit.is_open) == (False, (3 << UNIT_BITS) + 1, unit.number, True)
    unit.reset()
    assert (unit.is_open, unit.begin()) == (False, (3 << UNIT_BITS) + 2)


def test_a_failed_call_restores_what_it_changed_but_uses_up_its_number() -> None:
    unit = UnitOfWork(1)
    before = unit.snapshot
    first = unit.begin()
    unit.count, unit.marked, unit.durable, unit.recorded = 2, 5, True, True
    unit.restore(before)
    assert (unit.is_open, unit.count, unit.marked, unit.durable, unit.recorded) == (False, 0, 0, False, False)
    assert unit.begin() == first + 1


def test_a_reset_forgets_everything_but_the_serial() -> None:
    unit = UnitOfWork(1)
    unit.begin()
    unit.count, unit.marked, unit.durable, unit.recorded = 2, 5, True, True
    unit.positions_before[1, "puts"] = NO_GROUP
    unit.reset()
    assert unit.snapshot == (0, 0, 0, False, False)
    assert unit.positions_before == {}


def test_every_identifier_of_a_connection_is_new(qmgr: QueueManager) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        made = [next(connection.identifiers) for connection in (one, one, other, other)]
    assert len(set(made)) == 4
    assert one.number.to_bytes(4, "big") + (2).to_bytes(4, "big") == made[1][16:]


def test_a_new_handle_expects_messages_of_the_default_persistence(qmgr: QueueManager) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q) DEFPSIST(YES)\nDEFINE QALIAS(AL) TARGET(Q) DEFPSIST(NO)\nDEFINE PROCESS(P)")
    with qmgr.connect() as connection:
        handles = [connection.open(name, MQOO.INPUT_SHARED) for name in ("Q", "AL")]
        handles.append(connection.open("P", MQOO.INQUIRE, object_type=3))
        assert [each.expects_persistent for each in handles] == [True, False, False]
        assert [(each.is_open, each.cursor, each.positions, each.marked) for each in handles] == [
            (True, None, {}, set())
        ] * 3
        assert connection.handles == {each.number: each for each in handles}

"""Every change of a queue's depth: the counters it updates, and the events it may cause."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine import depth
from mqsc.store.engine.effects import EVENT, Deliver, Effect
from mqsc.store.engine.state import CallContext
from mqsc.store.sql import queues
from mqsc.store.sql.messages import MoveBatch
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

Change = Callable[[Transaction, CallContext, QueueRow], list[Effect] | None]
CHANGES: dict[str, Change] = {
    "put 3": lambda tx, call, q: depth.put(tx, call, q, 3),
    "got": lambda tx, call, q: depth.got(tx, call, q, START, depth.before_get(tx, call, q)),
    "removed 2": lambda tx, call, q: depth.removed(tx, call, q.id, 2),
    "returned 2, withdrawn 1": lambda tx, call, q: depth.backed_out(tx, call, q.id, 2, 1),
    "returned 1, withdrawn 3": lambda tx, call, q: depth.backed_out(tx, call, q.id, 1, 3),
    "corrected by -4": lambda tx, call, q: depth.corrected(tx, q.id, -4),
}
# From depth 5: the new depth, the greatest depth since the last reset, counted puts, counted gets.
# With MAXDEPTH(10), QDEPTHHI(60) and QDEPTHLO(40): the number of performance events.
ENDS = {
    "put 3": (8, 8, 8, 0, 1),
    "got": (4, 5, 5, 1, 1),
    "removed 2": (3, 5, 5, 0, 1),
    "returned 2, withdrawn 1": (6, 6, 5, 0, 1),
    "returned 1, withdrawn 3": (3, 5, 5, 0, 1),
    "corrected by -4": (1, 5, 5, 0, 0),
}


def changed(qmgr: QueueManager, change: Change, attributes: dict[str, Stored]) -> list[Effect]:
    create(
        qmgr,
        KINDS["QLOCAL"],
        "Q",
        {"MAXDEPTH": 10, "QDEPTHHI": 60, "QDEPTHLO": 40, **attributes},
    )
    Play(qmgr).run("put m*5")
    with Transaction(qmgr.store.database, durable=False) as tx:
        return change(tx, qmgr.call_context(tx), queue_row(qmgr, "Q")) or []


@pytest.mark.parametrize("name", CHANGES)
def test_counters(qmgr: QueueManager, name: str) -> None:
    effects = changed(qmgr, CHANGES[name], {})
    row = queue_row(qmgr, "Q")
    assert (row.depth, row.high_depth, row.puts, row.gets) == ENDS[name][:4]
    assert effects == []


@pytest.mark.parametrize("performance", ["ENABLED", "DISABLED"])
@pytest.mark.parametrize("name", CHANGES)
def test_events(qmgr: QueueManager, name: str, performance: str) -> None:
    change_queue_manager(qmgr, {"PERFMEV": performance})
    effects = changed(
        qmgr,
        CHANGES[name],
        {"QDPHIEV": "ENABLED", "QDPLOEV": "ENABLED", "QDPMAXEV": "DISABLED"},
    )
    assert len(effects) == (ENDS[name][4] if performance == "ENABLED" else 0)
    for each in effects:
        assert isinstance(each, Deliver)
        assert (each.kind, each.about) == (EVENT, "Q")


@pytest.mark.parametrize(
    "limits",
    [{"QDEPTHLO": 50, "QDPLOEV": "ENABLED"}, {"QDEPTHHI": 50, "QDPHIEV": "ENABLED"}],
)
def test_a_depth_that_stays_at_its_limit_raises_no_event(
    qmgr: QueueManager,
    limits: dict[str, Stored],
) -> None:
    change_queue_manager(qmgr, {"PERFMEV": "ENABLED"})
    only = {"QDPHIEV": "DISABLED", "QDPLOEV": "DISABLED", "QDPMAXEV": "DISABLED", **limits}
    assert changed(qmgr, lambda tx, call, q: depth.backed_out(tx, call, q.id, 2, 2), only) == []


def test_times_of_the_last_put_and_get(qmgr: QueueManager) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q) · put m1 · advance 2 · get => m1")
    row = queue_row(qmgr, "Q")
    assert (row.last_put_at, row.last_get_at, row.short_queue_time) == (
        START,
        START + 2_000_000,
        2_000_000,
    )


def test_a_message_put_in_the_future_waited_no_time(qmgr: QueueManager) -> None:
    changed(qmgr, lambda tx, call, q: depth.got(tx, call, q, call.now + 1, None), {})
    assert queue_row(qmgr, "Q").short_queue_time == 0


@rows((1, 0, 1, True), (0, 1, 1, True), (0, 0, 1, False), (1, 1, 0, False))
def test_when_a_get_can_raise_an_event(
    qmgr: QueueManager,
    low: int,
    service: int,
    performance: int,
    expected: bool,
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    queue = queue_row(qmgr, "Q")
    queue.low_event, queue.service_event = low, service
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        call.qmgr.performance_event = performance
        assert (depth.before_get(tx, call, queue) is not None) is expected


At = int | None


# (messages and earliest expiry of the source, earliest expiry of the target, messages and earliest
# expiry of the batch, earliest expiry of source and target afterwards)
@rows(
    *((5, 50, None, 5, 50, None, 50), (5, 50, 20, 2, 70, 50, 20), (5, 50, 90, 2, 50, 50, 50)),
    *((5, None, 90, 5, None, None, 90), (5, None, None, 5, None, None, None)),
)
def test_a_moved_batch_takes_its_expiry_along(
    qmgr: QueueManager,
    here: int,
    first: At,
    there: At,
    number: int,
    earliest: At,
    left: At,
    arrived: At,
) -> None:
    for name in ("FROM", "TO"):
        create(qmgr, KINDS["QLOCAL"], name, {})
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        source, target = (queues.by_name(tx, "QM1", name) for name in ("FROM", "TO"))
        assert source is not None
        assert target is not None
        queues.set_columns(tx, source.id, {"depth": here, "earliest_expiry": first})
        queues.set_columns(tx, target.id, {"earliest_expiry": there})
        source.depth, source.earliest_expiry, target.earliest_expiry = here, first, there
        batch = MoveBatch(
            number=number,
            first=1,
            last=number,
            longest=1,
            earliest_expiry=earliest,
            asking=0,
        )
        assert depth.moved(tx, call, source, target, batch, shift=10) == []
    found_here, found_there = queue_row(qmgr, "FROM"), queue_row(qmgr, "TO")
    assert (found_here.depth, found_here.earliest_expiry, found_here.gets) == (
        here - number,
        left,
        0,
    )
    assert (found_there.depth, found_there.earliest_expiry, found_there.puts) == (
        number,
        arrived,
        0,
    )
    assert found_there.next_sequence == number + 11

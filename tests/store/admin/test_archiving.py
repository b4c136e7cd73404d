"""Claims, commits and pruning in the store: what a queue manager answers is the same after
pruning (archive §1, §3).
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from sqlalchemy import text

from mqsc.store.admin import archiving, health
from mqsc.store.admin.archiving import CLAIMED, COMMITTED
from mqsc.store.admin.defining import create
from mqsc.store.admin.event_search import EventIndex, EventSelection, events
from mqsc.store.admin.history import times_moved
from mqsc.store.admin.message_origins import MessageOrigins
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.poison_messages import poison_preview
from mqsc.store.admin.queue_managers import how_it_ended
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.error import DiskFullError, MQError, StoreError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules import event_index
from mqsc.store.rules.archive_ranges import Head, Step
from mqsc.store.rules.event_index import Wanted
from mqsc.store.rules.health import CHECKS
from mqsc.store.sql import history, maintenance, search
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.store.admin.looking import Frozen, refused

URL = "/archive"
DAY = 86_400
QUEUE = "SYSTEM.DEFAULT.LOCAL.QUEUE"


def archiving_row(store: Store) -> Any:
    with Reading(store.database) as reading:
        return maintenance.archiving(reading)


def archived(store: Store) -> None:
    """Note all events as archived."""
    row = archiving_row(store)
    head = Head() if row is None else Head(row.first, row.last, row.sha256)
    step = archiving.claim(store, URL, head, archiving.last_event(store))
    if step is not None:
        archiving.commit(store, URL, step, "hash")


def column(store: Store, name: str) -> list[Any]:
    """The values of a column of all events."""
    with Reading(store.database) as reading:
        return [
            row[0] for row in reading.all(text_of(text(f"SELECT {name} FROM event ORDER BY seq")))
        ]


def numbers(store: Store) -> list[int]:
    return column(store, "seq")


def use(qmgr: QueueManager, messages: int) -> None:
    """Put messages and get them again."""
    with qmgr.connect() as connection:
        queue = connection.open(QUEUE, MQOO.OUTPUT | MQOO.INPUT_SHARED)
        for _ in range(messages):
            queue.put(Message(b"x"))
            queue.get(GetMessageOptions())
        queue.close()


def test_a_range_is_claimed_and_committed(store: Store, qmgr: QueueManager) -> None:
    last = archiving.last_event(store)
    step = archiving.claim(store, URL, Head(), last)
    assert step == Step(1, last)
    claimed = archiving_row(store)
    assert (claimed.state, claimed.url, claimed.first, claimed.last) == (CLAIMED, URL, 1, last)
    # What happens meanwhile does not belong to the claim.
    use(qmgr, 1)
    assert archiving.claim(store, URL, Head(), archiving.last_event(store)) == step
    archiving.commit(store, URL, step, "hash")
    assert archiving_row(store) == claimed._replace(state=COMMITTED, sha256="hash")
    with pytest.raises(StoreError, match="was archived by another program meanwhile"):
        archiving.commit(store, URL, Step(1, 2), "hash")


def test_nothing_is_pruned_before_it_is_committed_and_the_identity_stays(
    store: Store,
    qmgr: QueueManager,
) -> None:
    uuid = archiving.identity(store)
    assert archiving.identity(store) == uuid == archiving.archived_to(store)[0]
    assert [len(part) for part in uuid.split("-")] == [8, 4, 4, 4, 12]
    before = numbers(store)
    assert archiving.prune(store, 0).events == 0
    archiving.claim(store, URL, Head(), archiving.last_event(store))
    assert archiving.prune(store, 0).events == 0
    assert numbers(store) == before


def test_events_are_kept_for_some_days(
    store: Store,
    qmgr: QueueManager,
    environment: Frozen,
) -> None:
    use(qmgr, 1)
    old = archiving.last_event(store)
    environment.clock.advance(seconds=2 * DAY)
    use(qmgr, 1)
    archived(store)
    assert archiving.prune(store, 3 * DAY * 1_000_000).events == 0
    assert archiving.prune(store, DAY * 1_000_000).events > 0
    assert [each for each in numbers(store) if each > old] == list(
        range(old + 1, archiving.last_event(store) + 1),
    )
    archiving.prune(store, 0)
    # An event message of the start is still on its queue.
    assert set(column(store, "kind")) == {"CREATE", "PUT"}


def test_numbers_are_not_used_again_and_doctor_misses_no_pruned_event(
    store: Store,
    qmgr: QueueManager,
) -> None:
    archived(store)
    last = archiving.last_event(store)
    archiving.prune(store, 0)
    use(qmgr, 1)
    assert numbers(store)[-4:][0] > 0
    assert min(each for each in numbers(store) if each > last) == last + 1
    use(qmgr, 3)
    archived(store)
    archiving.prune(store, 0)
    assert not dict(CHECKS)["history"](health.facts_about(store))[0].severity
    use(qmgr, 1)
    with Transaction(store.database, durable=False) as tx:
        tx.run(text_of(text("DELETE FROM event WHERE seq = (SELECT max(seq) - 1 FROM event)")))
    assert "1 event missing" in dict(CHECKS)["history"](health.facts_about(store))[0].text


def answers(qmgr: QueueManager) -> list[Any]:
    """What the queue manager and its commands say that depends on old events."""
    origins = MessageOrigins(qmgr, "BACKOUTS")
    letters = [each.descriptor for each in peek(qmgr, "BACKOUTS", 0)]
    return [
        [origins.of(each) for each in letters],
        [times_moved(qmgr, "BACKOUTS", each) for each in letters],
        list(poison_preview(qmgr, "ORDERS") or ()),
        how_it_ended(qmgr.store, qmgr.name),
    ]


def test_pruning_changes_no_answer(store: Store, qmgr: QueueManager) -> None:
    """Where messages came from, how often they moved, who backed them out, how a queue manager
    ended.
    """
    qmgr.end(immediate=True)
    qmgr.start()
    with qmgr.connect(application="clerk") as connection:
        for name in ("ORDERS", "BACKOUTS"):
            create(qmgr, KINDS["QLOCAL"], name, {})
        orders = connection.open("ORDERS", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        for _ in range(3):
            orders.put(Message(b"x"))
        # The first is put on the backout queue in the unit of work that got it, the second is
        # backed out twice.
        got = orders.get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.put1(
            "BACKOUTS",
            Message(got.body, got.descriptor),
            PutMessageOptions(MQPMO.SYNCPOINT),
        )
        connection.commit()
        for _ in range(2):
            orders.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.back()
        orders.close()
    with Transaction(store.database, durable=False) as tx:
        (letter,) = [each.descriptor for each in peek(qmgr, "BACKOUTS", 0)]
        moved = {
            "at": START,
            "qmgr": qmgr.name,
            "kind": "REQUEUE",
            "queue": "BACKOUTS",
            "msg_id": letter.msg_id,
        }
        history.append(tx, {**moved, "cause": "handler", "target": "ELSEWHERE"})
    use(qmgr, 20)
    before = answers(qmgr)
    assert (before[0][0].queue, before[1], before[2][0].last is None) == ("ORDERS", [1], False)
    archived(store)
    assert archiving.prune(store, 0).events > 60
    assert answers(qmgr) == before


def test_space_is_returned(store: Store, qmgr: QueueManager) -> None:
    rows = [{"at": START, "qmgr": "QM1", "kind": "PUT", "detail": "x" * 1_000}] * 20_000
    with Transaction(store.database, durable=False) as tx:
        history.append_all(tx, rows)
    archived(store)
    done = archiving.prune(store, 0)
    assert (done.events > 20_000, done.returned > 15_000_000) == (True, True)


def fail(store: Store, failure: BaseException) -> None:
    """Record events in a transaction that fails."""
    with Transaction(store.database, durable=True) as tx:
        history.append_all(tx, [{"at": START, "qmgr": "QM1", "kind": "PUT"}] * 7)
        raise failure


def test_the_index_of_the_history_shrinks_with_it(
    store: Store, qmgr: QueueManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its entries were 38 KB for each 8192 events, for ever; what is left is found as before."""
    monkeypatch.setattr(event_index, "SEGMENT", 8)
    with qmgr.connect() as connection:
        for _ in range(10):
            connection.put1(QUEUE, Message(b"kept"))
            connection.put1(QUEUE, Message(b"gone"))
        queue = connection.open(QUEUE, MQOO.INPUT_SHARED)
        for _ in range(19):
            queue.get(GetMessageOptions())
    before = index_sizes(store)
    archived(store)
    assert archiving.prune(store, 0).events
    after = index_sizes(store)
    assert after.keys() == before.keys()
    assert sum(after.values()) < sum(before.values()) / 2
    found = [each.seq for each in events(store, EventSelection(queue=QUEUE))]
    assert found == [seq for seq, queue in zip(*both(store), strict=True) if queue == QUEUE]
    assert index_sizes(store) == after


def index_sizes(store: Store) -> dict[int, int]:
    """The bytes of the entries of the index by segment; those that are missing are made."""
    assert [*EventIndex(store).ranges(Wanted())]
    with Reading(store.database) as reading:
        return {segment: len(prints) for segment, _, _, prints in search.entries(reading, 0, 999)}


def both(store: Store) -> tuple[list[Any], list[Any]]:
    return column(store, "seq"), column(store, "queue")


def test_numbers_have_no_gap_after_failed_calls_and_rollbacks(
    store: Store,
    qmgr: QueueManager,
) -> None:
    """Only a store that was edited has a gap (archive §1); tests/processes shows it for kills."""
    with qmgr.connect() as connection:
        queue = connection.open(QUEUE, MQOO.OUTPUT | MQOO.INPUT_SHARED)
        queue.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.back()
        with pytest.raises(MQError):
            queue.put([Message(b"x"), Message(bytes(5_000_000))])
        with refused(MQRC.NO_MSG_AVAILABLE):
            queue.get(GetMessageOptions())
        queue.put(Message(b"x"))
        for failure in (DiskFullError("full"), KeyboardInterrupt()):
            with pytest.raises(type(failure)):
                fail(store, failure)
        with store.database.one_transaction():
            with pytest.raises(ZeroDivisionError):
                fail(store, ZeroDivisionError())
            queue.put(Message(b"y"))
        queue.close()
    found = numbers(store)
    assert found == list(range(1, len(found) + 1))
    assert archiving.last_event(store) == len(found)


def test_nothing_is_pruned_while_a_report_reads(store: Store, qmgr: QueueManager) -> None:
    """Two reports may read; a prune that one of them stops is completed by the next."""
    use(qmgr, 3)
    archived(store)
    before = numbers(store)
    assert store.path is not None
    with archiving.pruning_prevented(store.path), archiving.pruning_prevented(store.path):
        assert archiving.prune(store, 0)[::2] == (0, True)
        assert numbers(store) == before
    pruned = archiving.prune(store, 0)
    assert (pruned.events > 0, pruned.interrupted) == (True, False)


def test_a_prune_stops_for_a_report(
    store: Store,
    qmgr: QueueManager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archiving, "BATCH", 5)
    use(qmgr, 20)
    archived(store)
    assert store.path is not None
    with ExitStack() as held:
        reader = archiving.pruning_prevented(store.path)
        done = archiving.prune(store, 0, lambda: held.enter_context(reader))
        assert done[::2] == (5, True)

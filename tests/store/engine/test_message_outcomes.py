"""The outcomes of messages that an agent took off a queue, as events of the history."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine.message_outcomes import MessageOutcome, account_for, account_for_some
from mqsc.store.sql import units_of_work
from mqsc.store.sqlite.database import Transaction
from tests.scenarios.play import Play
from tests.store.admin.looking import events


def test_every_message_of_the_unit_of_work_gets_the_event_of_its_disposition(
    qmgr: QueueManager,
) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · DEFINE QLOCAL(R) · put m1 m2 · put r1 on R")
    play.run("get syncpoint => m1 · get from R syncpoint => r1")
    unit = play.connection("A").unit.number
    with Transaction(qmgr.store.database, durable=False) as tx:
        account_for(tx, qmgr.call_context(tx), unit, MessageOutcome("REQUEUE", "poison", "BACKOUT"))
    found = [(each.queue, each.cause, each.target) for each in events(qmgr.store, "REQUEUE")]
    assert found == [("Q", "poison", "BACKOUT"), ("R", "poison", "BACKOUT")]


def test_a_message_that_another_unit_of_work_has_got_keeps_its_history(qmgr: QueueManager) -> None:
    """The number of a message that was deleted with its dynamic queue is used again."""
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · put m1 m2 · get syncpoint => m1 · B: get syncpoint => m2")
    mine, others = play.connection("A").unit.number, play.connection("B").unit.number
    with Transaction(qmgr.store.database, durable=False) as tx:
        ids = [message.id for unit in (mine, others) for message in units_of_work.got(tx, unit)]
        account_for_some(
            tx,
            qmgr.call_context(tx),
            mine,
            [(each, MessageOutcome("DISCARD", "poison")) for each in ids],
        )
    first, _ = events(qmgr.store, "PUT")[-2:]
    assert [each.msg_id for each in events(qmgr.store, "DISCARD")] == [first.msg_id]

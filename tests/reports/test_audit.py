"""The audit with Spark: the sums of queues equal those that are followed event by event, and
damage is found.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from mqsc.reports.audit import REPORT, Audited, page_of
from mqsc.reports.page.document import Source
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment, FrozenClock
from tests.reports.history import Row, at, back, event, got, message, message_id, put
from tests.reports.played import Play
from tests.reports.queue_sums import Histories
from tests.reports.tables import tables_of
from tests.scenarios.channel_bench import Network

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEEDS = range(2)


def played(seed: int) -> Play:
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    play = Play(random.Random(seed), Network(open_store("sqlite://", environment), environment))
    for _ in range(80):
        play.step()
    return play


def by_hand() -> list[Row]:
    """Lost, got twice, never put; what backouts, CLEAR and MOVE leave is right."""
    return [
        put(1),
        put(2),
        got(2),
        put(3),
        got(3),
        got(3),
        put(4),
        put(5, unit=71),
        put(6, unit=71),
        back(71, Q={"puts": 1, "gets": 0}),
        put(7, queue="A"),
        put(8, queue="A"),
        event("MOVE", "A", target="B", detail='{"messages": 1}'),
        got(7, queue="B"),
        got(9, queue="C"),
    ]


LEFT = [
    message(queue, msg_id=message_id(number))
    for queue, number in (("Q", 6), ("Q", 10), ("Q", 4), ("A", 8))
]
WRONG = (
    ("C", 9, 0, 1, 0, 15, 15),
    ("Q", 1, 1, 0, 0, 1, 1),
    ("Q", 3, 1, 2, 0, 4, 6),
    ("Q", 10, 0, 0, 1, None, None),
)


def test_the_sums_are_those_of_the_history_event_by_event(spark: SparkSession) -> None:
    histories = Histories()
    for seed in SEEDS:
        histories.add(played(seed).store)
    rows = histories.rows
    for relation, more in (("event", by_hand()), ("pending", LEFT)):
        rows[relation] += (
            {**each, "store": len(SEEDS), "seq": number} for number, each in enumerate(more, 1)
        )
    whole = Audited(*tables_of(spark, REPORT, rows, "balance", "messages").values())
    histories.assert_balance_fits(whole.balance)
    names = "queue", "msg_id", "came", "went", "there", "first_event", "last_event"
    found = [tuple(row[name] for name in names) for row in whole.messages.to_pylist()]
    assert found == [(queue, message_id(number).hex(), *others) for queue, number, *others in WRONG]
    page = page_of(whole, Source("<shop>"), ["a message is <lost>"])
    assert "<title>Reconciliation of &lt;shop&gt;</title>" in page
    assert "<li>a message is &lt;lost&gt;</li>" in page

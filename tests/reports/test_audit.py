"""The audit with Spark: the sums of queues equal those that are followed event by event, and
damage is found.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from mqsc.reports.audit import REPORT, Audited, page_of
from mqsc.reports.page.document import Source
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.past.audit import audit
from tests.reports.history import Row, at, back, event, got, message, message_id, put
from tests.reports.played import Play
from tests.reports.tables import tables_of
from tests.scenarios.channel_bench import Network

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEEDS = range(2)
# The columns of `balance`, and the sums that they are.
SUMS = {
    "put": "put",
    "moved_in": "moved_in",
    "backed_out": "withdrawn",
    "expired": "expired",
    "cleared": "cleared",
    "moved_out": "moved_out",
    "dead_lettered": "dead_lettered",
}


def played(seed: int) -> Play:
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    play = Play(random.Random(seed), Network(open_store("sqlite://", environment), environment))
    for _ in range(80):
        play.step()
    return play


def sums_of(store: Store, seed: int) -> dict[tuple[str, str], dict[str, int]]:
    found = audit(store)
    assert not found.findings
    return {
        (f"{each.qmgr}/{seed}", each.queue): {
            **{column: each.sums[name] for column, name in SUMS.items()},
            "left": each.sums["got"]
            + each.sums["held"]
            - each.sums["returned"]
            + each.sums["discarded"]
            + each.sums["forwarded"],
            "there": each.there,
        }
        for each in found.sums
        if not each.unknown
    }


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
    rows: dict[str, list[dict[str, Any]]] = {"event": [], "pending": []}
    expected: dict[tuple[str, str], dict[str, int]] = {}
    for seed in SEEDS:
        play = played(seed)
        expected |= sums_of(play.store, seed)
        for relation, found in play.rows()._asdict().items():
            rows[relation] += (
                {**each, "qmgr": f"{each['qmgr']}/{seed}", "store": seed} for each in found
            )
    for relation, more in (("event", by_hand()), ("pending", LEFT)):
        rows[relation] += (
            {**each, "store": len(SEEDS), "seq": number} for number, each in enumerate(more, 1)
        )
    whole = Audited(*tables_of(spark, REPORT, rows, "balance", "messages").values())
    balance = {(row["qmgr"], row["queue"]): row for row in whole.balance.to_pylist()}
    left = "got", "held", "requeued", "forwarded", "discarded", "dropped"
    for key, sums in expected.items():
        row = balance[key]
        found = {
            **{name: row[name] for name in SUMS},
            "left": sum(row[name] for name in left),
            "there": row["there"],
        }
        assert found == sums, key
    names = "queue", "msg_id", "came", "went", "there", "first_event", "last_event"
    found = [tuple(row[name] for name in names) for row in whole.messages.to_pylist()]
    assert found == [(queue, message_id(number).hex(), *others) for queue, number, *others in WRONG]
    page = page_of(whole, Source("<shop>"), ["a message is <lost>"])
    assert "<title>Reconciliation of &lt;shop&gt;</title>" in page
    assert "<li>a message is &lt;lost&gt;</li>" in page

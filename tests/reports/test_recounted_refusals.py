"""Refusals, counted a second time over random histories of stores with authorities."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from mqsc.reports.catalog import report
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO
from mqsc.store.environment import Environment, FrozenClock
from tests.reports.facts import Row, facts_of_stores
from tests.reports.history import at
from tests.reports.played import published_rows
from tests.reports.recounts import check_refusals
from tests.reports.tables import tables_of
from tests.scenarios.authorities import grant, opening, outcome, prepare, putting

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STORES = 2
STEPS = 60
USERS = ("app", "web", "srv", "nobody")
QUEUES = ("Q", "B", "A", "X")
WORDS = {"get": MQOO.INPUT_SHARED, "put": MQOO.OUTPUT, "browse": MQOO.BROWSE}


def played(seed: int) -> dict[str, list[Row]]:
    """The rows of a store in which users opened queues and put messages, and were granted some
    authorities in between.
    """
    chance = random.Random(seed)
    clock = FrozenClock(at(0))
    store = open_store("sqlite://", Environment(clock, "tester", "mqsc"))
    prepare(store)
    qmgr = store.queue_manager("QM1")
    for _ in range(STEPS):
        clock.advance(chance.choice((1, 90, 1200.000001)))
        user, queue = chance.choice(USERS), chance.choice(QUEUES)
        word, options = chance.choice([*WORDS.items()])
        match chance.randrange(6):
            case 0 if user != "nobody":
                grant(qmgr, word, queue, to=f"PRINCIPAL('{user}')")
            case 1:
                outcome(qmgr, putting(queue), user)
            case _:
                outcome(qmgr, opening(queue, options), user)
    return {
        relation: [{**row, "qmgr": f"{row['qmgr']}/{seed}", "store": seed} for row in rows]
        for relation, rows in published_rows(store)._asdict().items()
    }


def test_every_refusal(spark: SparkSession) -> None:
    rows: dict[str, list[Row]] = {"event": [], "pending": []}
    for seed in range(1, STORES + 1):
        for relation, found in played(seed).items():
            rows[relation] += found
    built = tables_of(spark, report("authority"), {"event": rows["event"]}, "refusals", "users")
    assert built["refusals"].num_rows > STEPS // 2
    assert {row["cured_at"] is None for row in built["refusals"].to_pylist()} == {True, False}
    check_refusals(built, facts_of_stores(rows), at(0))

"""Every figure of the reports about messages, recounted by a second program over random histories of real stores.

MQSC_HISTORIES is how many histories there are; MQSC_FIRST_HISTORY is the first of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

from reports.catalog import Report, report
from reports.identities import Ledger
from tests.reports.played import played
from tests.reports.recount import DeadLetters, Facts, balances, depths, facts_of
from tests.reports.tables import tables_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

FIRST = int(os.environ.get("MQSC_FIRST_HISTORY", "1"))
HISTORIES = int(os.environ.get("MQSC_HISTORIES", "2"))
# At once in Spark.
TOGETHER = 25
ENDINGS = (
    *("put", "streamed", "moved_in", "backed_out", "got", "requeued", "forwarded", "dead_lettered", "discarded"),
    *("dropped", "expired", "moved_out", "cleared", "there", "held"),
)
CHANGES = ("puts", "bytes_put", "gets", "bytes_got", "puts_backed_out", "gets_backed_out", "moved_in", "removed")
Figures = Counter[tuple[Any, ...]]


@pytest.mark.parametrize(
    "name",
    [
        "dead-letters",
        # Histories that are made up are counted twice in the tests of these reports.
        pytest.param("message-lifetimes", marks=pytest.mark.long),
        pytest.param("queue-activity", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("first", range(FIRST, FIRST + HISTORIES, TOGETHER))
def test_every_figure(spark: SparkSession, first: int, name: str) -> None:
    rows: dict[str, list[dict[str, Any]]] = {"event": [], "pending": []}
    for seed in range(first, min(first + TOGETHER, FIRST + HISTORIES)):
        for relation, found in played(seed)._asdict().items():
            rows[relation] += ({**each, "qmgr": f"{each['qmgr']}/{seed}", "store": seed} for each in found)
    by_store = [
        facts_of(*([each for each in rows[name] if each["store"] == seed] for name in ("event", "pending")))
        for seed in sorted({each["store"] for each in rows["event"]})
    ]
    CHECKS[name](_built(spark, name, rows), by_store)


def _built(spark: SparkSession, name: str, rows: dict[str, list[dict[str, Any]]]) -> dict[str, pa.Table]:
    """The tables of a report, whose identities hold."""
    wanted: Report = report(name)
    built = tables_of(spark, wanted, rows, *(table.name for table in wanted.tables))
    ledger = Ledger(wanted, is_whole=True)
    for table in wanted.tables:
        ledger.take(table, built[table.name])
    assert [str(each) for each in ledger.broken()] == []
    return built


def _figures(table: pa.Table, keys: str, number: str = "messages") -> Figures:
    import pyarrow as pa

    names = keys.split()
    plain = [
        (table[name].cast(pa.int64()) if pa.types.is_timestamp(table[name].type) else table[name]).to_pylist()
        for name in (*names, number)
    ]
    return _added((tuple(key), amount) for *key, amount in zip(*plain, strict=True))


def _added(pairs: Iterable[tuple[tuple[Any, ...], int | None]]) -> Figures:
    """Blank names count as none: a message without a header names no destination."""
    figures: Figures = Counter()
    for key, amount in pairs:
        figures[tuple(each if each != "" else None for each in key)] += amount or 0
    return +figures


def _together(each: list[Figures]) -> Figures:
    return _added(pair for figures in each for pair in figures.items())


def _check_dead_letters(built: dict[str, pa.Table], stores: list[Facts]) -> None:
    counted = [DeadLetters(each) for each in stores]
    header = "reason destination destination_queue_manager"
    silent = _silent(stores)

    def heard(figures: Figures) -> Figures:
        return Counter({key: number for key, number in figures.items() if key[:2] not in silent})

    arrivals = _figures(built["arrivals"], f"qmgr queue hour {header} cause")
    # Without an event of the put, a later one may tell the destination.
    assert heard(arrivals) == heard(_together([each.arrivals for each in counted]))
    without = _figures(built["arrivals"], "qmgr queue hour reason cause")
    assert without == _added(((*key[:4], key[6]), number) for each in counted for key, number in each.arrivals.items())
    left = f"qmgr queue {header}"
    for table in ("left", "left_messages"):
        number, size = ("messages", "bytes") if table == "left" else ("one", "length")
        rows = built[table]
        if table == "left_messages":
            rows = rows.append_column("one", [[1] * rows.num_rows])
        assert heard(_figures(rows, left, number)) == heard(_together([each.left for each in counted]))
        assert heard(_figures(rows, left, size)) == heard(_together([each.left_bytes for each in counted]))
    keys = "qmgr queue outcome cause rule attempt target"
    told = _figures(built["outcomes"], keys)
    by_event = Counter({key: number for key, number in told.items() if key[2] != "GONE"})
    assert by_event == _together([each.outcomes for each in counted])
    assert _figures(built["outcomes"], keys, "bytes") == _together([each.outcome_bytes for each in counted])
    gone = _figures(built["outcomes"], "qmgr queue outcome removed_by")
    of_queues = _added(((key[:2]), number) for key, number in gone.items() if key[2] == "GONE")
    counted_gone = _together([each.gone for each in counted])
    silent |= {queue for each in counted for queue in each.ambiguous}
    assert heard(of_queues) == heard(_added((key[:2], number) for key, number in counted_gone.items()))


def _silent(stores: list[Facts]) -> set[tuple[str, str]]:
    """The queues with ACCTQ(OFF)."""
    return {
        (each["qmgr"], each["queue"])
        for facts in stores
        for each in facts.events
        if each["kind"] in ("DEFINE", "ALTER") and "OFF" in each["detail"].get("ACCTQ", ())
    }


def _check_lifetimes(built: dict[str, pa.Table], stores: list[Facts]) -> None:
    counted = {key: counts for each in stores for key, counts in balances(each).items()}
    rows = {(each["qmgr"], each["queue"]): each for each in built["balance"].to_pylist()}
    assert rows.keys() >= counted.keys()
    silent = _silent(stores)
    for key, row in rows.items():
        assert row["unrecorded"] == (key in silent)
        if key in silent:
            assert (row["lost"], row["surplus"]) == (None, None)
            continue
        # A CLEAR of an empty queue is a row, too.
        assert {name: row[name] for name in ENDINGS if row[name]} == dict(counted.get(key, {}))
        assert (row["lost"], row["surplus"]) == (0, 0)


def _check_activity(built: dict[str, pa.Table], stores: list[Facts]) -> None:
    hours = {key: counts for each in stores for key, counts in depths(each).items()}
    silent = _silent(stores)
    for name in CHANGES:
        found = _figures(built["hours"], "qmgr queue hour", name)
        wanted = _added((key, counts[name]) for key, counts in hours.items())
        for key in found.keys() | wanted.keys():
            # Of what was not recorded, nothing is undone either.
            assert found[key] == wanted[key] or key[:2] in silent, (name, key)


CHECKS = {"dead-letters": _check_dead_letters, "message-lifetimes": _check_lifetimes, "queue-activity": _check_activity}

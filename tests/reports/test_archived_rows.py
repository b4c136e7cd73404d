"""The rows of several archived stores, read together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mqsc.agents.archiver import Archiver
from mqsc.reports.catalog import report
from mqsc.reports.selection import ReportSelection
from mqsc.reports.sources import NO_LIVE_STORE, Sources, rows_of, sources
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment
from tests.conftest import START
from tests.rows import rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

READS = report("admin-audit").reads["event"]


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """Three stores in one archive: each has a queue manager QM1, and one of its own."""
    folder = tmp_path_factory.mktemp("archived")
    for number in range(3):
        # The identity of a store is made from the time.
        environment = Environment.frozen(START + number)
        with open_store(f"sqlite:///{folder}/shop{number}.db", environment=environment) as store:
            for name in ("QM1", f"ONLY{number}"):
                store.create_queue_manager(name)
            with Archiver(store, f"{folder}/archive") as archiver:
                assert all(each.rows for each in archiver.archive())
    return sources(None, NO_LIVE_STORE, [f"{folder}/archive"])


def _names(frame: DataFrame) -> set[tuple[int, str]]:
    return {(row["store"], row["qmgr"]) for row in frame.select("store", "qmgr").collect()}


def test_events_are_told_apart_by_their_store(spark: SparkSession, archived: Sources) -> None:
    """A queue manager whose name several stores have gets the name of its store."""
    frame = rows_of(spark, archived, "event", READS, ReportSelection())
    shown = _names(frame)
    assert {name for _, name in shown} == {
        *(f"ONLY{number}" for number in range(3)),
        *(f"QM1@shop{number}" for number in range(3)),
    }
    store_of = {name: store for store, name in shown}
    stores = [store_of[f"ONLY{number}"] for number in range(3)]
    assert stores == [store_of[f"QM1@shop{number}"] for number in range(3)]
    assert len({*stores}) == len(stores)


@rows("ONLY1", "QM1")
def test_a_selected_queue_manager_is_read_from_every_store(
    spark: SparkSession,
    archived: Sources,
    name: str,
) -> None:
    frame = rows_of(spark, archived, "event", READS, ReportSelection(qmgrs=(name,)))
    assert {shown.partition("@")[0] for _, shown in _names(frame)} == {name}


def test_all_stores_are_one_source(spark: SparkSession, archived: Sources) -> None:
    """Spark plans each leaf of a plan for itself, so many stores are not many leaves."""
    frame = rows_of(spark, archived, "event", READS, ReportSelection())
    leaves = frame._jdf.queryExecution().analyzed().collectLeaves()
    assert leaves.size() == 1

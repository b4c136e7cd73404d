"""Figures of the reports about work and administration, recounted by a second program over random
histories of real stores.

MQSC_TIMES=10 tries ten times as many histories, MQSC_FIRST_SEED=301 others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from mqsc.reports.catalog import report
from mqsc.reports.identities import Ledger
from tests.examples import seeds
from tests.reports.facts import Facts, facts_of_stores
from tests.reports.history import at
from tests.reports.queue_sums import Row
from tests.reports.recount_of_administration import check_administration
from tests.reports.recount_of_backouts import check_backouts
from tests.reports.recount_of_channels import check_channels
from tests.reports.recount_of_triggering import check_triggering
from tests.reports.tables import tables_of
from tests.reports.worked import worked

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

# Whether tables have the figures of these stores; clocks are at the time, in microseconds.
Check = Callable[[dict[str, "pa.Table"], list[Facts], int], None]
# The time of the clocks, in seconds after the start: in the middle of most histories.
NOW = 20_000
HISTORIES = seeds(2)
CHECKS: dict[str, Check] = {
    "admin-audit": check_administration,
    "backouts": check_backouts,
    "channels": check_channels,
    "trigger-history": check_triggering,
}


@pytest.mark.parametrize("name", CHECKS)
def test_every_figure(spark: SparkSession, name: str) -> None:
    rows: dict[str, list[Row]] = {"event": [], "pending": []}
    for seed in HISTORIES:
        for relation, more in worked(seed).items():
            rows[relation] += more
    wanted = report(name)
    built = tables_of(spark, wanted, rows, *(table.name for table in wanted.tables), now=NOW)
    ledger = Ledger(wanted, is_whole=True)
    for table in wanted.tables:
        assert built[table.name].num_rows, table.name
        ledger.take(table, built[table.name])
    assert [str(each) for each in ledger.broken()] == []
    CHECKS[name](built, facts_of_stores(rows), at(NOW))

"""Reports of a period that read only what they need of earlier days: their tables are, to the byte,
those that are made of the whole history.

MQSC_TIMES=10 tries ten times as many histories, MQSC_FIRST_SEED=301 others.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mqsc.agents.archiver import Archiver
from mqsc.reports import catalog
from mqsc.reports.chosen_events import KINDS
from mqsc.reports.endings import ENDINGS, OUTCOMES
from mqsc.reports.looking_back import related
from mqsc.reports.output import CSV, Files
from mqsc.reports.selection import ReportSelection
from mqsc.reports.sources import Archived, Sources, holding, sources
from mqsc.reports.table_building import produce
from mqsc.reports.table_writing import TableWriter, Target
from mqsc.store.admin.archiving import archived_to
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.published import EVENT
from tests.examples import seeds
from tests.reports.facts import Facts, facts_of
from tests.reports.history import SECOND, at
from tests.reports.played import Play
from tests.reports.recounts import endings, hours, removed
from tests.scenarios.channel_bench import Network

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Those that relate events to each other.
REPORTS = (
    "message-lifetimes queue-activity dead-letters trigger-history backouts channels"
).split()
HOUR, DAY = 3600, 86_400
# Steps between two hours without any, and how often that is.
STEPS, TIMES = 14, 14
# Sometimes a clock is set back.
PAUSES = (HOUR, 2 * HOUR, 5 * HOUR, 9 * HOUR, -3 * HOUR)
# Most messages have a MsgId of their own.
MSG_IDS = [number.to_bytes(24, "big") for number in range(1, 500)]
# The third day of a history, which begins two hours before the second one.
THIRD_DAY = at(DAY + 2 * HOUR)
LATER = at(100 * DAY)


@contextmanager
def lived(path: Path, seed: int, archive: Path) -> Iterator[Store]:
    """A store with a random history of several days, most of which is archived in several
    ranges.
    """
    chance = random.Random(seed)
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    network = Network(open_store(f"sqlite:///{path}", environment), environment)
    play = Play(chance, network, msg_ids=MSG_IDS)
    for number in range(TIMES):
        for _ in range(STEPS):
            play.step()
        network.clock.set(network.clock.now() + SECOND * chance.choice(PAUSES))
        if number % 4 == 3:
            with Archiver(play.store, str(archive)) as archiver:
                list(archiver.archive())
    yield play.store


def sources_of(folder: Path, seed: int) -> Sources:
    """A store, most of whose history is archived, and the archive of another one."""
    archive, path = folder / "archive", folder / "store.db"
    with lived(folder / "other.db", 2 * seed + 1, archive):
        pass
    with lived(path, 2 * seed, archive) as store:
        bound = store.freeze(folder / "frozen.db")
        uuid, pruned, _ = archived_to(store)
        store.close()
    return sources(path, bound, [str(archive)], Archived(uuid, pruned))


def made(
    spark: SparkSession,
    read: Sources,
    selection: ReportSelection,
    out: Path,
) -> dict[str, bytes]:
    """The tables of the reports, as files."""
    reports = [catalog.report(name) for name in REPORTS]
    written = TableWriter(Target(out), CSV, 0, Files(out, CSV, 0))
    produce(spark, reports, read, written, selection)
    return {str(path.relative_to(out)): path.read_bytes() for path in out.glob("*/*.csv")}


@pytest.mark.parametrize("seed", seeds(1))
def test_the_tables_of_a_period_are_those_of_the_whole_history(
    spark: SparkSession,
    tmp_path: Path,
    seed: int,
) -> None:
    whole = sources_of(tmp_path, seed)
    selection = ReportSelection(since=THIRD_DAY + HOUR * SECOND)
    needed = related(whole, THIRD_DAY)
    assert needed.earlier.events.num_rows > 0
    assert needed.rows < whole.rows
    assert needed.earlier.sums.num_rows
    tables = made(spark, whole, selection, tmp_path / "whole")
    assert made(spark, needed, selection, tmp_path / "needed") == tables
    assert len(tables) == sum(len(catalog.report(name).tables) for name in REPORTS) - 1


@pytest.mark.parametrize("seed", seeds(2))
def test_what_is_left_out_is_in_the_sums(tmp_path: Path, seed: int) -> None:
    whole = sources_of(tmp_path, seed)
    needed = related(whole, THIRD_DAY)
    sums = needed.earlier.sums.to_pylist()
    facts, fewer = facts_by_store(whole), facts_by_store(needed)
    if seed == 0:
        # What few histories have: units of work that were backed out, and outcomes of gets.
        assert any(row["undone"] for row in sums)
        assert {row["ending"] for row in sums} & {*OUTCOMES.values()} - {*ENDINGS.values()}
        assert {"cleared", "moved", "moved in"} <= {row["ending"] for row in sums}
    for store, every in facts.items():
        left_out = [row for row in sums if row["store"] == store]
        assert totals_of(every) == totals_of(fewer[store]) + totals_left_out(left_out)
        assert of_period(endings(every, LATER)) == of_period(endings(fewer[store], LATER))
        assert of_period(hours(every)) == of_period(hours(fewer[store]))


def facts_by_store(read: Sources) -> dict[int, Facts]:
    """What is read of each store, for another program that counts: messages on queues not."""
    events = holding(read, ["event"]).held["event"].sort_by("seq").to_pylist()
    return {
        store: facts_of([row for row in events if row["store"] == store], [])
        for store in read.numbers.values()
    }


def totals_of(facts: Facts) -> Counter[tuple[str, ...]]:
    """How many messages came to each queue, and what became of them."""
    totals: Counter[tuple[str, ...]] = Counter()
    for (qmgr, queue, ending, *_), measured in endings(facts, LATER).items():
        totals[qmgr, queue, ending] += measured.messages
    for row in facts.events:
        if row["kind"] == "PUT":
            totals[row["qmgr"], row["queue"], "put"] += 1
            totals[row["qmgr"], row["queue"], "streamed"] += row["cause"] == "stream"
        elif row["kind"] == "MOVE":
            totals[row["qmgr"], row["target"], "moved in"] += removed(row)
    return +totals


def totals_left_out(sums: list[dict[str, Any]]) -> Counter[tuple[str, ...]]:
    """The same of events that are only counted."""
    totals: Counter[tuple[str, ...]] = Counter()
    for row in sums:
        of_queue, ending = (row["qmgr"], row["queue"]), row["ending"]
        is_put = ending == "put"
        totals[*of_queue, ending] += row["messages"] - (0 if is_put else row["undone"])
        totals[*of_queue, "backed out"] += row["undone"] if is_put else 0
        totals[*of_queue, "streamed"] += row["messages"] if row["cause"] == "stream" else 0
    return +totals


def of_period(figures: Mapping[tuple[Any, ...], Any]) -> dict[tuple[Any, ...], Any]:
    """The figures of hours since the third day."""
    found = {key: value for key, value in figures.items() if (key[-1] or 0) >= THIRD_DAY}
    return {key: getattr(value, "row", value) for key, value in found.items()}


def test_more_than_this_process_holds_is_read_by_spark(tmp_path: Path) -> None:
    whole = sources_of(tmp_path, 0)
    assert related(whole, THIRD_DAY, most=100) is whole
    assert related(whole, at(0)) is whole


def test_all_kinds_of_events_that_tables_look_back_to_are_read() -> None:
    reports = map(catalog.report, catalog.names())
    reads = [each for report in reports for each in report.reads.values()]
    looking_back = [each for each in reads if each.relation is EVENT and each.chosen_by]
    assert looking_back
    assert {kind for each in looking_back for kind in each.kinds} == {*KINDS}

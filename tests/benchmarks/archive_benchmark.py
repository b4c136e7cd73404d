"""Archiving a million events, and asking the archive, against SQLite's own reading of the same
rows, in one run.

    python -m tests.benchmarks.archive_benchmark [--events 1000000] [--rounds 3]

Each round reads all columns of the events with the standard driver (fetchmany), and archives them:
claim, files, read back and compare, commit. Prints events per second on the clock, which is to be
300 000 at least on an idle machine, and the seconds of the processor, which other programs on the
machine influence less. Then it asks three questions, of SQLite with GROUP BY and of the archive's
files with pyarrow, and checks that the answers agree. Both read from the page cache.
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyarrow import parquet

from mqsc.agents.archiver import Archiver
from mqsc.store.client.store import open_store
from mqsc.store.published import EVENT
from tests.benchmarks.measuring import options, took
from tests.benchmarks.reports_benchmark import insert

PAGE = 50_000
NAMES = ", ".join(f'"{each.name}"' for each in EVENT.columns)
HOUR = 3_600_000_000


class Question(NamedTuple):
    """Events of a kind, or of all kinds, by these columns: how many, and for each measure the
    least, sum and greatest.

    A measure is a column, or the difference of two.
    """

    keys: tuple[str, ...]
    measures: tuple[str, ...] = ()
    kind: str = ""


QUESTIONS = {
    "by queue and kind": Question(("queue", "kind")),
    "by queue, kind and hour, with bytes": Question(("queue", "kind", "hour"), ("length",)),
    "what expired, by five columns": Question(
        ("qmgr", "queue", "hour", "cause", "put_application"),
        ("length", "at - put_at", "at - expires_at"),
        "EXPIRE",
    ),
}
ENDS = ("min", "sum", "max")
TEXTS = [each.name for each in EVENT.columns if each.type == "TEXT"]
NUMBERS = [each.name for each in EVENT.columns if each.type == "INTEGER"]


def write(path: Path, events: int) -> None:
    with open_store(f"sqlite:///{path}") as store:
        store.create_queue_manager("QM1")
    insert(path, events, 0.1)


def read(path: Path) -> None:
    """All rows, as Python objects."""
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(f"SELECT {NAMES} FROM event ORDER BY seq")
        while cursor.fetchmany(PAGE):
            continue


def archive(path: Path, folder: Path) -> None:
    """The whole protocol but for pruning."""
    with open_store(f"sqlite:///{path}") as store, Archiver(store, str(folder)) as archiver:
        assert all(each.rows for each in archiver.archive())


def by_sqlite(path: Path, question: Question) -> set[tuple[Any, ...]]:
    keys = [f"at / {HOUR}" if key == "hour" else key for key in question.keys]
    measures = [f"{end}({measure})" for measure in question.measures for end in ENDS]
    kind = f"WHERE kind = '{question.kind}'" if question.kind else ""
    places = ", ".join(str(number + 1) for number in range(len(keys)))
    with closing(sqlite3.connect(path)) as connection:
        columns = ", ".join((*keys, "count(*)", *measures))
        return set(connection.execute(f"SELECT {columns} FROM event {kind} GROUP BY {places}"))


def by_arrow(folder: Path, question: Question) -> set[tuple[Any, ...]]:
    groups = pa.concat_tables([_of_file(file, question) for file in folder.rglob("*.parquet")])
    ends = [(f"{measure}_{end}", end) for measure in question.measures for end in ENDS]
    whole = groups.group_by(list(question.keys)).aggregate([("number", "sum"), *ends])
    columns = (*question.keys, "number_sum", *(f"{name}_{end}" for name, end in ends))
    return set(zip(*(whole.column(name).to_pylist() for name in columns), strict=True))


def _of_file(file: Path, question: Question) -> pa.Table:
    of_measures = {column for measure in question.measures for column in measure.split(" - ")}
    columns = {
        *question.keys,
        *of_measures,
        *(("at",) if "hour" in question.keys else ()),
        "kind",
    } - {"hour"}
    rows = parquet.ParquetFile(file, read_dictionary=TEXTS).read(
        [name for name in TEXTS + NUMBERS if name in columns],
    )
    # Times are timestamps there, and integers in SQLite.
    rows = pa.table(
        {
            each: rows[each] if each in TEXTS else rows[each].cast(pa.int64())
            for each in rows.column_names
        },
    )
    if question.kind:
        rows = rows.filter(pc.equal(rows.column("kind"), question.kind))
    if "hour" in question.keys:
        rows = rows.append_column("hour", pc.divide(rows.column("at"), HOUR))
    for measure in question.measures:
        if " - " in measure:
            rows = rows.append_column(measure, pc.subtract(*map(rows.column, measure.split(" - "))))
    ends = [(measure, end) for measure in question.measures for end in ENDS]
    groups = (
        rows.unify_dictionaries()
        .group_by(list(question.keys))
        .aggregate([*ends, ([], "count_all")])
    )
    # Files have dictionaries of their own.
    plain = {name: groups.column(name).cast(pa.string()) for name in question.keys if name in TEXTS}
    groups = pa.table({name: plain.get(name, groups.column(name)) for name in groups.column_names})
    return groups.rename_columns(
        ["number" if name == "count_all" else name for name in groups.column_names],
    )


def ask(path: Path, folder: Path, question: Question, rounds: int) -> tuple[float, float]:
    """How many times as long SQLite takes to answer, by the clock and of the processor."""
    assert by_sqlite(path, question) == by_arrow(folder, question)
    pairs = [
        (took(lambda: by_sqlite(path, question)), took(lambda: by_arrow(folder, question)))
        for _ in range(rounds)
    ]
    by_clock, of_processor = (
        median(theirs[part] / ours[part] for theirs, ours in pairs) for part in (0, 1)
    )
    return by_clock, of_processor


if __name__ == "__main__":
    chosen = options(__doc__, events=1_000_000, rounds=3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "store.db"
        write(path, chosen.events)
        rounds = [
            (
                took(lambda: read(path)),
                took(lambda number=number: archive(path, folder / f"archive{number}")),  # type: ignore[misc]
            )
            for number in range(chosen.rounds)
        ]
        size = sum(file.stat().st_size for file in (folder / "archive0").rglob("*.parquet"))
        stored = path.stat().st_size
        asked = {
            name: ask(path, folder / "archive0", question, chosen.rounds)
            for name, question in QUESTIONS.items()
        }
    for side, what in enumerate(("SQLite reads", "archived")):
        clock, processor = (median(each[side][part] for each in rounds) for part in (0, 1))
        print(
            f"{what:14} {chosen.events / clock:10,.0f} events/s   {processor:6.2f} s of the "
            "processor",
        )
    ratio = median(theirs[0] / ours[0] for theirs, ours in rounds)
    print(
        f"archive / SQLite's reading: {ratio:.2f} by the clock; {size / stored:.0%} of the store's "
        "size",
    )
    for name, (by_clock, of_processor) in asked.items():
        print(
            f"{name}: the archive {by_clock:.1f} times as fast by the clock, {of_processor:.1f} by "
            "the processor",
        )

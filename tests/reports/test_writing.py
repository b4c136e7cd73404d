"""Tables while they are written: a run that is killed, or for which the disk has no room, leaves
the run before it whole; and every format has the same values.

MQSC_KILLS is how many runs of each format are killed; the seed is printed.
"""

from __future__ import annotations

import csv
import json
import multiprocessing
import os
import random
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet  # type: ignore[import-untyped]

from mqsc.reports.catalog import report
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.output import CSV, FORMATS, PAGE_FORMAT, Files, Output, entries_of, values_of
from mqsc.reports.page.document import Page, Source
from mqsc.reports.page.tables import columns_shown, row_of_cells
from mqsc.reports.publication import publish, run_folder
from mqsc.reports.table_writing import writing
from tests.processes.disks import SmallFileSystem, small_file_system
from tests.reports.page.test_document import made_rows
from tests.reports.test_publication import ABOUT, whole

REPORTS = ("expired-messages", "backouts")
ROWS = 300
KILLS = int(os.environ.get("MQSC_KILLS", "6"))
PLAIN = ("A", "B.C", "Ä")
# Bytes of room on a disk that is otherwise full: from none to enough for a run.
ROOM = tuple(range(0, 1 << 20, 96 << 10))


def writer(folder: Path, as_: str, number: int) -> Output:
    if as_ == PAGE_FORMAT:
        return Page(folder, 3, Source(f"run {number}", "2023-11-15", "", [("Number", str(number))]))
    return Files(folder, as_, 3)


def made(out: Path, as_: str, number: int) -> None:
    """A run that writes tables with its number as every name."""
    with run_folder(out, entries_of(REPORTS, as_)) as folder, writing():
        to, results = writer(folder, as_, number), []
        for name in REPORTS:
            declared = report(name)
            for table in declared.tables:
                results.append(to.write(declared, table, made_rows(table, ROWS, (str(number),))))
            to.end(declared, ())
        to.close()
        publish(folder, results, {**ABOUT, "as": as_, "number": number})


def number_in(out: Path, as_: str) -> int:
    """The number of the run in the folder; AssertionError if a file is not whole, or of another
    run.
    """
    number = int(json.loads((out / "manifest.json").read_text())["number"])
    named = whole(out) if as_ != "parquet" else set()
    if as_ == PAGE_FORMAT:
        assert f"run {number}" in (out / "index.html").read_text()
        return number
    for name in REPORTS:
        for table in report(name).tables:
            path = out / name / f"{table.name}.{as_}"
            rows = table_in(path, as_)
            assert len(rows) == ROWS
            assert named == set() or str(path.relative_to(out)) in named
            assert {row["qmgr"] for row in rows} - {None, ""} == {str(number)}
    return number


def table_in(path: Path, as_: str) -> list[dict[str, Any]]:
    """The rows of a table as a reader finds them."""
    if as_ == CSV:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


def write_for_ever(out: Path, as_: str, begin: int, begun: Connection) -> None:
    for number in count(begin):
        made(out, as_, number)
        begun.send(number)


@pytest.mark.long
@pytest.mark.parametrize("as_", FORMATS)
def test_a_run_killed_while_it_writes_leaves_the_old_tables_or_the_new(
    as_: str, tmp_path: Path
) -> None:
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    processes = multiprocessing.get_context("fork")
    made(tmp_path, as_, 0)
    before = 0
    for _ in range(KILLS):
        last, begun = processes.Pipe(duplex=False)
        program = processes.Process(target=write_for_ever, args=(tmp_path, as_, before + 1, begun))
        program.start()
        program.join(chance.uniform(0, 1.5))
        program.kill()
        program.join()
        begun.close()
        published = [before, *numbers(last)]
        after = number_in(tmp_path, as_)
        # The one that was killed may have been published without saying so.
        assert after - published[-1] in (0, 1)
        before = after
    made(tmp_path, as_, before + 1)
    assert number_in(tmp_path, as_) == before + 1
    assert len([*tmp_path.glob(".run-*")]) == 1


def numbers(sent: Connection) -> Iterator[int]:
    try:
        while True:
            yield sent.recv()
    except EOFError:
        return


@pytest.mark.long
@pytest.mark.parametrize("as_", FORMATS)
def test_a_full_disk_leaves_the_old_tables(as_: str, tmp_path: Path) -> None:
    """With no room and with more and more of it, until a run has enough."""
    tmp_path.joinpath("disk").mkdir()
    with small_file_system(tmp_path / "disk") as disk:
        assert isinstance(disk, SmallFileSystem)
        out = disk.folder / "out"
        out.mkdir()
        made(out, as_, 0)
        ended = [written(disk, out, as_, room) for room in ROOM]
        disk.free()
        made(out, as_, 1)
        assert number_in(out, as_) == 1
    failed = [each for each in ended if each is not None]
    assert failed[0].endswith("No space left on device")
    assert all(each.endswith("No space left on device") for each in failed)


def written(disk: SmallFileSystem, out: Path, as_: str, room: int) -> str | None:
    """What a run with so much room says; None if it succeeds. Either way one run is there."""
    disk.fill()
    ballast = disk.folder / "ballast"
    os.truncate(ballast, max(0, ballast.stat().st_size - room))
    before = number_in(out, as_)
    said = refused(lambda: made(out, as_, before + 1))
    disk.free()
    assert number_in(out, as_) == before + (said is None)
    assert len([*out.glob(".run-*")]) == 1
    return said


def refused(make: Callable[[], None]) -> str | None:
    """The sentence of a run that fails."""
    try:
        make()
    except (ReportError, ReportFailedError) as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", REPORTS)
def test_every_format_has_the_same_values(name: str, tmp_path: Path) -> None:
    declared = report(name)
    made_of = {table.name: made_rows(table, 20, PLAIN) for table in declared.tables}
    for as_ in FORMATS:
        to = writer(tmp_path / as_, as_, 0)
        (tmp_path / as_).mkdir(exist_ok=True)
        for table in declared.tables:
            to.write(declared, table, made_of[table.name])
        to.end(declared, ())
        to.close()
    page = (tmp_path / PAGE_FORMAT / "index.html").read_text()
    for table in declared.tables:
        in_csv = table_in(tmp_path / CSV / name / f"{table.name}.csv", CSV)
        in_parquet = parquet.read_table(tmp_path / "parquet" / name / f"{table.name}.parquet")
        rows = [*values_of(in_parquet)]
        assert [[as_text(value) for value in row] for row in rows] == [
            [*row.values()] for row in in_csv
        ]
        columns = columns_shown(table, rows, len(rows))
        assert all(row_of_cells(columns, row, table.alarms) in page for row in rows)


def as_text(value: object) -> str:
    """A value as CSV has it."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    return "" if value is None else str(value)

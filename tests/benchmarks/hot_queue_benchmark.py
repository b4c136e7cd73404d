"""Reports of an archive in which one queue has all events, by one worker and by two.

    python -m tests.benchmarks.hot_queue_benchmark [--events 5000000] [--reports queue-activity ...]

Makes the archive, starts a standalone cluster with two workers and then with one, and makes the
reports from each. Prints for each stage of the two workers that had work to divide the processor
time of its longest task as a multiple of the median one, and whether the tables are equal to the
byte. The same is printed without the first task of each worker, in which Java loads and compiles
what the stage runs, and without tasks that have little to read: a stage may read several times,
and what one of these looks for is in no file.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.archive.content import SCHEMA
from tests.benchmarks.generated_archive import Block, generate
from tests.reports.history import Row, back, event, expire, got, message_id, put
from tests.reports.test_cluster import cluster, reporting

REPORTS = ("queue-activity", "trigger-history")
QUEUE = "HOT"
MESSAGES_A_BLOCK = 5_000
# A part of five million.
A_DAY = 333_500
MEMORY_MEGABYTES = 1_400
# Stages whose tasks together took less are not worth dividing.
WORTH_SECONDS = 4.0
MOST_TIMES_THE_MEDIAN = 1.5


class Task(NamedTuple):
    """The seconds of processor time of a task, the rows that it read, when it started, and the
    worker that it ran on.
    """

    seconds: float
    rows: int
    start: int
    worker: str


class Stage(NamedTuple):
    """The tasks of a stage."""

    number: int
    tasks: list[Task]

    @property
    def seconds(self) -> float:
        return sum(task.seconds for task in self.tasks)

    def __str__(self) -> str:
        """One line; UNEVEN if a task took too long that is not the first of its worker."""
        spread = times_the_median([task.seconds for task in self.tasks])
        said = (
            f"stage {self.number}: {len(self.tasks)} tasks, {self.seconds:.1f} s; the longest took "
            f"{spread:.2f} times the median"
        )
        alike = later_tasks([task for task in self.tasks if task.rows > self.most_rows / 2])
        if not alike:
            return f"{said}; each worker had one"
        warm = times_the_median([task.seconds for task in alike])
        rows = times_the_median([task.rows for task in alike])
        said += f"; of {len(alike)} later ones {warm:.2f} times, with {rows:.2f} times its rows"
        return said if warm <= MOST_TIMES_THE_MEDIAN else f"{said}: UNEVEN"

    @property
    def most_rows(self) -> int:
        return max(task.rows for task in self.tasks)


def times_the_median(numbers: Sequence[float]) -> float:
    """The largest, as a multiple of the median one."""
    return max(numbers) / (statistics.median(numbers) or 1)


def later_tasks(tasks: Sequence[Task]) -> list[Task]:
    """The tasks without the first of each worker."""
    first = {task.worker: task for task in sorted(tasks, key=lambda each: each.start, reverse=True)}
    return [task for task in tasks if task is not first[task.worker]]


def message(number: int) -> Iterator[Row]:
    """What happens to one message: put, and got, expired or backed out; some trigger a program."""
    when, stay = number * 0.01, 0.002 + number % 977 / 1000
    if number % 20 == 0:
        yield put(number, when, QUEUE, unit=number + 1)
        undone: dict[str, Any] = {QUEUE: {"puts": 1, "gets": 0}}
        yield back(number + 1, when, **undone)
        return
    yield put(number, when, QUEUE)
    if number % 5 == 0:
        trigger = message_id(MESSAGES_A_BLOCK + number)
        detail = {"type": "EVERY", "process": "P"}
        yield event("TRIGGER", QUEUE, when, msg_id=trigger, cause="put", detail=detail)
        yield event("OPEN", QUEUE, when + 0.001, detail={"options": 2})
    if number % 15 == 7:
        yield expire(QUEUE, when + 5)
    else:
        yield got(number, when + stay, QUEUE, after=stay)


def block(events_a_day: int) -> Block:
    """The events of some messages of the queue, and how often they come in a day."""
    events = [row for number in range(MESSAGES_A_BLOCK) for row in message(number)]
    start = min(row["at"] for row in events)
    rows = [numbered(seq, row, start) for seq, row in enumerate(events, 1)]
    parts = max(1, events_a_day // len(rows))
    return Block(pa.Table.from_pylist(rows, schema=SCHEMA), parts)


def numbered(seq: int, row: Row, start: int) -> Row:
    """The event as a block has it; the last bytes of identifiers are those of the block."""
    row = {**row, "seq": seq}
    for name in ("at", "put_at", "expires_at"):
        if row.get(name) is not None:
            row[name] -= start
    if isinstance(row.get("detail"), dict):
        row["detail"] = json.dumps(row["detail"])
    if "msg_id" in row:
        row["msg_id"] = row["msg_id"][4:] + bytes(4)
    return row


def stages(log: Path) -> list[Stage]:
    """The stages of the applications whose events Spark wrote to the folder."""
    tasks: dict[int, list[Task]] = defaultdict(list)
    for file in log.rglob("events_*"):
        for each in map(json.loads, file.read_text().splitlines()):
            if each["Event"] == "SparkListenerTaskEnd" and each.get("Task Metrics"):
                tasks[each["Stage ID"]].append(task_of(each["Task Metrics"], each["Task Info"]))
    return [Stage(*each) for each in sorted(tasks.items())]


def task_of(measured: dict[str, Any], info: dict[str, Any]) -> Task:
    """The task with these figures of Spark's."""
    moved = measured["Shuffle Read Metrics"]["Total Records Read"]
    read = measured["Input Metrics"]["Records Read"]
    seconds = measured["Executor CPU Time"] / 1e9
    return Task(seconds, moved + read, info["Launch Time"], info["Executor ID"])


def made(folder: Path, reports: Sequence[str], workers: int) -> tuple[Path, list[Stage], float]:
    """The folder of the reports that so many workers made, the stages, and the seconds it took."""
    place = folder / f"workers-{workers}"
    log = place / "log"
    log.mkdir(parents=True)
    conf = {
        "spark.executor.memory": f"{MEMORY_MEGABYTES}m",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{log}",
        "spark.eventLog.compress": "false",
    }
    given = [part for name, value in conf.items() for part in ("--conf", f"{name}={value}")]
    out = str(place / "out")
    with cluster(place, workers, MEMORY_MEGABYTES + 100) as (master, _):
        began = time.perf_counter()
        arguments = (*reports, "--master", master, *given)
        with reporting(folder / "archive", out, *arguments) as process:
            _, said = process.communicate()
        if process.returncode:
            sys.exit(f"{workers} workers: {said}")
    return place / "out", stages(log), time.perf_counter() - began


def main() -> None:
    """Make the archive and the reports, and print what differs and which tasks took long."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--events", type=int, default=5_000_000)
    parser.add_argument("--a-day", type=int, default=A_DAY)
    parser.add_argument("--reports", nargs="+", default=REPORTS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as created:
        folder = Path(created)
        # Files of one size, as Spark reads a small file in one task.
        url, a_day = str(folder / "archive"), given.a_day
        number = generate(url, given.events, a_commit=a_day, made=block(a_day))
        print(f"{number} events", flush=True)
        two, found, together = made(folder, given.reports, 2)
        print(f"{together:.0f} s by two workers", flush=True)
        for stage in found:
            if stage.seconds >= WORTH_SECONDS:
                print(f"  {stage}", flush=True)
        one, _, alone = made(folder, given.reports, 1)
        print(f"{alone:.0f} s by one worker; differ: {different(one, two) or 'none'}")


def different(one: Path, other: Path) -> list[str]:
    """The files of the reports that are not equal to the byte."""
    files = sorted(path.relative_to(one) for path in one.glob("[!.]*/*.csv"))
    return [str(file) for file in files if (one / file).read_bytes() != (other / file).read_bytes()]


if __name__ == "__main__":
    main()

"""Reports from archives of growing size: processor time, and peak memory of the driver and of
Spark.

    python -m tests.benchmarks.scale_benchmark [--events 1000000 5000000 15000000] [--reports queue-activity ...]

Makes an archive of each size with generated_archive.py, and the reports from each in a process of
its own. Prints the clock, the processor time of all processes, and the largest memory of Python and
of Java, which is to be flat. Java uses as much heap as it may, so a small one shows best whether
something grows: --heap, which has to be enough for each size.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from tests.benchmarks.generated_archive import generate
from tests.source import ROOT

REPORTS = ("expired-messages", "queue-activity", "message-lifetimes")
MEGABYTE = 1 << 20
LOOK_SECONDS = 0.2
TICKS = 100


class Used(NamedTuple):
    """Seconds on the clock and of the processor, and peak megabytes of Python and of Java."""

    clock: float
    processor: float
    python: float
    java: float


def used(*command: str) -> Used:
    began = time.perf_counter()
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said) as process,
    ):
        peaks: dict[str, float] = {"python": 0, "java": 0}
        spent: dict[int, float] = {}
        over = Event()

        def look() -> None:
            while not over.wait(LOOK_SECONDS):
                for pid in family(process.pid):
                    name, memory, seconds = state(pid)
                    spent[pid] = max(spent.get(pid, 0), seconds)
                    if name in peaks:
                        peaks[name] = max(peaks[name], memory)

        watcher = Thread(target=look)
        watcher.start()
        process.wait()
        over.set()
        watcher.join()
        said.seek(0)
        assert process.returncode == 0, said.read().decode()
    return Used(time.perf_counter() - began, sum(spent.values()), peaks["python"], peaks["java"])


def family(pid: int) -> list[int]:
    try:
        threads = [
            thread.read_text().split() for thread in Path(f"/proc/{pid}/task").glob("*/children")
        ]
    except OSError:
        return []
    children = {child for listed in threads for child in listed}
    return [pid, *(each for child in children for each in family(int(child)))]


def state(pid: int) -> tuple[str, float, float]:
    """The program of a process, its peak memory in megabytes, and its processor time."""
    try:
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        )
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "", 0, 0
    name = "java" if status["Name"].strip() == "java" else "python"
    peak = int(status.get("VmHWM", "0 kB").split()[0]) * 1024 / MEGABYTE
    return name, peak, (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--events", type=int, nargs="+", default=[1_000_000, 5_000_000, 15_000_000])
    parser.add_argument("--heap", default="1g", help="the largest heap of Java")
    parser.add_argument("--reports", nargs="+", default=REPORTS)
    parser.add_argument("--conf", nargs="*", default=[])
    chosen = parser.parse_args()
    for events in chosen.events:
        with tempfile.TemporaryDirectory() as folder:
            generate(f"{folder}/archive", events)
            size = sum(file.stat().st_size for file in Path(folder).rglob("*.parquet")) / MEGABYTE
            print(f"{events} events, {size:.0f} MB", flush=True)
            for name in chosen.reports:
                conf = [
                    part
                    for each in (f"spark.driver.memory={chosen.heap}", *chosen.conf)
                    for part in ("--conf", each)
                ]
                made = used(
                    *(
                        sys.executable,
                        "-m",
                        "mqsc",
                        "report",
                        name,
                        "--quiet",
                        "--archive",
                        f"{folder}/archive",
                    ),
                    *("--out", f"{folder}/out", *conf),
                )
                print(
                    f"  {name:18} clock {made.clock:6.1f} s   processor {made.processor:6.1f} s   "
                    f"Python {made.python:5.0f} MB   Java {made.java:5.0f} MB",
                    flush=True,
                )

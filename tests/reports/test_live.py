"""Reports that are kept up to date while archives arrive: killed and started again, they are
those of a run.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from mqsc import reports
from mqsc.reports.archive.merging import merged
from tests.benchmarks.generated_archive import generate
from tests.reports.test_cluster import SMALL, cluster, reporting

# A report of single events, and one that relates events to each other.
NAMES = ("admin-audit", "backouts")
KILLS = int(os.environ.get("MQSC_LIVE_KILLS", "2"))


@pytest.mark.long
@pytest.mark.timeout(1800 + 60 * KILLS)
def test_a_job_that_is_killed_again_and_again_publishes_what_a_run_does(tmp_path: Path) -> None:
    """With MQSC_CLUSTER, on a cluster with two workers. The last kills come while tables are
    made.
    """
    whole, archive, out = (tmp_path / name for name in ("whole", "archive", "out"))
    generate(str(whole), 9_000, a_day=4_000, a_commit=2_000)
    commits = sorted(
        whole.glob("store=*/_commits/*.json"),
        key=lambda path: int(path.name.partition("-")[0]),
    )
    arrive(commits.pop(0), whole, archive)
    with ExitStack() as stack:
        master = (
            stack.enter_context(cluster(tmp_path))[0]
            if "MQSC_CLUSTER" in os.environ
            else "local[2]"
        )
        arguments = (*NAMES[1:], "--live", "--master", master, *SMALL)
        for number in range(KILLS + 1):
            with job(archive, str(out), *arguments) as running:
                if number < KILLS // 2:
                    until_current(running, out, archive)
                if commits and number < KILLS:
                    arrive(commits.pop(0), whole, archive)
                if number == KILLS:
                    while commits:
                        arrive(commits.pop(0), whole, archive)
                    until_current(running, out, archive)
                elif number >= KILLS // 2:
                    until_at_work(running, out, archive)
    reports.run(NAMES, None, tmp_path / "batch", archives=[str(archive)])
    for table in sorted((tmp_path / "batch").glob("*/*.csv")):
        assert (out / table.relative_to(tmp_path / "batch")).read_bytes() == table.read_bytes()


@contextmanager
def job(archive: Path, out: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A job in a process, which is killed at the end of the block."""
    running = reporting(archive, out, NAMES[0], *arguments)
    try:
        yield running
    finally:
        running.send_signal(signal.SIGKILL)
        running.communicate()


def arrive(commit: Path, whole: Path, archive: Path) -> None:
    """Bring a commit into the archive as a writer does: its files first."""
    for path in [Path(each["path"]) for each in json.loads(commit.read_text())["files"]]:
        (archive / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(whole / path, archive / path)
    there = archive / commit.relative_to(whole)
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(commit, there.with_name(".unfinished"))
    os.replace(there.with_name(".unfinished"), there)


def until_current(running: subprocess.Popen[str], out: Path, archive: Path) -> None:
    """Wait until the published tables have all events of the archive."""
    until(running, lambda: is_current(out, archive))


def is_current(out: Path, archive: Path) -> bool:
    manifest = out / "manifest.json"
    wanted = {each.store: each.last for each in merged([str(archive)])}
    return manifest.exists() and json.loads(manifest.read_text())["bound"]["archived"] == wanted


def until_at_work(running: subprocess.Popen[str], out: Path, archive: Path) -> None:
    """Wait until a run has made its folder, beside the published one, unless none is needed."""
    published = (out / ".current").resolve()
    until(
        running,
        lambda: is_current(out, archive) or any(each != published for each in out.glob(".run-*")),
    )


def until(running: subprocess.Popen[str], is_met: Callable[[], bool]) -> None:
    """Wait until the condition is met, without taking the processor from the job, which must not
    end before.
    """
    while not is_met():
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.05)
            raise AssertionError(running.communicate())

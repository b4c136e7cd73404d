"""Reports on a cluster that sees nothing but the archive, and behind a Spark Connect server (archive §4)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.generated_archive import generate
from tests.reports.standalone import Process, cluster, connect_server
from tests.source import ROOT

EVENTS, A_DAY = 60_000, 20_000
# The report runs with executors that fit into small workers.
SMALL = ("--conf", "spark.executor.memory=600m")
_FINISHED = re.compile(r"(Finished task)")


@pytest.mark.long
@pytest.mark.skipif("MQSC_CLUSTER" not in os.environ, reason="takes two minutes; MQSC_CLUSTER=1 runs it")
@pytest.mark.timeout(600)
def test_a_cluster_that_loses_a_worker_makes_the_same_reports_as_this_machine(tmp_path: Path) -> None:
    """The archive has two stores. Executors see Spark, Java and the archive."""
    archive = tmp_path / "archive"
    for number in (1, 2):
        generate(str(archive), EVENTS, a_day=A_DAY, seed=number, store=number)
    with cluster(tmp_path) as (master, workers):
        arguments = ("--master", master, *SMALL, "--as", "parquet")
        with reporting(archive, f"file://{tmp_path}/remote", "daily", *arguments) as report:
            kill_at_work(workers[0], report)
            said = report.communicate()
        assert (*said, report.returncode) == ("", "", 0)
    with reporting(archive, str(tmp_path / "local"), "daily", "--as", "parquet") as report:
        assert (*report.communicate(), report.returncode) == ("", "", 0)
    there, here = (tables(tmp_path / name) for name in ("remote", "local"))
    assert there.keys() == here.keys()
    assert [name for name in here if there[name] != here[name]] == []


@pytest.mark.long
@pytest.mark.skipif(
    "MQSC_CLUSTER" not in os.environ, reason="a minute, and needs mqsc[connect]; MQSC_CLUSTER=1 runs it"
)
def test_spark_connect_makes_the_same_report_as_this_machine(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    generate(str(archive), EVENTS, a_day=A_DAY)
    remote = str(tmp_path / "remote")
    with connect_server(tmp_path) as server, reporting(archive, remote, "queue-activity", "--master", server) as report:
        assert (*report.communicate(), report.returncode) == ("", "", 0)
    with reporting(archive, str(tmp_path / "local"), "queue-activity") as report:
        assert (*report.communicate(), report.returncode) == ("", "", 0)
    for path in (tmp_path / "local" / "queue-activity").iterdir():
        assert (tmp_path / "remote" / "queue-activity" / path.name).read_bytes() == path.read_bytes()


def reporting(archive: Path, out: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "mqsc", "report", "--quiet", "--from", str(archive), "--out", out, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill_at_work(worker: Process, report: subprocess.Popen[str]) -> None:
    """Kill the worker and its executor when that has finished a task."""
    while not any(_FINISHED.search(log.read_text("utf-8", "replace")) for log in worker.executor_logs()):
        assert report.poll() is None, report.communicate()
    worker.kill()


def tables(out: Path) -> dict[str, list[dict[str, object]]]:
    """The rows of each table of the reports, in the order that they are written in."""
    from pyarrow import parquet  # type: ignore[import-untyped]

    folders = sorted(out.glob("*/*.parquet"))
    assert folders
    return {
        str(folder.relative_to(out)): [
            row for part in sorted(folder.iterdir()) for row in parquet.read_table(part).to_pylist()
        ]
        for folder in folders
    }

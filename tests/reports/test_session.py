"""How Spark is started: without output, with this Python, in UTC, and without changing the process's settings."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports.session import SQL_SETTINGS, last_error, session
from tests.reports.history import expire, write_history

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_a_session_is_in_utc_and_has_the_store_as_a_source(spark: SparkSession, tmp_path: Path) -> None:
    path = write_history(tmp_path / "store.db", [expire()])
    assert spark.sql("SELECT CAST(timestamp_micros(0) AS STRING)").head() == ("1970-01-01 00:00:00",)
    options = {"path": str(path), "relation": "event", "last": "1", "partitions": "1"}
    assert spark.read.format("mqsc").options(**options).load().count() == 1


def test_nothing_of_the_start_stays_in_the_environment(spark: SparkSession) -> None:
    assert "PYSPARK_PYTHON" not in os.environ
    assert "SPARK_HOME" not in os.environ


def test_a_session_that_runs_is_used_and_keeps_its_settings(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        with session() as used:
            assert used is spark
            assert {name: used.conf.get(name) for name in SQL_SETTINGS} == SQL_SETTINGS
        assert spark.conf.get("spark.sql.session.timeZone") == "Europe/Berlin"
        assert spark.range(3).count() == 3
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_a_session_of_another_thread_is_used_too(spark: SparkSession) -> None:
    def use() -> bool:
        with session() as used:
            return used is spark and used.range(3).count() == 3

    with ThreadPoolExecutor(1) as other:
        assert other.submit(use).result()


# Runs in another folder, with a python3 first on the PATH that does not find the packages.
SCRIPT = """
import os, sys
from reports import ReportError, run
from store.published import Bound
results = run(["expired-messages"], "store.db", "out", bound=Bound(1, 0, {"QM1": 0}), master="local[1]")
print([(result.table, result.rows_written) for result in results])
try:
    run(["expired-messages"], "store.db", "out", bound=Bound(1, 0, {}), conf=["spark.local.dir=/dev/null/x"])
except ReportError as fault:
    print(fault)
print(sorted(os.listdir()))
"""


@pytest.mark.long
def test_a_process_of_its_own(tmp_path: Path) -> None:
    """Workers use this Python and its packages; a second start in the same process fails with a one-line message."""
    write_history(tmp_path / "store.db", [expire()])
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "python3").chmod(0o755)
    root = str(Path(__file__).resolve().parents[2])
    environment = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]),
    }
    command = [sys.executable, "-W", "error", "-c", SCRIPT]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    made, refused, files = ended.stdout.splitlines()
    assert made == "[('expired', 1), ('expired_by_cause', 1), ('overdue', 0), ('overdue_messages', 0)]"
    assert refused == "Spark does not start with local[*]: DiskBlockManager: Failed to create any local dir."
    assert files == "['bin', 'out', 'store.db', 'store.db-shm', 'store.db-wal']"


LOGS: tuple[tuple[list[str], str], ...] = (
    ([], ""),
    (["Invalid maximum heap size: -Xmxx", "Error: Could not create the Java Virtual Machine."], "Invalid maximum heap"),
    (["26/01/01 00:00:00 ERROR B: Failed", "java.lang.Error: why", "\tat c(D)"], "B: Failed: java.lang.Error: why"),
    (["26/01/01 00:00:00 ERROR B: Failed", "26/01/01 00:00:00 INFO C: Shutdown hook called"], "B: Failed"),
)


@pytest.mark.parametrize(("lines", "cause"), LOGS)
def test_the_cause_in_a_log(lines: list[str], cause: str) -> None:
    assert last_error(io.BytesIO("\n".join(lines).encode())).startswith(cause)


# Ctrl-C during a call to Java while a job runs.
INTERRUPTED = """
import os, signal, sys, threading
from reports.session import session

def interrupt(tracker):
    while not tracker.getActiveStageIds():
        pass
    os.kill(os.getpid(), signal.SIGINT)

before = signal.getsignal(signal.SIGINT)
try:
    with session("local[1]") as spark:
        assert signal.getsignal(signal.SIGINT) is before
        threading.Thread(target=interrupt, args=(spark.sparkContext.statusTracker(),), daemon=True).start()
        spark.sql("SELECT sum(a.id * b.id) FROM range(1000000) a CROSS JOIN range(1000000) b").collect()
except KeyboardInterrupt:
    print("interrupted")
"""
# Ctrl-C while Java starts. It is handled once Java has reported its port, so that Java ends with the program.
INTERRUPTED_START = """
import os, signal
import pyspark.java_gateway
from reports.session import session

launch = pyspark.java_gateway.launch_gateway

def launch_while_interrupted(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    gateway = launch(*arguments)
    print("java", gateway.proc.pid)
    return gateway

pyspark.java_gateway.launch_gateway = launch_while_interrupted
try:
    with session("local[1]"):
        print("started")
except KeyboardInterrupt:
    print("interrupted")
"""


def ran(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.long
def test_an_interrupted_job_ends_without_a_word() -> None:
    ended = ran(INTERRUPTED)
    if ended.stderr.endswith("is empty\n"):
        # Rarely, on a busy machine, Java closes the connection before Python handles the signal.
        ended = ran(INTERRUPTED)
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")


@pytest.mark.long
def test_an_interrupt_during_the_start_counts_when_java_can_be_ended() -> None:
    ended = ran(INTERRUPTED_START)
    java, said = ended.stdout.splitlines()
    assert (java.startswith("java "), said, ended.stderr) == (True, "interrupted", "")

"""Spark sessions of other processes: their Python and their workers, and Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reports.history import expire, write_history

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

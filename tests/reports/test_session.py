"""How Spark is started, in UTC and without output, watched and interrupted, here and in
processes of its own.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mqsc.reports.child_process import command_of, ending, python_path
from mqsc.reports.progress import progress_text, silent, watched
from mqsc.reports.session import FEW, JAVA_OPTIONS, PARTITIONS, interpreting, last_error, session
from mqsc.reports.settings import INTERPRETED, SQL_SETTINGS
from mqsc.reports.spark_errors import cause_of
from tests.reports.history import expire, write_history
from tests.rows import rows
from tests.source import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_a_session_is_in_utc_and_has_the_store_as_a_source(
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    path = write_history(tmp_path / "store.db", [expire()])
    assert spark.sql("SELECT CAST(timestamp_micros(0) AS STRING)").head() == (
        "1970-01-01 00:00:00",
    )
    options = {"path": str(path), "relation": "event", "last": "1", "partitions": "1"}
    assert spark.read.format("mqsc").options(**options).load().count() == 1


def test_it_starts_with_the_archive_of_classes_and_nothing_of_it_stays_in_the_environment(
    spark: SparkSession,
) -> None:
    """The archive was made before, at the setup of a clone or by the fixture; if it could not be,
    this session makes one when it ends.
    """
    options = spark.sparkContext.getConf().get(JAVA_OPTIONS) or ""
    assert ("-XX:SharedArchiveFile=" in options) != ("-XX:ArchiveClassesAtExit=" in options)
    assert not {"PYSPARK_PYTHON", "SPARK_HOME"} & os.environ.keys()


def test_a_session_that_runs_is_used_and_keeps_its_settings(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        with session() as used:
            assert used is spark
            assert {name: used.conf.get(name) for name in SQL_SETTINGS} == SQL_SETTINGS
        assert (spark.conf.get("spark.sql.session.timeZone"), spark.range(3).count()) == (
            "Europe/Berlin",
            3,
        )
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_plans_for_few_events_are_interpreted(spark: SparkSession) -> None:
    """With more, or if the user wants to, they are compiled."""
    name = "spark.sql.codegen.factoryMode"
    spark.conf.unset(name)
    try:
        wanted = {name: "FALLBACK"}
        for events, settings, mode in (
            (FEW, {}, "NO_CODEGEN"),
            (FEW + 1, {}, "FALLBACK"),
            (FEW, wanted, "FALLBACK"),
        ):
            with session(events=events, settings=settings) as used:
                assert used.conf.get(name) == mode
            assert spark.conf.get(name) == "FALLBACK"
    finally:
        spark.conf.set(name, INTERPRETED[name])


def test_a_session_of_another_thread_is_used_too(spark: SparkSession) -> None:
    def use() -> bool:
        with session() as used:
            return used is spark and used.range(3).count() == 3

    with ThreadPoolExecutor(1) as other:
        assert other.submit(use).result()


@rows(
    ([], ""),
    (
        ["Invalid maximum heap size: -Xmxx", "Error: Could not create the Java Virtual Machine."],
        "Invalid maximum heap size: -Xmxx",
    ),
    (
        ["Error: Not allowed (was -Xmx1g).", "Usage: spark-submit", "--queue NAME"],
        "Not allowed (was -Xmx1g).",
    ),
    (
        ["26/01/01 00:00:00 ERROR B: Failed", "java.lang.Error: why", "\tat c(D)"],
        "B: Failed: java.lang.Error: why",
    ),
    (
        ["26/01/01 00:00:00 ERROR B: Failed", "26/01/01 00:00:00 INFO C: Shutdown hook called"],
        "B: Failed",
    ),
)
def test_the_cause_in_a_log(lines: list[str], cause: str) -> None:
    assert last_error(io.BytesIO("\n".join(lines).encode())) == cause


def test_tasks_are_counted_over_all_stages() -> None:
    assert (progress_text("table", []), progress_text("table", [(0, 0)])) == ("table", "table")
    assert progress_text("table", [(0, 2)]) == "table: 0 of 2 tasks"
    assert progress_text("table", [(1, 2), (3, 8)]) == "table: 4 of 10 tasks"


def test_the_watcher_ends_with_its_work(spark: SparkSession) -> None:
    """When no progress is wanted, no thread watches. Other threads, such as those of Spark, may
    end at any time.
    """
    reported: list[str] = []
    before = set(threading.enumerate())
    with watched(spark, "table", silent):
        assert set(threading.enumerate()) <= before
    with watched(spark, "table", reported.append):
        (watcher,) = set(threading.enumerate()) - before
    assert not watcher.is_alive()
    assert reported[0] == "table"


@rows(
    ("a line\n\tat org.apache.Spark(x.scala:1)", "a line"),
    (
        'Traceback (most recent call last):\n  File "x.py", line 1\n    read()\n    ^^^^\n'
        "adbc_driver_manager.OperationalError: IO: file is not a database\n\tat org.apache\n",
        "adbc_driver_manager.OperationalError: IO: file is not a database",
    ),
    (
        "An error occurred while calling None.org.apache.Context.\n: "
        "org.apache.spark.SparkException: No master\n"
        "\tat org.apache.spark\nCaused by: java.io.EOFException\n\tat java.base",
        "org.apache.spark.SparkException: No master",
    ),
    (
        "[PATH_NOT_FOUND] Path does not exist: file:/a/b.parquet. SQLSTATE: 42K03",
        "the file /a/b.parquet is missing",
    ),
    (
        "[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///a/b.parquet.  "
        "SQLSTATE: KD001\n"
        "\tat org.apache\nCaused by: java.io.IOException: CRC checksum verification failed\n\tat "
        "java.base",
        "the file /a/b.parquet was changed, or cannot be read: java.io.IOException: CRC checksum "
        "verification failed",
    ),
    ("", "ValueError"),
)
def test_the_cause_is_found_in_a_long_message(text: str, cause: str) -> None:
    assert cause_of(ValueError(text)) == cause


def test_a_process_finds_our_packages_and_those_of_the_user(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine, here = tmp_path / "mine", tmp_path / "here"
    mine.mkdir()
    here.mkdir()
    (mine / "of_the_user.py").write_text(
        "from mqsc import reports\nprint(reports.__path__[0])",
        "utf-8",
    )
    (here / "reports.py").write_text("raise SystemExit('the wrong module')", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(mine))
    environment = {**os.environ, "PYTHONPATH": python_path()}
    command = command_of("of_the_user")
    ended = subprocess.run(
        command,
        cwd=here,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == (f"{ROOT / 'mqsc' / 'reports'}\n", "")
    # How a process ended is said for people.
    assert [ending(code) for code in (-9, 2)] == ["SIGKILL", "exit code 2"]


# Runs in another folder, with a python3 first on the PATH that does not find the packages.
SCRIPT = """
import os, sys
from mqsc.reports import ReportError, run
from mqsc.store.published import Bound
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
    """Workers use this Python and its packages; a second start in the same process fails with a
    one-line message.
    """
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
    ended = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr == ""
    made, refused, files = ended.stdout.splitlines()
    assert (
        made == "[('expired', 1), ('expired_by_cause', 1), ('overdue', 0), ('overdue_messages', 0)]"
    )
    assert (
        refused
        == "Spark does not start with local[*]: Spark's Java process ended (exit status 53): "
        "DiskBlockManager: Failed to create any local dir."
    )
    assert files == "['bin', 'out', 'store.db', 'store.db-shm', 'store.db-wal']"


# Java is killed while a report is made, as by a system without memory, or crashes.
KILLED = """
import os, signal, sys
from pyspark import SparkContext
from mqsc.reports.errors import ReportFailedError
from mqsc.reports.progress import watched
from mqsc.reports.session import session

try:
    with session("local[1]") as spark, watched(spark, "table", lambda text: None):
        os.kill(SparkContext._gateway.proc.pid, int(sys.argv[1]))
        spark.range(3).count()
except ReportFailedError as error:
    print(error)
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "ended"),
    [
        (
            9,
            r"was ended by SIGKILL \(exit status 137\): another program did that, or the system had "
            "no memory left",
        ),
        (15, r"was ended by SIGTERM \(exit status 143\): another program did that"),
        (11, r"crashed \(exit status 1\): see (/\S+\.log)"),
    ],
)
def test_a_java_process_that_is_killed_is_named(number: int, ended: str, tmp_path: Path) -> None:
    """A crash leaves Java's own report; no thread complains."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", KILLED, str(number)]
    made = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.stderr == ""
    found = re.fullmatch(f"Spark's Java process {ended}\n", made.stdout)
    assert found, made.stdout
    assert [str(each) for each in tmp_path.glob("mqsc-java-*.log")] == list(found.groups())


# Java is ended while Spark starts: before it has reported its port, when Java writes its archive of
# classes, and while the session connects to it.
KILLED_AT_START = """
import os, signal, subprocess, sys, threading
import pyspark.java_gateway
from mqsc.reports.errors import ReportError
from mqsc.reports.session import session

number, is_early = int(sys.argv[1]), sys.argv[2] == "early"
# Java leaves SIGHUP ignored where `nohup` runs the tests, and would not end.
signal.signal(number, signal.SIG_DFL)
launch = pyspark.java_gateway.launch_gateway


class Ended(subprocess.Popen):
    def poll(self):
        command = open(f"/proc/{self.pid}/cmdline", "rb").read()
        if self.returncode is None and b"org.apache.spark.deploy.SparkSubmit" in command:
            os.kill(self.pid, number)
            self.wait()
        return super().poll()


def launch_and_end(*arguments):
    gateway = launch(*arguments)
    os.kill(gateway.proc.pid, number)
    return gateway


if is_early:
    pyspark.java_gateway.Popen = Ended
else:
    pyspark.java_gateway.launch_gateway = launch_and_end
try:
    with session("local[1]"):
        print("started")
except ReportError as error:
    print(error)
"""


@pytest.mark.long
@pytest.mark.parametrize("moment", ["early", "late"])
@pytest.mark.parametrize(
    ("number", "name"),
    [(15, "SIGTERM (exit status 143)"), (1, "SIGHUP (exit status 129)")],
)
def test_a_java_process_that_is_ended_at_the_start_is_named(
    number: int,
    name: str,
    moment: str,
) -> None:
    command = [sys.executable, "-c", KILLED_AT_START, str(number), moment]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    because = f"Spark's Java process was ended by {name}: another program did that"
    assert made.stdout == f"Spark does not start with local[1]: {because}\n"


# Ctrl-C during a call to Java while a job runs.
INTERRUPTED = """
import os, signal, sys, threading
from mqsc.reports.session import session

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
# Ctrl-C while Java starts. It is handled once Java has reported its port, so that Java ends with
# the program.
INTERRUPTED_START = """
import os, signal
import pyspark.java_gateway
from mqsc.reports.session import session

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
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.long
def test_an_interrupted_job_ends_without_a_word() -> None:
    ended = ran(INTERRUPTED)
    for _ in range(4):
        # On a busy machine Java may close the connection before Python handles the signal.
        if ended.stderr.endswith("is empty\n"):
            ended = ran(INTERRUPTED)
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")


@pytest.mark.long
def test_an_interrupt_during_the_start_counts_when_java_can_be_ended() -> None:
    ended = ran(INTERRUPTED_START)
    java, said = ended.stdout.splitlines()
    assert (java.startswith("java "), said, ended.stderr) == (True, "interrupted", "")


def test_plans_of_few_rows_are_interpreted_for_a_while(spark: SparkSession) -> None:
    wanted = {**INTERPRETED, PARTITIONS: "1"}
    others = {PARTITIONS: "7", "spark.sql.codegen.wholeStage": "true"}
    before = {name: str(spark.conf.get(name)) for name in others}
    for name, value in others.items():
        spark.conf.set(name, value)
    try:
        with interpreting(spark):
            assert {name: spark.conf.get(name) for name in wanted} == wanted
        assert {name: spark.conf.get(name) for name in others} == others
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)

"""Reports on a cluster that sees nothing but the archive, and behind a Spark Connect server
(archive §4).
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest

from mqsc.reports.java_runtime import java_home
from tests.benchmarks.generated_archive import generate
from tests.source import ROOT

SPARK = Path(pyspark.__file__).parent
MASTER, WORKER = (f"org.apache.spark.deploy.{name}" for name in ("master.Master", "worker.Worker"))
SUBMIT = "org.apache.spark.deploy.SparkSubmit"
CONNECT = "org.apache.spark.sql.connect.service.SparkConnectServer"
_REFLECTION = (
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.reflect.useDirectMethodHandle=false",
)
_AT = re.compile(r"Starting Spark master at (spark://\S+)")
_LISTENING = re.compile(r"(Spark Connect server started)")
# In a mount namespace of its own, the checkout is an empty folder; Spark, which may be in it, is
# elsewhere.
_ALONE = """
set -e
mkdir -p "$1"
mount --bind "$2" "$1"
mount -t tmpfs none "$3"
shift 3
exec "$@"
"""


class Process:
    """A Java process of Spark that writes a log; it ends with its children."""

    def __init__(
        self,
        folder: Path,
        name: str,
        java_class: str,
        *arguments: str,
        heap: str = "512m",
    ) -> None:
        self.log = folder / f"{name}.log"
        home, spark = java_home(), folder / "spark"
        alone = can_be_alone()
        jars = (spark if alone else SPARK) / "jars"
        command = [
            str(home / "bin" / "java"),
            f"-Xmx{heap}",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            f"{jars}/*",
        ]
        command += [*_module_options(), java_class, *arguments]
        if alone:
            command = [
                *_NAMESPACE,
                "sh",
                "-c",
                _ALONE,
                "sh",
                str(spark),
                str(SPARK),
                str(ROOT),
                *command,
            ]
        work = folder / name
        work.mkdir()
        # The version of Scala as the scripts that start workers set it.
        environment = {
            **{
                "PATH": "/usr/bin:/bin",
                "JAVA_HOME": str(home),
                "SPARK_HOME": str(jars.parent),
                "HOME": str(work),
            },
            **{
                "SPARK_LOCAL_IP": "127.0.0.1",
                "SPARK_SCALA_VERSION": "2.13",
                "SPARK_WORKER_DIR": str(work / "work"),
            },
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=work,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def found(self, pattern: re.Pattern[str]) -> str | None:
        """The first group of the pattern in the log, when it is there."""
        match = pattern.search(self.log.read_text("utf-8", "replace"))
        return match[1] if match else None

    def executor_logs(self) -> list[Path]:
        return sorted((self.log.parent / self.log.stem / "work").glob("app-*/*/stderr"))

    def kill(self) -> None:
        for group in {self.process.pid, *_groups_below(self.process.pid)}:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()


_NAMESPACE = ("unshare", "--mount", "--propagation", "private")


def can_be_alone() -> bool:
    """Whether processes here may have a mount namespace of their own."""
    if not shutil.which("unshare"):
        return False
    return subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False).returncode == 0


def _module_options() -> list[str]:
    """What Spark's scripts let Java open; Arrow needs it."""
    opened = (
        "java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util "
        "java.util.concurrent "
        "java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar "
        "jdk.internal.ref"
    ).split()
    return [*(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in opened), *_REFLECTION]


def _groups_below(pid: int) -> Iterator[int]:
    """The process groups of the descendants: a worker starts its executors in the same one, but
    not always.
    """
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            yield int(fields[2])
            yield from _groups_below(int(stat.parent.name))


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """The URL of a Spark Connect server that runs Spark with two cores."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    conf = {"spark.connect.grpc.binding.port": port, "spark.ui.enabled": "false"}
    given = [part for name, value in conf.items() for part in ("--conf", f"{name}={value}")]
    server = Process(
        folder,
        "server",
        SUBMIT,
        "--class",
        CONNECT,
        "--master",
        "local[2]",
        *given,
        "spark-internal",
    )
    try:
        while server.found(_LISTENING) is None:
            assert server.process.poll() is None, server.log.read_text()
        yield f"sc://127.0.0.1:{port}"
    finally:
        server.kill()


@contextmanager
def cluster(
    folder: Path,
    workers: int = 2,
    megabytes: int = 700,
) -> Iterator[tuple[str, list[Process]]]:
    """The URL of a master, and its workers, each with one core and room for one executor."""
    master = Process(
        folder,
        "master",
        MASTER,
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--webui-port",
        "0",
    )
    started = [master]
    try:
        while (url := master.found(_AT)) is None:
            assert master.process.poll() is None, master.log.read_text()
        for number in range(workers):
            arguments = (
                "--cores",
                "1",
                "--memory",
                f"{megabytes}m",
                "--host",
                "127.0.0.1",
                "--webui-port",
                "0",
                url,
            )
            started.append(Process(folder, f"worker{number}", WORKER, *arguments, heap="256m"))
        yield url, started[1:]
    finally:
        for each in started:
            each.kill()


EVENTS, A_DAY = 60_000, 20_000
# The report runs with executors that fit into small workers.
SMALL = ("--conf", "spark.executor.memory=600m")
_FINISHED = re.compile(r"(Finished task)")


@pytest.mark.long
@pytest.mark.skipif(
    "MQSC_CLUSTER" not in os.environ,
    reason="takes two minutes; MQSC_CLUSTER=1 runs it",
)
@pytest.mark.timeout(1800)
def test_a_cluster_that_loses_a_worker_makes_the_same_reports_as_this_machine(
    tmp_path: Path,
) -> None:
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
    "MQSC_CLUSTER" not in os.environ,
    reason="a minute, and needs mqsc[connect]; MQSC_CLUSTER=1 runs it",
)
def test_spark_connect_makes_the_same_report_as_this_machine(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    generate(str(archive), EVENTS, a_day=A_DAY)
    remote = str(tmp_path / "remote")
    with (
        connect_server(tmp_path) as server,
        reporting(archive, remote, "queue-activity", "--master", server) as report,
    ):
        assert (*report.communicate(), report.returncode) == ("", "", 0)
    with reporting(archive, str(tmp_path / "local"), "queue-activity") as report:
        assert (*report.communicate(), report.returncode) == ("", "", 0)
    for path in (tmp_path / "local" / "queue-activity").iterdir():
        assert (
            tmp_path / "remote" / "queue-activity" / path.name
        ).read_bytes() == path.read_bytes()


@pytest.mark.long
@pytest.mark.skipif(
    "MQSC_CLUSTER" not in os.environ,
    reason="half a minute; MQSC_CLUSTER=1 runs it",
)
def test_a_cluster_whose_workers_are_too_small_is_named(tmp_path: Path) -> None:
    """One sentence, also with --quiet; Ctrl-C ends the run."""
    archive = tmp_path / "archive"
    generate(str(archive), 1000, a_day=A_DAY)
    with (
        cluster(tmp_path, workers=1) as (master, _),
        reporting(archive, str(tmp_path / "out"), "expired-messages", "--master", master) as report,
    ):
        assert report.stderr is not None
        said = report.stderr.readline()
        report.send_signal(signal.SIGINT)
        rest = report.communicate()
    assert said == (
        f"mqsc: warning: {master} has given no executor for 20 seconds: none of its workers has "
        "1g of memory and a processor free, which --conf spark.executor.memory=... changes; the "
        "run goes on waiting for one\n"
    )
    assert ("warning" in rest[1], report.returncode) == (False, 130)


def reporting(archive: Path, out: str, *arguments: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "mqsc",
        "report",
        "--quiet",
        "--archive",
        str(archive),
        "--out",
        out,
        *arguments,
    ]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kill_at_work(worker: Process, report: subprocess.Popen[str]) -> None:
    """Kill the worker and its executor when that has finished a task."""
    while not any(
        _FINISHED.search(log.read_text("utf-8", "replace")) for log in worker.executor_logs()
    ):
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

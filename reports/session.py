"""A Spark session that starts fast, says nothing, and runs the workers on the Python that runs this."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import tempfile
import threading
import warnings
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from reports.fault import ReportError
from reports.java import java_home, version_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Up to this many events or messages the time goes into starting, which the simple compiler of the JVM makes shorter.
SMALL = 5_000_000
QUICK_START = "-XX:TieredStopAtLevel=1"
SQL_SETTINGS: Mapping[str, str] = {
    "spark.sql.session.timeZone": "UTC",
    # A grouped history is small: more partitions than cores only cost time.
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.python.filterPushdown.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
    # Groups that are kept in memory before their values are gathered by sorting.
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "100000",
}
SETTINGS: Mapping[str, str] = {
    "spark.app.name": "mqsc report",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "2g",
    # Tables come back to this process whole.
    "spark.driver.maxResultSize": "0",
}
LOCAL_SETTINGS: Mapping[str, str] = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
# Settings of another Spark, or of a notebook that started this process.
FOREIGN = (
    "PYSPARK_SUBMIT_ARGS",
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_GATEWAY_SECRET",
    "SPARK_REMOTE",
    "SPARK_CONNECT_MODE",
)


ARCHIVE_SUFFIX = ".jsa"
# A line of a traceback that names an error and says something about it.
NAMED_ERROR = re.compile(r"[\w.]+(Error|Exception|Fault): .")


@contextmanager
def session(master: str = "local[*]", *, events: int = 0, archive_to: Path | None = None) -> Iterator[SparkSession]:
    """A session with the store's data source registered; at the end it stops and its Java process has ended.

    `events` is about how many rows it will read. With `archive_to` the classes it loads are kept in that file, from
    which a later session starts in half the time (see reports.prepare). In a process that has a Spark session already,
    it is that one, with its own settings put back at the end. Raises ReportError when there is no Java runtime or Spark
    does not start. What Spark logs is shown to nobody, but for the last line when the start fails.
    """
    from reports.source import StoreSource

    running = _running()
    with nullcontext(running) if running else _new_session(master, events, archive_to) as spark:
        before = {name: spark.conf.get(name) for name in SQL_SETTINGS} if running else {}
        _configure(spark, SQL_SETTINGS)
        spark.dataSource.register(StoreSource)
        try:
            yield spark
        finally:
            _configure(spark, before)


def _running() -> SparkSession | None:
    """The session of this process, whichever thread made it."""
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        return None


def _configure(spark: SparkSession, settings: Mapping[str, str | None]) -> None:
    for name, value in settings.items():
        if value is not None:
            spark.conf.set(name, value)


@contextmanager
def _new_session(master: str, events: int, archive_to: Path | None) -> Iterator[SparkSession]:
    from pyspark import SparkContext

    home = java_home()
    interrupted = signal.getsignal(signal.SIGINT)
    with tempfile.TemporaryFile() as log, _without_talk_of_py4j():
        try:
            with _environment(home):
                spark = _started(_settings(master, _java_options(home, events, archive_to)), log)
        except failures() as error:
            # A Java process that never answered has said why in the log alone.
            cause = cause_of(error) if SparkContext._gateway else _last_words(log)
            _end_java()
            raise ReportError(f"Spark does not start with {master}: {cause}") from error
        except KeyboardInterrupt:
            _end_java()
            raise
        # Spark takes Ctrl-C over, with a call to Java in the middle of another one, and leaves its handler behind.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, interrupted)
        try:
            yield spark
        finally:
            _stop(spark)
            if _end_java() != 0 and archive_to is not None:
                # Cut short, it would end every Java process that starts with it.
                archive_to.unlink(missing_ok=True)


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Ctrl-C counts at the end of the block: a Java process that then finds nobody to report to would never end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)


def _stop(spark: SparkSession) -> None:
    """Stop it; a Java process that Ctrl-C has ended already is no reason to warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        spark.stop()


@contextmanager
def _without_talk_of_py4j() -> Iterator[None]:
    """Py4j logs the traceback of a call that Ctrl-C cuts short, partly with the logger of everybody."""

    def of_others(record: logging.LogRecord) -> bool:
        return Path(record.pathname).parent.name != "py4j"

    everybody, its_own = logging.getLogger(), logging.getLogger("py4j")
    level = its_own.level
    everybody.addFilter(of_others)
    its_own.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        everybody.removeFilter(of_others)
        its_own.setLevel(level)


def class_archive(home: Path) -> Path:
    """Where the classes that Spark loads on the runtime in `home` are kept: for this installation of both alone."""
    import pyspark

    jars = Path(pyspark.__file__).parent / "jars"
    installation = zlib.crc32(f"{home} {jars} {int(jars.stat().st_mtime)}".encode())
    name = f"spark-{pyspark.__version__}-java-{version_of(home)}-{installation:08x}{ARCHIVE_SUFFIX}"
    return Path(sys.prefix) / "share" / "mqsc" / name


def _java_options(home: Path, events: int, archive_to: Path | None) -> str:
    options = [QUICK_START] if events <= SMALL else []
    if archive_to is not None:
        options.append(f"-XX:ArchiveClassesAtExit={archive_to}")
    elif (archive := class_archive(home)).is_file():
        options.append(f"-XX:SharedArchiveFile={archive}")
    return " ".join(options)


def _settings(master: str, java_options: str) -> dict[str, str]:
    return {
        **SETTINGS,
        **(LOCAL_SETTINGS if master.startswith("local") else {}),
        "spark.master": master,
        "spark.pyspark.python": sys.executable,
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.driver.extraJavaOptions": java_options,
    }


def _started(settings: Mapping[str, str], log: IO[bytes]) -> SparkSession:
    import pyspark
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    # Workers look in this folder first and find pyspark compiled; Spark's own zip of it holds source only, and each
    # worker would compile that anew.
    installed = Path(pyspark.__file__).parent.parent
    with _interrupted_later():
        gateway = launch_gateway(conf, {"stdout": log, "stderr": log, "cwd": installed})  # type: ignore[no-untyped-call]
    return SparkSession(SparkContext(conf=conf, gateway=gateway))


def _end_java() -> int:
    """End the Java process and wait for it; the next session starts one with options of its own. Its exit status."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None:
        return 0
    gateway.shutdown()
    gateway.proc.stdin.close()
    SparkContext._gateway = SparkContext._jvm = None
    return int(gateway.proc.wait())


@contextmanager
def _environment(home: Path) -> Iterator[None]:
    """The environment variables that Spark reads while it starts; put back afterwards."""
    import pyspark

    packages = str(Path(__file__).resolve().parent.parent)
    wanted: dict[str, str | None] = {
        **dict.fromkeys(FOREIGN),
        "JAVA_HOME": str(home),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        # Workers take python3 from the PATH otherwise, which may be another one without these packages.
        "PYSPARK_PYTHON": sys.executable,
        # In a checkout the packages lie where the workers would not look.
        "PYTHONPATH": os.pathsep.join(filter(None, (packages, os.environ.get("PYTHONPATH")))),
    }
    before = {name: os.environ.get(name) for name in wanted}
    _put(wanted)
    try:
        yield
    finally:
        _put(before)


def _put(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _last_words(log: IO[bytes]) -> str:
    log.seek(0)
    lines = [line.strip() for line in log.read().decode("utf-8", "replace").splitlines()]
    told = [line for line in lines if line and not line.startswith(("at ", "..."))]
    return told[-1] if told else ""


def failures() -> tuple[type[Exception], ...]:
    """What ends the start or the work of Spark: an error it explains, one that Java left as it is, or the system's."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    return (PySparkException, Py4JError, OSError)


def cause_of(error: BaseException) -> str:
    """The line of Spark's long message that says what went wrong: the last `Error: text` of a traceback in it."""
    lines = [line.strip().removeprefix("Caused by: ").removeprefix(": ") for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith(("at ", "File ", "...", "^"))]
    named = [line for line in told if NAMED_ERROR.match(line) and "Traceback" not in line]
    return named[-1] if named else (told or [type(error).__name__])[0]

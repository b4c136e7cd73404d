"""The Spark session of a run: an existing one, or a new one, which prints nothing.

A session on this machine starts fast and runs its Python workers on the current Python. On a
cluster, executors run only Spark's own code: nothing has to be installed there.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from subprocess import TimeoutExpired
from typing import IO

import pyspark
from py4j.protocol import Py4JError, Py4JNetworkError  # type: ignore[import-untyped]
from pyspark import SparkConf, SparkContext, java_gateway
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from mqsc.reports.child_process import python_path
from mqsc.reports.class_archives import class_archive, new_archive
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.java_end import crash_report, process_at_launch, sentence_about
from mqsc.reports.java_runtime import java_home
from mqsc.reports.masters import CONNECT, has_context, is_local, require_answer
from mqsc.reports.settings import (
    INTERPRETED,
    LOCAL_SETTINGS,
    LOCAL_SQL_SETTINGS,
    SETTINGS,
    SQL_SETTINGS,
)
from mqsc.reports.spark_errors import cause_of, failures

# The simple compiler of the JVM is for runs that read up to this many rows, those of each report
# counted. For more, the other one compiles only what millions of rows go through: ten times the
# usual number of calls and loops.
QUICK_ROWS = 30_000_000
# The 48 MB that it has for its code are too few for all reports together: it would remove code and
# compile it again.
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
THOROUGH = (
    "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 "
    "-XX:Tier4CompileThreshold=150000"
    " -XX:Tier4BackEdgeThreshold=400000"
)
# Pauses do not matter here, and this collector uses the least processor time. The classes of Spark
# take more than the 21 MB after which it would collect everything.
COLLECTOR = "-XX:+UseParallelGC -XX:MetaspaceSize=256m"
PARTITIONS, SCANS = "spark.sql.shuffle.partitions", "spark.sql.files.minPartitionNum"
# A grouped history is small, so more partitions than cores only cost time.
FEWEST_PARTITIONS = 2
MOST_PARTITIONS = 10_000
EVENTS_A_PARTITION = 1_000_000
# A task that reads no more events than this has few enough groups to fit in memory.
EVENTS_A_SCAN = 500_000
# For few events or messages, compiling a plan takes longer than interpreting it, and adapting it
# longer than any join. With 100,000, all reports together take 0.7 of the instructions that they
# take compiled, with 50,000 half of them.
FEW = 100_000
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
NO_SETTINGS: Mapping[str, str] = {}
# Variables of another Spark, or of a notebook that started this process.
OTHER_SPARK = tuple(
    "PYSPARK_SUBMIT_ARGS PYSPARK_GATEWAY_PORT PYSPARK_GATEWAY_SECRET SPARK_REMOTE "
    "SPARK_CONNECT_MODE".split(),
)


# Java does not use an archive with a changed byte then.
ARCHIVE_OPTIONS = "-XX:SharedArchiveFile={} -XX:+VerifySharedSpaces"
# If Java crashes, it says why in a small file, and leaves no core of 100 MB.
CRASH_OPTIONS = '-XX:ErrorFile="{}" -XX:-CreateCoredumpOnCrash'
# Java prints this when it rejects the archive; other warnings say that it uses less of it.
REFUSALS = (b"Unable to use shared archive", b"Not a valid shared archive")
# Of every Java that does not start.
GENERAL = (
    "Error: Could not create the Java Virtual Machine",
    "Error: A fatal exception",
    "Error occurred during init",
)
# The connections of Java break a moment before it has ended.
END_SECONDS = 0.2
# After SIGTERM, Java ends when Spark has cleaned up; jobs fail before that.
STOPPING_SECONDS = 10.0
LOGGED, LOG_LEVEL = " ERROR ", re.compile(r" (?:INFO|WARN|ERROR) ")
REMOVED = re.compile(r"Application has been killed. Reason: ([^\"\n]+)")


@contextmanager
def session(
    master: str = "local[*]",
    *,
    events: int = 0,
    quick: bool = True,
    settings: Mapping[str, str] = NO_SETTINGS,
) -> Iterator[SparkSession]:
    """A session. At the end, it is stopped and its Java process has ended.

    `events` is the approximate number of rows to read; `quick` lets Java use its simple
    compiler only. `settings` are Spark's. The first local session archives the classes that
    it loaded, which lets later ones start in half the time. If the process already has a Spark
    session, that session is used, and its settings are restored at the end. Spark's log is
    discarded; if the start fails, its last line becomes part of the error. Raises ReportError
    without a Java runtime, for a setting that the session cannot have, or if Spark does not start.
    """
    running = _running()
    with (
        _silent_about_pandas(),
        nullcontext(running) if running else _new_session(master, settings, quick=quick) as spark,
    ):
        local = is_local(master_of(spark))
        wanted = {**SQL_SETTINGS, **_partitions(events), **(LOCAL_SQL_SETTINGS if local else {})}
        wanted |= INTERPRETED if local and events <= FEW else {}
        wanted |= settings if running else {}
        # What the user set at the start of a new session is not changed.
        session_settings = {
            name: value for name, value in wanted.items() if running or name not in settings
        }
        before = {name: spark.conf.get(name, None) for name in session_settings} if running else {}
        try:
            _configure(spark, session_settings)
            yield spark
        finally:
            _restore(spark, before)


@contextmanager
def _silent_about_pandas() -> Iterator[None]:
    """Spark warns of new versions of pandas wherever there is one, but reports do not use it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*pandas", FutureWarning)
        yield


def _partitions(events: int) -> dict[str, str]:
    sizes = {PARTITIONS: EVENTS_A_PARTITION, SCANS: EVENTS_A_SCAN}
    fewest = FEWEST_PARTITIONS if events > FEW else 1
    return {
        name: str(min(max(events // size, fewest), MOST_PARTITIONS)) for name, size in sizes.items()
    }


@contextmanager
def interpreting(spark: SparkSession) -> Iterator[None]:
    """Plans made in the block are of few rows: they are interpreted, as in a session for few.

    What the session was started with is not changed.
    """
    started_with = spark.sparkContext.getConf()
    wanted = {**INTERPRETED, PARTITIONS: "1"}
    settings = {name: each for name, each in wanted.items() if not started_with.contains(name)}
    before = {name: spark.conf.get(name, None) for name in settings}
    try:
        _configure(spark, settings)
        yield
    finally:
        _restore(spark, before)


def master_of(spark: SparkSession) -> str:
    """The master of a session; that of Spark Connect is always a server."""
    return str(spark.sparkContext.master) if has_context(spark) else f"{CONNECT}..."


def _running() -> SparkSession | None:
    """The session of this process, from any thread."""
    try:
        return SparkSession.active()
    except PySparkException:
        return None


def _configure(spark: SparkSession, settings: Mapping[str, str]) -> None:
    for name, value in settings.items():
        try:
            spark.conf.set(name, value)
        except PySparkException as error:
            raise ReportError(
                f"this Spark session cannot have {name}={value}: {cause_of(error)}",
            ) from error


def _restore(spark: SparkSession, before: Mapping[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            spark.conf.unset(name)
        else:
            spark.conf.set(name, value)


def _new_session(
    master: str,
    settings: Mapping[str, str],
    *,
    quick: bool,
) -> AbstractContextManager[SparkSession]:
    require_answer(master)
    if master.startswith(CONNECT):
        from mqsc.reports.spark_connect import connected

        return connected(master, settings)
    return _new_driver(master, settings, quick=quick)


@contextmanager
def _new_driver(master: str, settings: Mapping[str, str], *, quick: bool) -> Iterator[SparkSession]:
    """A session whose driver is a Java process that this process starts."""
    home = java_home()
    interrupted = signal.getsignal(signal.SIGINT)
    archiving = new_archive(home) if is_local(master) else nullcontext(None)
    with tempfile.TemporaryFile() as log, _py4j_silenced(), archiving as archive_to:
        spark = _begun(master, home, partial(_java_options, quick, archive_to), settings, log)
        # Spark installs a handler for Ctrl-C that calls Java in the middle of another call, and
        # never removes it.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, interrupted)
        complete = False
        try:
            yield spark
            complete = True
        except Exception as error:
            if ended := _own_end(log):
                raise ReportFailedError(ended) from error
            raise
        finally:
            _stop(spark)
            if archive_to is not None and not complete and SparkContext._gateway is not None:
                # Archiving takes seconds, and some classes would be missing.
                SparkContext._gateway.proc.kill()
            if _end_java() != 0 and archive_to is not None:
                # Java does not start with an incomplete archive.
                archive_to.unlink(missing_ok=True)


def _begun(
    master: str,
    home: Path,
    options_with: Callable[[Path | None], str],
    settings: Mapping[str, str],
    log: IO[bytes],
) -> SparkSession:
    """The session, without the archive of classes if Java does not start with it. ReportError if
    it does not start.
    """
    archive = class_archive(home)
    for used in (archive, None) if archive else (None,):
        try:
            with _environment(home):
                spark = _started(_settings(master, options_with(used), settings), log)
        except failures() as error:
            answered = SparkContext._gateway is not None
            # If Java never answered, or has ended, only the log has the cause.
            is_lost = isinstance(error, (ConnectionError, Py4JNetworkError))
            said = "" if answered and not is_lost else last_error(log)
            ended = _own_end(log, is_lost) or _end_at_launch(error, said)
            cause = ended or said or _removal(log) or cause_of(error)
            _end_java()
            if answered or used is None:
                raise ReportError(f"Spark does not start with {master}: {cause}") from error
        except KeyboardInterrupt:
            _end_java()
            raise
        else:
            # The next session makes a new one.
            if archive is not None and (used is None or _is_refused(log)):
                with suppress(OSError):
                    archive.unlink()
            return spark
    raise AssertionError


@contextmanager
def _interrupt_deferred() -> Iterator[None]:
    """Delay Ctrl-C to the end of the block. A Java process that cannot report to its parent
    would never end.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if received:
        signal.raise_signal(signal.SIGINT)


def _stop(spark: SparkSession) -> None:
    """Stop the session, silently also when Java does not answer any more after Ctrl-C: its
    process is ended next.
    """
    with warnings.catch_warnings(), suppress(Py4JError, ConnectionError):
        warnings.simplefilter("ignore", RuntimeWarning)
        spark.stop()
    # Otherwise the next session would use a stopped one that could not be cleared.
    SparkSession._instantiatedSession = SparkSession._activeSession = None


@contextmanager
def _py4j_silenced() -> Iterator[None]:
    """Suppress the tracebacks that py4j logs, partly with the root logger, for a call that
    Ctrl-C interrupts.
    """

    def from_others(record: logging.LogRecord) -> bool:
        return Path(record.pathname).parent.name != "py4j"

    root, own = logging.getLogger(), logging.getLogger("py4j")
    level = own.level
    root.addFilter(from_others)
    own.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        root.removeFilter(from_others)
        own.setLevel(level)


def _java_options(quick: bool, archive_to: Path | None, archive: Path | None) -> str:
    options = [COLLECTOR, QUICK_START if quick else THOROUGH]
    options.append(CRASH_OPTIONS.format(crash_report("%p")))
    if archive_to is not None:
        options.append(f"-XX:ArchiveClassesAtExit={archive_to}")
    elif archive is not None:
        options.append(ARCHIVE_OPTIONS.format(archive))
    return " ".join(options)


def _settings(master: str, java_options: str, settings: Mapping[str, str]) -> dict[str, str]:
    of_workers = {
        "spark.pyspark.python": sys.executable,
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
    }
    return {
        **SETTINGS,
        # Only here do Python workers read a store.
        **({**LOCAL_SETTINGS, **of_workers} if is_local(master) else {}),
        **settings,
        "spark.master": master,
        JAVA_OPTIONS: " ".join(filter(None, (java_options, settings.get(JAVA_OPTIONS)))),
    }


def _started(settings: Mapping[str, str], log: IO[bytes]) -> SparkSession:
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    # Workers look in this folder first and find pyspark compiled. Spark's own zip has only the
    # source, which each worker would compile again.
    installed = Path(pyspark.__file__).parent.parent
    with _interrupt_deferred():
        options = {"stdout": log, "stderr": log, "cwd": installed}
        gateway = java_gateway.launch_gateway(conf, options)  # type: ignore[no-untyped-call]
    return SparkSession(SparkContext(conf=conf, gateway=gateway))


def _own_end(log: IO[bytes], is_lost: bool = False) -> str:
    """How the Java process ended without being asked to, and why; blank while it runs.

    If the connection to it is lost, it may still be writing its archive of classes.
    """
    if SparkContext._gateway is None:
        return ""
    process = SparkContext._gateway.proc
    with suppress(TimeoutExpired):
        process.wait(STOPPING_SECONDS if is_lost or _is_stopping() else END_SECONDS)
    if process.returncode is None:
        return ""
    return sentence_about(process.returncode, crash_report(process.pid), last_error(log))


def _end_at_launch(error: BaseException, said: str) -> str:
    """How the Java process ended before it had reported its port; blank if that is not the
    `error`. `said` is what it said last.
    """
    process = process_at_launch(error)
    if process is None or process.returncode is None:
        return ""
    return sentence_about(process.returncode, crash_report(process.pid), said)


def _is_stopping() -> bool:
    """Whether Spark has stopped, or does not answer, although this process has not asked it to
    end.
    """
    context = SparkContext._active_spark_context
    if context is None:
        return False
    try:
        return bool(context._jsc.sc().isStopped())
    except (Py4JError, OSError):
        return True


def _end_java() -> int:
    """End the Java process, so that the next session can start one with other options; return
    its exit status.
    """
    gateway = SparkContext._gateway
    if gateway is None:
        return 0
    gateway.shutdown()
    gateway.proc.stdin.close()
    SparkContext._gateway = SparkContext._jvm = None
    return int(gateway.proc.wait())


@contextmanager
def _environment(home: Path) -> Iterator[None]:
    """Set the environment variables that Spark reads while it starts, and restore them."""
    wanted: dict[str, str | None] = {
        **dict.fromkeys(OTHER_SPARK),
        "JAVA_HOME": str(home),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        # Otherwise workers use the python3 on the PATH, which may lack these packages.
        "PYSPARK_PYTHON": sys.executable,
        # In a checkout, workers would not find our packages.
        "PYTHONPATH": python_path(),
    }
    before = {name: os.environ.get(name) for name in wanted}
    _set_variables(wanted)
    try:
        yield
    finally:
        _set_variables(before)


def _set_variables(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _is_refused(log: IO[bytes]) -> bool:
    """Whether Java said at its start that it does not use the archive of classes."""
    # Java writes to the same open file, so its position must not change.
    said = os.pread(log.fileno(), 1 << 16, 0)
    return any(text in said for text in REFUSALS)


def last_error(log: IO[bytes]) -> str:
    """The last error in Spark's log, or what Java said before it did not start; blank for an
    empty log.
    """
    log.seek(0)
    lines = [line.strip() for line in log.read().decode("utf-8", "replace").splitlines()]
    texts = [line for line in lines if line and not line.startswith(("at ", "...", *GENERAL))]
    errors = [number for number, line in enumerate(texts) if LOGGED in line]
    if not errors:
        # The script that starts Spark says what is wrong first, and then how it is used.
        return next(
            (line[7:] for line in texts if line.startswith("Error: ")),
            texts[-1] if texts else "",
        )
    error = texts[errors[-1]].partition(LOGGED)[2]
    cause = texts[errors[-1] + 1 : errors[-1] + 2]
    return ": ".join([error, *cause]) if cause and LOG_LEVEL.search(cause[0]) is None else error


def _removal(log: IO[bytes]) -> str:
    """Why the master of a cluster removed the application: the error itself only says that Spark
    has stopped.
    """
    log.seek(0)
    match = REMOVED.search(log.read().decode("utf-8", "replace"))
    return f"{match[1]}; the log of a worker says why its executors failed" if match else ""

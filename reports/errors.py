"""The errors of reports, what an error of Spark says, and how a child process is started."""

import os
import re
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

LIBRARIES = (
    "pyspark",
    "pyarrow",
    "adbc_driver_manager",
    "adbc_driver_sqlite",
    "jinja2",
    "vl_convert",
)


class ReportError(Exception):
    """A report cannot be made. The text is one sentence for the user that says how to fix it."""

    __module__ = "mqsc.reports"


class ReportFailedError(ReportError):
    """Spark failed while a report was being made. A plain ReportError is raised before Spark
    starts working.
    """

    __module__ = "mqsc.reports"


def missing_library() -> str:
    """The first library of the extra `reports` that is not installed; blank if all are."""
    return next((name for name in LIBRARIES if find_spec(name) is None), "")


def require_libraries() -> None:
    """ReportError if a library that reports need is not installed."""
    missing = missing_library()
    if missing:
        raise ReportError(
            f"reports need {missing}, which is not installed; in the source tree of mqsc, run: "
            "pip install '.[reports]'",
        )


class ArchiveError(ReportError):
    """An archive cannot be read or written. The text says where and why."""


class NoArchiveError(ArchiveError):
    """There is no archive, or there cannot be one."""


class ArchiveConflictError(ArchiveError):
    """Another writer has written the same range of events."""


def reason_of(error: OSError) -> str:
    """What the operating system says, without the path and the number."""
    return os.strerror(error.errno) if error.errno else str(error)


# What Spark raises, and the line of it that says why.

# The line of a traceback with the error and its text.
NAMED_ERROR = re.compile(r"[\w.]+(Error|Exception|Fault): .")
MISSING = re.compile(r"Path does not exist: (?:file:(?://)?)?(\S+?)\.(?=\s|$)")
UNREADABLE = re.compile(r"while reading file (?:file:(?://)?)?(\S+?)\.(?=\s|$)")


def failures() -> tuple[type[Exception], ...]:
    """The exceptions of Spark: its own, those of Java that it passes on, and those of the
    operating system.
    """
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    return (PySparkException, Py4JError, OSError)


def cause_of(error: BaseException) -> str:
    """What is wrong with a file, or the line of Spark's long message with the last `Error: text`
    of a traceback.
    """
    if missing := MISSING.search(str(error)):
        return f"the file {missing[1]} is missing"
    named = _named(error)
    unreadable = UNREADABLE.search(str(error))
    return (
        f"the file {unreadable[1]} was changed, or cannot be read: {named}" if unreadable else named
    )


def _named(error: BaseException) -> str:
    lines = [
        line.strip().removeprefix("Caused by: ").removeprefix(": ")
        for line in str(error).splitlines()
    ]
    texts = [line for line in lines if line and not line.startswith(("at ", "File ", "...", "^"))]
    named = [line for line in texts if NAMED_ERROR.match(line) and "Traceback" not in line]
    return named[-1] if named else (texts or [type(error).__name__])[0]


# Processes of our own modules, which read the file of a store that this process may have open
# (design §3.13).


def command_of(module: str) -> list[str]:
    """The command that runs a module with this Python, but not one from the folder that the user
    happens to be in.
    """
    return [sys.executable, "-P", "-m", module]


def python_path() -> str:
    """A PYTHONPATH with the folder of our packages, which such a process would not find in a
    checkout otherwise.
    """
    packages = str(Path(__file__).absolute().parents[__name__.count(".")])
    return os.pathsep.join(filter(None, (packages, os.environ.get("PYTHONPATH"))))


def ending(code: int) -> str:
    """How a process with this return code ended, for people."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"

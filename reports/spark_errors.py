"""What Spark raises, and the line of it that says why."""

from __future__ import annotations

import re

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

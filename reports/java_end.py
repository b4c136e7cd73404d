"""How the Java process of Spark has ended: its exit status, and the report that it leaves when it
crashes.
"""

from __future__ import annotations

import re
import signal
import tempfile
from pathlib import Path
from subprocess import Popen
from typing import Any

# If Java crashes, it says why in a small file.
CRASH_REPORT = "mqsc-java-{}.log"
# Java ends by itself at SIGHUP, SIGINT and SIGTERM, and adds the number of the signal to this, as
# shells do.
_OF_SIGNALS = 128
_NO_MEMORY = ", or the system had no memory left"
# What the first lines of the report of a Java that the system gave no memory say.
_NATIVE_MEMORY = re.compile(
    r"^# (Native memory allocation .*|.*insufficient memory.*)$", re.MULTILINE
)
_BEGINNING = 4096


def crash_report(pid: int | str) -> Path:
    """Where the Java process with this number leaves its report; Java puts it in the place of
    `%p`.
    """
    return Path(tempfile.gettempdir(), CRASH_REPORT.format(pid))


def sentence_about(status: int, report: Path, said: str = "") -> str:
    """How a Java process ended that was not asked to, with its exit status, the place of its report
    if it left one, and otherwise what it `said` last.
    """
    if report.exists():
        return _crashed(status, report)
    if by_signal := ended_by_signal(status):
        return by_signal
    if not status:
        return "Spark's Java process ended by itself (exit status 0)"
    ended = f"Spark's Java process ended (exit status {status})"
    return f"{ended}: {said}" if said else ended


def ended_by_signal(status: int) -> str:
    """The sentence about the signal that ended the process; blank if none did. A negative status
    is a signal.
    """
    number = -status if status < 0 else status - _OF_SIGNALS
    if number not in signal.valid_signals():
        return ""
    named = {each.value: each.name for each in signal.Signals}
    how = f"{named.get(number, f'signal {number}')} (exit status {_OF_SIGNALS + number})"
    why = f"another program did that{_NO_MEMORY if number == signal.SIGKILL else ''}"
    return f"Spark's Java process was ended by {how}: {why}"


def process_at_launch(error: BaseException) -> Popen[Any] | None:
    """The Java process that ended before it had reported its port; None if `error` is of something
    else.

    PySpark has waited for the process, but its error does not have it: only the local variables of
    its function do.
    """
    traceback = error.__traceback__
    while traceback is not None:
        process = traceback.tb_frame.f_locals.get("proc")
        if isinstance(process, Popen):
            return process
        traceback = traceback.tb_next
    return None


def _crashed(status: int, report: Path) -> str:
    exit_status = f"exit status {status if status >= 0 else _OF_SIGNALS - status}"
    with report.open(errors="replace") as lines:
        no_memory = _NATIVE_MEMORY.findall(lines.read(_BEGINNING))
    if no_memory:
        # The last of these lines has the number of bytes.
        cause = no_memory[-1].rstrip(".")
        return (
            f"Spark's Java process got no memory from the system ({exit_status}): {cause}; "
            f"see {report}"
        )
    return f"Spark's Java process crashed ({exit_status}): see {report}"

"""How the Java process of Spark has ended, by its exit status."""

from __future__ import annotations

import signal
from subprocess import Popen

# Java ends by itself at SIGHUP, SIGINT and SIGTERM, and adds the number of the signal to this, as
# shells do.
_OF_SIGNALS = 128
_NO_MEMORY = ", or the system had no memory left"


def ended_by_signal(status: int) -> str:
    """The sentence about the signal that ended the process; blank if none did. A negative status
    is a signal.
    """
    number = -status if status < 0 else status - _OF_SIGNALS
    if number not in signal.valid_signals():
        return ""
    named = {each.value: each.name for each in signal.Signals}
    how = named.get(number, f"signal {number}")
    why = f"another program did that{_NO_MEMORY if number == signal.SIGKILL else ''}"
    return f"Spark's Java process was ended by {how}: {why}"


def status_at_launch(error: BaseException) -> int:
    """The exit status of a Java process that ended before it had reported its port; 0 if `error` is
    of something else.

    PySpark has waited for the process, but its error does not have the status: only the local
    variables of its function do.
    """
    traceback = error.__traceback__
    while traceback is not None:
        process = traceback.tb_frame.f_locals.get("proc")
        if isinstance(process, Popen):
            return process.returncode or 0
        traceback = traceback.tb_next
    return 0

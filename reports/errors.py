"""The errors that making a report raises. Tracebacks name those with a `__module__` as programs import them."""

from __future__ import annotations

import os


class ReportError(Exception):
    """A report cannot be made. The text is one sentence for the user that says how to fix it."""

    __module__ = "mqsc.reports"


class ReportFailedError(ReportError):
    """Spark failed while a report was being made. A plain ReportError is raised before Spark starts working."""

    __module__ = "mqsc.reports"


class ArchiveError(ReportError):
    """An archive cannot be read or written. The text says where and why."""


class NoArchiveError(ArchiveError):
    """There is no archive, or there cannot be one."""


class ArchiveConflictError(ArchiveError):
    """Another writer has written the same range of events."""


def reason_of(error: OSError) -> str:
    """What the operating system says, without the path and the number."""
    return os.strerror(error.errno) if error.errno else str(error)

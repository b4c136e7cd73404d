"""The errors of reports and archives."""

import os
from importlib.util import find_spec

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

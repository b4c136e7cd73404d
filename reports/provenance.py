"""What the manifest of a run says about its source: the store, the moment, the selection and the versions."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from reports.errors import ReportError
from reports.java import java_home, version_of
from reports.moments import iso
from reports.selection import ReportSelection
from reports.sources import Sources


def manifest_of(read: Sources, as_: str, selection: ReportSelection, spark: str) -> dict[str, Any]:
    """The beginning of the manifest; `spark` is the version of Spark. Times are ISO 8601, UTC."""
    return {
        "store": None if read.path is None else str(read.path),
        "archives": [each.store for each in read.archives],
        "as": as_,
        "bound": {
            "event": read.bound.seq,
            "message": read.bound.message,
            "archived": {each.store: each.last for each in read.archives},
            "clocks": {name: iso(at) for name, at in read.bound.now.items()},
        },
        "selection": {
            "since": None if selection.since is None else iso(selection.since),
            "until": None if selection.until is None else iso(selection.until),
            "queue_managers": list(selection.qmgrs),
            "queues": list(selection.queues),
        },
        "versions": {"mqsc": _own_version(), "python": platform.python_version(), "spark": spark, "java": _java()},
    }


def _own_version() -> str | None:
    try:
        return version("mqsc")
    except PackageNotFoundError:
        # The packages are used from a checkout.
        return None


def _java() -> str | None:
    try:
        return version_of(java_home())
    except ReportError:
        # The session belongs to the caller.
        return None

"""What the manifest of a run says about its source: the store, the moment, the selection and the versions."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from reports.errors import ReportError
from reports.java import java_home, version_of
from reports.moments import iso
from reports.selection import ReportSelection
from store.published import Bound


def manifest_of(store: Path, as_: str, bound: Bound, selection: ReportSelection, spark: str) -> dict[str, Any]:
    """The beginning of the manifest; `spark` is the version of Spark. Times are ISO 8601, UTC."""
    return {
        "store": str(store),
        "as": as_,
        "bound": {
            "event": bound.seq,
            "message": bound.message,
            "clocks": {name: iso(at) for name, at in bound.now.items()},
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

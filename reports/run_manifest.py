"""What the manifest of a run says about its source: the store, the moment, the selection and the versions."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mqsc.reports.errors import ReportError
from mqsc.reports.java_runtime import java_home, version_of
from mqsc.reports.selection import ReportSelection
from mqsc.reports.sources import Sources
from mqsc.reports.times import iso

CREATED = "Created"


def manifest_of(
    read: Sources,
    as_: str,
    selection: ReportSelection,
    spark: str,
    created: int | None = None,
) -> dict[str, Any]:
    """The beginning of the manifest; `spark` is the version of Spark. Times are ISO 8601, UTC."""
    return {
        "created": None if created is None else iso(created),
        "store": None if read.path is None else str(read.path),
        "archives": [archive.store for archive in read.archives],
        "as": as_,
        "bound": {
            "event": read.bound.seq,
            "message": read.bound.message,
            "archived": {archive.store: archive.last for archive in read.archives},
            "clocks": {name: iso(at) for name, at in read.bound.now.items()},
        },
        "selection": {
            "since": None if selection.since is None else iso(selection.since),
            "until": None if selection.until is None else iso(selection.until),
            "queue_managers": list(selection.qmgrs),
            "queues": list(selection.queues),
        },
        "versions": {
            "mqsc": _own_version(),
            "python": platform.python_version(),
            "spark": spark,
            "java": _java(),
        },
    }


def facts_of(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The same for people: labels and texts. What does not apply is left out."""
    bound, selection, versions = (manifest[name] for name in ("bound", "selection", "versions"))
    archived = (f"{store} up to event {last}" for store, last in bound["archived"].items())
    known = (
        (CREATED, _readable(manifest["created"])),
        ("Store", manifest["store"]),
        ("Last event", str(bound["event"]) if manifest["store"] else None),
        ("Archived stores", ", ".join(archived)),
        ("Clocks", ", ".join(f"{name} {_readable(at)}" for name, at in bound["clocks"].items())),
        ("Events since", _readable(selection["since"])),
        ("Events before", _readable(selection["until"])),
        ("Queue managers", ", ".join(selection["queue_managers"]) or "all"),
        ("Queues", ", ".join(selection["queues"]) or "all"),
        ("Made with", ", ".join(f"{name} {number}" for name, number in versions.items() if number)),
    )
    return [(label, text) for label, text in known if text]


def _readable(moment: str | None) -> str | None:
    return None if moment is None else f"{moment[:19].replace('T', ' ').removesuffix('Z')} UTC"


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

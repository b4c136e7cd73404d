"""Reports on what a store publishes, made by Spark.

A caller takes the `Bound` from the store, closes the store, and calls `run`. Spark is loaded only then.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.catalog import describe, names
    from reports.fault import MakingFault, ReportError
    from reports.output import Result
    from reports.running import run

_HOMES = {
    "MakingFault": "reports.fault",
    "ReportError": "reports.fault",
    "Result": "reports.output",
    "describe": "reports.catalog",
    "names": "reports.catalog",
    "run": "reports.running",
}

__all__ = ["MakingFault", "ReportError", "Result", "describe", "names", "run"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)

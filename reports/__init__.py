"""Reports on the published relations of a store, made by Spark.

A caller takes the `Bound` from the store, closes the store, and calls `run`, which loads Spark.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mqsc.reports.catalog import describe, names
    from mqsc.reports.errors import ReportError, ReportFailedError
    from mqsc.reports.output import Result
    from mqsc.reports.running import run

_HOMES = {
    "ReportFailedError": ".errors",
    "ReportError": ".errors",
    "Result": ".output",
    "describe": ".catalog",
    "names": ".catalog",
    "run": ".running",
}

__all__ = ["ReportError", "ReportFailedError", "Result", "describe", "names", "run"]


# Hidden from type checkers, so that they report a name that does not exist.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name in ("run", "describe", "names"):
            import_module(".errors", __name__).require_libraries()
        return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

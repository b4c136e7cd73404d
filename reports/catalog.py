"""The reports that exist."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from itertools import chain

from mqsc.reports import jobs
from mqsc.reports.declaration import Report
from mqsc.reports.errors import ReportError

# On the command line, all reports.
DAILY = "daily"


def names() -> tuple[str, ...]:
    """The names of all reports, as on the command line. Does not load them."""
    return tuple(
        sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(jobs.__path__)),
    )


def expanded(report_names: Iterable[str]) -> list[str]:
    """The given names, each once, with those of all reports in the place of DAILY."""
    in_order = chain.from_iterable(names() if name == DAILY else (name,) for name in report_names)
    return list(dict.fromkeys(in_order))


def report(name: str) -> Report:
    """The report of that name. Raises ReportError, with all names, if there is none."""
    known = names()
    if name not in known:
        raise ReportError(f"there is no report {name!r}; the reports are {', '.join(known)}")
    declared: Report = import_module(f"{jobs.__name__}.{name.replace('-', '_')}").REPORT
    return declared


def describe(name: str) -> str:
    """The report's tables and columns, with types and meanings, as Markdown. Raises ReportError
    for an unknown name.
    """
    declared = report(name)
    lines = [f"# {declared.name}", "", declared.doc]
    for table in declared.tables:
        lines += [
            "",
            f"## {table.name}",
            "",
            table.doc,
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| {column.name} | {column.type} | {column.doc} |" for column in table.columns]
    return "\n".join(lines) + "\n"

"""Finds the reports: each file in `reports/jobs` declares one as REPORT."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

from reports import jobs
from reports.declaration import Report
from reports.errors import ReportError

# On the command line, all reports.
DAILY = "daily"


def names() -> tuple[str, ...]:
    """The names of all reports, as on the command line. Does not load them."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(jobs.__path__)))


def expanded(given: Iterable[str]) -> list[str]:
    """The given names, each once, with those of all reports in the place of DAILY."""
    return list(dict.fromkeys(each for name in given for each in (names() if name == DAILY else (name,))))


def report(name: str) -> Report:
    """The report of that name. Raises ReportError, with the most similar name, if there is none."""
    known = names()
    if name not in known:
        near = get_close_matches(name.lower(), (*known, DAILY), n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"the reports are {', '.join(known)}"
        raise ReportError(f"there is no report {name!r}; {hint}")
    declared: Report = import_module(f"{jobs.__name__}.{name.replace('-', '_')}").REPORT
    return declared


def describe(name: str) -> str:
    """The report's tables and columns, with types and meanings, as Markdown. Raises ReportError for an unknown name."""
    declared = report(name)
    lines = [f"# {declared.name}", "", declared.doc]
    for table in declared.tables:
        lines += ["", f"## {table.name}", "", table.doc, "", "| column | type | meaning |", "|---|---|---|"]
        lines += [f"| {column.name} | {column.type} | {column.doc} |" for column in table.columns]
    return "\n".join(lines) + "\n"

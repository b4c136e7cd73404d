"""The tables of reports and their columns, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from mqsc.console.json_rows import print_rows
from mqsc.console.terminal import columns, wrapped

if TYPE_CHECKING:
    from mqsc.reports.declaration import Report, Table

INDENT = "  "
# On a narrower terminal a description begins on a line of its own.
NARROWEST_DESCRIPTION = 32


def print_descriptions(reports: Sequence[Report], format: str | None) -> None:
    """Print what the reports contain."""
    lines = (
        [""] * bool(number) + [*_lines(described_report, columns())]
        for number, described_report in enumerate(reports)
    )
    print_rows(format, map(_description_as_json, reports), chain.from_iterable(lines))


def _lines(described_report: Report, width: int) -> Iterator[str]:
    yield from wrapped(f"{described_report.name}: {described_report.doc}", width, hanging=INDENT)
    for table in described_report.tables:
        yield ""
        yield from wrapped(f"{table.name}: {table.doc}", width, INDENT, INDENT * 2)
        yield from _column_lines(table, width)
    yield ""
    yield f"{INDENT}Checked in every run:"
    for each in described_report.identities:
        yield from wrapped(each.says, width, INDENT * 2, INDENT * 3)


def _column_lines(table: Table, width: int) -> Iterator[str]:
    names = max(len(column.name) for column in table.columns)
    types = max(len(column.type) for column in table.columns)
    for column in table.columns:
        begins = f"{INDENT * 2}{column.name:{names}}{INDENT}{column.type:{types}}{INDENT}"
        if width - len(begins) >= NARROWEST_DESCRIPTION:
            yield from wrapped(column.doc, width, begins, " " * len(begins))
        else:
            yield f"{INDENT * 2}{column.name} {column.type}"
            yield from wrapped(column.doc, width, INDENT * 3)


def _description_as_json(described_report: Report) -> dict[str, Any]:
    tables = []
    for table in described_report.tables:
        described = [
            {"name": each.name, "type": each.type, "description": each.doc}
            for each in table.columns
        ]
        tables.append({"table": table.name, "description": table.doc, "columns": described})
    identities = [
        {"identity": each.says, "by": list(each.by), "whole": each.whole}
        for each in described_report.identities
    ]
    return {
        "report": described_report.name,
        "description": described_report.doc,
        "tables": tables,
        "identities": identities,
    }

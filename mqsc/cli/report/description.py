"""The tables of reports and their columns, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.json_output import print_json
from mqsc.console.terminal import columns, wrapped

if TYPE_CHECKING:
    from reports.declaration import Report, Table

INDENT = "  "
# On a narrower terminal a description begins on a line of its own.
NARROWEST_DESCRIPTION = 40


def print_descriptions(reports: Sequence[Report], format: str | None) -> None:
    """Print what the reports contain."""
    if print_json(format, (_as_json(report) for report in reports)):
        return
    for number, report in enumerate(reports):
        for line in [""] * bool(number) + list(_lines(report, columns())):
            click.echo(line)


def _lines(report: Report, width: int) -> Iterator[str]:
    yield from wrapped(f"{report.name}: {report.doc}", width, hanging=INDENT)
    for table in report.tables:
        yield ""
        yield from wrapped(f"{table.name}: {table.doc}", width, INDENT, INDENT * 2)
        yield from _column_lines(table, width)
    yield ""
    yield f"{INDENT}Checked in every run:"
    for each in report.identities:
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


def _as_json(report: Report) -> dict[str, Any]:
    return {
        "report": report.name,
        "description": report.doc,
        "tables": [
            {
                "table": table.name,
                "description": table.doc,
                "columns": [
                    {"name": column.name, "type": column.type, "description": column.doc} for column in table.columns
                ],
            }
            for table in report.tables
        ],
        "identities": [{"identity": each.says, "by": list(each.by), "whole": each.whole} for each in report.identities],
    }

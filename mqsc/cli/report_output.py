"""What a run of reports prints: the results as tables or JSON, and a spinner meanwhile."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.json_rows import print_data
from mqsc.console.options import wants_colour
from mqsc.console.tables import cell_text, table_lines
from mqsc.console.terminal import is_terminal, notice, printable
from mqsc.console.text.reasons import counted

if TYPE_CHECKING:
    from mqsc.reports import Result


def warn(text: str) -> None:
    notice(f"mqsc: warning: {text}")


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[str], None]]:
    """A function that shows what is being done: in a spinner on a terminal, otherwise nowhere."""
    if quiet or not is_terminal(sys.stderr):
        yield lambda text: None
        return
    from rich.console import Console

    console = Console(stderr=True, no_color=not wants_colour())
    with console.status("") as status:
        yield status.update


def print_results(results: list[Result], format: str | None) -> None:
    if print_data(format, (_result_as_json(result) for result in results)):
        return
    width = shutil.get_terminal_size((120, 24)).columns
    for result in results:
        click.echo(
            f"{result.report}: {result.table} ({counted(result.rows_written, 'row')} in "
            f"{result.where})",
        )
        for line in _summary_lines(result, width):
            click.echo(printable(line))
        if result.rows_written > len(result.summary_rows):
            click.echo(
                f"... and {counted(result.rows_written - len(result.summary_rows), 'more row')}",
            )
        click.echo()


def _summary_lines(result: Result, width: int) -> Iterator[str]:
    """The first rows as a table, without columns that have no value in them."""
    used = [
        place
        for place in range(len(result.columns))
        if any(row[place] is not None for row in result.summary_rows)
    ]
    if used:
        rows = [[row[place] for place in used] for row in result.summary_rows]
        yield from table_lines([result.columns[place].name for place in used], rows, width)


def _result_as_json(result: Result) -> dict[str, Any]:
    names = [column.name for column in result.columns]
    shown = (
        [each if isinstance(each, (int, str, type(None))) else cell_text(each) for each in row]
        for row in result.summary_rows
    )
    rows = [dict(zip(names, each, strict=True)) for each in shown]
    about = {"report": result.report, "table": result.table, "path": result.where}
    return {**about, "rows_written": result.rows_written, "rows": rows}

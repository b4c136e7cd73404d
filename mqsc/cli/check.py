"""`mqsc check`: errors in MQSC scripts and advice on them, without a store."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable

import click

from mqsc import __version__
from mqsc.console.inputs import InputError, InputSource, named_by, opened_lines
from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.options import choices_of, common_options, files_to_complete
from mqsc.console.terminal import columns, notice, shown_on, wrapped
from mqsc.diagnostic import Diagnostic, as_json, as_sarif
from mqsc.lint.script_check import DESCRIPTIONS, ScriptCheck
from mqsc.variables import parse_assignments


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|PATTERN|-...", shell_complete=files_to_complete)
@click.option("--sarif", is_flag=True, help="Print the diagnostics as SARIF 2.1.0.")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="Set ${NAME} in the scripts; repeatable.")
@common_options
@click.pass_context
def check(context: click.Context, /, files: tuple[str, ...], sarif: bool, given: tuple[str, ...]) -> None:
    """Check MQSC scripts without a queue manager: report every error, and advice on the scripts as a whole.

    The files are checked as if run one after the other, in the order given; a FOLDER means its *.mqsc files. For
    details of a rule, run `mqsc explain RULE`. Exit code 0 with advice only, 10 with errors, 20 when nothing could be
    read.
    """
    choices = choices_of(context)
    if sarif and choices.format in JSON_FORMATS:
        raise click.UsageError("--sarif and --format cannot be used together")
    try:
        values = parse_assignments(given) if given else None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    sources = [source for each in files for source in named_by(each)]
    with ScriptCheck(values) as checked:
        unread = [source for source in sources if not _read(checked, source)]
        diagnostics = checked.diagnostics()
    if sarif:
        click.echo(json.dumps(as_sarif(diagnostics, DESCRIPTIONS, __version__), indent=2))
    else:
        _print(diagnostics, choices.format)
    choices.inform(_summary(len(sources) - len(unread), diagnostics))
    if len(unread) == len(sources):
        context.exit(20)
    context.exit(10 if unread or any(each.severity == "error" for each in diagnostics) else 0)


def _read(checked: ScriptCheck, source: InputSource) -> bool:
    """Add one input to the check; False when it cannot be read."""
    try:
        with opened_lines(source) as lines:
            checked.read(lines, source.file or "")
    except InputError as fault:
        notice(f"mqsc: {fault}")
        return False
    return True


def _print(diagnostics: Iterable[Diagnostic], format: str | None) -> None:
    if format in JSON_FORMATS:
        with JsonRows(sys.stdout, array=format == "json") as rows:
            for each in diagnostics:
                rows.write(as_json(each))
        return
    width = columns()
    for each in diagnostics:
        for line in wrapped(shown_on(sys.stdout, str(each)), width, hanging="    "):
            click.echo(line)


def _summary(files: int, diagnostics: Iterable[Diagnostic]) -> str:
    counted = Counter(each.severity for each in diagnostics)
    parts = [_counted(files, "file"), *(_counted(counted[each], each) for each in ("error", "warning", "note"))]
    return f"mqsc: {parts[0]} checked: {', '.join(parts[1:])}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"

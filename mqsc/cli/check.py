"""`mqsc check`: what is wrong with scripts, and what could be better, without a store."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from mqsc import __version__
from mqsc.console.inputs import InputError, Source, named_by, opened_lines
from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import choices_of, common_options, is_terminal
from mqsc.console.terminal import printable
from mqsc.diagnostic import Diagnostic, as_json, as_sarif
from mqsc.variables import assigned

if TYPE_CHECKING:
    from mqsc.lint.script_check import ScriptCheck


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|PATTERN|-...")
@click.option("--sarif", is_flag=True, help="Print the diagnostics as SARIF 2.1.0.")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="The value of ${NAME} in the scripts.")
@common_options
@click.pass_context
def check(context: click.Context, /, files: tuple[str, ...], sarif: bool, given: tuple[str, ...]) -> None:
    """Check MQSC scripts without a queue manager: every error, and advice on what they say together.

    The files count as run one after the other, in the order given; a folder stands for its *.mqsc. `mqsc explain RULE`
    tells more about a rule. Exit code 0 with advice only, 10 with errors, 20 when nothing could be read.
    """
    from mqsc.lint.script_check import DESCRIPTIONS, ScriptCheck

    choices = choices_of(context)
    if sarif and choices.format in JSON_FORMATS:
        raise click.UsageError("--sarif is a format of its own; leave --format away")
    try:
        values = assigned(given) if given else None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    sources = [source for each in files for source in named_by(each)]
    checked = ScriptCheck(values)
    unread = [source for source in sources if not _read(checked, source)]
    diagnostics = checked.diagnostics()
    if sarif:
        click.echo(json.dumps(as_sarif(diagnostics, DESCRIPTIONS, __version__), indent=2))
    else:
        _print(diagnostics, choices.format)
    choices.talk(_summary(len(sources) - len(unread), diagnostics))
    if len(unread) == len(sources):
        context.exit(20)
    context.exit(10 if unread or any(each.severity == "error" for each in diagnostics) else 0)


def _read(checked: ScriptCheck, source: Source) -> bool:
    """Take in one input; whether it could be read."""
    try:
        with opened_lines(source) as lines:
            checked.read(lines, source.file or "")
    except InputError as fault:
        click.echo(f"mqsc: {fault}", err=True)
        return False
    return True


def _print(diagnostics: Iterable[Diagnostic], format: str | None) -> None:
    if format in JSON_FORMATS:
        with Rows(sys.stdout, array=format == "json") as rows:
            for each in diagnostics:
                rows.write(as_json(each))
        return
    for each in diagnostics:
        click.echo(printable(str(each)) if is_terminal(sys.stdout) else str(each))


def _summary(files: int, diagnostics: Iterable[Diagnostic]) -> str:
    counted = Counter(each.severity for each in diagnostics)
    parts = [_number(files, "file"), *(_number(counted[each], each) for each in ("error", "warning", "note"))]
    return f"mqsc: {parts[0]} checked: {', '.join(parts[1:])}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

"""`mqsc check`: errors in MQSC scripts and advice on them, without a store."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from mqsc.console import inputs
from mqsc.console.json_rows import print_data
from mqsc.console.options import WITHOUT_FORMAT, Choices, command, format_option
from mqsc.console.parameters import FILE_PATH, AnyPath
from mqsc.console.replaced_file import write_whole
from mqsc.console.shared_options import input_options, skip_unsupported_option
from mqsc.console.target import NothingRunError, failing, path_to_spare
from mqsc.console.terminal import notice, print_line
from mqsc.console.text.reasons import counted
from mqsc.diagnostic import (
    REPORTS,
    SEVERITIES,
    Description,
    Diagnostic,
    Severity,
    as_json,
    report_text,
)
from mqsc.lint.baseline import Baseline, BaselineError, baseline_text, read_baseline
from mqsc.lint.rule_ids import RuleIds
from mqsc.lint.script_check import DESCRIPTIONS, ScriptCheck
from mqsc.scripts.selection import values_of, variables_of
from mqsc.targets.on_target import on_target
from mqsc.version import __version__

RULES = RuleIds(DESCRIPTIONS)


@command(common=WITHOUT_FORMAT, reads=True)
@click.argument(
    "files",
    type=AnyPath(),
    nargs=-1,
    metavar="[FILE|FOLDER|PATTERN|-]...",
)
@click.option("--sarif", is_flag=True, help="The same as --format sarif: SARIF 2.1.0.")
@click.option(
    "--fail-on",
    type=click.Choice(("error", "warning", "note")),
    default="error",
    help="The lowest severity that makes the exit code 10 (default: error).",
)
@click.option(
    "--select",
    type=RULES,
    multiple=True,
    metavar="RULE,...",
    help="Report only these rules.",
)
@click.option(
    "--ignore",
    type=RULES,
    multiple=True,
    metavar="RULE,...",
    help="Do not report these rules.",
)
@click.option(
    "--baseline",
    type=FILE_PATH,
    metavar="FILE",
    help="Do not report the advice listed in FILE.",
)
@click.option(
    "--write-baseline",
    type=FILE_PATH,
    metavar="FILE",
    help="Write the current advice to FILE.",
)
@skip_unsupported_option
@input_options
@format_option(*REPORTS)
@on_target
def check(
    choices: Choices,
    files: tuple[str, ...],
    sarif: bool,
    fail_on: Severity,
    select: tuple[frozenset[str], ...],
    ignore: tuple[frozenset[str], ...],
    baseline: Path | None,
    write_baseline: Path | None,
    skip_unsupported: bool,
    settings: tuple[str, ...],
    setting_files: tuple[Path, ...],
    no_subfolders: bool,
) -> int:
    """Check MQSC scripts without a queue manager: report every error, and advice on the scripts as
    a whole.

    The files are checked as if run one after the other, in the order given; a FOLDER means the
    *.mqsc files in it and its subfolders. For details of a rule, run `mqsc explain RULE`. The
    comment `* mqsc: allow RULE: REASON` before a command allows what the rule would report. With
    --on, the definitions of a queue manager elsewhere are checked in place of FILEs. Exit code 0
    with advice only, 10 with errors (see --fail-on), 20 when nothing could be read.
    """
    format = format_with(choices, sarif=sarif)
    variables = variables_of(settings, setting_files)
    if bool(files) == (choices.elsewhere is not None):
        raise click.UsageError(
            "--on checks what is there; leave FILEs out" if files else "Missing argument 'FILE'",
        )
    sources = [
        source for each in files for source in inputs.named_by(each, subfolders=not no_subfolders)
    ]
    if choices.elsewhere is not None:
        sources = [_exported(choices)]
    known, store = _read_baseline(baseline), path_to_spare(choices)
    if write_baseline is not None:
        inputs.check_replaceable(write_baseline, store, b'"diagnostics"')
    with ScriptCheck(values_of(variables), skip_unsupported=skip_unsupported) as checked:
        unread = [source for source in sources if not _read(checked, source, store)]
        diagnostics = _selected(checked.diagnostics(), select, ignore)
    if write_baseline is not None and unread:
        raise NothingRunError(
            f"{write_baseline} was not written, because some files cannot be read",
        )
    if write_baseline is not None:
        with failing(inputs.InputError, NothingRunError):
            write_whole(write_baseline, baseline_text(write_baseline, diagnostics).encode())
        known = read_baseline(write_baseline)
    if known is not None:
        diagnostics = [each for each in diagnostics if not known.has(each)]
    print_diagnostics(diagnostics, format, DESCRIPTIONS, fail_on)
    choices.inform(_summary(len(sources) - len(unread), diagnostics, checked.allowed, known))
    if len(unread) == len(sources):
        return 20
    severe = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return 10 if unread or any(each.severity in severe for each in diagnostics) else 0


def _exported(choices: Choices) -> inputs.InputSource:
    """The definitions of the queue manager elsewhere, as a script."""
    from mqsc.console.target import opened_queue_manager
    from mqsc.scripts.export import ExportSelection, export_commands
    from mqsc.scripts.export_output import script_lines

    with opened_queue_manager(choices) as qmgr:
        commands = export_commands(qmgr, ExportSelection())
        return inputs.InputSource(text="\n".join(script_lines(commands)))


def format_with(choices: Choices, *, sarif: bool) -> str | None:
    """The format that was asked for; --sarif is another word for --format sarif."""
    if sarif and choices.format not in (None, "text", "sarif"):
        raise click.UsageError("--sarif and --format cannot be used together")
    return "sarif" if sarif else choices.format


def _selected(
    diagnostics: Iterable[Diagnostic],
    select: Iterable[frozenset[str]],
    ignore: Iterable[frozenset[str]],
) -> list[Diagnostic]:
    """The errors, and the advice by the rules that are selected (all of them if none is) and not
    ignored.
    """
    selected, ignored = frozenset().union(*select), frozenset().union(*ignore)
    return [
        each
        for each in diagnostics
        if each.severity == "error"
        or ((not selected or each.rule_id in selected) and each.rule_id not in ignored)
    ]


def _read_baseline(path: Path | None) -> Baseline | None:
    if path is None:
        return None
    try:
        return read_baseline(path)
    except FileNotFoundError as error:
        raise NothingRunError(
            f"{path} does not exist; write it with --write-baseline {path}",
        ) from error
    except BaselineError as error:
        raise NothingRunError(str(error)) from error


def _read(checked: ScriptCheck, source: inputs.InputSource, store: str | None) -> bool:
    """Add one input to the check; False when it cannot be read."""
    try:
        with inputs.opened_lines(source, store) as lines:
            checked.read(lines, source.file or "")
    except inputs.InputError as fault:
        notice(f"mqsc: {fault}")
        return False
    return True


def print_diagnostics(
    diagnostics: Sequence[Diagnostic],
    format: str | None,
    rules: Iterable[Description],
    fail_on: Severity,
) -> None:
    """Print diagnostics as text, as JSON, or as a report on these rules."""
    report = report_text(format, diagnostics, rules, __version__, fail_on)
    if report is not None:
        click.echo(report)
    elif not print_data(format, map(as_json, diagnostics)):
        for each in diagnostics:
            print_line(str(each))


def _summary(
    files: int,
    diagnostics: Iterable[Diagnostic],
    allowed: int,
    known: Baseline | None,
) -> str:
    by_severity = Counter(each.severity for each in diagnostics)
    parts = [counted(by_severity[each], each) for each in SEVERITIES]
    if allowed:
        parts.append(f"{allowed} allowed by comments")
    if known is not None:
        parts.append(f"{known.known} in the baseline")
    if known is not None and known.gone:
        parts.append(f"{known.gone} of the baseline no longer there")
    return f"mqsc: {counted(files, 'file')} checked: {', '.join(parts)}"

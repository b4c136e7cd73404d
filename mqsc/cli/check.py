"""`mqsc check` and `mqsc fmt`: errors in MQSC scripts, advice on them, and their layout, without
a store.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

import click

from mqsc.console import inputs
from mqsc.console.agreement import is_agreed
from mqsc.console.options import WITHOUT_FORMAT, Choices, command, format_option
from mqsc.console.parameters import FILE_PATH, AnyPath
from mqsc.console.replaced_file import finish_writing, write_whole
from mqsc.console.shared_options import input_options, no_subfolders_option, skip_unsupported_option
from mqsc.console.target import FAILED, NothingRunError, failing, path_to_spare
from mqsc.console.terminal import notice, print_data, print_line, shown_on
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
from mqsc.grammar.tree import SyntaxFault
from mqsc.lint.baseline import Baseline, BaselineError, baseline_text, read_baseline
from mqsc.lint.script_check import DESCRIPTIONS, ScriptCheck
from mqsc.lint.scripts import RuleIds
from mqsc.scripts.layout import SUFFIXES, laid_out
from mqsc.scripts.selection import values_of, variables_of
from mqsc.version import __version__

RULES = RuleIds(DESCRIPTIONS)


@command(common=WITHOUT_FORMAT)
@click.argument(
    "files",
    type=AnyPath(),
    nargs=-1,
    required=True,
    metavar="FILE|FOLDER|PATTERN|-...",
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
    comment `* mqsc: allow RULE: REASON` before a command allows what the rule would report. Exit
    code 0 with advice only, 10 with errors (see --fail-on), 20 when nothing could be read.
    """
    format = format_with(choices, sarif=sarif)
    variables = variables_of(settings, setting_files)
    sources = [
        source for each in files for source in inputs.named_by(each, subfolders=not no_subfolders)
    ]
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


# `mqsc fmt`: the layout of MQSC and of rules tables.

# As of other programs that check a layout; what fails is 10, as everywhere.
OTHER_LAYOUT = 1


@command(common=("quiet",))
@click.argument(
    "files",
    type=AnyPath(),
    nargs=-1,
    required=True,
    metavar="FILE|FOLDER|PATTERN|-...",
)
@click.option(
    "--check",
    "only_check",
    is_flag=True,
    help="Change nothing; exit with 1 if a file has another layout.",
)
@click.option("--diff", "only_diff", is_flag=True, help="Change nothing; print the changes.")
@click.option(
    "--yes",
    "-y",
    is_flag=True,
    help="Do not ask before the files of a folder are replaced.",
)
@no_subfolders_option
def fmt(
    choices: Choices,
    files: tuple[str, ...],
    only_check: bool,
    only_diff: bool,
    yes: bool,
    no_subfolders: bool,
) -> int:
    """Give MQSC scripts and rules tables their canonical layout; comments stay, and so does what
    the commands mean.

    What fits in 72 columns is one line, otherwise each parameter has one. FILEs are replaced at
    once, and keep their permissions and line ends; - is read from standard input and written to
    standard output. A FOLDER means the *.mqsc and *.rul files in it and its subfolders, but no
    links out of it; on a terminal, a question says how many files would change. A file with an
    error in its syntax is left as it is. Exit code 0, with --check 1 when a file has another
    layout, 10 when a file has an error, 20 when nothing could be read.
    """
    is_to_write = not (only_check or only_diff)
    named = (
        source
        for each in files
        for source in inputs.named_by(
            each,
            subfolders=not no_subfolders,
            suffixes=SUFFIXES,
            to_write=is_to_write and not Path(each).is_file(),
        )
    )
    store = path_to_spare(choices)
    sources = [
        _read_to_lay_out(choices, source, store, is_to_write=is_to_write) for source in named
    ]
    if (
        is_to_write
        and {source.file for source in sources} - {*files}
        and not _is_agreed(sources, yes=yes)
    ):
        return FAILED
    counts = Counter(_laid_out(choices, source, only_check, only_diff) for source in sources)
    choices.inform(
        "mqsc: "
        + ", ".join(f"{counted(number, 'file')} {what}" for what, number in counts.items()),
    )
    if all(source.content is None for source in sources):
        return 20
    return 10 if counts[IN_ERROR] else OTHER_LAYOUT if only_check and counts[TO_CHANGE] else 0


def _read_to_lay_out(
    choices: Choices,
    source: inputs.InputSource,
    store: str | None,
    *,
    is_to_write: bool,
) -> inputs.InputSource:
    """The input with its content, after a change of it was finished that a kill had interrupted."""
    is_file = source.file is not None and not source.fault and Path(source.file).is_file()
    if is_to_write and is_file and finish_writing(Path(str(source.file))):
        choices.inform(f"mqsc: {source.name}: finished a change that a killed run had begun")
    return inputs.read_now(source, store)


def _is_agreed(sources: Iterable[inputs.InputSource], *, yes: bool) -> bool:
    """Ask about the files of folders and patterns before they are replaced."""
    number = sum(_would_change(source) for source in sources if source.file is not None)
    return not number or is_agreed(f"Lay out {counted(number, 'file')} anew?", yes=yes)


def _would_change(source: inputs.InputSource) -> bool:
    try:
        return source.content is not None and laid_out(source.content) != source.content
    except SyntaxFault:
        return False


UNCHANGED, CHANGED, TO_CHANGE, IN_ERROR = (
    "unchanged",
    "laid out anew",
    "with another layout",
    "in error",
)


def _laid_out(
    choices: Choices,
    source: inputs.InputSource,
    only_check: bool,
    only_diff: bool,
) -> str:
    """Lay out one input, and say what became of it."""
    content = source.content
    if content is None:
        notice(f"mqsc: {source.fault}")
        return IN_ERROR
    try:
        new = laid_out(content)
    except SyntaxFault as fault:
        notice(f"mqsc: {source.name}, {fault}; the file is left as it is")
        return IN_ERROR
    if only_diff:
        old_lines, new_lines = (
            each.decode("utf-8", "backslashreplace").splitlines() for each in (content, new)
        )
        for line in unified_diff(old_lines, new_lines, source.name, source.name, lineterm=""):
            click.echo(shown_on(sys.stdout, line))
    elif source.file is None and not only_check:
        sys.stdout.buffer.write(new)
    if new == content:
        return UNCHANGED
    if only_check or only_diff:
        notice(f"mqsc: {source.name} would be laid out anew")
        return TO_CHANGE
    if source.file is not None:
        with failing(inputs.InputError, NothingRunError):
            write_whole(Path(source.file), new)
        choices.inform(f"mqsc: {source.name} was laid out anew")
    return CHANGED

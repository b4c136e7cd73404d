"""`mqsc fmt`: the layout of MQSC and of rules tables."""

import sys
from collections import Counter
from collections.abc import Iterable
from difflib import unified_diff
from pathlib import Path

import click

from mqsc.console import inputs
from mqsc.console.agreement import is_agreed
from mqsc.console.options import Choices, command
from mqsc.console.parameters import AnyPath
from mqsc.console.replaced_file import finish_writing, write_whole
from mqsc.console.shared_options import no_subfolders_option
from mqsc.console.target import FAILED, NothingRunError, failing, path_to_spare
from mqsc.console.terminal import notice, shown_on
from mqsc.console.text.reasons import counted
from mqsc.grammar.tree import SyntaxFault
from mqsc.scripts.layout import SUFFIXES, laid_out

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
    if counts[IN_ERROR]:
        return FAILED
    return OTHER_LAYOUT if only_check and counts[TO_CHANGE] else 0


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


UNCHANGED = "unchanged"
CHANGED = "laid out anew"
TO_CHANGE = "with another layout"
IN_ERROR = "in error"


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

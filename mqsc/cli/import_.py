"""`mqsc import`: what a real queue manager and its tools wrote."""

from __future__ import annotations

from typing import Any

import click

from mqsc.console.inputs import InputSource
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command, files_to_complete, skip_unsupported_option
from mqsc.console.parameters import TextType
from mqsc.console.target import NothingRunError, path_of_file
from mqsc.console.terminal import print_line
from mqsc.console.text.reasons import counted
from mqsc.imports.recognition import (
    Format,
    Imported,
    ImportOptions,
    by_stage,
    files_named,
    formats,
    head_of,
    recognised,
)
from mqsc.scripts.run import print_error

FAILED, NOTHING = 10, 20


class FormatName(TextType):
    """The name of a format of formats.csv."""

    name = "format"

    def read(self, text: str) -> Format:
        if text not in formats():
            raise ValueError(f"{text!r} is not a format; the formats are {', '.join(formats())}")
        return formats()[text]


@command("import", common=("store", "qmgr", "quiet"))
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|PATTERN|-...", shell_complete=files_to_complete)
@click.option("--plan", is_flag=True, help="Show what would be imported; write nothing.")
@click.option("--format", "format_", type=FormatName(), help="The format of the files (default: recognised).")
@click.option("--queue", "-q", type=ObjectName(), help="The queue for messages of files that name none.")
@click.option("--keep-going", is_flag=True, help="Skip damaged records and refused commands.")
@skip_unsupported_option
def import_(choices: Choices, files: tuple[str, ...], format_: Format | None, **given: Any) -> int:
    """Import what IBM MQ and its tools wrote, so that it can be examined and tried here.

    The format of each file is recognised. Definitions are made as `mqsc apply` makes them, in a queue manager of the
    name in the file, which is created if it does not exist; messages are put on the queues that the file names.
    """
    options = ImportOptions(**given)
    found, code = [], 0
    for file in files_named(files, path_of_file(choices)):
        format = None if isinstance(file, InputSource) else format_ or recognised(head_of(file))
        if isinstance(file, InputSource) or format is None:
            print_error(file.fault if isinstance(file, InputSource) else f"{file.name}: {_UNKNOWN}")
            code = FAILED
        else:
            found.append((file, format))
    if not found:
        raise NothingRunError("nothing was imported")
    outcomes = list[Imported]()
    for format, group in by_stage(found):
        for outcome in format.read()(choices, group, options):
            print_outcome(outcome, options)
            outcomes.append(outcome)
    return FAILED if code or any(each.faults for each in outcomes) else 0


_UNKNOWN = "the format is not known; name it with --format"


def print_outcome(outcome: Imported, options: ImportOptions) -> None:
    """Print what came of a file on stdout, and its faults on stderr."""
    for remark in outcome.remarks:
        print_line(f"{remark.place}: {remark.sentence}")
    for fault in outcome.faults:
        print_error(f"{fault.place}: {fault.sentence}")
    counts = ", ".join(_counted(number, what) for what, number in outcome.counts.items()) or "nothing"
    how = "would be imported" if options.plan else "imported"
    into = f" into {outcome.qmgr}" if outcome.qmgr else ""
    stopped = f"; nothing from {outcome.stopped} on (--keep-going leaves out what is wrong)" if outcome.stopped else ""
    print_line(f"{outcome.file} ({outcome.format}): {counts} {how}{into}{stopped}")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if what.endswith("ed") else counted(number, what)

"""`mqsc import`: what a real queue manager and its tools wrote."""

import codecs
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from encodings.aliases import aliases
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import click
from msgspec.structs import replace

from mqsc.agents.stopping import until_signalled
from mqsc.console.inputs import InputError, InputSource
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command, earlier_word
from mqsc.console.parameters import AnyPath, Moment, TextType
from mqsc.console.shared_options import skip_unsupported_option
from mqsc.console.target import FAILED, NothingRunError, opened_store, path_of_file
from mqsc.console.terminal import print_line
from mqsc.console.text.reasons import counted
from mqsc.imports import recognition
from mqsc.imports.formats import FORMATS, Format, Stage
from mqsc.imports.readers import READERS
from mqsc.imports.recognition import ImportFile
from mqsc.imports.source_text import LocalTimes
from mqsc.language.foreign_secrets import without_secrets
from mqsc.scripts.run import print_error
from mqsc.store.catalog.spelling import corrections, did_you_mean, hint, similar_names
from mqsc.store.rules.names import is_object_name


class FormatName(TextType):
    """The name of a format that is recognised."""

    name = "format"

    def read(self, text: str) -> Format:
        if text not in FORMATS:
            raise ValueError(
                f"{text!r} is not a format; {hint(text, [*FORMATS], 'the formats are')}",
            )
        return FORMATS[text]


class Timezone(TextType):
    """The name of a time zone, as a tzinfo."""

    name = "zone"

    def read(self, text: str) -> tzinfo:
        try:
            return ZoneInfo(text)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            near = did_you_mean(similar_names(text, available_timezones()))
            examples = "names are those of the IANA, such as Europe/Berlin"
            raise ValueError(f"{text!r} is not a time zone; {near or examples}") from None


class Codec(TextType):
    """The name of an encoding that Python knows."""

    name = "codec"

    def read(self, text: str) -> str:
        try:
            return codecs.lookup(text).name
        except LookupError:
            near = did_you_mean(corrections(text, sorted({*aliases.values()}))[:1])
            examples = "examples are cp1252, latin-1 and cp1047"
            raise ValueError(f"{text!r} is not an encoding; {near or examples}") from None


class Renamed(TextType):
    """OLD=NEW, or NEW for the queue manager after -m, as a pair of names; blank for that of -m."""

    name = "names"

    def read(self, text: str) -> tuple[str, str]:
        old, _, new = text.rpartition("=")
        if not is_object_name(new) or (old and not is_object_name(old)):
            raise ValueError(f"{text!r} is not NEW or OLD=NEW with names of queue managers")
        return old, new


@command("import", common=("store", "qmgr", "quiet"))
@click.argument(
    "files",
    type=AnyPath(),
    nargs=-1,
    required=True,
    metavar="FILE|FOLDER|PATTERN|-...",
)
@click.option("--plan", is_flag=True, help="Show what would be imported; write nothing.")
@click.option(
    "--format",
    "format_",
    type=FormatName(),
    help="The format of the files (default: recognised).",
)
@click.option(
    "--queue",
    "-q",
    type=ObjectName(is_filter=True),
    help="The queue for messages (default: the one in the file).",
)
@click.option(
    "--rename",
    "renamed",
    type=Renamed(),
    multiple=True,
    metavar="[OLD=]NEW",
    help="The name for the events of the queue manager OLD, or that of -m; repeatable.",
)
@earlier_word("--as", now="--rename")
@click.option(
    "--timezone",
    type=Timezone(),
    metavar="ZONE",
    help="The zone of local times: a name such as Europe/Berlin.",
)
@click.option(
    "--encoding",
    type=Codec(),
    metavar="CODEC",
    help="The encoding of text that is not UTF-8 (default: latin-1).",
)
@click.option(
    "--apply",
    is_flag=True,
    help="Make the definitions that DISPLAY output shows; record nothing of it.",
)
@click.option(
    "--taken-at",
    type=Moment(),
    metavar="TIME",
    help="When DISPLAY output was made (default: as in it or its file).",
)
@click.option(
    "--follow",
    is_flag=True,
    help="Keep importing what is added to logs and events, until Ctrl-C.",
)
@click.option("--keep-going", is_flag=True, help="Skip damaged records and refused commands.")
@skip_unsupported_option
def import_(
    choices: Choices,
    files: tuple[str, ...],
    plan: bool,
    format_: Format | None,
    queue: str | None,
    renamed: tuple[tuple[str, str], ...],
    timezone: tzinfo | None,
    encoding: str | None,
    apply: bool,
    taken_at: int | None,
    follow: bool,
    keep_going: bool,
    skip_unsupported: bool,
) -> int:
    """Import what IBM MQ and its tools wrote, so that it can be examined and tried here.

    The format of each file is recognised. Definitions are made as `mqsc apply` makes them, in a
    queue manager of the name in the file, which is created if it does not exist; messages are put
    on the queues that the file names. Error logs and event messages become events of the history
    under the name of their queue manager, each record once.
    """
    names = _names(choices, renamed)
    if follow and plan:
        raise click.UsageError(
            "--follow imports until Ctrl-C, and --plan imports nothing; leave one out",
        )
    options = recognition.ImportOptions(
        choices,
        plan=plan,
        keep_going=keep_going,
        skip_unsupported=skip_unsupported,
        queue=queue,
        apply=apply,
        taken_at=taken_at,
        renamed=names,
        encoding=encoding or "latin-1",
        times=LocalTimes(timezone),
    )
    if follow:
        return _follow(files, options, format_)
    readable, unreadable = _recognised(
        recognition.files_named(files, path_of_file(choices)),
        format_,
        options,
    )
    if not readable:
        raise NothingRunError("nothing was imported")
    return _import_files(readable, options, damaged=unreadable)


def _recognised(
    files: Iterable[ImportFile | InputSource],
    format_: Format | None,
    options: recognition.ImportOptions,
) -> tuple[list[tuple[ImportFile, Format]], bool]:
    """The files that can be read with their formats, and whether there are faults, which are
    printed.
    """
    readable, has_faults = list[tuple[ImportFile, Format]](), False
    for file in files:
        if isinstance(file, InputSource):
            print_error(file.fault)
            has_faults = True
            continue
        format = format_ or recognition.recognised(recognition.head_of(file))
        has_faults |= bool(file.damage)
        if format is None or format.name not in READERS:
            unread = _UNKNOWN if format is None else f"{format.about}, which is not read"
            print_error(f"{file.name}: {(*file.damage, unread)[0]}")
            has_faults = True
        elif file.damage and not options.keep_going:
            print_error(f"{file.name}: {file.damage[0]}; --keep-going imports what precedes that")
        else:
            if file.damage:
                print_error(f"{file.name}: {file.damage[0]}; only what precedes that is imported")
            readable.append((file, format))
    return readable, has_faults


def _import_files(
    files: list[tuple[ImportFile, Format]],
    options: recognition.ImportOptions,
    *,
    damaged: bool,
) -> int:
    """Import the files, definitions first, and return the exit code; `damaged`: others could not be
    read as a whole.
    """
    outcomes, refusals = list[recognition.Imported](), list[click.ClickException]()
    for format, group in recognition.by_stage(files):
        for outcome in READERS[format.name](format.name, group, options):
            outcomes.append(outcome)
            if outcome.refusal is not None:
                print_error(without_secrets(outcome.refusal.message))
                refusals.append(outcome.refusal)
                continue
            print_outcome(outcome, options)
        if format.stage == Stage.DEFINITIONS or (format.stage == Stage.DISPLAYED and options.apply):
            options = replace(
                options,
                defined=frozenset(each.qmgr for each in outcomes if each.qmgr),
            )
    if not damaged and len(refusals) == len(outcomes):
        return min(each.exit_code for each in refusals)
    return FAILED if damaged or refusals or any(each.faults for each in outcomes) else 0


def _names(choices: Choices, renamed: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The new names of queue managers by the old ones; UsageError for one without an old name."""
    names = {old or choices.qmgr_name() or "": new for old, new in renamed}
    if "" in names:
        raise click.UsageError(
            "--rename NEW is for the queue manager after -m; without -m, write --rename OLD=NEW",
        )
    return names


def _follow(
    files: tuple[str, ...],
    options: recognition.ImportOptions,
    format: Format | None,
) -> int:
    """Import what is new in the files and folders again and again, until a signal comes."""
    from mqsc.imports.recording import FORMATS as FOLLOWED, Follower

    missing = [each for each in files if not os.path.exists(each)]
    if missing:
        raise NothingRunError(f"{missing[0]} does not exist; --follow takes files and folders")
    left_out = set[str]()
    with opened_store(options.choices, create=True) as store, until_signalled() as stop:
        follower = Follower(store, replace(options, keep_going=True))
        while True:
            followed_files = []
            for file in recognition.files_named(files, store.path):
                try:
                    known = (
                        None
                        if isinstance(file, InputSource)
                        else format or recognition.recognised(recognition.head_of(file))
                    )
                except (InputError, OSError):
                    # It was renamed meanwhile; the next look finds it.
                    continue
                if (
                    isinstance(file, recognition.ImportFile)
                    and known is not None
                    and known.name in FOLLOWED
                ):
                    followed_files.append((file, known))
                elif file.name not in left_out:
                    left_out.add(file.name)
                    options.choices.inform(
                        f"mqsc: {file.name} is not followed: neither an error log nor event "
                        "messages",
                    )
            for known, group in recognition.by_stage(followed_files):
                for outcome in follower.look(known.name, group):
                    print_outcome(outcome, options)
            if stop.wait(_BETWEEN_LOOKS):
                return 0


# Seconds.
_BETWEEN_LOOKS = 0.5
_UNKNOWN = "the format is not known; name it with --format"


def print_outcome(outcome: recognition.Imported, options: recognition.ImportOptions) -> None:
    """Print what came of a file on stdout, and its faults on stderr; the sentences may repeat
    parts of the file.
    """
    for line in _lines(outcome.remarks, f"{outcome.file}: {{}} more remarks"):
        print_line(line)
    for line in _lines(outcome.faults, f"{outcome.file}: {{}} more faults"):
        print_error(line)
    counts = ", ".join(_counted(number, what) for what, number in outcome.counts.items())
    how = "would be imported" if options.plan else "imported"
    into = f" into {outcome.qmgr}" if outcome.qmgr and counts else ""
    rest = f"; nothing from {outcome.stopped} on" if counts else ""
    stopped = f"{rest} (--keep-going leaves out what is wrong)" if outcome.stopped else ""
    print_line(f"{outcome.file} ({outcome.format}): {counts or 'nothing'} {how}{into}{stopped}")


# A file that is no such file at all has a fault in every line.
_MOST_REMARKS, _LONGEST_REMARK = 50, 500


def _lines(remarks: Sequence[recognition.Remark], more: str) -> Iterator[str]:
    """The first remarks, without secrets and not longer than a screen, and how many others there
    are.
    """
    for remark in remarks[:_MOST_REMARKS]:
        line = without_secrets(f"{remark.place}: {remark.sentence}")
        yield line if len(line) <= _LONGEST_REMARK else f"{line[:_LONGEST_REMARK]}…"
    if len(remarks) > _MOST_REMARKS:
        yield more.format(len(remarks) - _MOST_REMARKS)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if what.endswith("ed") else counted(number, what)

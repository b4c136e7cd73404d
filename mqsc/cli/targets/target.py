"""`mqsc target list`, `add`, `remove` and `test`: where queue managers elsewhere are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from mqsc.console.config import path, read_again
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command, confirm, earlier_word
from mqsc.console.parameters import FILE_PATH, TextType
from mqsc.console.replaced_file import write_whole
from mqsc.console.tables import table_lines
from mqsc.console.target import FAILED, NOTHING_RUN
from mqsc.console.terminal import columns, printable
from mqsc.console.text.reasons import counted
from mqsc.targets import declared
from mqsc.targets.calls import LIMIT_SECONDS
from mqsc.targets.declared import FILE, PROGRAMS
from mqsc.targets.dump import dump_of
from mqsc.targets.facts import facts_of
from mqsc.targets.on_target import TargetName
from mqsc.targets.programs import read
from mqsc.targets.target import Target, TargetError

_HEADINGS = ("TARGET", "QUEUE MANAGER", "REACHED BY", "DECLARED IN")
_OWN_MODE = 0o600


class ViaWords(TextType):
    """Words as a shell would split them; none is expanded."""

    name = "words"

    def read(self, text: str) -> tuple[str, ...]:
        try:
            return tuple(declared.words_of("words", text))
        except TargetError as error:
            raise ValueError(error.message) from error


class OfProgram(TextType):
    """PROGRAM=TEXT for one of IBM's programs that are called."""

    name = "program"

    def read(self, text: str) -> tuple[str, str]:
        program, equals, value = text.partition("=")
        if not equals or program not in PROGRAMS:
            raise ValueError(f"{text!r} is not PROGRAM=TEXT for one of {', '.join(PROGRAMS)}")
        return program, value


@command("list", common=("format", "quiet"))
def list_(choices: Choices) -> None:
    """List the targets: your own, and those of the files targets.toml that count here.

    Your own are in your file of settings. A file targets.toml counts in the current folder, and in
    the folders above it up to the root of the repository; commands with FILEs look beside these
    too.
    """
    known = declared.targets()
    rows = (
        {
            "target": each.name,
            "queue_manager": each.queue_manager,
            "via": [*each.via],
            "rest": each.rest,
            "declared_in": each.declared_in,
        }
        for each in known.values()
    )
    cells = [
        [each.name, each.queue_manager, printable(each.where()), printable(each.declared_in)]
        for each in known.values()
    ]
    print_rows(choices.format, rows, table_lines(_HEADINGS, cells, columns()) if cells else ())
    if not known:
        choices.inform("mqsc: there are no targets; `mqsc target add` declares one")


@command(common=("qmgr", "quiet"))
@click.argument("target", type=TargetName(), metavar="NAME")
@click.option(
    "--via",
    type=ViaWords(),
    default=(),
    metavar="WORDS",
    help="The words before each of IBM's programs, such as 'docker exec -i mq' or 'ssh mqm@host'.",
)
@click.option(
    "--rest",
    default="",
    metavar="URL",
    help="In place of --via: the URL of its mqweb (REST API), such as https://host:9443.",
)
@click.option(
    "--cacert",
    type=FILE_PATH,
    metavar="FILE",
    help="With --rest: the certificates (PEM) to trust in place of those of this host.",
)
@click.option(
    "--program",
    "programs",
    type=OfProgram(),
    multiple=True,
    metavar="PROGRAM=PATH",
    help="Another path of dmpmqcfg, runmqsc or dmpmqmsg; repeatable.",
)
@click.option(
    "--arguments",
    type=OfProgram(),
    multiple=True,
    metavar="PROGRAM=WORDS",
    help="Arguments to add to a program, such as runmqsc='-c -u app'; repeatable.",
)
@click.option(
    "--definitions",
    type=FILE_PATH,
    multiple=True,
    metavar="FILE|FOLDER",
    help="What the queue manager should match, for `mqsc fleet`; repeatable.",
)
@click.option(
    "--credentials",
    type=FILE_PATH,
    metavar="FILE",
    help="A file that only you can read: the password for -u in its first line; for --rest the "
    "user in the first, the password in the second.",
)
@click.option(
    "--shared",
    is_flag=True,
    help="Declare it in targets.toml in the current folder, for a team.",
)
def add(
    choices: Choices,
    target: str,
    via: tuple[str, ...],
    rest: str,
    cacert: Path | None,
    programs: tuple[tuple[str, str], ...],
    arguments: tuple[tuple[str, str], ...],
    definitions: tuple[Path, ...],
    credentials: Path | None,
    shared: bool,
) -> None:
    """Declare the target NAME: the queue manager after -m, and what reaches it.

    Nothing is called. `mqsc target test` tries it.
    """
    if choices.qmgr is None:
        raise click.UsageError("name the queue manager with -m")
    declared.check_name(repr(target), target)
    file = Path(FILE).resolve() if shared else path()
    added = Target(
        target,
        choices.qmgr,
        via,
        rest,
        programs=dict(programs),
        arguments={program: tuple(declared.words_of(program, text)) for program, text in arguments},
        definitions=tuple(str(each.resolve()) for each in definitions),
        credentials="" if credentials is None else str(credentials.resolve()),
        declared_in=str(file),
        cacert="" if cacert is None else str(cacert.resolve()),
    )
    before = file.read_text("utf-8") if file.is_file() else ""
    if target in declared.targets_in(file, before):
        raise TargetError(f"{file} has a target {target}; `mqsc target remove {target}` removes it")
    text = "\n".join([*([before.rstrip("\n"), ""] if before else []), *declared.declaration(added)])
    declared.targets_in(file, f"{text}\n")
    _write(file, f"{text}\n", shared=shared)
    confirm(f"{target} is declared in {printable(str(file))}.")


@command(common=("quiet",))
@click.argument("target", type=TargetName(), metavar="NAME")
def remove(choices: Choices, target: str) -> None:
    """Remove the declaration of the target NAME from the file that has it."""
    file = Path(declared.target_named(target).declared_in)
    before = file.read_text("utf-8")
    text = declared.without_declaration(before, target)
    if target in declared.targets_in(file, text):
        raise TargetError(
            f"{file}: the table of {target} is not on lines of its own; edit the file"
        )
    _write(file, text, shared=file != path())
    confirm(f"{target} is no longer declared in {printable(str(file))}.")


def _write(file: Path, text: str, *, shared: bool) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    is_new = not file.exists()
    write_whole(file, text.encode(), mode=_OWN_MODE if is_new and not shared else None)
    read_again()


@command(common=("format", "quiet"))
@click.argument("target", type=TargetName(), metavar="NAME")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=LIMIT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long a program may take.",
)
@earlier_word("--limit", now="--timeout")
def test(choices: Choices, target: str, timeout: float) -> int:
    """Try the target NAME: what answers, its version and platform, and what you may read.

    Each of the programs is called once, to read; over REST, mqweb is asked for the states and for
    the definitions. Exit code 0 if all of them answer, 10 if some do, 20 if none does.
    """
    found = declared.target_named(target)
    tries: Mapping[str, Callable[[], str]] = {
        "runmqsc": lambda: _shown(found, timeout),
        "dmpmqcfg": lambda: _dumped(found, timeout),
        "dmpmqmsg": lambda: _browsed(found, timeout),
    }
    if found.rest:
        tries = {"states": tries["runmqsc"], "definitions": tries["dmpmqcfg"]}
    results = {program: _tried(attempt) for program, attempt in tries.items()}
    rows = (
        {"program": program, "answers": answers, "text": text}
        for program, (answers, text) in results.items()
    )
    width = max(map(len, results))
    lines = (
        f"{'✓' if answers else '✗'}  {program:<{width}}  {printable(text)}"
        for program, (answers, text) in results.items()
    )
    print_rows(choices.format, rows, lines)
    answering = sum(answers for answers, _ in results.values())
    if answering == len(results):
        return 0
    return FAILED if answering else NOTHING_RUN


def _tried(attempt: Callable[[], str]) -> tuple[bool, str]:
    try:
        return True, attempt()
    except TargetError as error:
        return False, error.message


def _shown(target: Target, limit: float) -> str:
    facts = facts_of(target, limit)
    platform = f" on {facts.platform}" if facts.platform else ""
    return (
        f"{target.queue_manager}: level {facts.level or 'unknown'}, version "
        f"{facts.version or 'unknown'}{platform}; {counted(len(facts.depths), 'local queue')}"
    )


def _dumped(target: Target, limit: float) -> str:
    dump = dump_of(target, limit_seconds=limit)
    commands = sum(1 for line in dump.lines if line and not line.startswith("*"))
    return f"the definitions: {counted(commands, 'command')}, {counted(len(dump.content), 'byte')}"


def _browsed(target: Target, limit: float) -> str:
    read(target, "messages", queue=_ANY_QUEUE, most=1, limit_seconds=limit)
    return f"messages: {_ANY_QUEUE} can be browsed"


# Every queue manager has it.
_ANY_QUEUE = "SYSTEM.DEFAULT.LOCAL.QUEUE"

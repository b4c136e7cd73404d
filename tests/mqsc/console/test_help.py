"""Help: one screen for the whole, examples that parse for every command, lines that fit the
terminal.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator

import click
import pytest

from mqsc.console.commands import EXAMPLES, FIRST_IBM_NAMES, FUNCTIONS, IBM_NAMES, TASKS
from mqsc.console.help import HelpFormatter, example_lines, first_page
from mqsc.console.options import HELP_OPTIONS, LazyGroup
from mqsc.main import COMMANDS, mqsc
from tests.mqsc.conftest import Command

SCREEN = (24, 80)
LOCAL_QUEUES = ("DLQ", "ORDERS", "ORDERS.BAD", "ORDERS.REVIEW")


def commands(
    group: click.Group = mqsc,
    path: tuple[str, ...] = (),
) -> Iterator[tuple[str, click.Command]]:
    """Every command with its path."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield " ".join((*path, name)), command
        if isinstance(command, LazyGroup):
            yield from commands(command, (*path, name))


PATHS = dict(commands())


def test_every_command_has_examples_and_its_place_on_the_first_page() -> None:
    named = Counter([*(name for rows in TASKS.values() for name in rows), *IBM_NAMES])
    assert named == Counter([*COMMANDS])
    assert sorted(EXAMPLES.keys() ^ {"", *PATHS}) == []


def test_every_command_has_a_function_or_commands_below_it() -> None:
    groups = {path.rpartition(" ")[0] for path in PATHS}
    assert sorted(FUNCTIONS.keys() - PATHS.keys()) == []
    assert sorted(PATHS.keys() - FUNCTIONS.keys() - groups) == []


def test_the_first_page_fits_one_screen(mqsc: Command) -> None:
    ended = mqsc("--help")
    assert (ended.code, mqsc("-h")) == (0, ended)
    assert len(ended.lines) <= SCREEN[0]
    assert max(map(len, ended.lines)) <= SCREEN[1]
    others = {*IBM_NAMES} - {*FIRST_IBM_NAMES}
    assert [name for name in COMMANDS if f" {name}" not in ended.out and name not in others] == []
    for width in (38, 78, 98):
        assert [line for line in first_page(COMMANDS, width) if len(line) > max(width, 39)] == []
        assert any("  another" in line for line in first_page([*COMMANDS, "another"], width))


@pytest.mark.parametrize("path", sorted(EXAMPLES))
def test_every_example_can_be_typed(path: str) -> None:
    for example in EXAMPLES[path]:
        words = shlex.split(example.partition(" < ")[0].partition(" > ")[0])
        words = words[1:] if words[0] == "mqsc" else words
        assert " ".join(words).startswith(path), example
        with mqsc.make_context("mqsc", words, resilient_parsing=False) as context:
            found = parsed(context)
        assert found.startswith(path), example


def test_examples_are_not_refused_for_what_they_name(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc(
        "run",
        "-c",
        "ALTER QMGR DEADQ(DLQ)",
        *(f"-cDEFINE QLOCAL({name})" for name in LOCAL_QUEUES),
    )
    mqsc("qmgr", "create", "QM2")
    mqsc("qmgr", "end", "QM2")
    paths = (
        "dlq show",
        "dlq retry",
        "dlq forward",
        "dlq discard",
        "qmgr join",
        "qmgr leave",
        "trigger explain",
    )
    examples = [each for path in paths for each in EXAMPLES[path]]
    assert [each for each in examples if mqsc(*shlex.split(each)[1:]).code] == []


def parsed(context: click.Context) -> str:
    """Parse the arguments that are left down to the innermost command; return its path."""
    command, rest = context.command, [*context._protected_args, *context.args]
    if not isinstance(command, click.Group) or not rest:
        return ""
    name, inner, arguments = command.resolve_command(context, rest)
    assert inner is not None
    with inner.make_context(name, list(arguments), parent=context) as child:
        further = parsed(child)
    return f"{child.info_name} {further}".strip()


@pytest.mark.parametrize("width", [38, 78, 98])
def test_help_is_broken_between_words(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setattr(click.Context, "formatter_class", HelpFormatter)
    for path, command in PATHS.items():
        names = [*HELP_OPTIONS]
        with click.Context(
            mqsc,
            info_name="mqsc",
            terminal_width=width,
            help_option_names=names,
        ) as outer:
            lines = command.get_help(
                click.Context(command, parent=outer, info_name=path),
            ).splitlines()
        assert [line for line in lines if len(line) > width and len(line.split()) > 1] == [], path


def test_help_ends_with_the_examples(mqsc: Command) -> None:
    """They are continued as a shell reads it."""
    ended = mqsc("qmgr", "create", "-h")
    examples = [
        "mqsc qmgr create QM1",
        "mqsc qmgr create QM1 --dev",
        "mqsc qmgr create TEST --clock manual",
    ]
    assert ended.lines[-4:] == ["  Examples:", *(f"    {each}" for each in examples)]
    assert "  -h, --help " in ended.out
    assert mqsc("crtmqm", "--help").lines[-1] == "    crtmqm -q -u DEAD.LETTERS QM1"
    lines = [
        "  mqsc qmgr create QM1",
        "  mqsc qmgr create QM1 --dev",
        "  mqsc qmgr create TEST \\",
        "      --clock manual",
    ]
    assert [*example_lines("qmgr create", 30)] == lines


def test_words_with_hyphens_stay_whole_and_ranges_are_in_words() -> None:
    formatter = HelpFormatter(width=62)
    formatter.write_text(
        "A message that cannot be put anywhere else goes to the dead-letter queue."
    )
    formatter.write_dl(
        [
            ("--report NAMES", "Reports to request: expiration, expiration-with-data ..."),
            ("--limit N", "End after N.  [x>=1]"),
            ("--height N", "Lines.  [default: 10; 2<=x<=60]"),
            ("--rate N", "At most N a second.  [x>0]"),
        ],
    )
    assert formatter.getvalue().splitlines() == [
        "A message that cannot be put anywhere else goes to the",
        "dead-letter queue.",
        "--report NAMES  Reports to request: expiration,",
        "                expiration-with-data ...",
        "--limit N       End after N.  [at least 1]",
        "--height N      Lines.  [default: 10; 2 to 60]",
        "--rate N        At most N a second.  [more than 0]",
    ]

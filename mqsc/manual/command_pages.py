"""What the manual says of each command, from its options, its help and its examples."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click
from msgspec import Struct

from mqsc.console.commands import EXAMPLES
from mqsc.console.options import HELP_OPTIONS, LazyGroup
from mqsc.ibm.options import IbmCommand
from mqsc.main import mqsc

_WIDE = 10_000
# The name of docs/README.md in the site.
TASKS = "tasks"
# The pages with which the guide begins and ends.
FIRST = ("tutorial", "demo", "coming-from", "cheat-sheet", TASKS)
# The folders of docs/ that are parts of the site: the pages for developers, and MQ's behaviour.
DEVELOPMENT = "development"
SPECIFICATION = f"{DEVELOPMENT}/specification"
_ABOUT = "An MQ-style queue manager in one SQLite file, administered in MQSC."


class Paragraph(Struct, frozen=True):
    """A paragraph of a description; the lines of one that is `kept` stay as they are."""

    text: str
    kept: bool = False


class CommandPage(Struct, frozen=True):
    """One command: `path` is what follows `mqsc`, blank for the command line as a whole.

    `options` are pairs of the option and its meaning, `commands` those of a group with a line about
    each.
    """

    path: str
    about: str
    usage: str
    description: tuple[Paragraph, ...]
    options: tuple[tuple[str, str], ...]
    commands: tuple[tuple[str, str], ...]
    examples: tuple[str, ...]
    is_ibms: bool

    @property
    def title(self) -> str:
        """The name of the manual page: mqsc-qmgr-create, or runmqsc for a program of its own."""
        return self.path if self.is_ibms else "-".join(("mqsc", *self.path.split()))

    @property
    def typed(self) -> str:
        """The command as it is typed."""
        return self.path if self.is_ibms else f"mqsc {self.path}".rstrip()


def command_pages() -> Iterator[CommandPage]:
    """A page for the command line as a whole, and one for every command."""
    with click.Context(
        mqsc,
        info_name="mqsc",
        terminal_width=_WIDE,
        help_option_names=[*HELP_OPTIONS],
    ) as context:
        yield _page(context, "", _ABOUT)
        yield from _of_group(context, mqsc, "")


def _of_group(context: click.Context, group: LazyGroup, path: str) -> Iterator[CommandPage]:
    for name, (_, _, about, *_) in group.rows.items():
        command = group.get_command(context, name)
        assert command is not None
        with click.Context(command, parent=context, info_name=name) as inner:
            inner_path = f"{path} {name}".strip()
            yield _page(inner, inner_path, about)
            if isinstance(command, LazyGroup):
                yield from _of_group(inner, command, inner_path)


def _page(context: click.Context, path: str, about: str) -> CommandPage:
    command = context.command
    is_ibms = isinstance(command, IbmCommand)
    usage = context.get_usage().removeprefix("Usage: ")
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    options = tuple((names, _plain(meaning)) for names, meaning in filter(None, records) if meaning)
    rows = command.rows.items() if isinstance(command, LazyGroup) else ()
    return CommandPage(
        path,
        about,
        usage.removeprefix("mqsc ") if is_ibms else usage,
        tuple(_paragraphs(command.help or "")),
        options,
        tuple((f"{path} {name}".strip(), line) for name, (_, _, line, *_) in rows),
        EXAMPLES.get(path, ()),
        is_ibms,
    )


def _paragraphs(text: str) -> Iterator[Paragraph]:
    for part in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if part.startswith("\b"):
            yield Paragraph(part.removeprefix("\b").strip("\n"), kept=True)
        elif part:
            yield Paragraph(_plain(part))


def _plain(text: str) -> str:
    return " ".join(text.split())

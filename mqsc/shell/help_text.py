"""`help` and `?` in the shell: an overview, the syntax of a command, the meaning of a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqsc.console import commands, help
from mqsc.console.help import HelpFormatter
from mqsc.console.shell_words import (
    BACKSLASH,
    KEYS,
    OUTPUT,
    SETTINGS,
    SHELL_COMMANDS,
    backslash_usage,
    setting_usage,
)
from mqsc.console.terminal import wrapped
from mqsc.explain.lookup import topic_lines
from mqsc.language import command_table, syntax_text
from mqsc.shell.own_commands import OWN_COMMANDS
from mqsc.verbs.syntax import syntax_begun_by

# The share of the screen that the first of two columns may take.
_FIRST_COLUMN = 0.4


def help_lines(words: list[str], width: int, last: str) -> Iterator[str]:
    """Help on words of the shell or of MQSC; without words, an overview. A `?` alone asks about
    `last`, the last command.
    """
    if not words:
        yield from _overview(width)
        return
    if words == ["?"]:
        yield from _about_last(last, width)
        return
    name = words[0].lower().lstrip("\\")
    if name in OWN_COMMANDS and len(words) == 1:
        row = OWN_COMMANDS[name]
        yield from _pairs([(row.usage, row.about)], width)
        return
    if words[0].startswith("\\") and (name in SETTINGS or name in BACKSLASH):
        yield from _pairs(
            [setting_usage(name) if name in SETTINGS else backslash_usage(name)], width
        )
        return
    yield from topic_lines(words, width)


def _overview(width: int) -> Iterator[str]:
    yield from wrapped(
        "MQSC: type a command and press Enter. A line that ends in + or - continues.",
        width,
    )
    yield from wrapped(f"Verbs: {', '.join(sorted(command_table.COMMANDS))}.", width)
    yield ""
    yield from help.by_task(commands.commands_in(), width)
    yield from wrapped(f"IBM's names: {' '.join(commands.IBM_NAMES)}", width)
    yield "Of the shell:"
    # The second column is at one place in all lists.
    least = round(width * _FIRST_COLUMN)
    yield from _pairs([(row.usage, row.about) for row in SHELL_COMMANDS], width, least)
    yield ""
    yield from _pairs([backslash_usage(name) for name in BACKSLASH], width, least)
    yield ""
    yield from wrapped("Settings, for the session or at the end of a command:", width)
    yield from _pairs([setting_usage(name) for name in SETTINGS], width, least)
    yield ""
    yield from _pairs(OUTPUT, width, least)
    yield ""
    yield from wrapped("Keys: " + "; ".join(f"{key}: {what}" for key, what in KEYS) + ".", width)


def _about_last(last: str, width: int) -> Iterator[str]:
    syntax = syntax_begun_by(last)
    if syntax is None:
        yield from wrapped("There is no command to explain yet; help lists all.", width)
    else:
        yield from syntax_text.fitted(syntax_text.syntax_lines(syntax), width)


def _pairs(pairs: Sequence[tuple[str, str]], width: int, least: int = 0) -> Iterator[str]:
    """Two columns, the first at least so wide, the second wrapped, after a few long first ones on
    a new line; all of them on a narrow screen.
    """
    layout = HelpFormatter(width=width)
    layout.indent()
    layout.write_dl(
        [(f"{first:<{least}}", second) for first, second in pairs],
        round(width * _FIRST_COLUMN),
    )
    yield from layout.getvalue().splitlines()

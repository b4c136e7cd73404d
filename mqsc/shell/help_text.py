"""`help` and `?` in the shell: an overview, the syntax of a command, the meaning of a word."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from mqsc.explain.lookup import topic_lines
from mqsc.language.command_table import COMMANDS
from mqsc.language.syntax import syntax_begun_by
from mqsc.language.syntax_help import fitted, syntax_lines
from mqsc.shell.own_commands import OWN_COMMANDS, ROWS, SETTINGS

_OUTPUT = (
    ("COMMAND > FILE", "Write the output to a file; >> appends to it, >! replaces it without a question."),
    ("COMMAND | PROGRAM", "Send the output to a program, through your shell."),
    ("help DEFINE QLOCAL", "The syntax of a command; help DEFINE lists its objects."),
    ("help TRIGTYPE, help 2053", "The meaning of a keyword, value, code, message or concept."),
)
# The share of the screen that the first of two columns may take, and the narrowest screen for two.
_FIRST_COLUMN = 0.4
_NARROW = 56
_KEYS = (
    ("Tab", "complete"),
    ("Right", "take the suggestion from the history"),
    ("Ctrl-R", "search the history"),
    ("Ctrl-C", "clear the line, or stop a command"),
    ("Ctrl-D", "leave"),
)


def help_lines(words: list[str], width: int, last: str) -> Iterator[str]:
    """Help on words; without words, an overview. A `?` alone asks about `last`, the last command."""
    if not words:
        yield from _overview(width)
        return
    if words == ["?"]:
        yield from _about_last(last, width)
        return
    name = words[0].lower().lstrip("\\")
    if name in OWN_COMMANDS and len(words) == 1:
        row = OWN_COMMANDS[name]
        yield from _pairs([(f"{row.name} {row.takes}".rstrip(), row.about)], width)
        if row.path or name in ("get", "put"):
            yield f"{name} --help lists its options."
        return
    if name in SETTINGS and words[0].startswith("\\"):
        yield from _pairs([_setting(name)], width)
        return
    yield from topic_lines(words, width)


def _overview(width: int) -> Iterator[str]:
    yield from _wrapped("MQSC: type a command and press Enter. A line that ends in + or - continues.", width)
    yield from _wrapped(f"Verbs: {', '.join(sorted(COMMANDS))}.", width)
    yield ""
    yield "Commands of the shell:"
    yield from _pairs([(f"{row.name} {row.takes}".rstrip(), row.about) for row in ROWS], width)
    yield ""
    yield from _wrapped("Settings, for the session or at the end of a command:", width)
    yield from _pairs([_setting(name) for name in SETTINGS], width)
    yield ""
    yield from _pairs(_OUTPUT, width)
    yield ""
    yield from _wrapped("Keys: " + "; ".join(f"{key}: {what}" for key, what in _KEYS) + ".", width)


def _setting(name: str) -> tuple[str, str]:
    values, about = SETTINGS[name]
    return f"\\{name} {'|'.join(values) or '[ATTRIBUTE]'}", about


def _about_last(last: str, width: int) -> Iterator[str]:
    syntax = syntax_begun_by(last)
    if syntax is None:
        yield from _wrapped("There is no command to explain yet; help lists all.", width)
    else:
        yield from fitted(syntax_lines(syntax), width)


def _pairs(pairs: list[tuple[str, str]] | tuple[tuple[str, str], ...], width: int) -> Iterator[str]:
    """Two columns, the second wrapped, after a few long first ones on a new line; all of them on a narrow screen."""
    longest = max((len(first) for first, _ in pairs if len(first) <= width * _FIRST_COLUMN), default=0)
    if longest and width >= _NARROW:
        for first, second in pairs:
            indent = " " * (longest + 4)
            begin = f"  {first:<{longest}}  "
            if len(begin) > len(indent):
                yield begin.rstrip()
                begin = indent
            yield from textwrap.wrap(second, width, initial_indent=begin, subsequent_indent=indent)
        return
    for first, second in pairs:
        yield from textwrap.wrap(first, width, initial_indent="  ", subsequent_indent="    ")
        yield from textwrap.wrap(second, width, initial_indent="      ", subsequent_indent="      ")


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)

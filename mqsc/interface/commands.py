"""A text as the MQSC commands that it consists of, without running them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from mqsc.grammar.lines import LogicalLine
from mqsc.language.command_table import READING
from mqsc.language.refusal import CommandRefusal
from mqsc.language.secrets import masked
from mqsc.script import commands_in, read_request


class Command(Struct, frozen=True, kw_only=True):
    """A command as `mqsc.run` would read it: what it does, to which object, and where it is.

    `line` counts from 1. `text` is the command in one line, with secrets masked. `verb` and
    `object_type` are words of MQ in full, whatever short form the text has; `name` is blank for a
    command that names no object. `changes` is False only for a command that reads. `fault` says why
    a command cannot be run; its verb, type and name are blank then, and `changes` is True, so that
    a guard which lets commands pass that only read stops it.

    >>> mqsc.commands("dis ql(ORDERS)")[0].verb
    'DISPLAY'
    """

    __module__ = "mqsc"

    line: int
    text: str
    verb: str = ""
    object_type: str = ""
    name: str = ""
    changes: bool = True
    fault: str = ""


def commands(text: str | Iterable[bytes | str]) -> list[Command]:
    """The commands that `mqsc.run` would run for this text, a string or its lines, in order.

    Nothing is run. Comments and what follows END are no commands, as in MQ. The text is read with
    the functions that `run` uses, so that no comment, continuation, quote or second line hides a
    command.

    >>> for command in mqsc.commands('''DISPLAY QLOCAL(ORDERS)
    ... * a comment
    ... CLEAR +
    ...   QLOCAL(ORDERS)'''):
    ...     print(command.line, command.verb, command.object_type, command.name, command.changes)
    1 DISPLAY QLOCAL ORDERS False
    3 CLEAR QLOCAL ORDERS True
    """
    lines = (text,) if isinstance(text, str) else text
    return list(_read(lines))


def _read(lines: Iterable[bytes | str]) -> Iterator[Command]:
    for line in commands_in(lines):
        yield _command(line)


def _command(line: LogicalLine) -> Command:
    number = line.source[0].number
    shown = masked(line.text.strip())
    request = read_request(line)
    if isinstance(request, CommandRefusal):
        return Command(line=number, text=shown, fault=request.sentence_in(line))
    return Command(
        line=number,
        text=shown,
        verb=request.verb,
        object_type=request.noun,
        name=request.name,
        changes=request.verb not in READING,
    )

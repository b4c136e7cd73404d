"""The shell's own command: `explain 2053`, `explain trigger(QUEUE) [if('put priority 5')]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grammar.lines import LogicalLine, logical_lines
from grammar.parse import parse_command
from grammar.tree import Command, SyntaxFault
from mqsc.console.terminal import columns
from mqsc.console.text.reasons import error_text
from mqsc.console.text.triggering import explanation_lines, read_hypothetical
from mqsc.shell.own_commands import OwnCommandError
from store.admin.trigger_explanation import explain
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

SYNTAX = "explain WORD, or explain trigger(QUEUE) [if('put priority 5 persistent')]"


def shell_answer(qmgr: QueueManager, text: str) -> Iterator[str] | None:
    """The output of an `explain` command; None when `text` is MQSC."""
    commands = [item for item in logical_lines(text.split("\n")) if isinstance(item, LogicalLine)]
    if len(commands) != 1 or commands[0].text.split(maxsplit=1)[0].upper() != "EXPLAIN":
        return None
    return _explained(qmgr, commands[0])


def _explained(qmgr: QueueManager, line: LogicalLine) -> Iterator[str]:
    try:
        given = _parameters(parse_command(line))
        hypothetical = given.get("IF")
        found = explain(qmgr, given["TRIGGER"], None if hypothetical is None else read_hypothetical(hypothetical))
    except (SyntaxFault, KeyError):
        raise OwnCommandError(f"syntax: {SYNTAX}") from None
    except ValueError as error:
        raise OwnCommandError(f"IF {error}") from error
    except MQError as error:
        raise OwnCommandError(error_text(error)) from error
    else:
        yield from explanation_lines(found, columns())


def _parameters(command: Command) -> dict[str, str]:
    """Keyword and value of each parameter; KeyError for an unknown or repeated keyword."""
    allowed = {"TRIGGER", "IF"}
    found = {}
    for parameter in command.parameters[1:]:
        allowed.remove(parameter.keyword)
        if not parameter.values:
            raise KeyError(parameter.keyword)
        found[parameter.keyword] = " ".join(value.text for value in parameter.values)
    return found

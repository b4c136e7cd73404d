"""What the shell understands beside MQSC: `explain 2053`, `explain trigger(QUEUE) [if('put priority 5')]`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grammar.fault import SyntaxFault
from grammar.lines import LogicalLine, logical_lines
from grammar.parse import parse_command
from grammar.tree import Command
from mqsc.console.trigger_text import explanation_lines, read_hypothetical
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

FORM = "explain WORD, or explain trigger(QUEUE) [if('put priority 5 persistent')]"
WIDTH = 100


def shell_answer(qmgr: QueueManager, text: str) -> Iterator[str] | None:
    """The lines that answer a word of the shell's own; None when `text` is for MQSC."""
    commands = [item for item in logical_lines(text.split("\n")) if isinstance(item, LogicalLine)]
    if len(commands) != 1 or commands[0].text.split(maxsplit=1)[0].upper() != "EXPLAIN":
        return None
    words = commands[0].text.split()[1:]
    return _meanings(words) if words and "(" not in commands[0].text else _explained(qmgr, commands[0])


def _meanings(words: list[str]) -> Iterator[str]:
    """What codes, messages, keywords and rules mean, as `mqsc explain` says it."""
    from mqsc.explain.lookup import explanations, unknown

    for word in words:
        found = explanations(word)
        for each in found:
            yield from each.lines(min(shutil.get_terminal_size().columns, WIDTH))
        if not found:
            yield unknown(word)


def _explained(qmgr: QueueManager, line: LogicalLine) -> Iterator[str]:
    from store.admin.trigger_explanation import explain

    try:
        given = _parameters(parse_command(line))
        imagined = given.get("IF")
        found = explain(qmgr, given["TRIGGER"], None if imagined is None else read_hypothetical(imagined))
    except (SyntaxFault, KeyError):
        yield f"write {FORM}"
    except (ValueError, MQError) as refused:
        yield str(refused)
    else:
        yield from explanation_lines(found)


def _parameters(command: Command) -> dict[str, str]:
    """Keyword and value of each parameter; KeyError for a word that has no place here."""
    values = {"TRIGGER": "", "IF": ""}
    found = {}
    for parameter in command.parameters[1:]:
        values.pop(parameter.keyword)
        if not parameter.values:
            raise KeyError(parameter.keyword)
        found[parameter.keyword] = " ".join(value.text for value in parameter.values)
    return found

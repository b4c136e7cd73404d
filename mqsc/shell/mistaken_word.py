"""What was probably meant by a first word that is neither MQSC nor a command of the shell."""

from __future__ import annotations

from collections.abc import Callable

from mqsc.console.mistaken_command import nearest_word
from mqsc.language.command_table import verb_of
from mqsc.shell.command_text import ENDINGS
from mqsc.shell.own_commands import OWN_COMMANDS, ROWS


def hint_for(word: str, command: Callable[[str], object]) -> str:
    """What to type instead; blank if MQSC's own error is better. `command` finds commands of the command line."""
    if not word.isalpha() or verb_of(word.upper()):
        return ""
    if word == "mqsc":
        return "this is the shell of mqsc: type commands without mqsc before them"
    for row in ROWS:
        if row.path[:1] == (word,):
            return f"use {row.name} here: {row.name} {row.takes}"
    if command(word) is not None:
        return f"{word} does not work in here: leave with end, and type it in your own shell"
    own = {*OWN_COMMANDS, *map(str.lower, ENDINGS)}
    near = nearest_word(word, own)
    return f"'{word}' is not a command; did you mean {near}?" if near in own else ""

"""Which objects a verb takes: those that MQSC gives it, but for the commands that are refused here altogether."""

from __future__ import annotations

from mqsc.language.command_table import COMMANDS
from mqsc.language.nouns import Subjects
from mqsc.language.unsupported import ELSEWHERE


def objects_of(verb: str) -> Subjects:
    """The objects of a verb with the kinds they cover, of those that it does something about."""
    return Subjects(noun for noun in COMMANDS[verb] if (verb, noun) not in ELSEWHERE)

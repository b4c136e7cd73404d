"""Which objects a verb takes: those that MQSC gives it, but for the commands that are refused here altogether."""

from __future__ import annotations

from mqsc.elsewhere import ELSEWHERE
from mqsc.known import COMMANDS
from mqsc.subjects import Subjects


def objects_of(verb: str) -> Subjects:
    """The objects of a verb with the kinds they cover, of those that it does something about."""
    return Subjects(noun for noun in COMMANDS[verb] if (verb, noun) not in ELSEWHERE)

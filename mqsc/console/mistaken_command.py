"""Suggests a command when the first word after `mqsc` is not one but MQSC, a file, or a queue manager."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches

from mqsc.console.object_names import queue_managers
from mqsc.console.terminal import Choices
from mqsc.language.command_table import LISTED_VERBS, verb_of

# The name of a queue manager, as people usually write it: in upper case, perhaps with digits.
_LIKE_A_QUEUE_MANAGER = re.compile(r"[A-Z][A-Z0-9._]{1,47}")


def likely_command(words: Sequence[str], choices: Choices, commands: Iterable[str]) -> str:
    """What to use instead, as the end of a sentence; blank if nothing suggests itself."""
    first, typed = words[0], shlex.join(words)
    if verb_of(first.upper()):
        return _as_mqsc(words)
    if os.path.exists(first):
        return f"{first} is a {'folder' if os.path.isdir(first) else 'file'}: to run its MQSC, use `mqsc run {typed}`."
    if first in queue_managers(choices):
        return (
            f"{first} is a queue manager: use `mqsc -m {first}` for its shell, `mqsc run -m {first} FILE` for a file."
        )
    near = "" if any(map(str.isdigit, first)) else nearest_word(first, commands)
    if near in LISTED_VERBS:
        return _as_mqsc([near, *words[1:]])
    if near:
        return f"did you mean {near}?"
    if _LIKE_A_QUEUE_MANAGER.fullmatch(first):
        return f"for the shell of a queue manager {first}, use `mqsc -m {first}`."
    return ""


def nearest_word(word: str, commands: Iterable[str]) -> str:
    """The command, or the verb of MQSC in upper case, that is most like a word; blank if none is like it."""
    near = get_close_matches(word.upper(), LISTED_VERBS, n=1) + get_close_matches(word.lower(), commands, n=1)
    return max(near, key=lambda each: SequenceMatcher(None, each.lower(), word.lower()).ratio(), default="")


def _as_mqsc(words: Sequence[str]) -> str:
    if len(words) == 1:
        return f"{words[0].upper()} is a command of MQSC: use `mqsc run -c '{words[0]} ...'`, or `mqsc` for the shell."
    return f"to run MQSC, use `mqsc run -c {shlex.quote(' '.join(words))}`."

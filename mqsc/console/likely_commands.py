"""A word after `mqsc` that is no command but MQSC, a file, or a queue manager."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence

from mqsc.console.choices import Choices
from mqsc.console.object_names import defined_names, queue_managers

# The name of a queue manager, as people usually write it: in upper case, perhaps with digits.
_LIKE_A_QUEUE_MANAGER = re.compile(r"[A-Z][A-Z0-9._]{1,47}")


def likely_command(words: Sequence[str], choices: Choices, commands: Iterable[str]) -> str:
    """What to use instead, as the end of a sentence; blank if nothing suggests itself."""
    from mqsc.console.commands import commands_ending_in
    from mqsc.language.command_table import LISTED_VERBS, verb_of
    from mqsc.store.catalog.spelling import did_you_mean

    first, typed = words[0], shlex.join(words)
    longer = commands_ending_in(first.lower())
    is_about_a_manager = longer and not {*words[1:]}.isdisjoint(queue_managers(choices))
    if verb_of(first.partition(" ")[0].upper()) and not is_about_a_manager:
        return as_mqsc(words)
    if os.path.exists(first):
        return (
            f"{first} is a {'folder' if os.path.isdir(first) else 'file'}: to run its MQSC, use "
            f"`mqsc run {typed}`."
        )
    if first in queue_managers(choices):
        return (
            f"{first} is a queue manager: use `mqsc -m {first}` for its shell, `mqsc run -m "
            f"{first} FILE` for a file."
        )
    if longer:
        return did_you_mean(longer)
    near = "" if any(map(str.isdigit, first)) else nearest_word(first, commands)
    if near in LISTED_VERBS:
        return f"{did_you_mean([near])} {_capitalised(as_mqsc([near, *words[1:]]))}"
    if near:
        return did_you_mean([near])
    return _as_name(first, choices)


def _as_name(word: str, choices: Choices) -> str:
    """What to use instead of a word that is, or is like, the name of a queue or queue manager."""
    managers = queue_managers(choices)
    if word.upper() in defined_names(choices, "queue"):
        queue = word.upper()
        return f"{queue} is a queue: use `mqsc browse {queue}` for its messages."
    from mqsc.store.catalog.spelling import did_you_mean, similar

    near = similar(word, managers)
    if near:
        return f"{did_you_mean([f'the queue manager {near}'])} Use `mqsc -m {near}` for its shell."
    if not managers and _LIKE_A_QUEUE_MANAGER.fullmatch(word):
        return f"for the shell of a queue manager {word}, use `mqsc -m {word}`."
    return ""


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def nearest_word(word: str, commands: Iterable[str]) -> str:
    """The command, or the verb of MQSC in upper case, of which a word is a typing error; blank if
    there is none.
    """
    from mqsc.language.command_table import LISTED_VERBS
    from mqsc.store.catalog.spelling import corrections

    return next(iter(corrections(word, [*commands, *LISTED_VERBS])), "")


def as_mqsc(words: Sequence[str]) -> str:
    """How to run a command of MQSC that is given in place of another argument, as a sentence."""
    text = " ".join(words)
    if len(text.split()) == 1:
        return (
            f"{words[0].upper()} is a command of MQSC: use `mqsc run -c '{words[0]} ...'`, or "
            "`mqsc` for the shell."
        )
    return f"to run MQSC, use `mqsc run -c {shlex.quote(text)}`."

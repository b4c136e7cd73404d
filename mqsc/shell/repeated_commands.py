"""Commands that repeat another one: `foreach OBJECT(NAME) [WHERE(...)] DO COMMAND` and `watch
[SECONDS] COMMAND`.
"""

import re

from mqsc.scripts import for_each
from mqsc.scripts.for_each import FOREACH, selection_of
from mqsc.shell.own_commands import first_word
from mqsc.shell.settings import SettingError

# After `use`, the names that foreach found would be names of another queue manager.
_ALONE = frozenset({"watch", FOREACH, "use"})


def foreach_selection(text: str) -> re.Match[str] | None:
    """The DO of a foreach, after a valid selection; None for another command."""
    return selection_of(text) if first_word(text) == FOREACH else None


def split_foreach(text: str) -> tuple[str, str]:
    """The DISPLAY that selects the objects, and the command for each; SettingError."""
    try:
        selection, command = for_each.split_foreach(text)
    except for_each.ForEachError as error:
        raise SettingError(str(error)) from error
    return selection, _repeatable(command)


def _repeatable(command: str) -> str:
    """A command for another one to repeat; SettingError if it works only alone."""
    word = first_word(command)
    if word[:1] in ("!", "\\") or word in _ALONE:
        raise SettingError(f"{word} works only as a command of its own")
    return command


# What is before the command: the word itself and the seconds.
WATCH = re.compile(r"\s*watch\s+(?:(\d+(?:\.\d+)?)s?\s+)?", re.IGNORECASE)
_DEFAULT_SECONDS = 2.0
_LEAST_SECONDS = 0.1


class WatchError(ValueError):
    """The text after `watch` is not a command."""


def read_watch(text: str) -> tuple[float, str]:
    """The interval in seconds and the command to repeat; ValueError if there is none."""
    match = WATCH.match(text)
    command = text[match.end() :].strip() if match else ""
    if match is None or not command:
        raise WatchError("watch needs a command, for example: watch 2 DISPLAY QSTATUS(*) CURDEPTH")
    return max(float(match[1] or _DEFAULT_SECONDS), _LEAST_SECONDS), _repeatable(command)

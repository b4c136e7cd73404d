"""What was probably meant by the first word after `mqsc` that is no command: MQSC, a file, or a queue manager."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence

from mqsc.console.choices import Choices
from mqsc.language.command_table import verb_of

# The name of a queue manager, as people usually write it: in upper case, perhaps with digits.
_LIKE_A_QUEUE_MANAGER = re.compile(r"[A-Z][A-Z0-9._]{1,47}")


def likely_command(words: Sequence[str], choices: Choices) -> str:
    """The command to use instead, as a sentence; blank if nothing suggests itself."""
    first, typed = words[0], shlex.join(words)
    if verb_of(first.upper()):
        return f"to run MQSC, use `mqsc run -c {shlex.quote(' '.join(words))}`"
    if os.path.exists(first):
        return f"{first} is a {'folder' if os.path.isdir(first) else 'file'}: to run its MQSC, use `mqsc run {typed}`"
    if first in queue_managers(choices):
        return f"{first} is a queue manager: use `mqsc -m {first}` for its shell, `mqsc run -m {first} FILE` for a file"
    if _LIKE_A_QUEUE_MANAGER.fullmatch(first):
        return f"for the shell of a queue manager {first}, use `mqsc -m {first}`"
    return ""


def queue_managers(choices: Choices) -> list[str]:
    """The names of the queue managers in the chosen store; none if it cannot be read."""
    from mqsc.console.target import NothingRunError, store_to_look_up
    from store.admin.reader import managers_of
    from store.error import StoreError

    if choices.store_is_missing():
        return []
    try:
        with store_to_look_up(choices) as store:
            return sorted(managers_of(store).now)
    except (StoreError, NothingRunError, OSError):
        # The error that is reported is another one.
        return []

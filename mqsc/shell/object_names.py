"""Completion of object names in the shell, from the queue manager."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING

from mqsc.language.command_table import noun_of, verb_of
from mqsc.language.syntax import syntax_of
from mqsc.shell.completion import last_command, plain_words
from store.admin.inquiring import inquire
from store.catalog import Kind, kinds_of
from store.catalog.types import Items, Name
from store.error import MQError, StoreError

if TYPE_CHECKING:
    from store.client.api import QueueManager

# A longer list would not be read.
MAX_NAMES = 200
_OPEN = re.compile(r"([A-Za-z0-9]+)\s*\(\s*(?:[^()']*[\s,])?('?)([^\s,()']*)$")
_UNQUOTED = re.compile(r"[A-Z0-9./_%]+")
# Types of status, and the type of the object they are named after.
_NAMED_AFTER: Mapping[str, str] = {
    "CHSTATUS": "CHANNEL",
    "LSSTATUS": "LISTENER",
    "QSTATS": "QLOCAL",
    "QSTATUS": "QLOCAL",
    "SBSTATUS": "SUB",
    "SVSTATUS": "SERVICE",
}


def names_at(qmgr: QueueManager, text: str) -> tuple[str, list[str]]:
    """The incomplete name at the end of `text`, and the object names that it may become; none outside a value.

    A name that needs quotes, because it would be folded to upper case or split, is offered in quotes.
    """
    command = last_command(text)
    found = _OPEN.search(command)
    kinds = _kinds(plain_words(command[: found.start()]), found[1].upper()) if found else ()
    if found is None or not kinds:
        return "", []
    quote, begun = found[2], found[3]
    names = _names(qmgr, kinds, f"{begun if quote else begun.upper()}*")
    return begun, names if quote else [name if _UNQUOTED.fullmatch(name) else f"'{name}'" for name in names]


def _kinds(words: list[str], keyword: str) -> tuple[Kind, ...]:
    """The kinds of object whose names `keyword` takes after `words`: its own kind for a noun, else from the catalog."""
    verb = verb_of(words[0]) if words else None
    noun = noun_of(verb, words[1] if len(words) > 1 else keyword) if verb else None
    if verb is None or noun is None:
        return ()
    if len(words) == 1 or keyword == "LIKE":
        return kinds_of(_NAMED_AFTER.get(noun, noun))
    row, _ = syntax_of(verb, noun).words.get(keyword, (None, True))
    taken = None if row is None else row.type.of if isinstance(row.type, Items) else row.type
    return kinds_of(taken.of) if isinstance(taken, Name) else ()


def _names(qmgr: QueueManager, kinds: tuple[Kind, ...], pattern: str) -> list[str]:
    try:
        rows = [*islice(inquire(qmgr, kinds, pattern), MAX_NAMES)]
    except (MQError, StoreError):
        # The queue manager has ended, or the store cannot be read; the next command reports why.
        return []
    return [*dict.fromkeys(str(next(iter(row.values()))) for row in rows)]

"""The authorities that a call asks for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from mqsc.store.rules import opening
from mqsc.store.rules.authority_profiles import CLASS, SELF


class Wanted(NamedTuple):
    """An authority that a call or command needs. `of_alternate`: asked of the alternate user, if
    one is named.
    """

    type: str
    name: str
    word: str
    of_alternate: bool = False

    @property
    def history_text(self) -> str:
        """For the history: PUT QUEUE ORDERS; `of_history_text` reads it."""
        return f"{self.word} {self.type} {self.name}"

    @staticmethod
    def of_history_text(text: str) -> Wanted:
        """The value whose `history_text` this is."""
        word, type, name = text.split(" ", 2)
        return Wanted(type, name, word)

    @property
    def text(self) -> str:
        """For people, such as `+put on queue ORDERS`."""
        if self.name == CLASS:
            return f"+{self.word.lower()} for objects of type {self.type.lower()}"
        what = "the queue manager" if self.type == "QMGR" else f"{self.type.lower()} {self.name}"
        return f"+{self.word.lower()} on {what}"


CONNECT = (Wanted("QMGR", SELF, "CONNECT"),)
_OF_OPTION = (
    (opening.BROWSE, "BROWSE"),
    (opening.INPUT, "GET"),
    (opening.OUTPUT, "PUT"),
    (opening.INQUIRE, "INQ"),
    (opening.SET, "SET"),
)
# The context option, and whether the queue manager is asked too.
_OF_CONTEXT = (
    (opening.PASS_IDENTITY_CONTEXT, "PASSID", False),
    (opening.PASS_ALL_CONTEXT, "PASSALL", False),
    (opening.SET_IDENTITY_CONTEXT, "SETID", True),
    (opening.SET_ALL_CONTEXT, "SETALL", True),
)


@lru_cache(maxsize=4096)
def authorities_to_open(
    type: str,
    name: str,
    options: int,
    *,
    is_transmission: bool = False,
    is_model: bool = False,
) -> tuple[Wanted, ...]:
    """What MQOPEN with these MQOO options asks for on the object that it names (authority §4.2).

    `is_transmission`: a transmission queue, or model of one, opened by its own name, where output
    asks for all context instead.
    """
    words = [word for option, word in _OF_OPTION if options & option]
    direct = is_transmission and "PUT" in words
    authorities = [
        Wanted(type, name, word, True) for word in words if not (direct and word == "PUT")
    ]
    context = [(word, both) for option, word, both in _OF_CONTEXT if options & option]
    if direct and ("SETALL", True) not in context:
        context.append(("SETALL", True))
    authorities += [Wanted(type, name, word) for word, _ in context]
    authorities += [Wanted(type, name, "DSP")] if is_model else []
    authorities += [Wanted("QMGR", SELF, word) for word, both in context if both]
    if options & opening.ALTERNATE_USER_AUTHORITY:
        authorities.append(Wanted("QMGR", SELF, "ALTUSR"))
    return tuple(authorities)

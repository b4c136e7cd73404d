"""What a user may do with an object: which authority record counts, and what a call asks for.

One function answers for calls, commands, DISPLAY ENTAUTH and `mqsc auth`: `authority_of`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.store.rules import authority, opening
from mqsc.store.rules.authority_profiles import CLASS, SELF, profile_fits, profile_order

AUTO = "auto"
ENFORCE = "enforce"
WARN = "warn"
OFF = "off"
# Administrators whether or not the store has such users; every user is in the one group, every
# administrator in the other.
ADMINISTRATORS = frozenset({"mqm", "root"})
EVERYBODY, ADMINISTRATOR_GROUP = "nobody", "mqm"
PRINCIPAL, GROUP = "PRINCIPAL", "GROUP"


class Grant(NamedTuple):
    """An authority record: what it grants to a user or group (PRINCIPAL or GROUP) on the objects
    of its profile.
    """

    profile: str
    type: str
    entity: tuple[str, str]
    words: frozenset[str]


class Identity(NamedTuple):
    """A user with its groups. Administrators are never asked for authorities."""

    user: str
    groups: tuple[str, ...] = (EVERYBODY,)
    is_administrator: bool = False

    @property
    def entities(self) -> frozenset[tuple[str, str]]:
        """The users and groups whose records count."""
        return _entities(self.user, self.groups)


@lru_cache(maxsize=256)
def _entities(user: str, groups: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return frozenset({(PRINCIPAL, user), *((GROUP, group) for group in groups)})


# Which records count.


def counting(grants: Iterable[Grant], identity: Identity, name: str) -> list[Grant]:
    """The records that count for a user and an object: of each user and group only the most
    specific one.

    `grants` are those of the type of object.
    """
    best: dict[tuple[str, str], Grant] = {}
    for grant in covering(grants, identity, name):
        known = best.get(grant.entity)
        if known is None or profile_order(grant.profile) < profile_order(known.profile):
            best[grant.entity] = grant
    return list(best.values())


def covering(grants: Iterable[Grant], identity: Identity, name: str) -> list[Grant]:
    """The records of a user and its groups that cover an object, whether or not a more specific
    one hides them.
    """
    entities = identity.entities
    return [each for each in grants if each.entity in entities and profile_fits(each.profile, name)]


def authority_of(
    grants: Iterable[Grant],
    identity: Identity,
    type: str,
    name: str,
) -> frozenset[str]:
    """What the user may do with the object: the union of the records that count; everything for
    an administrator.
    """
    if identity.is_administrator:
        return authority.authorities(type)
    return frozenset().union(*(each.words for each in counting(grants, identity, name)))


# What a call asks for.


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


# A call or command, and what it was refused for.


class Attempt(Struct, frozen=True):
    """What a user tries: the call or command, the object as named, and where the connection comes
    from.

    `alternate` is the user that the call names, None for none. `is_dynamic`: the object is
    a dynamic queue. `facts` are further facts for the event and the history.
    """

    call: str
    object: str
    user: str
    wanted: tuple[Wanted, ...]
    options: int = 0
    queue_manager: str = ""
    alternate: str | None = None
    is_dynamic: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


class Refusal(Struct, frozen=True):
    """What was refused: the attempt, what is missing, and the user that lacks it."""

    attempt: Attempt
    missing: tuple[Wanted, ...]
    user: str

    @property
    def text(self) -> str:
        """For people: who lacks what."""
        return f"{self.user or '(blank)'} lacks {', '.join(each.text for each in self.missing)}"

    @property
    def detail(self) -> dict[str, Any]:
        """The detail of the event REFUSE."""
        attempt = self.attempt
        detail: dict[str, Any] = {
            "call": attempt.call,
            "object": attempt.object,
            "options": attempt.options if attempt.call in ("MQOPEN", "MQPUT1") else 0,
            "asked": [each.history_text for each in attempt.wanted],
            "missing": [each.history_text for each in self.missing],
            "alternate": attempt.alternate,
            **attempt.facts,
        }
        return {word: value for word, value in detail.items() if value not in (None, "", 0)}

"""What commands on authority records say: a profile, a type of object, and users or groups."""

from __future__ import annotations

from mqsc.language.request import Request
from store.constants import MQRC, MQRCCF
from store.error import MQError

# There is no such record (AMQ8958E).
AUTHORITY_MISSING = int(MQRCCF.PROFILE_NAME_ERROR)
# The profile under which the authorities for the queue manager itself are kept, and the one that says who may create
# objects of a type.
SELF = "self"
CLASS = "@class"


def authority_of(request: Request) -> tuple[str, str]:
    """(profile, type of object) that a command is about; MQError when it names no profile and needs one.

    2410 for SERVCOMP: there is no authorization service with components.
    """
    if request.options.get("SERVCOMP"):
        raise MQError(MQRC.UNKNOWN_COMPONENT_NAME, str(request.options["SERVCOMP"]))
    given = request.given
    type = str(given["OBJTYPE"])
    profile = profile_of(type, str(given.get("PROFILE", "")))
    if not profile:
        raise MQError(MQRCCF.PROFILE_NAME_MISSING, type)
    return profile, type


def profile_of(type: str, profile: str) -> str:
    """The profile that is meant: for the queue manager there is one beside that of the class, whatever is said."""
    return SELF if type == "QMGR" and profile != CLASS else profile


def entities_of(request: Request) -> list[tuple[str, str]]:
    """The (PRINCIPAL or GROUP, name) pairs of a command; MQError when it names none."""
    found = named(request)
    if not found:
        raise MQError(MQRCCF.ENTITY_NAME_MISSING, request.noun)
    return found


def named(request: Request) -> list[tuple[str, str]]:
    """The same pairs, none where none is named."""
    return [(word, name) for word in ("PRINCIPAL", "GROUP") for name in _names(request, word)]


def _names(request: Request, word: str) -> list[str]:
    names = request.options.get(word, [])
    return names if isinstance(names, list) else [str(names)]

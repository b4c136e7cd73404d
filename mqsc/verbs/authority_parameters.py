"""The parameters of commands on authority records: a profile, a type of object, and users or groups."""

from __future__ import annotations

from mqsc.language.request import Request
from store.constants import MQRC, MQRCCF
from store.error import MQError

# The reason code for a missing record (AMQ8958E).
AUTHORITY_MISSING = int(MQRCCF.PROFILE_NAME_ERROR)
# The profile of the queue manager itself, and the profile for the authority to create objects of a type.
SELF = "self"
CLASS = "@class"


def authority_of(request: Request) -> tuple[str, str]:
    """The (profile, type of object) of a command; MQError if the profile is missing, 2410 if SERVCOMP is given.

    There are no service components here.
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
    """The profile of a type; OBJTYPE(QMGR) has only one besides @class, so its name is ignored."""
    return SELF if type == "QMGR" and profile != CLASS else profile


def entities_of(request: Request) -> list[tuple[str, str]]:
    """The (PRINCIPAL or GROUP, name) pairs of a command; MQError if there are none."""
    found = named_entities(request)
    if not found:
        raise MQError(MQRCCF.ENTITY_NAME_MISSING, request.noun)
    return found


def named_entities(request: Request) -> list[tuple[str, str]]:
    """The (PRINCIPAL or GROUP, name) pairs of a command."""
    return [(word, name) for word in ("PRINCIPAL", "GROUP") for name in _names(request, word)]


def _names(request: Request, word: str) -> list[str]:
    names = request.options.get(word, [])
    return names if isinstance(names, list) else [str(names)]

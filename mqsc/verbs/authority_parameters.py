"""The parameters of commands on authority records: a profile, a type of object, and users or groups."""

from __future__ import annotations

from mqsc.language.request import Request
from store.constants import MQRC, MQRCCF
from store.error import MQError
from store.rules.authority import expanded

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
    return [(word, name) for word in ("PRINCIPAL", "GROUP") for name in _words(request, word)]


def authority_changes(request: Request) -> tuple[frozenset[str], frozenset[str]]:
    """The authorities that SET AUTHREC adds and removes; MQError 3171 for one that the type of object does not have."""
    profile, type = authority_of(request)
    add, remove = (expanded(type, _words(request, option)) for option in ("AUTHADD", "AUTHRMV"))
    if add is None or remove is None:
        raise MQError(MQRCCF.AUTH_VALUE_ERROR, profile)
    return add, remove


def _words(request: Request, option: str) -> list[str]:
    words = request.options.get(option, [])
    return words if isinstance(words, list) else [str(words)]

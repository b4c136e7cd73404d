"""The parameters of commands on authority records: a profile, a type of object, users or groups."""

from mqsc.language.request import Request
from mqsc.store.admin.authority_records import authority_change
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import refuse_if
from mqsc.store.rules.authority_profiles import CLASS, SELF
from mqsc.verbs.options import words_of

# The reason code for a missing record (AMQ8958E).
AUTHORITY_MISSING = int(MQRCCF.PROFILE_NAME_ERROR)


def authority_of(request: Request) -> tuple[str, str]:
    """The (profile, type of object) of a command; MQError if the profile is missing, 2410 if
    SERVCOMP is given.

    There are no service components here.
    """
    component = request.options.get("SERVCOMP")
    refuse_if(component, MQRC.UNKNOWN_COMPONENT_NAME, str(component))
    attributes = request.attributes
    type = str(attributes["OBJTYPE"])
    profile = profile_of(type, str(attributes.get("PROFILE", "")))
    refuse_if(not profile, MQRCCF.PROFILE_NAME_MISSING, type)
    return profile, type


def profile_of(type: str, profile: str) -> str:
    """The profile of a type; OBJTYPE(QMGR) has only one besides @class, so its name is ignored."""
    return SELF if type == "QMGR" and profile != CLASS else profile


def entities_of(request: Request) -> list[tuple[str, str]]:
    """The (PRINCIPAL or GROUP, name) pairs of a command; MQError if there are none."""
    entities = named_entities(request)
    refuse_if(not entities, MQRCCF.ENTITY_NAME_MISSING, request.noun)
    return entities


def named_entities(request: Request) -> list[tuple[str, str]]:
    """The (PRINCIPAL or GROUP, name) pairs of a command."""
    return [(word, name) for word in ("PRINCIPAL", "GROUP") for name in words_of(request, word)]


def authority_changes(request: Request) -> tuple[frozenset[str], frozenset[str]]:
    """The authorities that SET AUTHREC adds and removes; MQError 3171 for a wrong one."""
    return authority_change(
        *authority_of(request),
        words_of(request, "AUTHADD"),
        words_of(request, "AUTHRMV"),
    )

"""Parameters that several verbs share. No queue manager here belongs to a queue-sharing group."""

from __future__ import annotations

from dataclasses import replace

from mqsc.language.messages import message_text
from mqsc.language.request import Option, Request
from mqsc.reply import Answer, refused
from store.catalog import Attribute, Stored
from store.catalog.types import Flag, Text, Type, Word
from store.constants import MQRCCF

# The dispositions of objects that belong to this queue manager, including the words by which DISPLAY finds them.
HERE = frozenset({"QMGR", "PRIVATE", "LIVE", "ALL"})


def option(keyword: str, type: Type, help: str, default: Stored | None = None, *nouns: str, **more: bool) -> Option:
    """A parameter of a command, for the given nouns, or for all nouns if none are given."""
    row = Attribute(keyword, type, default, frozenset(), help, option=True, **more)  # type: ignore[arg-type]
    return Option(row, frozenset(nouns))


def flag(on: str, off: str, help: str, *nouns: str) -> Option:
    """A parameter without a value; `off` is blank if there is no NO-form."""
    return option(on, Flag(on, off), help, None, *nouns)


def scope(*nouns: str) -> Option:
    """CMDSCOPE, for objects whose kind does not have it."""
    return option(
        "CMDSCOPE",
        Text(48),
        "The queue manager that performs the command: blank or its name for this one, * for all.",
        "",
        *nouns,
    )


CMDSCOPE = replace(scope(), of_kind=True)
_DISPOSITIONS = ("QMGR", "PRIVATE", "COPY", "GROUP", "SHARED")
QSGDISP = replace(option("QSGDISP", Word(_DISPOSITIONS), "Where the definition is kept.", "QMGR"), of_kind=True)
SHOWN_QSGDISP = replace(
    option("QSGDISP", Word((*_DISPOSITIONS, "LIVE", "ALL")), "Where the definitions to show are kept.", "LIVE"),
    of_kind=True,
)
# Where a channel runs; CHLTYPE(MQTT) distinguishes an MQTT channel from another channel with its name.
CHLDISP = option("CHLDISP", Word(("DEFAULT", "PRIVATE", "SHARED")), "Where the channel runs.", None, "CHANNEL")
MQTT_CHANNEL = option("CHLTYPE", Word(("MQTT",)), "Selects an MQTT channel.", None, "CHANNEL")
GROUP_OPTIONS = (CMDSCOPE, QSGDISP)
_STATES = Word(("NO", "YES"))


def ignstate(*nouns: str) -> Option:
    """IGNSTATE: whether the command succeeds if there is nothing to do."""
    return option("IGNSTATE", _STATES, "Whether the command succeeds if there is nothing to do.", "NO", *nouns)


def ignores_state(request: Request) -> bool:
    """Whether IGNSTATE(YES) was given."""
    return request.options.get("IGNSTATE") == "YES"


def refusal_for_group(request: Request, qmgr_name: str) -> Answer | None:
    """The refusal of a command for another queue manager or for objects of a queue-sharing group, or None."""
    asked = request.options.get("CMDSCOPE", "")
    if isinstance(asked, str) and asked not in ("", "*", qmgr_name):
        remark = f"CMDSCOPE takes blank, * or {qmgr_name}, not {asked}: there is no queue-sharing group"
        return refused("AMQ8425E", "", int(MQRCCF.ATTR_VALUE_ERROR), remark)
    disposition = str(request.options.get("QSGDISP", "QMGR"))
    if disposition not in HERE:
        return Answer("MQSC0002E", message_text("MQSC0002E", f"QSGDISP({disposition})"), 2)
    return None

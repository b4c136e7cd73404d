"""Parameters that several verbs share. A queue manager here is alone in its queue-sharing group."""

from __future__ import annotations

from dataclasses import replace

from mqsc.language.request import Option, Request
from mqsc.reply import Answer, refused, text_of
from store.catalog import Attribute, Stored
from store.catalog.types import Flag, Text, Type, Word

# Where a definition is that this queue manager has for itself, and the words by which DISPLAY finds it.
HERE = frozenset({"QMGR", "PRIVATE", "LIVE", "ALL"})


def option(keyword: str, type: Type, help: str, default: Stored | None = None, *nouns: str, **more: bool) -> Option:
    """A parameter of a command: goes with every object unless some are named."""
    row = Attribute(keyword, type, default, frozenset(), help, option=True, **more)  # type: ignore[arg-type]
    return Option(row, frozenset(nouns))


def flag(on: str, off: str, help: str, *nouns: str) -> Option:
    """A parameter without a value; `off` is blank where it has no NO-form."""
    return option(on, Flag(on, off), help, None, *nouns)


def scope(*nouns: str) -> Option:
    """CMDSCOPE, for objects whose kind does not have it."""
    return option(
        "CMDSCOPE",
        Text(48),
        "The queue manager that carries out the command: blank, this one, or * for all.",
        "",
        *nouns,
    )


CMDSCOPE = replace(scope(), of_kind=True)
_DISPOSITIONS = ("QMGR", "PRIVATE", "COPY", "GROUP", "SHARED")
QSGDISP = replace(option("QSGDISP", Word(_DISPOSITIONS), "Where it is kept.", "QMGR"), of_kind=True)
SHOWN_QSGDISP = replace(
    option("QSGDISP", Word((*_DISPOSITIONS, "LIVE", "ALL")), "Where what is shown is kept.", "LIVE"), of_kind=True
)
# Where a channel runs, and which one is meant where another may have its name.
CHLDISP = option("CHLDISP", Word(("DEFAULT", "PRIVATE", "SHARED")), "Where it runs.", None, "CHANNEL")
MQTT_CHANNEL = option("CHLTYPE", Word(("MQTT",)), "That an MQTT channel is meant.", None, "CHANNEL")
GROUP_OPTIONS = (CMDSCOPE, QSGDISP)
_STATES = Word(("NO", "YES"))


def ignstate(*nouns: str) -> Option:
    """IGNSTATE: whether it counts as success that nothing had to be done."""
    return option("IGNSTATE", _STATES, "Whether what is missing or done already counts as success.", "NO", *nouns)


def ignores_state(request: Request) -> bool:
    """Whether IGNSTATE(YES) was given."""
    return request.options.get("IGNSTATE") == "YES"


def beyond_this_queue_manager(request: Request, qmgr_name: str) -> Answer | None:
    """The refusal of a command for other queue managers of a group, or for objects that a group shares."""
    asked = request.options.get("CMDSCOPE", "")
    if isinstance(asked, str) and asked not in ("", "*", qmgr_name):
        remark = f"CMDSCOPE takes blank, * or {qmgr_name}, not {asked}: no other queue manager is in its group"
        return refused("AMQ8425E", "", 4005, remark)
    disposition = str(request.options.get("QSGDISP", "QMGR"))
    if disposition not in HERE:
        return Answer("MQSC0002E", text_of("MQSC0002E", f"QSGDISP({disposition})"), 2)
    return None

"""Parameters that several verbs share, and what members of a queue-sharing group may ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mqsc.language.messages import message_text
from mqsc.language.request import Option, Request
from mqsc.reply import Answer, failed, refused
from store.catalog import Attribute, Stored
from store.catalog.types import Flag, Text, Type, Word
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

# The dispositions of objects that belong to this queue manager, including the words by which DISPLAY finds them.
HERE = frozenset({"QMGR", "PRIVATE", "LIVE", "ALL"})
_SHARED_NOUNS = frozenset({"QLOCAL", "QUEUE"})


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


def disposition_of(request: Request, default: str = "QMGR") -> str:
    """QSGDISP as given, or the default of the command."""
    return str(request.options.get("QSGDISP", default))


def refusal_for_group(request: Request, qmgr: QueueManager) -> Answer | None:
    """The refusal of a command for another queue manager, or for objects that cannot be shared here; or None."""
    asked = request.options.get("CMDSCOPE", "")
    # In a group the members that it names have been found already (command_scope).
    if isinstance(asked, str) and asked not in ("", "*", qmgr.name):
        remark = f"CMDSCOPE takes blank, * or {qmgr.name}, not {asked}: there is no queue-sharing group"
        return refused("AMQ8425E", "", int(MQRCCF.ATTR_VALUE_ERROR), remark)
    disposition = disposition_of(request)
    if disposition in HERE:
        return None
    group = qmgr.row().sharing_group
    if not group:
        return failed(MQError(MQRCCF.Q_MGR_NOT_IN_QSG, qmgr.name))
    if disposition != "SHARED":
        return _not_yet(f"QSGDISP({disposition})")
    if request.noun not in _SHARED_NOUNS and request.verb != "DISPLAY":
        return refused("AMQ8425E", "", int(MQRCCF.DISPOSITION_CONFLICT), "Only a QLOCAL can be QSGDISP(SHARED).")
    return None


def _not_yet(what: str) -> Answer:
    return Answer("MQSC0002E", message_text("MQSC0002E", what), 2)


def in_other_disposition(qmgr: QueueManager, request: Request, error: MQError) -> list[str]:
    """The sentence that names the disposition of a queue that a command does not find (sharing §1), if there is one."""
    from store.admin.sharing_groups import disposition_of_queue

    if error.reason != MQRC.UNKNOWN_OBJECT_NAME or request.kinds[0].namespace != "queue":
        return []
    found = disposition_of_queue(qmgr, error.object_name)
    return [f"{error.object_name} exists with QSGDISP({found})."] if found else []

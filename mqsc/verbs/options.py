"""Parameters that several verbs share. A queue manager here is alone in its queue-sharing group."""

from __future__ import annotations

from dataclasses import replace

from mqsc.reply import Answer, text_of
from mqsc.request import Option, Request
from store.catalog import Attribute, Stored
from store.catalog.types import Flag, Text, Type, Word

HERE = frozenset({"QMGR", "PRIVATE"})


def option(keyword: str, type: Type, help: str, default: Stored | None = None, *nouns: str, **more: bool) -> Option:
    """A parameter of a command: goes with every object unless some are named."""
    row = Attribute(keyword, type, default, frozenset(), help, option=True, **more)  # type: ignore[arg-type]
    return Option(row, frozenset(nouns))


def flag(on: str, off: str, help: str, *nouns: str) -> Option:
    """A parameter without a value; `off` is blank where it has no NO-form."""
    return option(on, Flag(on, off), help, None, *nouns)


CMDSCOPE = replace(
    option("CMDSCOPE", Text(48), "The queue manager that carries out the command: blank or this one.", ""), of_kind=True
)
QSGDISP = replace(
    option("QSGDISP", Word(("QMGR", "PRIVATE", "COPY", "GROUP", "SHARED")), "Where it is kept.", "QMGR"), of_kind=True
)
GROUP_OPTIONS = (CMDSCOPE, QSGDISP)
IGNSTATE = option("IGNSTATE", Word(("NO", "YES")), "Whether a missing object counts as success.", "NO")


def beyond_this_queue_manager(request: Request, qmgr_name: str) -> Answer | None:
    """The refusal of a command for other queue managers of a group, or for objects that a group shares."""
    scope = str(request.options.get("CMDSCOPE", ""))
    if scope not in ("", qmgr_name):
        remark = f"CMDSCOPE takes blank or {qmgr_name}, not {scope}: there is no queue-sharing group here"
        return Answer("AMQ8425E", f"{text_of('AMQ8425E')}\n{remark}", 2, 4005)
    disposition = str(request.options.get("QSGDISP", "QMGR"))
    if disposition not in HERE:
        return Answer("MQSC0002E", text_of("MQSC0002E", f"QSGDISP({disposition})"), 2)
    return None

"""MOVE: take the messages of one local queue to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.reply import Answer, text_of
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import GROUP_OPTIONS, option
from store.catalog.types import Name, Word

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Move every message; MQError when a queue is in use, the other is not empty (TYPE(MOVE)) or has no room."""
    from store.admin import move

    target = str(request.options["TOQLOCAL"])
    moved = move(qmgr, request.name, target, add=request.options.get("TYPE") == "ADD")
    detail = f"{moved} to {target}"
    rows = [{"QUEUE": request.name, "TOQLOCAL": target, "MOVED": moved}]
    return Answer("MQSC0007I", text_of("MQSC0007I", request.name, detail), rows=rows)


VERB = Verb(
    "MOVE",
    objects_of("MOVE"),
    Naming.EXACT,
    perform,
    (
        option("TOQLOCAL", Name(48), "The queue that the messages go to.", None, required=True),
        option("TYPE", Word(("MOVE", "ADD")), "Whether that queue may hold messages (ADD).", "MOVE"),
        *GROUP_OPTIONS,
    ),
)

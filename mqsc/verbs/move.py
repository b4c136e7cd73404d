"""MOVE: move all messages of a local queue to another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.messages import message_text
from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.reply import Answer
from mqsc.verbs.common_options import CMDSCOPE, STORED_QSGDISP, disposition_of, option
from store.catalog.types import Name, Word

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Move the messages; MQError if a queue is open, or the target is full or, with TYPE(MOVE), not empty."""
    from mqsc.verbs.channel_records import cost_of, records_on
    from store.admin.moving import move

    records = records_on(qmgr, request.name)
    target = str(request.options["TOQLOCAL"])
    add = request.options.get("TYPE") == "ADD"
    moved = move(qmgr, request.name, target, add=add, disposition=disposition_of(request, "PRIVATE"))
    detail = f"{moved} to {target}"
    rows = [{"QUEUE": request.name, "TOQLOCAL": target, "MOVED": moved}]
    lines = (message_text("MQSC0007I", request.name, detail), *cost_of(records))
    return Answer("MQSC0007I", "\n".join(lines), rows=rows)


VERB = Verb(
    "MOVE",
    objects_of("MOVE"),
    Naming.EXACT,
    perform,
    (
        option("TOQLOCAL", Name(48), "The target queue.", None, required=True),
        option("TYPE", Word(("MOVE", "ADD")), "MOVE needs an empty target queue, ADD does not.", "MOVE"),
        CMDSCOPE,
        STORED_QSGDISP,
    ),
)

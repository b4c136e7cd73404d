"""MOVE: move all messages of a local queue to another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.messages import message_text
from mqsc.language.request import Naming, Request
from mqsc.reply import Answer
from mqsc.verbs.command_options import verb
from mqsc.verbs.common_options import disposition_of

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


VERB = verb("MOVE", Naming.EXACT, perform)

"""MOVE: move all messages of a local queue to another one."""

from mqsc.language.reply import Answer, message_text
from mqsc.language.request import Naming, Request
from mqsc.store.admin import moving
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs import removed_records
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import disposition_of


def perform_move(qmgr: QueueManager, request: Request) -> Answer:
    """Move the messages; MQError if a queue is open, or the target is full or, with TYPE(MOVE),
    not empty.
    """
    removed = removed_records.records_on(qmgr, request.name)
    target, add = str(request.options["TOQLOCAL"]), request.options.get("TYPE") == "ADD"
    disposition = disposition_of(request, "PRIVATE")
    moved = moving.move(qmgr, request.name, target, add=add, disposition=disposition)
    detail = f"{moved} to {target}"
    rows = [{"QUEUE": request.name, "TOQLOCAL": target, "MOVED": moved}]
    lines = (message_text("MQSC0007I", request.name, detail), *removed_records.cost_of(removed))
    return Answer("MQSC0007I", "\n".join(lines), rows=rows)


MOVE = verb("MOVE", Naming.EXACT, perform_move)

"""CLEAR: remove all messages from a local queue."""

from mqsc.language.command_support import answer_with_reason
from mqsc.language.reply import Answer, done
from mqsc.language.request import Naming, Request
from mqsc.store.admin import clearing
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs import preconditions, removed_records
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import disposition_of


def perform_clear(qmgr: QueueManager, request: Request) -> Answer:
    """Remove the messages; MQError if the queue is open or has uncommitted messages."""
    if request.noun == "TOPICSTR":
        preconditions.check_running(qmgr)
        return answer_with_reason(request.verb, request.noun)
    removed = removed_records.records_on(qmgr, request.name)
    clearing.clear(qmgr, request.name, disposition=disposition_of(request, "PRIVATE"))
    return done(request.verb, request.kind.namespace, *removed_records.cost_of(removed))


CLEAR = verb("CLEAR", Naming.EXACT, perform_clear)

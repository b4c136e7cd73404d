"""CLEAR: remove all messages from a local queue."""

from mqsc.language.reply import Answer, done
from mqsc.language.request import Naming, Request
from mqsc.store.admin import clearing, topics
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs import removed_records
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import disposition_of


def perform_clear(qmgr: QueueManager, request: Request) -> Answer:
    """Remove the messages of a queue, or retained publications; MQError if the queue is open or has
    uncommitted messages.
    """
    if request.noun == "TOPICSTR":
        topics.clear_topic_string(qmgr, request.name)
        return done(request.verb, request.noun.lower())
    removed = removed_records.records_on(qmgr, request.name)
    clearing.clear(qmgr, request.name, disposition=disposition_of(request, "PRIVATE"))
    return done(request.verb, request.kind.namespace, *removed_records.cost_of(removed))


CLEAR = verb("CLEAR", Naming.EXACT, perform_clear)

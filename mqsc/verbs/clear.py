"""CLEAR: remove all messages from a local queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer, done
from mqsc.verbs.command_options import verb
from mqsc.verbs.common_options import disposition_of
from mqsc.verbs.preconditions import check_running

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Remove the messages; MQError if the queue is open or has uncommitted messages."""
    if request.noun == "TOPICSTR":
        check_running(qmgr)
        return answer_with_reason(request.verb, request.noun)
    from mqsc.verbs.channel_records import cost_of, records_on
    from store.admin.clearing import clear

    records = records_on(qmgr, request.name)
    clear(qmgr, request.name, disposition=disposition_of(request, "PRIVATE"))
    return done(request.verb, request.kind.namespace, *cost_of(records))


VERB = verb("CLEAR", Naming.EXACT, perform)

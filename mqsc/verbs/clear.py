"""CLEAR: remove the messages of a local queue, not the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.reply import Answer, done
from mqsc.request import Naming, Request, Verb
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import GROUP_OPTIONS

if TYPE_CHECKING:
    from store.queue_manager import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Remove every message; MQError when the queue is open or holds uncommitted messages."""
    from store.admin import clear

    clear(qmgr, request.name)
    return done(request.verb, request.kind.namespace)


VERB = Verb("CLEAR", objects_of("CLEAR"), Naming.EXACT, perform, GROUP_OPTIONS)

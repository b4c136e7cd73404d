"""PING: ask whether the queue manager answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.reply import Answer, done
from mqsc.request import Naming, Request, Verb
from mqsc.verbs.objects import objects_of
from store.constants import MQRC
from store.error import MQError

if TYPE_CHECKING:
    from store.queue_manager import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Nothing but the answer; MQError 2059 when the queue manager does not run."""
    if not qmgr.is_running:
        raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)
    return done(request.verb, request.kind.namespace)


VERB = Verb("PING", {noun: kinds for noun, kinds in objects_of("PING").items() if noun == "QMGR"}, Naming.NONE, perform)

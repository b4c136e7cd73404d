"""DELETE: remove an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.reply import Answer, done
from mqsc.request import Naming, Request, Verb
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import GROUP_OPTIONS, IGNSTATE, flag, option
from store.catalog.types import Word
from store.constants import MQRC
from store.error import MQError

if TYPE_CHECKING:
    from store.queue_manager import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Delete the object; MQError when it is missing (unless IGNSTATE(YES)), open, or a queue with messages."""
    from store.admin import delete

    try:
        delete(qmgr, request.kind, request.name, purge=request.options.get("PURGE") == "PURGE")
    except MQError as error:
        if error.reason != MQRC.UNKNOWN_OBJECT_NAME or request.options.get("IGNSTATE") != "YES":
            raise
        return done(request.verb, request.kind.namespace, f"{request.name} did not exist, which IGNSTATE(YES) accepts.")
    return done(request.verb, request.kind.namespace)


VERB = Verb(
    "DELETE",
    objects_of("DELETE"),
    Naming.EXACT,
    perform,
    (
        flag("PURGE", "NOPURGE", "Whether committed messages are deleted with the queue.", "QLOCAL"),
        # No authority records exist beside the objects, so either word leaves nothing behind.
        option("AUTHREC", Word(("YES", "NO")), "Whether its authority records go with it.", "YES"),
        IGNSTATE,
        *GROUP_OPTIONS,
    ),
)

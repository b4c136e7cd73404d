"""CLEAR: remove the messages of a local queue, not the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import decided
from mqsc.reply import Answer, done
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import GROUP_OPTIONS, option, scope
from mqsc.verbs.state import check_running
from store.catalog.types import Word

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Remove every message; MQError when the queue is open or holds uncommitted messages."""
    if request.noun == "TOPICSTR":
        check_running(qmgr)
        return decided(request.verb, request.noun)
    from store.admin import clear

    clear(qmgr, request.name)
    return done(request.verb, request.kind.namespace)


VERB = Verb(
    "CLEAR",
    objects_of("CLEAR"),
    Naming.EXACT,
    perform,
    (
        option("CLRTYPE", Word(("RETAINED",)), "What is removed.", None, "TOPICSTR", required=True),
        option("SCOPE", Word(("LOCAL",)), "Where it is removed.", "LOCAL", "TOPICSTR"),
        scope("TOPICSTR"),
        *GROUP_OPTIONS,
    ),
)

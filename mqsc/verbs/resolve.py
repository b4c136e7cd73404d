"""RESOLVE: say what becomes of a batch that is in doubt; no channel runs here, so none ever is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import decided
from mqsc.reply import Answer
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import CHLDISP, option, scope
from mqsc.verbs.state import channel_of
from store.catalog.types import Word

if TYPE_CHECKING:
    from store.client.api import QueueManager

_SENDING = frozenset({"SDR", "SVR", "CLUSSDR"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Nothing but the answer; MQError 4032 when there is no such channel, 4041 when it is of another type."""
    channel_of(qmgr, request.name, _SENDING)
    return decided(request.verb, request.noun)


VERB = Verb(
    "RESOLVE",
    objects_of("RESOLVE"),
    Naming.EXACT,
    perform,
    (
        option("ACTION", Word(("COMMIT", "BACKOUT")), "What becomes of the batch.", None, required=True),
        CHLDISP,
        scope("CHANNEL"),
    ),
)

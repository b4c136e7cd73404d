"""RESOLVE: commit or back out the batch of an in-doubt channel. Channels do not run here, so none is in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer
from mqsc.verbs.common_options import CHLDISP, option, scope
from mqsc.verbs.preconditions import channel_of
from store.catalog.types import Word

if TYPE_CHECKING:
    from store.client.api import QueueManager

_SENDING = frozenset({"SDR", "SVR", "CLUSSDR"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Refuse; MQError 4032 if the channel does not exist, 4041 if it is of another type."""
    channel_of(qmgr, request.name, _SENDING)
    return answer_with_reason(request.verb, request.noun)


VERB = Verb(
    "RESOLVE",
    objects_of("RESOLVE"),
    Naming.EXACT,
    perform,
    (
        option("ACTION", Word(("COMMIT", "BACKOUT")), "Whether to commit or back out the batch.", None, required=True),
        CHLDISP,
        scope("CHANNEL"),
    ),
)

"""PING: check that the queue manager responds. Channels do not run here, so PING CHANNEL is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer, done
from mqsc.verbs.common_options import CHLDISP, option, scope
from mqsc.verbs.preconditions import channel_of, check_running
from store.catalog.types import Number

if TYPE_CHECKING:
    from store.client.api import QueueManager

# The channel types that connect to their partner, which can be pinged.
_CALLING = frozenset({"SDR", "SVR", "CLUSSDR"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Answer; MQError 2059 if the queue manager is not running."""
    if request.noun == "CHANNEL":
        channel_of(qmgr, request.name, _CALLING)
        return answer_with_reason(request.verb, request.noun)
    check_running(qmgr)
    return done(request.verb, request.kind.namespace)


VERB = Verb(
    "PING",
    objects_of("PING"),
    Naming.EXACT,
    perform,
    (
        option("DATALEN", Number(16, 32_768), "The number of bytes to send.", 16, "CHANNEL"),
        CHLDISP,
        scope("CHANNEL"),
    ),
)

"""PING: ask whether the queue manager answers; a channel reaches nobody here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import decided
from mqsc.reply import Answer, done
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import CHLDISP, option, scope
from mqsc.verbs.state import channel_of, check_running
from store.catalog.types import Number

if TYPE_CHECKING:
    from store.client.api import QueueManager

# Only channels that call their partner can be pinged.
_CALLING = frozenset({"SDR", "SVR", "CLUSSDR"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Nothing but the answer; MQError 2059 when the queue manager does not run."""
    if request.noun == "CHANNEL":
        channel_of(qmgr, request.name, _CALLING)
        return decided(request.verb, request.noun)
    check_running(qmgr)
    return done(request.verb, request.kind.namespace)


VERB = Verb(
    "PING",
    objects_of("PING"),
    Naming.EXACT,
    perform,
    (
        option("DATALEN", Number(16, 32_768), "How many bytes are sent.", 64, "CHANNEL"),
        CHLDISP,
        scope("CHANNEL"),
    ),
)

"""SUSPEND QMGR and RESUME QMGR: leave and rejoin cluster workload balancing, which does not exist here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request
from mqsc.language.support import answer_with_reason, refused_here
from mqsc.reply import Answer
from mqsc.verbs.command_options import verb
from mqsc.verbs.preconditions import check_running
from store.constants import MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Answer; MQError 3228 without CLUSTER or CLUSNL, 3088 with both."""
    check_running(qmgr)
    if request.has("LOG") or request.has("FACILITY"):
        return refused_here(f"{request.verb} QMGR", "The log belongs to SQLite, and there is neither Db2 nor IMS.")
    named = [word for word in ("CLUSTER", "CLUSNL") if request.options.get(word)]
    if len(named) != 1:
        raise MQError(MQRCCF.CLUSTER_NAME_CONFLICT if named else MQRCCF.PARM_MISSING, "CLUSTER or CLUSNL")
    return answer_with_reason(request.verb, request.noun)


SUSPEND, RESUME = (verb(keyword, Naming.NONE, perform) for keyword in ("SUSPEND", "RESUME"))

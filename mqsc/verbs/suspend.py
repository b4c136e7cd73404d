"""SUSPEND QMGR and RESUME QMGR: leave and rejoin cluster workload balancing, which does not exist here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import answer_with_reason, refused_here
from mqsc.reply import Answer
from mqsc.verbs.common_options import flag, option, scope
from mqsc.verbs.preconditions import check_running
from store.catalog.types import Name, Text, Word
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


_OPTIONS = (
    option("CLUSTER", Name(48), "The cluster.", ""),
    option("CLUSNL", Name(48), "The namelist with the clusters.", ""),
    option("FACILITY", Text(12), "The z/OS facility.", ""),
    flag("LOG", "", "The log."),
    scope(),
)
_MODE = option("MODE", Word(("QUIESCE", "FORCE")), "Whether to stop channels at once.", "QUIESCE")

SUSPEND = Verb("SUSPEND", objects_of("SUSPEND"), Naming.NONE, perform, (*_OPTIONS, _MODE))
RESUME = Verb("RESUME", objects_of("RESUME"), Naming.NONE, perform, _OPTIONS)

"""SUSPEND QMGR and RESUME QMGR: leave the work of a cluster, and come back; nothing is shared out here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import decided, without_effect
from mqsc.reply import Answer
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import flag, option, scope
from mqsc.verbs.state import check_running
from store.catalog.types import Name, Text, Word
from store.constants import MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Nothing but the answer; MQError 3228 when no cluster is named, 3088 when one is named twice."""
    check_running(qmgr)
    if request.has("LOG") or request.has("FACILITY"):
        return without_effect(f"{request.verb} QMGR", "The log is SQLite's own, and there is neither DB2 nor IMS.")
    named = [word for word in ("CLUSTER", "CLUSNL") if request.options.get(word)]
    if len(named) != 1:
        raise MQError(MQRCCF.CLUSTER_NAME_CONFLICT if named else MQRCCF.PARM_MISSING, "CLUSTER or CLUSNL")
    return decided(request.verb, request.noun)


_OPTIONS = (
    option("CLUSTER", Name(48), "The cluster.", ""),
    option("CLUSNL", Name(48), "The namelist of the clusters.", ""),
    option("FACILITY", Text(12), "What of z/OS is meant.", ""),
    flag("LOG", "", "The log."),
    scope(),
)
_MODE = option("MODE", Word(("QUIESCE", "FORCE")), "Whether channels are stopped at once.", "QUIESCE")

SUSPEND = Verb("SUSPEND", objects_of("SUSPEND"), Naming.NONE, perform, (*_OPTIONS, _MODE))
RESUME = Verb("RESUME", objects_of("RESUME"), Naming.NONE, perform, _OPTIONS)

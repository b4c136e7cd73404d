"""SUSPEND QMGR and RESUME QMGR: leave and rejoin cluster workload balancing, which does not exist
here.
"""

from mqsc.language.command_support import answer_with_reason
from mqsc.language.reply import Answer, refused_here
from mqsc.language.request import Naming, Request
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from mqsc.store.error import refuse_if
from mqsc.verbs.command_options import verb
from mqsc.verbs.preconditions import check_running


def perform_suspend(qmgr: QueueManager, request: Request) -> Answer:
    """Answer; MQError 3228 without CLUSTER or CLUSNL, 3088 with both."""
    check_running(qmgr)
    if request.has("LOG") or request.has("FACILITY"):
        return refused_here(
            f"{request.verb} QMGR",
            "The log belongs to SQLite, and there is neither Db2 nor IMS.",
        )
    named = [word for word in ("CLUSTER", "CLUSNL") if request.options.get(word)]
    refuse_if(
        len(named) != 1,
        MQRCCF.CLUSTER_NAME_CONFLICT if named else MQRCCF.PARM_MISSING,
        "CLUSTER or CLUSNL",
    )
    return answer_with_reason(request.verb, request.noun)


SUSPEND, RESUME = (verb(keyword, Naming.NONE, perform_suspend) for keyword in ("SUSPEND", "RESUME"))

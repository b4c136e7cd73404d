"""REFRESH: scan queues for expired messages, or raise configuration events. Nothing else exists here
to refresh.
"""

from collections.abc import Callable, Mapping, Sequence

from mqsc.console.text.reasons import counted
from mqsc.language.command_support import answer_with_reason
from mqsc.language.reply import Answer, message_text, refused, refused_here
from mqsc.language.request import Naming, Request
from mqsc.store.admin import expiry, user_accounts
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from mqsc.verbs.command_options import verb
from mqsc.verbs.preconditions import by_noun

# A reply that discarded messages from more queues does not name them.
MOST_NAMED = 5
_NO_PROXIES = "Publications go to no other queue manager, so there are no proxy subscriptions."

# The parameters that each TYPE takes.
_TAKES: Mapping[str, frozenset[str]] = {
    "EXPIRY": frozenset({"NAME"}),
    "CONFIGEV": frozenset({"NAME", "OBJECT", "INCLINT"}),
    "PROXYSUB": frozenset(),
    "EARLY": frozenset(),
}


def _refresh_queue_manager(qmgr: QueueManager, request: Request) -> Answer:
    """Perform the type of refresh that was given, unless a parameter does not go with it."""
    type = str(request.options["TYPE"])
    if extra := (_TAKES["CONFIGEV"] - _TAKES[type]) & request.options.keys():
        remark = f"REFRESH QMGR TYPE({type}) does not take {' and '.join(sorted(extra))}."
        return refused("AMQ8425E", "", MQRCCF.PARM_CONFLICT, remark)
    return _TYPES_OF_REFRESH[type](qmgr, request)


def _expiry(qmgr: QueueManager, request: Request) -> Answer:
    """Scan the queues, and list for each of them the messages examined and discarded and the
    reports sent.
    """
    name = str(request.options.get("NAME", "*"))
    shared = not request.elsewhere
    scans = expiry.refresh_expiry(qmgr, name, shared=shared)
    if not scans and next(expiry.matching_queues(qmgr, name, shared=shared), None) is None:
        return Answer("MQSC0021W", message_text("MQSC0021W", f"NAME({name})"))
    rows = [
        {
            "QUEUE": scan.queue,
            "EXAMINED": scan.examined,
            "DISCARDED": scan.discarded,
            "REPORTS": scan.reports,
        }
        for scan in scans
    ]
    return Answer("MQSC0001I", message_text("MQSC0001I", detail=_discarded(scans)), rows=rows)


def _discarded(scans: Sequence[expiry.ExpiryScan]) -> str:
    """How many messages were discarded, and from which queues unless there are too many to name."""
    discarding = [scan for scan in scans if scan.discarded]
    if not discarding:
        return "0"
    text = f"{sum(scan.discarded for scan in discarding)} from {counted(len(discarding), 'queue')}"
    names = ", ".join(f"{scan.queue} {scan.discarded}" for scan in discarding)
    return f"{text} ({names})" if len(discarding) <= MOST_NAMED else text


def _configuration(qmgr: QueueManager, request: Request) -> Answer:
    """Raise a configuration event for each object chosen; MQError 3224 if they are disabled."""
    from mqsc.store.admin.configuration_refresh import refresh_configuration

    options = request.options
    count = refresh_configuration(
        qmgr,
        str(options.get("OBJECT", "ALL")),
        str(options.get("NAME", "*")),
        int(str(options.get("INCLINT", 0))),
    )
    return _accepted(f"Configuration events: {count}.")


def _accepted(remark: str) -> Answer:
    return Answer("AMQ8724I", f"{message_text('AMQ8724I')}\n{remark}")


_TYPES_OF_REFRESH: Mapping[str, Callable[[QueueManager, Request], Answer]] = {
    "EXPIRY": _expiry,
    "CONFIGEV": _configuration,
    "PROXYSUB": lambda qmgr, request: _accepted(_NO_PROXIES),
    "EARLY": lambda qmgr, request: refused_here(
        "REFRESH QMGR TYPE(EARLY)",
        "There is no early code outside z/OS.",
    ),
}


def _security(qmgr: QueueManager, request: Request) -> Answer:
    """Read groups of the operating system again at the next check."""
    user_accounts.refresh(qmgr)
    return answer_with_reason(request.verb, request.noun)


perform_refresh = by_noun({"QMGR": _refresh_queue_manager, "SECURITY": _security})
REFRESH = verb("REFRESH", Naming.EXACT, perform_refresh, namings={"SECURITY": Naming.OPTIONAL})

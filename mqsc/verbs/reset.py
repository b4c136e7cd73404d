"""RESET, RESOLVE, SUSPEND, RESUME and REFRESH."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from mqsc.console.text.reasons import counted
from mqsc.language.command_table import answer_with_reason, refused_here
from mqsc.language.messages import message_text
from mqsc.language.reply import Answer, done, refused
from mqsc.language.request import Naming, Request
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import by_noun, check_running
from store.admin.expiry import ExpiryScan
from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from store.error import MQError

_NOT_HERE = {
    "ADVANCELOG": "The log belongs to SQLite and has no extents.",
    "ARCHIVED": "The log belongs to SQLite and is not archived.",
    "REDUCELOG": "The log belongs to SQLite and shrinks automatically.",
}


def _statistics(qmgr: QueueManager, request: Request) -> Answer:
    """Reset the statistics of the queues and return the old values."""
    from store.admin.statistics import reset_queue_statistics

    rows = reset_queue_statistics(qmgr, request.name)
    first = next(rows, None)
    if first is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, request.name)
    return Answer("MQSC0008I", message_text("MQSC0008I"), rows=chain((first,), rows), each=True)


def _channel(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel.commands import reset

    reset(qmgr, request.name, int(str(request.options.get("SEQNUM", 1))))
    return done(request.verb, request.kind.namespace)


def _queue_manager(qmgr: QueueManager, request: Request) -> Answer:
    type = str(request.options["TYPE"])
    if type in _NOT_HERE:
        return refused_here(f"RESET QMGR TYPE({type})", _NOT_HERE[type])
    return answer_with_reason(request.verb, request.noun)


perform = by_noun({"QSTATS": _statistics, "CHANNEL": _channel, "QMGR": _queue_manager})
RESET = verb("RESET", Naming.EXACT, perform, namings={"QSTATS": Naming.GENERIC})


# RESOLVE: commit or back out the batch of a channel in doubt.

# The possible outcomes for the messages by ACTION, and whether there was only one message.
_RISKS = {
    ("COMMIT", True): "it was removed: if the partner has not committed the batch, it is lost",
    ("COMMIT", False): "they were removed: if the partner has not committed the batch, they are lost",
    ("BACKOUT", True): "it will be sent again: if the partner has committed the batch, it arrives twice",
    ("BACKOUT", False): "they will be sent again: if the partner has committed the batch, they arrive twice",
}


def perform_resolve(qmgr: QueueManager, request: Request) -> Answer:
    """End the doubt; MQError 4032 if the channel is missing, 4041 if it is of another type, 4031 if it is active."""
    from store.admin.channel.commands import resolve

    action = str(request.options["ACTION"])
    resolved = resolve(qmgr, request.name, commit=action == "COMMIT")
    only = resolved.messages == 1
    count = "1 message" if only else f"{resolved.messages} messages"
    remark = f"The batch had {count}; {_RISKS[action, only]}." if resolved.units else "No batch was in doubt."
    return done(request.verb, request.kind.namespace, remark)


RESOLVE = verb("RESOLVE", Naming.EXACT, perform_resolve)


# SUSPEND QMGR and RESUME QMGR: leave and rejoin cluster workload balancing, which does not exist here.


def perform_suspend(qmgr: QueueManager, request: Request) -> Answer:
    """Answer; MQError 3228 without CLUSTER or CLUSNL, 3088 with both."""
    check_running(qmgr)
    if request.has("LOG") or request.has("FACILITY"):
        return refused_here(f"{request.verb} QMGR", "The log belongs to SQLite, and there is neither Db2 nor IMS.")
    named = [word for word in ("CLUSTER", "CLUSNL") if request.options.get(word)]
    if len(named) != 1:
        raise MQError(MQRCCF.CLUSTER_NAME_CONFLICT if named else MQRCCF.PARM_MISSING, "CLUSTER or CLUSNL")
    return answer_with_reason(request.verb, request.noun)


SUSPEND, RESUME = (verb(keyword, Naming.NONE, perform_suspend) for keyword in ("SUSPEND", "RESUME"))


# REFRESH: scan queues for expired messages, or raise configuration events. Nothing else exists here to refresh.

# A reply that discarded messages from more queues does not name them.
MOST_NAMED = 5
_NO_PROXIES = "Publications are not delivered here, so there are no proxy subscriptions."
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
    """Scan the queues, and list for each of them the messages examined and discarded and the reports sent."""
    from store.admin.expiry import matching_queues, refresh_expiry

    name = str(request.options.get("NAME", "*"))
    shared = not request.elsewhere
    scans = refresh_expiry(qmgr, name, shared=shared)
    if not scans and next(matching_queues(qmgr, name, shared=shared), None) is None:
        return Answer("MQSC0021W", message_text("MQSC0021W", f"NAME({name})"))
    rows = [
        {"QUEUE": scan.queue, "EXAMINED": scan.examined, "DISCARDED": scan.discarded, "REPORTS": scan.reports}
        for scan in scans
    ]
    return Answer("MQSC0001I", message_text("MQSC0001I", detail=_discarded(scans)), rows=rows)


def _discarded(scans: Sequence[ExpiryScan]) -> str:
    """How many messages were discarded, and from which queues unless there are too many to name."""
    found = [scan for scan in scans if scan.discarded]
    if not found:
        return "0"
    text = f"{sum(scan.discarded for scan in found)} from {counted(len(found), 'queue')}"
    names = ", ".join(f"{scan.queue} {scan.discarded}" for scan in found)
    return f"{text} ({names})" if len(found) <= MOST_NAMED else text


def _configuration(qmgr: QueueManager, request: Request) -> Answer:
    """Raise a configuration event for each object chosen; MQError 3224 if they are disabled."""
    from store.admin.altering import refresh_configuration

    options = request.options
    count = refresh_configuration(
        qmgr, str(options.get("OBJECT", "ALL")), str(options.get("NAME", "*")), int(str(options.get("INCLINT", 0)))
    )
    return _accepted(f"Configuration events: {count}.")


def _accepted(remark: str) -> Answer:
    return Answer("AMQ8724I", f"{message_text('AMQ8724I')}\n{remark}")


_TYPES_OF_REFRESH: Mapping[str, Callable[[QueueManager, Request], Answer]] = {
    "EXPIRY": _expiry,
    "CONFIGEV": _configuration,
    "PROXYSUB": lambda qmgr, request: _accepted(_NO_PROXIES),
    "EARLY": lambda qmgr, request: refused_here("REFRESH QMGR TYPE(EARLY)", "There is no early code outside z/OS."),
}


def _security(qmgr: QueueManager, request: Request) -> Answer:
    """Read groups of the operating system again at the next check."""
    from store.admin.user_accounts import refresh

    refresh(qmgr)
    return answer_with_reason(request.verb, request.noun)


perform_refresh = by_noun({"QMGR": _refresh_queue_manager, "SECURITY": _security})
REFRESH = verb("REFRESH", Naming.EXACT, perform_refresh, namings={"SECURITY": Naming.OPTIONAL})

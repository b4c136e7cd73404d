"""START, STOP and PING."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from mqsc.console.text.reasons import counted
from mqsc.language.command_table import answer_with_reason, refused_here
from mqsc.language.reply import Answer, done, message_text, refused
from mqsc.language.request import Conflict, Naming, Request
from mqsc.store.admin import expiry, running_objects, user_accounts
from mqsc.store.admin.channel import commands
from mqsc.store.admin.channel.status import INITIATION_QUEUE
from mqsc.store.client.api import QueueManager
from mqsc.store.client.command_server import answer_commands
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.environment import SystemClock, elapsed_real_seconds
from mqsc.store.error import MQError, refuse_if, required
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import ignores_state
from mqsc.verbs.preconditions import by_noun, check_running

# START: ask for a channel to be run. The other things that MQ starts do not run here, and the
# answer says so.

# The commands that start a channel, where no program runs it.
_STARTED_BY = {
    "RCVR": "Its partner starts this channel; START only ends the status STOPPED.",
    "CLUSRCVR": "There are no clusters here: nothing starts this channel.",
    "CLUSSDR": "There are no clusters here: nothing starts this channel.",
}


def _start_channel(qmgr: QueueManager, request: Request) -> Answer:
    try:
        started = commands.start(qmgr, request.name)
    except MQError as refusal:
        if refusal.reason != MQRCCF.CHANNEL_IN_USE or not ignores_state(request):
            raise
        remark = "The channel was active already; IGNSTATE(YES) counts this as success."
        return done(request.verb, request.kind.namespace, remark)
    return done(request.verb, request.kind.namespace, *_remarks(request.name, started))


def _remarks(name: str, started: commands.Started) -> list[str]:
    if not started.runs:
        return [_STARTED_BY.get(started.type, "No channel of this type runs here.")]
    if started.unread:
        return [
            f"{_unread(started.unread)}: use `mqsc channel run {name}`, `runmqchi` or `mqsc "
            "serve`.",
        ]
    return []


def _unread(queue: str) -> str:
    return f"No channel initiator reads {queue}, so nothing starts channels"


def _start_initiator(qmgr: QueueManager, request: Request) -> Answer:
    queue = str(request.options.get("INITQ", INITIATION_QUEUE))
    refuse_if(not commands.is_queue(qmgr, queue), MQRC.UNKNOWN_OBJECT_NAME, queue)
    reads = any(each.queue == queue for each in commands.initiators(qmgr))
    remarks = [] if reads else [f"{_unread(queue)}: use `runmqchi -q {queue}` or `mqsc serve`."]
    return done(request.verb, request.kind.namespace, *remarks)


def _start_object(qmgr: QueueManager, request: Request) -> Answer:
    """Start a listener or a service; the answer says that no program runs for it."""
    if request.name:
        try:
            running_objects.start(qmgr, request.kind, request.name)
        except MQError as refusal:
            return _already(request, refusal, _RUNNING_ALREADY)
    return answer_with_reason(request.verb, request.noun)


def _already(request: Request, refusal: MQError, states: Mapping[int, str]) -> Answer:
    """The answer to a command that changes nothing, if IGNSTATE(YES) permits that."""
    state = states.get(int(refusal.reason))
    if state is None or not ignores_state(request):
        raise refusal
    return done(
        request.verb,
        request.kind.namespace,
        f"The {state}; IGNSTATE(YES) counts this as success.",
    )


_RUNNING_ALREADY: Mapping[int, str] = {
    MQRCCF.LISTENER_RUNNING: "listener was active already",
    MQRCCF.SERVICE_RUNNING: "service was active already",
}
_STOPPED_BEFORE: Mapping[int, str] = {
    MQRCCF.LISTENER_STOPPED: "listener was not active",
    MQRCCF.SERVICE_STOPPED: "service was not active",
}


def _start_command_server(qmgr: QueueManager, request: Request) -> Answer:
    user_accounts.stop_commands(qmgr, stopped=False)
    answer_commands(qmgr)
    return answer_with_reason(request.verb, request.noun)


perform_start = by_noun(
    {
        "CHANNEL": _start_channel,
        "CHINIT": _start_initiator,
        "CMDSERV": _start_command_server,
        "LISTENER": _start_object,
        "SERVICE": _start_object,
    },
)
_START_NAMINGS = {"CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, "LISTENER": Naming.OPTIONAL}
START = verb("START", Naming.EXACT, perform_start, namings=_START_NAMINGS)


# STOP: end a channel, or break a connection. The other things that MQ stops do not run here; the
# answer says so.


def _stop_channel(qmgr: QueueManager, request: Request) -> Answer:
    options = {word: str(value) for word, value in request.options.items()}
    some = bool(options.get("CONNAME") or options.get("QMNAME"))
    mode, status = (
        options.get("MODE", "QUIESCE"),
        options.get("STATUS", "INACTIVE" if some else "STOPPED"),
    )
    named = {"connection_name": options.get("CONNAME", ""), "partner": options.get("QMNAME", "")}
    stopped = commands.stop(qmgr, request.name, mode, status, **named)
    namespace = request.kind.namespace
    if stopped.ended:
        remarks = _terminated(qmgr, request.name) if options.get("MODE") == "TERMINATE" else ()
        return done(request.verb, namespace, *remarks)
    if ignores_state(request):
        return done(
            request.verb,
            namespace,
            "The channel was not active; IGNSTATE(YES) counts this as success.",
        )
    remark = _STOPPED_ALREADY if stopped.already else _OTHER_INSTANCES if some else _INACTIVE
    return refused("AMQ9533W", request.name, int(MQRCCF.CHANNEL_NOT_ACTIVE), remark)


def _terminated(qmgr: QueueManager, name: str) -> tuple[str, ...]:
    """Kill programs that after some seconds still run the channel, if they do nothing else;
    sentences about them.
    """
    until = elapsed_real_seconds() + PATIENCE
    while left := commands.running(qmgr, name, "TERMINATE"):
        if elapsed_real_seconds() >= until:
            survivors = commands.kill(qmgr, name, left)
            return tuple(_SURVIVED[each.why].format(each.owner) for each in survivors) or (_KILLED,)
        SystemClock().pause(_INTERVAL)
    return ()


# Seconds of real time until STOP MODE(TERMINATE) kills a program, and between two looks at it.
PATIENCE, _INTERVAL = 5.0, 0.05
_KILLED = "The program that ran the channel did not end and was killed."
_NOT_KILLED = "The channel has not ended yet. Process {}, which runs it, was not killed, because "
_SURVIVED = {
    commands.Survival.DOES_OTHER_WORK: _NOT_KILLED
    + "it does other work too; the channel ends as soon as that process looks at the request.",
    commands.Survival.IS_ELSEWHERE: _NOT_KILLED
    + (
        "its number is valid there only. End it there, or stop that container; the channel then "
        "ends."
    ),
    commands.Survival.IS_UNCERTAIN: _NOT_KILLED
    + (
        "you may not do so, or it is not certain that this process is the one. Make sure, and end "
        "it yourself."
    ),
}
_STOPPED_ALREADY = "It is stopped already."
_OTHER_INSTANCES = (
    "No instance has this connection name and queue manager; DISPLAY CHSTATUS shows all instances."
)
_INACTIVE = "Nothing was changed: a trigger or its partner can still start it."


def _stop_initiator(qmgr: QueueManager, request: Request) -> Answer:
    count = commands.stop_all(qmgr)
    remark = (
        f"{counted(count, 'channel')} will end. A program such as `runmqchi` continues: end it, "
        "too."
    )
    accepted = message_text("MQSC0004I", f"{request.verb} {request.noun}")
    return Answer("MQSC0004I", f"{accepted}\n{remark if count else 'No channel was running.'}")


def _connection(qmgr: QueueManager, request: Request) -> Answer:
    from mqsc.store.admin.status import stop_connections

    stop_connections(qmgr, request.name, str(request.options.get("EXTCONN", "")))
    return done(request.verb, request.kind.namespace)


def _stop_object(qmgr: QueueManager, request: Request) -> Answer:
    """Stop a listener or a service; without a name, the listeners of an address, of which there
    are none.
    """
    if not request.name:
        return answer_with_reason(request.verb, request.noun)
    try:
        running_objects.stop(qmgr, request.kind, request.name)
    except MQError as refusal:
        return _already(request, refusal, _STOPPED_BEFORE)
    return done(request.verb, request.kind.namespace)


def _stop_command_server(qmgr: QueueManager, request: Request) -> Answer:
    user_accounts.stop_commands(qmgr, stopped=True)
    return answer_with_reason(request.verb, request.noun)


perform_stop = by_noun(
    {
        "CHANNEL": _stop_channel,
        "CHINIT": _stop_initiator,
        "CMDSERV": _stop_command_server,
        "CONN": _connection,
        "LISTENER": _stop_object,
        "SERVICE": _stop_object,
    },
)
_STOP_NAMINGS = {
    "CHINIT": Naming.NONE,
    "CMDSERV": Naming.NONE,
    **dict.fromkeys(("CONN", "LISTENER"), Naming.OPTIONAL),
}
_CONFLICTS = (Conflict("CHANNEL", "STATUS", ("CONNAME", "QMNAME"), "STOPPED"),)
STOP = verb("STOP", Naming.EXACT, perform_stop, namings=_STOP_NAMINGS, conflicts=_CONFLICTS)


# PING: check that the queue manager responds, or that the partner of a channel would.

# The reason code of each message about a partner that does not answer.
_REASONS: Mapping[str, MQRCCF] = {
    "AMQ9202E": MQRCCF.HOST_NOT_AVAILABLE,
    "AMQ9520E": MQRCCF.UNKNOWN_REMOTE_CHANNEL,
    "AMQ9524E": MQRCCF.REMOTE_QM_UNAVAILABLE,
    "AMQ9547E": MQRCCF.REMOTE_CHL_TYPE_ERROR,
    "AMQ9558E": MQRCCF.CHANNEL_DISABLED,
}


def perform_ping(qmgr: QueueManager, request: Request) -> Answer:
    """Answer; MQError 2059 if the queue manager is not running, 4032, 4041 or 4031 for the
    channel.
    """
    if request.noun == "CHANNEL":
        from mqsc.channels.driver import ping

        message_id, _, text = ping(qmgr, request.name).partition(": ")
        if message_id:
            return Answer(message_id, text, 2, int(_REASONS[message_id]))
        return done(request.verb, request.kind.namespace)
    check_running(qmgr)
    return done(request.verb, request.kind.namespace)


def rehearse(qmgr: QueueManager, request: Request) -> Answer:
    """Check the channel without a look at its partner."""
    commands.check_ping(qmgr, request.name)
    return done(request.verb, request.kind.namespace)


PING = verb("PING", Naming.EXACT, perform_ping)


_NOT_HERE = {
    "ADVANCELOG": "The log belongs to SQLite and has no extents.",
    "ARCHIVED": "The log belongs to SQLite and is not archived.",
    "REDUCELOG": "The log belongs to SQLite and shrinks automatically.",
}


def _statistics(qmgr: QueueManager, request: Request) -> Answer:
    """Reset the statistics of the queues and return the old values."""
    from mqsc.store.admin.statistics import reset_queue_statistics

    rows = reset_queue_statistics(qmgr, request.name)
    first = required(next(rows, None), MQRC.UNKNOWN_OBJECT_NAME, request.name)
    return Answer("MQSC0008I", message_text("MQSC0008I"), rows=chain((first,), rows), each=True)


def _channel(qmgr: QueueManager, request: Request) -> Answer:
    commands.reset(qmgr, request.name, int(str(request.options.get("SEQNUM", 1))))
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
    (
        "COMMIT",
        False,
    ): "they were removed: if the partner has not committed the batch, they are lost",
    (
        "BACKOUT",
        True,
    ): "it will be sent again: if the partner has committed the batch, it arrives twice",
    (
        "BACKOUT",
        False,
    ): "they will be sent again: if the partner has committed the batch, they arrive twice",
}


def perform_resolve(qmgr: QueueManager, request: Request) -> Answer:
    """End the doubt; MQError 4032 if the channel is missing, 4041 if it is of another type, 4031
    if it is active.
    """
    action = str(request.options["ACTION"])
    resolved = commands.resolve(qmgr, request.name, commit=action == "COMMIT")
    only = resolved.messages == 1
    count = "1 message" if only else f"{resolved.messages} messages"
    remark = (
        f"The batch had {count}; {_RISKS[action, only]}."
        if resolved.units
        else "No batch was in doubt."
    )
    return done(request.verb, request.kind.namespace, remark)


RESOLVE = verb("RESOLVE", Naming.EXACT, perform_resolve)


# SUSPEND QMGR and RESUME QMGR: leave and rejoin cluster workload balancing, which does not exist
# here.


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


# REFRESH: scan queues for expired messages, or raise configuration events. Nothing else exists here
# to refresh.

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
    found = [scan for scan in scans if scan.discarded]
    if not found:
        return "0"
    text = f"{sum(scan.discarded for scan in found)} from {counted(len(found), 'queue')}"
    names = ", ".join(f"{scan.queue} {scan.discarded}" for scan in found)
    return f"{text} ({names})" if len(found) <= MOST_NAMED else text


def _configuration(qmgr: QueueManager, request: Request) -> Answer:
    """Raise a configuration event for each object chosen; MQError 3224 if they are disabled."""
    from mqsc.store.admin.altering import refresh_configuration

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

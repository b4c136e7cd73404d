"""START, STOP and PING."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.console.text.reasons import counted
from mqsc.language.command_table import answer_with_reason
from mqsc.language.messages import message_text
from mqsc.language.reply import Answer, done, refused
from mqsc.language.request import Conflict, Naming, Request
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import by_noun, check_running, ignores_state
from store.admin.channel.commands import Started
from store.client.api import QueueManager
from store.client.command_server import answer_commands
from store.constants import MQRC, MQRCCF
from store.environment import SystemClock, elapsed_real_seconds
from store.error import MQError

# START: ask for a channel to be run. The other things that MQ starts do not run here, and the answer says so.

# The commands that start a channel, where no program runs it.
_STARTED_BY = {
    "RCVR": "Its partner starts this channel; START only ends the status STOPPED.",
    "CLUSRCVR": "There are no clusters here: nothing starts this channel.",
    "CLUSSDR": "There are no clusters here: nothing starts this channel.",
}


def _start_channel(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel.commands import start

    try:
        started = start(qmgr, request.name)
    except MQError as refusal:
        if refusal.reason != MQRCCF.CHANNEL_IN_USE or not ignores_state(request):
            raise
        remark = "The channel was active already; IGNSTATE(YES) counts this as success."
        return done(request.verb, request.kind.namespace, remark)
    return done(request.verb, request.kind.namespace, *_remarks(request.name, started))


def _remarks(name: str, started: Started) -> list[str]:
    if not started.runs:
        return [_STARTED_BY.get(started.type, "No channel of this type runs here.")]
    if started.unread:
        return [f"{_unread(started.unread)}: use `mqsc channel run {name}`, `runmqchi` or `mqsc serve`."]
    return []


def _unread(queue: str) -> str:
    return f"No channel initiator reads {queue}, so nothing starts channels"


def _start_initiator(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel.commands import initiators, is_queue
    from store.admin.channel.status import INITIATION_QUEUE

    queue = str(request.options.get("INITQ", INITIATION_QUEUE))
    if not is_queue(qmgr, queue):
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, queue)
    reads = any(each.queue == queue for each in initiators(qmgr))
    remarks = [] if reads else [f"{_unread(queue)}: use `runmqchi -q {queue}` or `mqsc serve`."]
    return done(request.verb, request.kind.namespace, *remarks)


def _start_command_server(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.user_accounts import stop_commands

    stop_commands(qmgr, stopped=False)
    answer_commands(qmgr)
    return answer_with_reason(request.verb, request.noun)


perform_start = by_noun({"CHANNEL": _start_channel, "CHINIT": _start_initiator, "CMDSERV": _start_command_server})
_START_NAMINGS = {"CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, "LISTENER": Naming.OPTIONAL}
START = verb("START", Naming.EXACT, perform_start, namings=_START_NAMINGS)


# STOP: end a channel, or break a connection. The other things that MQ stops do not run here; the answer says so.


def _stop_channel(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel.commands import stop

    options = {word: str(value) for word, value in request.options.items()}
    some = bool(options.get("CONNAME") or options.get("QMNAME"))
    mode, status = options.get("MODE", "QUIESCE"), options.get("STATUS", "INACTIVE" if some else "STOPPED")
    named = {"connection_name": options.get("CONNAME", ""), "partner": options.get("QMNAME", "")}
    stopped = stop(qmgr, request.name, mode, status, **named)
    namespace = request.kind.namespace
    if stopped.ended:
        remarks = _terminated(qmgr, request.name) if options.get("MODE") == "TERMINATE" else ()
        return done(request.verb, namespace, *remarks)
    if ignores_state(request):
        return done(request.verb, namespace, "The channel was not active; IGNSTATE(YES) counts this as success.")
    remark = _STOPPED_ALREADY if stopped.already else _OTHER_INSTANCES if some else _INACTIVE
    return refused("AMQ9533W", request.name, int(MQRCCF.CHANNEL_NOT_ACTIVE), remark)


def _terminated(qmgr: QueueManager, name: str) -> tuple[str, ...]:
    """Kill programs that after some seconds still run the channel, if they do nothing else; sentences about them."""
    from store.admin.channel.commands import kill, running

    until = elapsed_real_seconds() + PATIENCE
    while left := running(qmgr, name, "TERMINATE"):
        if elapsed_real_seconds() >= until:
            return tuple(_BUSY.format(process=each) for each in kill(qmgr, name, left)) or (_KILLED,)
        SystemClock().pause(_INTERVAL)
    return ()


# Seconds of real time until STOP MODE(TERMINATE) kills a program, and between two looks at it.
PATIENCE, _INTERVAL = 5.0, 0.05
_KILLED = "The program that ran the channel did not end and was killed."
_BUSY = (
    "The channel has not ended yet. Process {process}, which runs it, was not killed, because it does other work too; "
    "the channel ends as soon as that process looks at the request."
)
_STOPPED_ALREADY = "It is stopped already."
_OTHER_INSTANCES = "No instance has this connection name and queue manager; DISPLAY CHSTATUS shows all instances."
_INACTIVE = "Nothing was changed: a trigger or its partner can still start it."


def _stop_initiator(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel.commands import stop_all

    count = stop_all(qmgr)
    remark = f"{counted(count, 'channel')} will end. A program such as `runmqchi` continues: end it, too."
    accepted = message_text("MQSC0004I", f"{request.verb} {request.noun}")
    return Answer("MQSC0004I", f"{accepted}\n{remark if count else 'No channel was running.'}")


def _connection(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.status import stop_connections

    stop_connections(qmgr, request.name, str(request.options.get("EXTCONN", "")))
    return done(request.verb, request.kind.namespace)


def _stop_command_server(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.user_accounts import stop_commands

    stop_commands(qmgr, stopped=True)
    return answer_with_reason(request.verb, request.noun)


perform_stop = by_noun(
    {"CHANNEL": _stop_channel, "CHINIT": _stop_initiator, "CMDSERV": _stop_command_server, "CONN": _connection}
)
_STOP_NAMINGS = {"CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, **dict.fromkeys(("CONN", "LISTENER"), Naming.OPTIONAL)}
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
    """Answer; MQError 2059 if the queue manager is not running, 4032, 4041 or 4031 for the channel."""
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
    from store.admin.channel.commands import check_ping

    check_ping(qmgr, request.name)
    return done(request.verb, request.kind.namespace)


PING = verb("PING", Naming.EXACT, perform_ping)

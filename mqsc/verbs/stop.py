"""STOP: end a channel, or break a connection. The other things that MQ stops do not run here; the
answer says so.
"""

from collections.abc import Mapping

from mqsc.console.text.reasons import counted
from mqsc.language.command_support import answer_with_reason
from mqsc.language.reply import Answer, done, message_text, refused
from mqsc.language.request import Conflict, Naming, Request
from mqsc.store.admin import command_queue, running_objects
from mqsc.store.admin.channel import commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from mqsc.store.environment import SystemClock, elapsed_real_seconds
from mqsc.store.error import MQError
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import already, ignores_state
from mqsc.verbs.preconditions import by_noun

_STOPPED_BEFORE: Mapping[int, str] = {
    MQRCCF.LISTENER_STOPPED: "listener was not active",
    MQRCCF.SERVICE_STOPPED: "service was not active",
}
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
_STOP_NAMINGS = {
    "CHINIT": Naming.NONE,
    "CMDSERV": Naming.NONE,
    **dict.fromkeys(("CONN", "LISTENER"), Naming.OPTIONAL),
}
_CONFLICTS = (Conflict("CHANNEL", "STATUS", ("CONNAME", "QMNAME"), "STOPPED"),)


def _stop_channel(qmgr: QueueManager, request: Request) -> Answer:
    options = {word: str(value) for word, value in request.options.items()}
    some = bool(options.get("CONNAME") or options.get("QMNAME"))
    mode = options.get("MODE", "QUIESCE")
    status = options.get("STATUS", "INACTIVE" if some else "STOPPED")
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
    remark = _INACTIVE
    if stopped.already:
        remark = _STOPPED_ALREADY
    elif some:
        remark = _OTHER_INSTANCES
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


def _stop_initiator(qmgr: QueueManager, request: Request) -> Answer:
    count = commands.stop_all(qmgr)
    remark = (
        f"{counted(count, 'channel')} will end. A program such as `runmqchi` continues: end it, "
        "too."
    )
    accepted = message_text("MQSC0004I", f"{request.verb} {request.noun}")
    return Answer("MQSC0004I", f"{accepted}\n{remark if count else 'No channel was running.'}")


def _connection(qmgr: QueueManager, request: Request) -> Answer:
    from mqsc.store.admin.connection_status import stop_connections

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
        return already(request, refusal, _STOPPED_BEFORE)
    return done(request.verb, request.kind.namespace)


def _stop_command_server(qmgr: QueueManager, request: Request) -> Answer:
    command_queue.stop_commands(qmgr, stopped=True)
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
STOP = verb("STOP", Naming.EXACT, perform_stop, namings=_STOP_NAMINGS, conflicts=_CONFLICTS)

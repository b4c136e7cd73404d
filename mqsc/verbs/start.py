"""START: ask for a channel to be run. The other things that MQ starts do not run here, and the
answer says so.
"""

from collections.abc import Mapping

from mqsc.language.command_support import answer_with_reason
from mqsc.language.reply import Answer, done
from mqsc.language.request import Naming, Request
from mqsc.store.admin import command_queue, running_objects
from mqsc.store.admin.channel import commands, initiators
from mqsc.store.admin.channel.status import INITIATION_QUEUE
from mqsc.store.client.command_server import answer_commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError, refuse_if
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import already, ignores_state
from mqsc.verbs.preconditions import by_noun

# The commands that start a channel, where no program runs it.
_STARTED_BY = {
    "RCVR": "Its partner starts this channel; START only ends the status STOPPED.",
    "SVRCONN": "Clients start this channel; START only ends the status STOPPED.",
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
    refuse_if(not initiators.is_queue(qmgr, queue), MQRC.UNKNOWN_OBJECT_NAME, queue)
    reads = any(each.queue == queue for each in initiators.initiators(qmgr))
    remarks = [] if reads else [f"{_unread(queue)}: use `runmqchi -q {queue}` or `mqsc serve`."]
    return done(request.verb, request.kind.namespace, *remarks)


def _start_object(qmgr: QueueManager, request: Request) -> Answer:
    """Start a listener or a service; the answer says that no program runs for it."""
    if request.name:
        try:
            running_objects.start(qmgr, request.kind, request.name)
        except MQError as refusal:
            return already(request, refusal, _RUNNING_ALREADY)
    return answer_with_reason(request.verb, request.noun)


_RUNNING_ALREADY: Mapping[int, str] = {
    MQRCCF.LISTENER_RUNNING: "listener was active already",
    MQRCCF.SERVICE_RUNNING: "service was active already",
}


def _start_command_server(qmgr: QueueManager, request: Request) -> Answer:
    command_queue.stop_commands(qmgr, stopped=False)
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

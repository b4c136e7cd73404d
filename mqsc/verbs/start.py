"""START: ask for a channel to be run. The other things that MQ starts do not run here, and the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer, done
from mqsc.verbs.command_options import verb
from mqsc.verbs.common_options import ignores_state
from mqsc.verbs.preconditions import by_noun
from store.client.command_server import answer_commands
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.admin.channel_commands import Started
    from store.client.api import QueueManager

# The commands that start a channel, where no program runs it.
_STARTED_BY = {
    "RCVR": "Its partner starts this channel; START only ends the status STOPPED.",
    "CLUSRCVR": "There are no clusters here: nothing starts this channel.",
    "CLUSSDR": "There are no clusters here: nothing starts this channel.",
}


def _channel(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel_commands import start

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


def _initiator(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel_initiators import initiators, is_queue
    from store.admin.channel_status import INITIATION_QUEUE

    queue = str(request.options.get("INITQ", INITIATION_QUEUE))
    if not is_queue(qmgr, queue):
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, queue)
    reads = any(each.queue == queue for each in initiators(qmgr))
    remarks = [] if reads else [f"{_unread(queue)}: use `runmqchi -q {queue}` or `mqsc serve`."]
    return done(request.verb, request.kind.namespace, *remarks)


def _command_server(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.command_queue import stop_commands

    stop_commands(qmgr, stopped=False)
    answer_commands(qmgr)
    return answer_with_reason(request.verb, request.noun)


perform = by_noun({"CHANNEL": _channel, "CHINIT": _initiator, "CMDSERV": _command_server})
_NAMINGS = {"CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, "LISTENER": Naming.OPTIONAL}
VERB = verb("START", Naming.EXACT, perform, namings=_NAMINGS)

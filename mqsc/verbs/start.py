"""START: ask for a channel to be run. The other things that MQ starts do not run here, and the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer, done
from mqsc.verbs.common_options import MQTT_CHANNEL, ignores_state, ignstate, option, scope
from mqsc.verbs.preconditions import check_running, existing_object
from store.catalog.types import Name, Number, Text, Word
from store.client.command_server import answer_commands
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.admin.channel_commands import Started
    from store.client.api import QueueManager

_NAMED = frozenset({"LISTENER", "SERVICE"})
# The commands that start a channel, where no program runs it.
_STARTED_BY = {
    "RCVR": "Its partner starts this channel; START only ends the status STOPPED.",
    "CLUSRCVR": "There are no clusters here: nothing starts this channel.",
    "CLUSSDR": "There are no clusters here: nothing starts this channel.",
}


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Answer as MQ does, and say when nothing runs; MQError if the object is missing or cannot be started."""
    check_running(qmgr)
    if request.noun in _STARTS:
        return _STARTS[request.noun](qmgr, request)
    if request.noun in _NAMED and request.name:
        existing_object(qmgr, request)
    return answer_with_reason(request.verb, request.noun)


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


_STARTS = {"CHANNEL": _channel, "CHINIT": _initiator, "CMDSERV": _command_server}

VERB = Verb(
    "START",
    objects_of("START"),
    Naming.EXACT,
    perform,
    (
        ignstate("CHANNEL", "LISTENER", "SERVICE"),
        MQTT_CHANNEL,
        option(
            "CHLDISP", Word(("DEFAULT", "FIXSHARED", "PRIVATE", "SHARED")), "Where the channel runs.", None, "CHANNEL"
        ),
        option("ENVPARM", Text(1024), "Parameters of the started task.", "", "CHINIT"),
        option("INITQ", Name(48), "The initiation queue.", "SYSTEM.CHANNEL.INITQ", "CHINIT"),
        option("INDISP", Word(("QMGR", "GROUP")), "Where connections go.", "QMGR", "LISTENER"),
        option("IPADDR", Text(48), "The address to listen on.", "", "LISTENER"),
        option("LUNAME", Text(8), "The LU 6.2 name to listen on.", "", "LISTENER"),
        option("PORT", Number(1, 65_535), "The port to listen on.", None, "LISTENER"),
        option("TRPTYPE", Word(("TCP", "LU62")), "The transport to listen on.", None, "LISTENER"),
        scope("CHANNEL", "CHINIT", "LISTENER"),
    ),
    namings={"CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, "LISTENER": Naming.OPTIONAL},
)

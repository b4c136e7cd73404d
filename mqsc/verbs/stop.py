"""STOP: end a channel, or break a connection. The other things that MQ stops do not run here; the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.counted import counted
from mqsc.language.messages import message_text
from mqsc.language.request import Conflict, Naming, Request
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer, done, refused
from mqsc.verbs.command_options import verb
from mqsc.verbs.common_options import ignores_state
from mqsc.verbs.preconditions import by_noun
from store.constants import MQRCCF
from store.environment import SystemClock, elapsed_real_seconds

if TYPE_CHECKING:
    from store.client.api import QueueManager


def _channel(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel_commands import stop

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
    """Kill the programs that still run the channel after some seconds, and nothing else; what became of them."""
    from store.admin.channel_commands import kill, running

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


def _initiator(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel_commands import stop_all

    count = stop_all(qmgr)
    remark = f"{counted(count, 'channel')} will end. A program such as `runmqchi` continues: end it, too."
    accepted = message_text("MQSC0004I", f"{request.verb} {request.noun}")
    return Answer("MQSC0004I", f"{accepted}\n{remark if count else 'No channel was running.'}")


def _connection(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.stopping_connections import stop_connections

    stop_connections(qmgr, request.name, str(request.options.get("EXTCONN", "")))
    return done(request.verb, request.kind.namespace)


def _command_server(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.command_queue import stop_commands

    stop_commands(qmgr, stopped=True)
    return answer_with_reason(request.verb, request.noun)


perform = by_noun({"CHANNEL": _channel, "CHINIT": _initiator, "CMDSERV": _command_server, "CONN": _connection})
_NAMINGS = {"CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, **dict.fromkeys(("CONN", "LISTENER"), Naming.OPTIONAL)}
_CONFLICTS = (Conflict("CHANNEL", "STATUS", ("CONNAME", "QMNAME"), "STOPPED"),)
VERB = verb("STOP", Naming.EXACT, perform, namings=_NAMINGS, conflicts=_CONFLICTS)

"""PING: check that the queue manager responds, or that the partner of a channel would."""

from collections.abc import Mapping

from mqsc.language.reply import Answer, done
from mqsc.language.request import Naming, Request
from mqsc.store.admin.channel import commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from mqsc.verbs.command_options import verb
from mqsc.verbs.preconditions import check_running

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
        from mqsc.channels.ping import ping

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

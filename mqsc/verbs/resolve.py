"""RESOLVE: commit or back out the batch of a channel in doubt."""

from mqsc.language.reply import Answer, done
from mqsc.language.request import Naming, Request
from mqsc.store.admin.channel import commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs.command_options import verb

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

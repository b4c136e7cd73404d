"""Which dead-letter queue a command works on."""

from mqsc.console.target import CommandFailedError
from mqsc.language.reply import message_line
from mqsc.store.admin.put_preview import leads_to
from mqsc.store.client.queue_manager import QueueManager


def dead_letter_queue(qmgr: QueueManager, named: str | None) -> str:
    """The local queue that `named`, or else DEADQ, resolves to; CommandFailedError when there is
    none.
    """
    name = (named or "").strip() or str(qmgr.row().dead_letter_queue)
    if not name:
        raise CommandFailedError(
            f"{qmgr.name} has no dead-letter queue; name a queue, or set one with ALTER QMGR "
            "DEADQ(...)",
        )
    queue = leads_to(qmgr, name)
    if not queue:
        whose = "" if (named or "").strip() else f" It is DEADQ of {qmgr.name}."
        raise CommandFailedError(f"{message_line('AMQ8147E', name)}{whose}")
    return queue

"""What a trigger monitor would do with the trigger messages that are there: they are browsed, nothing is started."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mqsc.agents.dead_letter_output import dead_letter_queue
from mqsc.agents.trigger_command import InvalidTriggerMessageError, command_of
from mqsc.agents.trigger_monitor import browse
from store.constants import MQOO

if TYPE_CHECKING:
    from store.client.api import Connection


def preview(connection: Connection, queue: str, *, shell: bool) -> Iterator[dict[str, Any]]:
    """A row for each trigger message, in delivery order; opening the queue for browse raises no occasion."""
    handle = connection.open(queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING)
    letters = dead_letter_queue(connection)
    for message in browse(handle):
        try:
            command = command_of(message, connection.qmgr.name, shell=shell)
        except InvalidTriggerMessageError as unfit:
            about = unfit.trigger.q_name if unfit.trigger else queue
            why = {"reason": unfit.feedback, "why": str(unfit), "dead_letter_queue": letters}
            yield {"event": "would fail", "queue": about, **why}
            continue
        words = [word.decode("utf-8", "replace") for word in command.words]
        yield {
            "event": "would start",
            "queue": command.trigger.q_name,
            "process": command.trigger.process_name,
            "words": words,
            "waits": command.waits,
        }

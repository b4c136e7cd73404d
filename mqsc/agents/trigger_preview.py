"""What a trigger monitor would do with the trigger messages already queued; they are only browsed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mqsc.agents.dead_letter_output import dead_letter_queue
from mqsc.agents.trigger_command import InvalidTriggerMessageError, command_of
from mqsc.agents.trigger_monitor import browse_all
from store.client.api import Connection
from store.constants import MQOO


def preview(connection: Connection, queue: str, *, shell: bool) -> Iterator[dict[str, Any]]:
    """A row for each trigger message, in delivery order. Opening the queue for browse triggers nothing."""
    handle = connection.open(queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, dynamic_name=None)
    dead_letters = dead_letter_queue(connection)
    for message in browse_all(handle):
        try:
            command = command_of(message, connection.qmgr.name, shell=shell)
        except InvalidTriggerMessageError as fault:
            target = fault.trigger.q_name if fault.trigger else queue
            why = {"reason": fault.feedback, "why": str(fault), "dead_letter_queue": dead_letters}
            yield {"event": "would fail", "queue": target, **why}
            continue
        words = [word.decode("utf-8", "replace") for word in command.words]
        of = {"queue": command.trigger.q_name, "process": command.trigger.process_name}
        yield {"event": "would start", **of, "words": words, "waits": command.waits}

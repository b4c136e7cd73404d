"""A run of the channel initiator on the command line, and what it prints."""

from __future__ import annotations

from threading import Lock

from mqsc.agents.channel_initiator import APPLICATION
from mqsc.agents.channel_service import ChannelService
from mqsc.agents.stopping import until_signalled
from mqsc.channels.store_watch import StoreWatch
from mqsc.console.options import Choices
from mqsc.console.reason_text import error_text
from mqsc.console.target import NothingRunError, opened_queue_manager
from mqsc.console.terminal import notice
from mqsc.language.messages import message_line
from store.constants import MQRC
from store.error import MQError

FAILED = 10
# Nothing was started: the queue manager or the queue is missing, or another initiator reads the queue.
_NOT_BEGUN = {
    int(MQRC.UNKNOWN_OBJECT_NAME): "there is no such queue",
    int(MQRC.XMIT_Q_USAGE_ERROR): "it is a transmission queue, whose messages are not trigger messages",
    int(MQRC.OBJECT_IN_USE): "another channel initiator, or another program, reads it",
}


def run_initiator(choices: Choices, queue: str) -> int:
    """Run a channel initiator until it ends; return the exit code (channel-commands §6).

    0 after a signal or when the queue manager ended, 10 when an error interrupted it. NothingRunError (20) when it
    could not start.
    """
    with until_signalled() as stop, opened_queue_manager(choices) as qmgr:
        lock = Lock()

        def report(sentence: str) -> None:
            # Only what is informational ends with I in its id.
            if not choices.quiet or not sentence.partition(": ")[2][:8].endswith("I"):
                with lock:
                    notice(sentence)

        started = False
        try:
            with qmgr.connect(APPLICATION) as connection:
                service = ChannelService(qmgr, report, stop, StoreWatch())
                initiator = service.opened(connection, queue)
                started = True
                report(f"{qmgr.name}: {message_line('AMQ8024I')}")
                service.run_one(initiator)
        except MQError as error:
            why = _NOT_BEGUN.get(int(error.reason)) or error_text(error)
            if not started:
                raise NothingRunError(f"cannot read the initiation queue {queue}: {why}") from error
            notice(f"mqsc: the channel initiator was interrupted: {error_text(error)}")
            return FAILED
    return 0

"""`runmqchi`: the channel initiator with IBM's arguments."""

from __future__ import annotations

from functools import partial
from threading import Lock

import click
from msgspec.structs import replace

from mqsc.agents.channel_initiator import APPLICATION, DEFAULT_QUEUE
from mqsc.agents.channel_service import ChannelService
from mqsc.agents.stopping import until_signalled
from mqsc.channels.store_watch import StoreWatch
from mqsc.channels.texts import is_informational
from mqsc.cli.main import run_program
from mqsc.console.options import Choices, choices_of, long_options
from mqsc.console.target import not_opened, opened_queue_manager
from mqsc.console.terminal import notice
from mqsc.console.text.reasons import error_text
from mqsc.ibm.arguments import VALUE, IbmCommand, Usage, read_arguments
from mqsc.language.messages import message_line
from store.constants import MQRC
from store.error import MQError

USAGE = Usage("runmqchi", "runmqchi [-q InitQ] [-m QMgrName]", {"-q": VALUE, "-m": VALUE}, 0, 0)
FAILED = 10
# Nothing was started: the queue manager or the queue is missing, or another initiator reads the queue.
_NOT_BEGUN = {
    int(MQRC.UNKNOWN_OBJECT_NAME): "there is no such queue",
    int(MQRC.XMIT_Q_USAGE_ERROR): "it is a transmission queue, whose messages are not trigger messages",
    int(MQRC.OBJECT_IN_USE): "another channel initiator, or another program, reads it",
}


@click.command(cls=IbmCommand, options_metavar=USAGE.line.removeprefix("runmqchi "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def runmqchi(context: click.Context) -> None:
    """Start the channels that trigger messages on InitQ, START CHANNEL and retries ask for, until SIGTERM or SIGINT.

    InitQ defaults to SYSTEM.CHANNEL.INITQ. The channels run inside this program, and their messages go to stderr. Exit
    code 0 after a signal or when the queue manager ends, 10 when it cannot read InitQ or an error interrupts it.
    """
    given = read_arguments(USAGE, context.args)
    choices = choices_of(context)
    chosen = replace(choices, qmgr=given.options.get("-m") or choices.qmgr)
    context.exit(run_initiator(chosen, given.options.get("-q", DEFAULT_QUEUE)))


def run_initiator(choices: Choices, queue: str) -> int:
    """Run a channel initiator until it ends; return the exit code (channel-commands §6).

    0 after a signal or when the queue manager ended, 10 when an error interrupted it. When it cannot read
    the initiation queue, the error of `not_opened`.
    """
    with until_signalled() as stop, opened_queue_manager(choices) as qmgr:
        lock = Lock()

        def report(sentence: str) -> None:
            if not choices.quiet or not is_informational(sentence):
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
            if not started:
                why = _NOT_BEGUN.get(int(error.reason))
                raise not_opened(error, f"cannot read the initiation queue {queue}", why) from error
            notice(f"mqsc: the channel initiator was interrupted: {error_text(error)}")
            return FAILED
    return 0


main = partial(run_program, "runmqchi")

"""`runmqtrm`, `runmqchi`, `runmqchl` and `runmqdlq`: programs that run until stopped, with IBM's
arguments.
"""

import sys
from threading import Lock

import click

from mqsc.console.choices import Choices, choices_of
from mqsc.console.target import FAILED, not_opened, opened_queue_manager
from mqsc.console.terminal import is_terminal, notice
from mqsc.console.text.reasons import error_text
from mqsc.ibm.failures import ExitCodes, WrongArgumentsError
from mqsc.ibm.options import (
    IbmCommand,
    RefusedOption,
    choices_with,
    ibm_command,
    ignored_flag,
    text,
    wrong,
)
from mqsc.language.reply import message_line
from mqsc.store.constants import MQRC
from mqsc.store.error import MQError

# 10 is for a program that an error interrupted.
_NOT_STARTED = ExitCodes(failed=20)
# Nothing was started: the queue manager or the queue is missing, or another initiator reads the
# queue.
_NOT_BEGUN = {
    int(MQRC.UNKNOWN_OBJECT_NAME): "there is no such queue",
    int(
        MQRC.XMIT_Q_USAGE_ERROR,
    ): "it is a transmission queue, whose messages are not trigger messages",
    int(MQRC.OBJECT_IN_USE): "another channel initiator, or another program, reads it",
}


@ibm_command(
    "runmqtrm",
    "[-m QMgrName] [-q InitQ] [-u UserId]",
    common=("store", "qmgr", "format", "quiet"),
    codes=_NOT_STARTED,
)
@text("-m", "qmgr_name")
@text("-q", "queue")
@text("-u", "user")
@ignored_flag("-r", why="there are no client connections to reconnect")
def runmqtrm(
    context: click.Context,
    qmgr_name: str | None,
    queue: str | None,
    user: str | None,
) -> None:
    """Start the program that each trigger message on InitQ asks for, until SIGTERM or SIGINT.

    InitQ defaults to SYSTEM.DEFAULT.INITIATION.QUEUE; the monitor runs as UserId. Exit code 0 after
    a signal or when the queue manager ends, 10 when an error interrupts it, 20 when it was not
    started.
    """
    from mqsc.agents.trigger_monitor import DEFAULT_QUEUE, MonitorSettings
    from mqsc.cli.trigger.foreground import run_monitor

    settings = MonitorSettings(DEFAULT_QUEUE if queue is None else queue)
    context.exit(run_monitor(choices_with(context, qmgr_name), settings, user=user or ""))


@ibm_command(
    "runmqchi",
    "[-q InitQ] [-m QMgrName]",
    common=("store", "qmgr", "quiet"),
    codes=_NOT_STARTED,
)
@text("-q", "queue")
@text("-m", "qmgr_name")
def runmqchi(context: click.Context, queue: str | None, qmgr_name: str | None) -> None:
    """Start the channels that trigger messages on InitQ, START CHANNEL and retries ask for, until
    SIGTERM or SIGINT.

    InitQ defaults to SYSTEM.CHANNEL.INITQ. The channels run inside this program, and their messages
    go to stderr. Exit code 0 after a signal or when the queue manager ends, 10 when an error
    interrupts it, 20 when it was not started.
    """
    from mqsc.agents.channel_initiator import DEFAULT_QUEUE

    context.exit(
        run_initiator(choices_with(context, qmgr_name), DEFAULT_QUEUE if queue is None else queue),
    )


def run_initiator(choices: Choices, queue: str) -> int:
    """Run a channel initiator until it ends; return the exit code (channel-commands §6).

    0 after a signal or when the queue manager ended, 10 when an error interrupted it. When it
    cannot read the initiation queue, the error of `not_opened`.
    """
    from mqsc.agents.channel_initiator import APPLICATION
    from mqsc.agents.channel_service import ChannelService
    from mqsc.agents.stopping import until_signalled
    from mqsc.channels.end import is_informational
    from mqsc.channels.store_watch import StoreWatch

    code = 0
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
            notice(f"The channel initiator was interrupted: {error_text(error)}")
            code = FAILED
    return code


@ibm_command("runmqchl", "-c ChannelName [-m QMgrName]", common=("store", "qmgr", "quiet"))
@text("-c", "channel")
@text("-m", "qmgr_name")
def runmqchl(context: click.Context, channel: str | None, qmgr_name: str | None) -> None:
    """Run the channel ChannelName, a sender, a server with CONNAME or a requester, until it ends.

    Its messages go to stderr. Exit code 0 for a normal end, a stop or a signal, 10 for a failure or
    if there is no such channel, 20 if the channel could not be started.
    """
    from mqsc.cli.channel.foreground import run_in_foreground

    if channel is None:
        raise wrong(context, "-c ChannelName is missing")
    context.exit(run_in_foreground(choices_with(context, qmgr_name), channel))


class _HandlerCommand(IbmCommand):
    """The handler answers every error in its arguments with its own message for the usage."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        left = super().parse_args(ctx, args)
        if any(str(ctx.params[name]).startswith(("-", "?")) for name in ("queue", "qmgr_name")):
            raise self.wrong("")
        return left

    def wrong(self, why: str) -> WrongArgumentsError:
        from mqsc.dlq.notices import TEXTS, USAGE

        return WrongArgumentsError(f"{USAGE}: {TEXTS[USAGE]}")

    def refused(self, option: RefusedOption) -> WrongArgumentsError:
        return WrongArgumentsError(f"{super().refused(option).message}\n{self.wrong('').message}")


@ibm_command(
    "runmqdlq",
    "[QName [QMgrName]] [-u UserId]",
    common=("store", "qmgr", "format", "quiet"),
    cls=_HandlerCommand,
)
@text("-u", "user")
@ignored_flag("-c", why="there are no client connections, because a store is a file")
@click.argument("queue", required=False)
@click.argument("qmgr_name", required=False)
def runmqdlq(
    context: click.Context,
    queue: str | None,
    qmgr_name: str | None,
    user: str | None,
) -> None:
    """Run the dead-letter queue handler on the queue QName of QMgrName, with the rules table on
    standard input.

    Without a name, INPUTQ and INPUTQM of the table apply, or else the DEADQ of the default queue
    manager; a blank name (' ') means that default and ignores the table. With -u the handler runs
    as UserId, and the first line of standard input is a password, which is neither checked nor
    stored.
    """
    from mqsc.cli.dlq.foreground import ibm_line, run_handler_with
    from mqsc.dlq.handler_run import HandlerArguments

    if user is not None:
        _skip_password()
    choices = choices_of(context)
    arguments = HandlerArguments(
        queue,
        choices.qmgr_name() if qmgr_name is None else qmgr_name,
        user or "",
    )
    context.exit(run_handler_with(choices, "-", arguments, line_of=ibm_line))


def _skip_password() -> None:
    """Read the first line of standard input; on a terminal, prompt for it without echo."""
    if is_terminal(sys.stdin):
        click.prompt("Password", default="", show_default=False, hide_input=True, err=True)
    else:
        sys.stdin.buffer.readline()

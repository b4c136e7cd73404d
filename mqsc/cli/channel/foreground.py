"""A run of a channel on the command line, and what it prints."""

from __future__ import annotations

from mqsc.agents.stopping import until_signalled
from mqsc.channels.attempt import RunSettings
from mqsc.channels.channel_run import run_channel
from mqsc.channels.driver import drive
from mqsc.channels.end import is_informational, text
from mqsc.console import target
from mqsc.console.options import Choices
from mqsc.console.terminal import notice
from mqsc.console.text.reasons import error_text
from mqsc.store.constants import MQRCCF
from mqsc.store.error import ChannelInUseError, MQError

_REFUSALS = {int(MQRCCF.CHANNEL_NOT_FOUND): "AMQ9519E", int(MQRCCF.WRONG_CHANNEL_TYPE): "AMQ9502E"}


def run_in_foreground(choices: Choices, name: str, *, until_empty: bool = False) -> int:
    """Run a channel until it ends; return the exit code (channel-commands §6).

    0 for a normal end, a stop and a signal, 10 for a failure. When the run does not begin,
    CommandFailedError (10) if there is no such channel, else NothingRunError (20).
    """
    code = 0
    with until_signalled() as stop, target.opened_queue_manager(choices) as qmgr:

        def report(message: str) -> None:
            if not choices.quiet or not is_informational(message):
                notice(message)

        settings = RunSettings(until_empty, report, stop=stop.is_set)
        target.inform_about_manual_clock(choices, qmgr, "intervals pass only with `mqsc clock`")
        try:
            ending = drive(run_channel(qmgr, name, settings), qmgr.store, stop)
        except ChannelInUseError as error:
            raise target.NothingRunError(
                f"{text('AMQ9514E', name=name)} Process {error.owner} runs it.",
            ) from error
        except MQError as error:
            known = _REFUSALS.get(int(error.reason))
            refused = (
                target.CommandFailedError
                if error.reason == MQRCCF.CHANNEL_NOT_FOUND
                else target.NothingRunError
            )
            raise refused(text(known, name=name) if known else error_text(error)) from error
        code = target.FAILED if ending.failed else 0
    return code

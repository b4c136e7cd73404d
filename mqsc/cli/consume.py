"""`mqsc consume`: a program for each message of a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mqsc.agents.message_program import CannotStartError
from mqsc.agents.program_consumer import ClosedOutputError, ConsumerSettings, ProgramConsumers
from mqsc.agents.start_check import shell_fault, start_fault
from mqsc.agents.stopping import until_signalled_twice
from mqsc.agents.trigger_monitor import QUEUE_MANAGER_ENDED
from mqsc.console.completion.names import queues_to_complete
from mqsc.console.object_names import ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command
from mqsc.console.parameter_types import MILLISECOND, Duration
from mqsc.console.target import NothingRunError, inform_about_manual_clock, not_opened, opened_queue_manager
from mqsc.console.terminal import notice, printable
from mqsc.console.text.message_properties import selector_fault, selector_option
from mqsc.console.text.reasons import error_text
from store.constants import MQRC
from store.environment import MICROSECONDS
from store.error import MQError, SelectorError

if TYPE_CHECKING:
    from store.client.api import QueueManager

FAILED, NOT_STARTED, STDOUT_CLOSED = 10, 20, 141
# What the summary calls each count.
_WORDS = {
    "processed": "processed",
    "failed": "backed out",
    "requeue": "moved to the backout queue",
    "dead-letter": "dead-lettered",
    "discard": "discarded",
}


@command(common=WITHOUT_FORMAT)
@click.argument("queue", type=ObjectName(), shell_complete=queues_to_complete)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- PROGRAM [ARGUMENT]...")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Exit after N messages.")
@click.option(
    "--wait",
    type=Duration(MILLISECOND, lowest=-1),
    default=0,
    help="Wait up to this long for each message, such as 30s; a bare number means milliseconds, -1 forever.",
)
@click.option(
    "--timeout",
    type=Duration(1, bare=MICROSECONDS, lowest=1),
    help="End a program and its children after this time, such as 10m; a bare number means seconds.",
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Commit after N messages; messages that were backed out go alone.",
)
@click.option(
    "--concurrency", type=click.IntRange(1, 100), default=1, metavar="N", help="Process N messages at a time."
)
@selector_option
@click.option("--shell", is_flag=True, help="PROGRAM is one command line for a shell.")
def consume(choices: Choices, queue: str, program: tuple[str, ...], **given: Any) -> int:
    """Run PROGRAM for each message on QUEUE, with the message data on its standard input.

    The descriptor is in variables such as MQSC_MSG_ID, the properties are in MQSC_PROPERTIES as JSON. The file
    MQSC_PROPERTIES_FILE has them, too, and alone when they are too long for a variable. The message is removed if
    PROGRAM exits with 0, and backed out otherwise. A message that was backed out BOTHRESH times goes to BOQNAME, else
    to the dead-letter queue; if that is not possible either, consume ends with exit code 10. It also ends when QUEUE is
    empty, and after SIGTERM or SIGINT, when the program that is running has ended; a second signal ends that program.
    """
    if given["shell"] and len(program) > 1:
        raise click.UsageError("with --shell, PROGRAM is one argument, such as 'tr a-z A-Z >> orders.txt'")
    if not program[0].strip():
        raise click.UsageError("PROGRAM is empty")
    why = shell_fault(program[0]) if given["shell"] else start_fault(program[0])
    if why:
        raise NothingRunError(printable(f"cannot start {program[0]}: {why}"))
    timeout = given.pop("timeout")
    settings = ConsumerSettings(queue, program, timeout and timeout / MICROSECONDS, **given)
    with until_signalled_twice() as (stop, stop_now), opened_queue_manager(choices) as qmgr:
        try:
            consumers = ProgramConsumers(qmgr, settings, lambda text: notice(f"mqsc: {queue}: {text}"))
        except SelectorError as refused:
            raise selector_fault(refused) from refused
        except MQError as error:
            raise not_opened(error, f"cannot consume {queue}") from error
        if settings.wait:
            inform_about_manual_clock(choices, qmgr)
        code = 0
        try:
            consumers.run(stop, stop_now)
        except MQError as error:
            code = _ended_by(error, qmgr, choices)
        except CannotStartError as fault:
            notice(f"mqsc: cannot start {printable(str(fault))}")
            code = NOT_STARTED
        except ClosedOutputError:
            code = STDOUT_CLOSED
        finally:
            consumers.close()
        summary = ", ".join(f"{consumers.counts[key]} {word}" for key, word in _WORDS.items() if consumers.counts[key])
        if summary or not code:
            choices.inform(f"mqsc: {queue}: {summary or 'no message'}")
    return code


def _ended_by(error: MQError, qmgr: QueueManager, choices: Choices) -> int:
    """Say why the consumers ended, and return the exit code."""
    if error.reason in QUEUE_MANAGER_ENDED:
        choices.inform(f"mqsc: {qmgr.name} has ended")
        return 0
    if error.reason == MQRC.BACKOUT_THRESHOLD_REACHED:
        notice(
            f"mqsc: {error.object_name}: a message that was backed out too often is kept, because neither BOQNAME nor "
            f"the dead-letter queue takes it; `mqsc poison {error.object_name}` shows why"
        )
    else:
        notice(f"mqsc: the consumer was interrupted: {error_text(error)}")
    return FAILED

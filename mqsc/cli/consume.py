"""`mqsc consume`: a program for each message of a queue."""

from threading import Event

import click

from mqsc.agents.message_programs import CannotStartError
from mqsc.agents.program_checks import shell_fault, start_fault
from mqsc.agents.program_consumer import ClosedOutputError, ConsumerSettings, ProgramConsumers
from mqsc.agents.stopping import until_signalled_twice
from mqsc.agents.trigger_monitor import QUEUE_MANAGER_ENDED
from mqsc.console import target
from mqsc.console.getting import selector_fault
from mqsc.console.object_names import ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command
from mqsc.console.parameters import TIMEOUT, WAIT_OR_FOR_EVER
from mqsc.console.shared_options import selector_option
from mqsc.console.terminal import notice, printable
from mqsc.console.text.reasons import error_text
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError, SelectorError

STDOUT_CLOSED = 141
# What the summary calls each count.
_WORDS = {
    "processed": "processed",
    "failed": "backed out",
    "requeue": "moved to the backout queue",
    "dead-letter": "dead-lettered",
    "discard": "discarded",
}


@command(common=(*WITHOUT_FORMAT, "user"))
@click.argument("queue", type=ObjectName())
@click.argument(
    "program",
    type=click.UNPROCESSED,
    nargs=-1,
    required=True,
    metavar="-- PROGRAM [ARGUMENT]...",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Exit after N messages.")
@click.option(
    "--wait",
    type=WAIT_OR_FOR_EVER,
    default="0",
    help=(
        "Wait up to this long for each message, such as 30s; a bare number means milliseconds, -1 "
        "forever."
    ),
)
@click.option(
    "--timeout",
    type=TIMEOUT,
    help=(
        "End a program and its children after this time, such as 10m; a bare number means seconds."
    ),
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Commit after N messages; messages that were backed out go alone.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 100),
    default=1,
    metavar="N",
    help="Process N messages at a time.",
)
@click.option("--shell", is_flag=True, help="PROGRAM is one command line for a shell.")
@selector_option
def consume(
    choices: Choices,
    queue: str,
    program: tuple[str, ...],
    limit: int | None,
    wait: int,
    timeout: int | None,
    batch: int,
    concurrency: int,
    shell: bool,
    selector: str,
) -> int:
    """Run PROGRAM for each message on QUEUE, with the message data on its standard input.

    The descriptor is in variables such as MQSC_MSG_ID, the properties are in MQSC_PROPERTIES as
    JSON. The file MQSC_PROPERTIES_FILE has them, too, and alone when they are too long for a
    variable. The message is removed if PROGRAM exits with 0, and backed out otherwise. A message
    that was backed out BOTHRESH times goes to BOQNAME, else to the dead-letter queue; if that is
    not possible either, consume ends with exit code 10. It also ends when QUEUE is empty, and after
    SIGTERM or SIGINT, when the program that is running has ended; a second signal ends that
    program.
    """
    _check_program(program, shell=shell)
    settings = ConsumerSettings(
        queue,
        program,
        timeout=timeout and timeout / MICROSECONDS,
        limit=limit,
        wait=wait,
        batch=batch,
        concurrency=concurrency,
        shell=shell,
        selector=selector,
    )
    # A signal before anything was opened ends it here.
    code = 0
    with (
        until_signalled_twice() as (stop, stop_now),
        target.opened_queue_manager(choices, for_users=True) as qmgr,
    ):
        consumers = _opened_consumers(qmgr, settings)
        if settings.wait:
            target.inform_about_manual_clock(choices, qmgr)
        code = _run(consumers, stop, stop_now, qmgr, choices)
        summary = ", ".join(
            f"{consumers.counts[key]} {word}"
            for key, word in _WORDS.items()
            if consumers.counts[key]
        )
        if summary or not code:
            choices.inform(f"mqsc: {queue}: {summary or 'no message'}")
    return code


def _check_program(program: tuple[str, ...], *, shell: bool) -> None:
    """UsageError or NothingRunError for a program that cannot be started."""
    if shell and len(program) > 1:
        raise click.UsageError(
            "with --shell, PROGRAM is one argument, such as 'tr a-z A-Z >> orders.txt'",
        )
    if not program[0].strip():
        raise click.UsageError("PROGRAM is empty")
    why = shell_fault(program[0]) if shell else start_fault(program[0])
    if why:
        raise target.NothingRunError(printable(f"cannot start {program[0]}: {why}"))


def _opened_consumers(qmgr: QueueManager, settings: ConsumerSettings) -> ProgramConsumers:
    queue = settings.queue
    try:
        return ProgramConsumers(qmgr, settings, lambda text: notice(f"mqsc: {queue}: {text}"))
    except SelectorError as refused:
        raise selector_fault(refused) from refused
    except MQError as error:
        raise target.not_opened(error, f"cannot consume {queue}") from error


def _run(
    consumers: ProgramConsumers,
    stop: Event,
    stop_now: Event,
    qmgr: QueueManager,
    choices: Choices,
) -> int:
    """Run the consumers until they end, and return the exit code."""
    try:
        consumers.run(stop, stop_now)
    except MQError as error:
        return _ended_by(error, qmgr, choices)
    except CannotStartError as fault:
        notice(f"mqsc: cannot start {printable(str(fault))}")
        return target.NOTHING_RUN
    except ClosedOutputError:
        return STDOUT_CLOSED
    finally:
        consumers.close()
    return 0


def _ended_by(error: MQError, qmgr: QueueManager, choices: Choices) -> int:
    """Say why the consumers ended, and return the exit code."""
    if error.reason in QUEUE_MANAGER_ENDED:
        choices.inform(f"mqsc: {qmgr.name} has ended")
        return 0
    if error.reason == MQRC.BACKOUT_THRESHOLD_REACHED:
        notice(
            f"mqsc: {error.object_name}: a message that was backed out too often is kept, because "
            "neither BOQNAME nor "
            f"the dead-letter queue takes it; `mqsc poison {error.object_name}` shows why",
        )
    else:
        notice(f"mqsc: the consumer was interrupted: {error_text(error)}")
    return target.FAILED

"""`mqsc consume` and `mqsc client`."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click

from mqsc.agents.program_consumer import (
    ClosedOutputError,
    ConsumerSettings,
    ProgramConsumers,
    shell_fault,
    start_fault,
)
from mqsc.agents.programs import CannotStartError
from mqsc.agents.stopping import until_signalled_twice
from mqsc.agents.trigger_monitor import QUEUE_MANAGER_ENDED
from mqsc.clients.process import installed_library, program_environment
from mqsc.console import target
from mqsc.console.object_names import ObjectName
from mqsc.console.options import IN_SHELL, WITHOUT_FORMAT, Choices, command
from mqsc.console.parameters import TIMEOUT, WAIT_OR_FOR_EVER
from mqsc.console.shared_options import selector_option
from mqsc.console.terminal import notice, print_rows, printable
from mqsc.console.text.messages import selector_fault
from mqsc.console.text.reasons import error_text
from mqsc.store.client.api import QueueManager
from mqsc.store.client.store_url import url_of_file
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
    if shell and len(program) > 1:
        raise click.UsageError(
            "with --shell, PROGRAM is one argument, such as 'tr a-z A-Z >> orders.txt'",
        )
    if not program[0].strip():
        raise click.UsageError("PROGRAM is empty")
    why = shell_fault(program[0]) if shell else start_fault(program[0])
    if why:
        raise target.NothingRunError(printable(f"cannot start {program[0]}: {why}"))
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
    code = 0
    with (
        until_signalled_twice() as (stop, stop_now),
        target.opened_queue_manager(choices, for_users=True) as qmgr,
    ):
        try:
            consumers = ProgramConsumers(
                qmgr,
                settings,
                lambda text: notice(f"mqsc: {queue}: {text}"),
            )
        except SelectorError as refused:
            raise selector_fault(refused) from refused
        except MQError as error:
            raise target.not_opened(error, f"cannot consume {queue}") from error
        if settings.wait:
            target.inform_about_manual_clock(choices, qmgr)
        try:
            consumers.run(stop, stop_now)
        except MQError as error:
            code = _ended_by(error, qmgr, choices)
        except CannotStartError as fault:
            notice(f"mqsc: cannot start {printable(str(fault))}")
            code = target.NOTHING_RUN
        except ClosedOutputError:
            code = STDOUT_CLOSED
        finally:
            consumers.close()
        summary = ", ".join(
            f"{consumers.counts[key]} {word}"
            for key, word in _WORDS.items()
            if consumers.counts[key]
        )
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
            f"mqsc: {error.object_name}: a message that was backed out too often is kept, because "
            "neither BOQNAME nor "
            f"the dead-letter queue takes it; `mqsc poison {error.object_name}` shows why",
        )
    else:
        notice(f"mqsc: the consumer was interrupted: {error_text(error)}")
    return target.FAILED


# `mqsc client`: run a Python program for IBM MQ on a store.


# Arguments after the program are its own, also without the two hyphens.
@command(context_settings={"allow_interspersed_args": False})
@click.argument("program", type=click.UNPROCESSED, nargs=-1, metavar="[-- PROGRAM [ARGUMENT]...]")
@click.option(
    "--print-env",
    is_flag=True,
    help="Print the variables to set, for a shell or CI, and run nothing.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Use the store even if IBM MQ's libraries are installed.",
)
def client(choices: Choices, program: tuple[str, ...], print_env: bool, replace: bool) -> int:
    """Run PROGRAM so that the Python packages ibmmq and pymqi use the store instead of IBM MQ.

    The program needs no change: it connects to a queue manager of the store by name, and its host
    is ignored. It ends with its own exit code.

    For all programs of a shell: eval "$(mqsc client --print-env)"
    """
    if choices.user_name() is not None:
        raise click.UsageError(
            "--user and MQSC_USER are for commands; a program gives its user itself, in an MQCSP",
        )
    if print_env == bool(program):
        raise click.UsageError(
            "give either a program, such as `mqsc client -- python app.py`, or --print-env",
        )
    path = target.path_of_file(choices)
    if not print_env and choices.store_is_missing():
        raise target.NothingRunError(
            f"there is no store in {path}; create one with `mqsc qmgr create QM1`",
        )
    if choices.qmgr is not None and not choices.store_is_missing():
        with target.opened_store(choices):
            # An unknown queue manager is refused.
            pass
    url = url_of_file(path)
    library = None if replace else installed_library(os.environ)
    variables = program_environment(url, choices.qmgr_name(), os.environ, replace=library is None)
    _inform(choices, path, library)
    if print_env:
        lines = (f"export {name}={shlex.quote(value)}" for name, value in variables.items())
        print_rows(choices.format, [variables], lines)
        return 0
    why = start_fault(program[0])
    if why:
        raise target.NothingRunError(printable(f"cannot start {program[0]}: {why}"))
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {**os.environ, **variables}
    if click.get_current_context().meta[IN_SHELL]:
        # The shell goes on after the program.
        code = subprocess.run(program, env=environment, check=False).returncode
        return code if code >= 0 else 128 - code
    os.execvpe(program[0], program, environment)


def _inform(choices: Choices, path: str, library: Path | None) -> None:
    """Say which of the two, IBM's library or the store, programs use."""
    if library is None:
        choices.inform(f"mqsc: ibmmq and pymqi use the store {printable(path)}")
    else:
        choices.inform(
            f"mqsc: IBM MQ is installed ({printable(str(library))}), so ibmmq and pymqi use it, "
            "not the store; "
            "--replace makes them use the store",
        )

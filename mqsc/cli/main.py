"""The command line: what the programs are called, how they end.

Exit codes: 0 all done · 10 some command failed · 20 nothing could be run · 130 interrupted · 141 nobody reads stdout.
Nothing heavy is imported here: a command's module is loaded when the command is called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from mqsc import __version__
from mqsc.console.options import LazyGroup, common_options, is_terminal

INTERRUPTED = 130
NOBODY_READS = 141
# MQRC_Q_MGR_NAME_ERROR and MQRC_Q_MGR_NOT_AVAILABLE: nothing could be run.
NO_QUEUE_MANAGER = frozenset({2058, 2059})

COMMANDS = {
    "run": ("mqsc.cli.run", "run", "Run MQSC from files, standard input or the command line."),
    "qmgr": ("mqsc.cli.qmgr", "qmgr", "Create, start, end, delete and list queue managers."),
    "put": ("mqsc.cli.put", "put", "Put messages on a queue."),
    "get": ("mqsc.cli.get", "get", "Get messages from a queue."),
    "browse": ("mqsc.cli.browse", "browse", "Look at the messages of a queue without removing them."),
    "clock": ("mqsc.cli.clock", "clock", "Show or move the clock of a queue manager made with a manual clock."),
    "serve": ("mqsc.cli.serve", "serve", "Keep queue managers at work: expiry scans every EXPRYINT seconds."),
    "expiry": ("mqsc.cli.expiry", "expiry", "Show what is expired, and what a get or a scan would do about it."),
    "trigger": ("mqsc.cli.trigger", "trigger", "Explain triggering, and start what is triggered."),
    "runmqtrm": ("mqsc.ibm.runmqtrm", "runmqtrm", "The trigger monitor with the arguments of IBM's command."),
    "dlq": ("mqsc.cli.dlq", "dlq", "Work on dead-letter queues: by rules as runmqdlq does, or by hand."),
    "runmqdlq": ("mqsc.ibm.runmqdlq", "runmqdlq", "The dead-letter handler with the arguments of IBM's command."),
    "runmqsc": ("mqsc.ibm.runmqsc", "runmqsc", "MQSC with the arguments of IBM's command."),
    "crtmqm": ("mqsc.ibm.managers", "crtmqm", "Create a queue manager, with the arguments of IBM's command."),
    "strmqm": ("mqsc.ibm.managers", "strmqm", "Start a queue manager, with the arguments of IBM's command."),
    "endmqm": ("mqsc.ibm.managers", "endmqm", "End a queue manager, with the arguments of IBM's command."),
    "dltmqm": ("mqsc.ibm.managers", "dltmqm", "Delete a queue manager, with the arguments of IBM's command."),
    "dspmq": ("mqsc.ibm.managers", "dspmq", "Show queue managers, with the arguments of IBM's command."),
    "amqsput": ("mqsc.ibm.samples", "amqsput", "Put lines as messages, with the arguments of IBM's sample."),
    "amqsget": ("mqsc.ibm.samples", "amqsget", "Get messages, with the arguments of IBM's sample."),
    "amqsbcg": ("mqsc.ibm.samples", "amqsbcg", "Browse messages, with the arguments of IBM's sample."),
    "check": ("mqsc.cli.check", "check", "Check scripts without a store: every error, and advice."),
    "explain": ("mqsc.cli.explain", "explain", "Say what a code, a message, a keyword or a rule means."),
    "mqrc": ("mqsc.ibm.mqrc", "mqrc", "Names of codes with the arguments of IBM's command."),
    "export": ("mqsc.cli.export", "export", "Write the definitions as MQSC, JSON or YAML."),
    "diff": ("mqsc.cli.diff", "diff", "Compare the definitions with those that files make."),
    "dmpmqcfg": ("mqsc.ibm.dmpmqcfg", "dmpmqcfg", "The definitions with the arguments of IBM's command."),
    "report": ("mqsc.cli.report", "report", "Make reports from the history with Spark."),
}


@click.group(cls=LazyGroup, rows=COMMANDS, invoke_without_command=True)
@common_options
@click.version_option(__version__, prog_name="mqsc")
@click.pass_context
def mqsc(context: click.Context) -> None:
    """An MQ-style queue manager in one SQLite file, administered in MQSC.

    Without a command: a shell on a terminal, else the commands are read from standard input.
    """
    if context.invoked_subcommand is None:
        from mqsc.cli.bare import start

        context.exit(start(context))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code; never with a traceback for what a user can bring about."""
    _open_what_is_closed()
    if sys.stdout is None:
        # Not the null device: a message that is got, and printed nowhere, would be lost.
        sys.exit(_say("standard output is closed; nothing was done", 20))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code = run_to_exit_code(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = _nobody_reads()
    sys.exit(code)


def _open_what_is_closed() -> None:
    """Python has None for a stream that was closed at the start: there is nothing to read, and talk goes nowhere."""
    for name, mode in (("stdin", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115


def run_to_exit_code(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; its exit code. What went wrong is said in one line on stderr."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        # Not `mqsc.main`, which makes a closed pipe an exit code of its own.
        with mqsc.make_context("mqsc", given) as context:
            mqsc.invoke(context)
        return 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        return _refuse(error)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        return _nobody_reads()
    except Exception as error:
        code = _known_failure(error)
        if code is None:
            raise
        return code


def _known_failure(error: Exception) -> int | None:
    """The exit code for a failure that has a sentence of its own; None for a programming error."""
    from mqsc.console.inputs import InputError
    from store.error import MQError, StoreError

    if isinstance(error, (StoreError, InputError)):
        return _say(str(error), 20)
    if isinstance(error, MQError):
        return _say_reason(int(error.reason), error.object_name, str(error))
    if isinstance(error, OSError):
        return _say(f"{error.filename or 'input or output'}: {error.strerror or error}", 20)
    return None


def _say_reason(reason: int, name: str, sentence: str) -> int:
    """Without a queue manager nothing can be run: said as MQSC says it."""
    if reason not in NO_QUEUE_MANAGER:
        return _say(sentence, 10)
    from mqsc.reply import FAILED, text_of

    return _say(f"{FAILED[reason]}: {text_of(FAILED[reason], name)}", 20)


def _refuse(error: click.ClickException) -> int:
    if isinstance(error, click.UsageError):
        error.show()
        return 20
    return _say(error.format_message(), error.exit_code)


def _say(sentence: str, code: int) -> int:
    from mqsc.console.terminal import printable

    click.echo(f"mqsc: {printable(sentence) if is_terminal(sys.stderr) else sentence}", err=True)
    return code


def _nobody_reads() -> int:
    # Python flushes stdout once more on leaving; that must not fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NOBODY_READS

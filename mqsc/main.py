"""The entry point of the command line: it finds the command, and turns failures into exit codes.

Exit codes: 0 success · 10 some command failed · 20 nothing could be run · 130 interrupted · 141
stdout was closed. To start fast, this file imports little: the module of a command is imported when
the command is called.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click
from click.shell_completion import shell_complete

from mqsc.console.choices import choices_of
from mqsc.console.commands import EARLIER_WORDS, commands_in
from mqsc.console.help import HelpFormatter, first_page
from mqsc.console.object_names import NAMES_GIVEN, GivenName, unknown_names, with_suggestion
from mqsc.console.options import (
    HELP_IS_WANTED,
    HELP_OPTIONS,
    IN_SHELL,
    PIPE_WIDTH,
    LazyGroup,
    common_options,
    say_word_of_today,
)
from mqsc.console.terminal import is_terminal, notice, terminal_width
from mqsc.interruption import INTERRUPTED, exit_at_interrupt, raise_at_interrupt
from mqsc.version import __version__

if TYPE_CHECKING:
    from mqsc.store.error import MQError

# Help on a terminal that is narrower or wider has these widths: it would not be readable.
NARROWEST, WIDEST = 30, 100
# Importing makes many objects (83 000 for a DISPLAY) and no garbage: looking for some, as Python
# does after each 700, would take a tenth of the start.
OBJECTS_PER_COLLECTION = 100_000
_NO_STORE = "; --store or MQSC_STORE names another one, `mqsc qmgr create NAME` makes one"
FAILED = 10
STDOUT_CLOSED = 141

COMMANDS = commands_in()


class OuterGroup(LazyGroup):
    """The command line as a whole, whose help fits one screen."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line of usage, the commands by task, IBM's names, the options in brief."""
        for line in first_page(self.rows, formatter.width):
            formatter.write(f"{line}\n")

    def resolve_command(
        self,
        ctx: click.Context,
        args: list[str],
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command, also by an earlier word for it; a line on stderr says today's."""
        now = EARLIER_WORDS.get(args[0])
        if now is None:
            return super().resolve_command(ctx, args)
        if not ctx.resilient_parsing:
            say_word_of_today(args[0], now)
        return super().resolve_command(ctx, [now, *args[1:]])


@click.group(
    cls=OuterGroup,
    rows=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": [*HELP_OPTIONS]},
)
@common_options
@click.option(
    "--classic",
    is_flag=True,
    help="In the shell: show DISPLAY in two columns, as runmqsc does.",
)
@click.version_option(__version__, prog_name="mqsc")
@click.pass_context
def mqsc(context: click.Context, classic: bool) -> None:
    """An MQ-style queue manager in one SQLite file, administered in MQSC.

    Without a command, starts a shell on a terminal, and otherwise reads MQSC from standard input.
    """
    if context.invoked_subcommand is not None:
        if classic:
            raise click.UsageError(
                "--classic is an option of the shell, which `mqsc` without a command starts",
            )
        return
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        from mqsc.shell.start import run_shell

        context.exit(run_shell(choices_of(context), run_to_exit_code, mqsc, classic=classic))
    from mqsc.console.inputs import InputSource
    from mqsc.scripts.run import run_sources

    context.exit(run_sources(choices_of(context), [InputSource(path="-")]))


def main(arguments: Sequence[str] | None = None, program: str = "mqsc") -> NoReturn:
    """Run the command line and exit. An error that a user can cause prints one line, never a
    traceback.
    """
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    _complete_for_shell(program)
    _replace_closed_streams()
    if sys.stdout is None:
        # With the null device instead, a message got from a queue would be lost.
        sys.exit(_say("standard output is closed; nothing was done", 20))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        raise_at_interrupt()
        code = run_to_exit_code(arguments)
        code = _flushed(code)
        exit_at_interrupt()
    except KeyboardInterrupt:
        # While an error or the last of the output was written.
        code = _say("interrupted", INTERRUPTED)
    # At its end Python looks for garbage among all objects, which takes a tenth of a short command;
    # these are frozen.
    gc.freeze()
    sys.exit(code)


def _flushed(code: int) -> int:
    """The exit code when everything is written on stdout, which may have been closed."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _stdout_closed()
    return code


def _complete_for_shell(program: str) -> None:
    """Answer a request of the shell for its completion script or for completions, and exit;
    otherwise return.
    """
    variable = f"_{program.upper()}_COMPLETE"
    instruction = os.environ.get(variable)
    if not instruction:
        return
    command = mqsc if program == "mqsc" else mqsc.get_command(click.Context(mqsc), program)
    assert command is not None
    sys.exit(shell_complete(command, {}, program, variable, instruction))


def _replace_closed_streams() -> None:
    """Open the null device for stdin and stderr if they were closed at the start, when Python
    sets them to None.
    """
    for name, mode in (("stdin", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def run_to_exit_code(arguments: Sequence[str] | None = None, in_shell: str = "") -> int:
    """Run the command line and return its exit code. An error is printed as one line on stderr.

    `in_shell` is the name of the command in the interactive shell, if that runs it.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    # The contexts of all commands make their formatters from this class, and click has no other way
    # to choose it.
    click.Context.formatter_class = HelpFormatter
    names: list[GivenName] = []
    try:
        # Not `mqsc.main`, which has its own exit code for a closed pipe.
        with mqsc.make_context("mqsc", words, terminal_width=help_width()) as context:
            # Those given before the name of the command are there already.
            names = context.meta.setdefault(NAMES_GIVEN, names)
            context.meta[IN_SHELL] = bool(in_shell)
            context.meta[HELP_IS_WANTED] = not {*words}.isdisjoint(HELP_OPTIONS)
            mqsc.invoke(context)
        return _with_hints(0, names)
    except click.exceptions.Exit as ended:
        return _with_hints(ended.exit_code, names)
    except click.ClickException as error:
        return _refuse(error, names, in_shell)
    except (click.Abort, KeyboardInterrupt):
        if in_shell:
            # The shell says so, and ends everything that the user has typed.
            raise KeyboardInterrupt from None
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        return _stdout_closed()
    except Exception as error:
        if _is_interruption(error):
            return _say("interrupted", INTERRUPTED)
        code = _known_failure(error, names)
        if code is None:
            raise
        return code


def _with_hints(code: int, names: list[GivenName]) -> int:
    """The exit code, after a line on stderr for each name that nothing has and that explains why
    the command failed, or found nothing.
    """
    for sentence in unknown_names(names, only_filters=code < FAILED) if names else ():
        notice(f"mqsc: {sentence}")
    return code


def _is_interruption(error: BaseException) -> bool:
    """Whether Ctrl-C is the cause: a class that is made while a module loads turns any exception
    into RuntimeError.
    """
    cause = error.__cause__
    return cause is not None and (isinstance(cause, KeyboardInterrupt) or _is_interruption(cause))


def help_width() -> int:
    """The width of help: the terminal's, with a margin as click's."""
    if not is_terminal(sys.stdout):
        return PIPE_WIDTH
    return min(max(terminal_width(), NARROWEST), WIDEST) - 2


def _known_failure(error: Exception, names: list[GivenName]) -> int | None:
    """Print an expected error and return its exit code; None for a programming error."""
    from mqsc.console.inputs import InputError
    from mqsc.store.error import MissingStoreError, MQError, SharingGroupError, StoreError

    if isinstance(error, (StoreError, InputError)):
        cure = _NO_STORE if isinstance(error, MissingStoreError) else ""
        return _say(f"{error}{cure}", 20)
    if isinstance(error, MQError):
        return _say_reason(error, names)
    if isinstance(error, SharingGroupError):
        from mqsc.language.reply import message_line

        return _say(message_line("MQSC0035E", detail=str(error)), 10)
    if isinstance(error, OSError):
        what = "the current folder" if isinstance(error, FileNotFoundError) else "input or output"
        return _say(f"{error.filename or what}: {error.strerror or error}", 20)
    return None


def _say_reason(error: MQError, names: list[GivenName]) -> int:
    """Print the error of a failed call. Exit code 20 if the queue manager has ended, so that
    nothing was run.
    """
    from mqsc.console.text.reasons import Q_MGR_NOT_AVAILABLE, sentence_of

    if error.reason == Q_MGR_NOT_AVAILABLE:
        return _say(sentence_of(error), 20)
    return _say(with_suggestion(sentence_of(error), names), 10)


def _refuse(error: click.ClickException, names: list[GivenName], in_shell: str) -> int:
    from mqsc.console.plain_failure import PlainFailureError

    if isinstance(error, click.UsageError):
        _show_usage_error(error, in_shell)
        return 20
    if isinstance(error, PlainFailureError):
        # Scripts compare the text, which is IBM's.
        sentence = error.format_message()
        if sentence:
            notice(sentence)
        return error.exit_code
    return _say(with_suggestion(error.format_message(), names), error.exit_code)


def _show_usage_error(error: click.UsageError, in_shell: str) -> None:
    """The usage, where to find more, and the error, as click shows them but broken between words.

    In the shell, which has its own names and no program `mqsc`, the error comes first.
    """
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        # A group without a command: its help is the message.
        click.echo(error.format_message(), err=True)
        return
    from mqsc.console.usage_error import usage_error_text

    if in_shell:
        notice(f"{usage_error_text(error)}\n{in_shell} --help lists what {in_shell} takes.")
        return
    context = error.ctx
    if context is not None:
        notice(context.get_usage())
        if context.help_option_names:
            notice(f"Try '{context.command_path} {context.help_option_names[-1]}' for help.\n")
    notice(f"Error: {usage_error_text(error)}")


def _say(sentence: str, code: int) -> int:
    notice(f"mqsc: {sentence}")
    return code


def _stdout_closed() -> int:
    # Python flushes stdout again at exit, which must not fail.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return STDOUT_CLOSED

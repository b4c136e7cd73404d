"""Runs scripts from files, standard input and -c, with their variables, and prints the replies."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

import click
from msgspec import Struct, field

from mqsc.console import answer_layout, json_rows, parameters, target, terminal
from mqsc.console.inputs import (
    InputError,
    InputSource,
    is_empty,
    is_pipe,
    named_by,
    opened_lines,
    read_now,
)
from mqsc.console.options import Choices
from mqsc.grammar.lines import LogicalLine
from mqsc.language import support
from mqsc.language.command_table import verb_of
from mqsc.language.hidden_secrets import carried_out
from mqsc.language.reply import Answer, message_line, refused_in_past
from mqsc.language.request import Request
from mqsc.language.tally import Tally
from mqsc.language.variables import unset_in, used_in
from mqsc.script import Answered, Echoed, Script, commands_in
from mqsc.scripts import reply_output, selection
from mqsc.scripts.deletions import AnswersWithUses
from mqsc.store.catalog.status.services import LSSTATUS, SVSTATUS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store_url import path_of
from mqsc.store.environment import Environment
from mqsc.store.sqlite.locks import SingleInstanceLock, lock_beside
from mqsc.store.sqlite.untouched import must_stay_as_it_is
from mqsc.verbs import perform_request

# The answers with objects whose status is kept though nothing here runs them.
_NOT_RUN_HERE = frozenset({LSSTATUS.heading_id, SVSTATUS.heading_id})
NO_PROGRAMS = (
    f"no program runs for services and listeners here, whatever their STATUS; {support.WHAT_RUNS}"
)


class RunOptions(Struct, frozen=True):
    """How to run scripts. `values` are the values of variables; None means that the scripts have no
    variables.

    `create` creates a queue manager if the store has none and none is named. `skip_unsupported`
    skips commands that are not supported here; they do not fail then. With `only_reads` every
    command but DISPLAY is refused. With `names_uses` the reply to a DELETE says what still names
    the object.
    """

    echo: bool = True
    verify: bool = False
    skip_if_running: bool = False
    stop_on_error: bool = False
    values: Mapping[str, str] | None = None
    create: bool = True
    skip_unsupported: bool = False
    only_reads: bool = False
    names_uses: bool = False

    def script(
        self,
        qmgr: QueueManager | None,
        carry_out: Callable[[Request], Answer] | None = None,
    ) -> Script:
        """A script with these options; see Script for `carry_out`."""
        if self.only_reads and qmgr is not None:
            carry_out = partial(_only_read, qmgr)
        elif self.names_uses and qmgr is not None:
            carry_out = partial(_with_uses, qmgr, AnswersWithUses(qmgr))
        return Script(
            qmgr,
            carry_out=None if carry_out is None else partial(carried_out, carry_out=carry_out),
            values=self.values,
            skip_unsupported=self.skip_unsupported,
        )


DEFAULTS = RunOptions()


def _only_read(qmgr: QueueManager, request: Request) -> Answer:
    return (
        perform_request(qmgr, request)
        if request.verb == "DISPLAY"
        else refused_in_past(f"{request.verb} {request.noun}")
    )


def _with_uses(qmgr: QueueManager, answers: AnswersWithUses, request: Request) -> Answer:
    return answers.answer_with_uses(request, perform_request(qmgr, request))


class Inputs(Struct):
    """The inputs of a run, read one after another; `unread` are those that cannot be read.

    With `warn_if_empty` a warning on stderr mentions every empty input, and ends with `advice`.
    """

    sources: Sequence[InputSource]
    store_path: str | None = None
    stop_on_error: bool = False
    warn_if_empty: bool = True
    advice: str = "enter a command such as DISPLAY QMGR"
    unread: list[InputSource] = field(default_factory=list)

    def steps(self, script: Script) -> Iterator[Echoed | Answered]:
        """The steps of the script for every input in turn; stderr mentions an input that cannot be
        read.

        With `stop_on_error`, stop after the first command that fails or input that cannot be read.
        """
        for source in self.sources:
            for step in self._steps(script, source):
                yield step
                if self.stop_on_error and has_failed(step):
                    return
            if self.stop_on_error and self.unread:
                return

    def _steps(self, script: Script, source: InputSource) -> Iterator[Echoed | Answered]:
        empty = True
        try:
            with opened_lines(source, self.store_path) as lines:
                for step in script.steps(lines, source.file):
                    empty = False
                    yield step
        except InputError as fault:
            self.unread.append(source)
            print_error(str(fault))
            return
        if empty and self.warn_if_empty:
            print_error(
                f"{source.name}, line 1, column 1: the input is empty; {self.advice}",
            )

    def exit_code(self, tally: Tally) -> int:
        """20 if no input could be read, 10 if some could not, else the exit code of the
        commands.
        """
        if len(self.unread) == len(self.sources):
            return 20
        return 10 if self.unread else tally.exit_code


def has_failed(step: Echoed | Answered) -> bool:
    """Whether the step is the answer to a command that failed."""
    return isinstance(step, Answered) and step.answer.completion == 2


def write(writer: reply_output.Writer, steps: Iterable[Echoed | Answered]) -> None:
    """Print echoes and answers as they are produced."""
    for step in steps:
        if isinstance(step, Answered):
            writer.answer(step)
        else:
            writer.echo(step)


def shows_what_is_not_run(answer: Answer) -> bool:
    """Whether an answer has the status of services or listeners, which NO_PROGRAMS explains."""
    return answer.message_id in _NOT_RUN_HERE


def _with_notice(
    choices: Choices,
    steps: Iterable[Echoed | Answered],
) -> Iterator[Echoed | Answered]:
    """The steps; after the first status of services or listeners, stderr says that no program
    runs.
    """
    is_said = False
    for step in steps:
        yield step
        if isinstance(step, Answered) and not is_said and shows_what_is_not_run(step.answer):
            is_said = True
            choices.inform(f"mqsc: {NO_PROGRAMS}")


@contextmanager
def job_lock(choices: Choices, qmgr: QueueManager) -> Iterator[bool]:
    """Take the job lock of the queue manager for the block; yields False if another job holds
    it.
    """
    if qmgr.store.path is None:
        yield True
        return
    lock = SingleInstanceLock(lock_beside(qmgr.store.path, "job", qmgr.name), Path(qmgr.store.path))
    taken = lock.acquire()
    if not taken:
        choices.inform(f"mqsc: another job is using {qmgr.name}; this one is skipped")
    try:
        yield taken
    finally:
        lock.release()


def nothing_to_read(sources: Sequence[InputSource]) -> bool:
    """Whether none of the inputs can be read; prints the reasons to stderr."""
    faults = [_fault_of(source) for source in sources]
    for fault in faults if all(faults) else ():
        print_error(fault)
    return all(faults)


def _fault_of(source: InputSource) -> str:
    """Why a file cannot be read; blank if it can be, or if it is a pipe, which can be read only
    once.
    """
    if source.file is None or is_pipe(source.file):
        return ""
    try:
        with opened_lines(source):
            return ""
    except InputError as fault:
        return str(fault)


def not_running(choices: Choices, name: str) -> int:
    """Report AMQ8146E between banner and tally; return exit code 20."""
    if choices.format in json_rows.DATA_FORMATS:
        raise target.NotRunningError(message_line("AMQ8146E", name))
    # The words of runmqsc: the line before names the queue manager.
    return nothing_run(choices, name, "AMQ8146E: IBM MQ queue manager not available.")


def nothing_run(choices: Choices, name: str, error: str) -> int:
    """Report why no command was run between banner and tally, as runmqsc does; return exit code
    20.
    """
    writer = writer_of(choices, sys.stdout, echo=False)
    writer.begin(name)
    click.echo(answer_layout.with_or_without_severity(error))
    writer.end(Tally())
    return 20


def writer_of(choices: Choices, out: TextIO, *, echo: bool) -> reply_output.Writer:
    """A writer to `out` in the chosen format."""
    if choices.format == json_rows.CSV_FORMAT:
        return reply_output.CsvWriter(out)
    if choices.format in json_rows.JSON_FORMATS:
        return reply_output.JsonWriter(out, array=choices.format == "json")
    if choices.quiet:
        return reply_output.QuietWriter(out, _moment, terminal=terminal.is_terminal(sys.stdout))
    return reply_output.TextWriter(out, echo=echo, terminal=terminal.is_terminal(sys.stdout))


def print_error(sentence: str) -> None:
    """Print an error to stderr, even with --quiet."""
    terminal.notice(f"mqsc: {sentence}")


def _moment() -> str:
    """The current time of the machine, for the log."""
    return parameters.iso(Environment.system().clock.now())


# `mqsc run`: performs the commands of scripts one after another.


def run_sources(
    choices: Choices,
    sources: Sequence[InputSource],
    options: RunOptions = DEFAULTS,
) -> int:
    """Run the inputs one after another on the chosen queue manager; return the exit code."""
    # Checked first, so that a run without input does not create a store.
    if nothing_to_read(sources):
        return 20
    if not options.verify and _stays_as_it_is(choices):
        sources = [read_now(each) for each in sources]
        choices = choices._replace(only_reads=_only_display(sources))
    writer = writer_of(choices, sys.stdout, echo=options.echo)
    with ExitStack() as stack:
        if _needs_no_queue_manager(choices, sources, options):
            script = options.script(None)
            name = target.FIRST_QUEUE_MANAGER
            store_path = None
        else:
            qmgr = stack.enter_context(
                target.opened_queue_manager(choices, create=options.create, for_users=True),
            )
            script = options.script(None if options.verify else qmgr)
            name, store_path = qmgr.name, qmgr.store.path
            if options.skip_if_running and not stack.enter_context(job_lock(choices, qmgr)):
                return 0
            if not options.verify and not qmgr.is_running:
                return not_running(choices, name)
        inputs = Inputs(sources, store_path, stop_on_error=options.stop_on_error)
        writer.begin(name)
        write(writer, _with_notice(choices, inputs.steps(script)))
        writer.end(script.tally)
    if choices.format in json_rows.DATA_FORMATS:
        choices.inform("\n".join(script.tally.lines()))
    return inputs.exit_code(script.tally)


def _stays_as_it_is(choices: Choices) -> bool:
    """Whether commands that only read leave the file of the chosen store as it is."""
    return path_of(choices.store_url()) is not None and must_stay_as_it_is(
        target.path_of_file(choices),
    )


def _only_display(sources: Sequence[InputSource]) -> bool:
    """Whether every command of inputs in memory is DISPLAY."""
    words = (line.text.split(maxsplit=1)[0] for source in sources for line in _commands_of(source))
    return all(verb_of(word.upper()) == "DISPLAY" for word in words)


def _needs_no_queue_manager(
    choices: Choices,
    sources: Sequence[InputSource],
    options: RunOptions,
) -> bool:
    """Whether commands are only checked and no queue manager is named, or one would be created
    for an empty input.
    """
    if options.verify:
        return choices.qmgr_name() is None
    return (
        options.create
        and all(map(is_empty, sources))
        and target.reason_to_create(choices) is not None
    )


# Arguments whose order matters: files mixed with -c texts.

# No argument can contain NUL, so a -c text that is marked with it cannot be confused with a file
# name.
TEXT_MARK = "\0"
_FLAGS_WITH_TEXT = re.compile("-([ev]*)c(.*)", re.DOTALL)


class InOrder(click.Command):
    """A command that keeps the order of its -c texts and FILE arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn each `-c TEXT` into a marked argument before click reads the options."""
        return super().parse_args(ctx, _texts_marked(args, self._words_with_value(ctx)))

    def _words_with_value(self, context: click.Context) -> frozenset[str]:
        options = (
            each
            for each in self.get_params(context)
            if isinstance(each, click.Option) and not each.is_flag
        )
        return frozenset(word for each in options for word in each.opts)


def sources_of(arguments: Sequence[str], *, subfolders: bool = True) -> list[InputSource]:
    """The inputs that the arguments of an InOrder command name, in order."""
    return [source for each in arguments for source in _sources(each, subfolders)]


def _sources(argument: str, subfolders: bool) -> list[InputSource]:
    is_text = argument.startswith(TEXT_MARK)
    return (
        [InputSource(text=argument[len(TEXT_MARK) :])]
        if is_text
        else named_by(argument, subfolders=subfolders)
    )


def _texts_marked(arguments: Sequence[str], with_value: frozenset[str]) -> list[str]:
    """`arguments` with each -c or --command and its value replaced by one marked argument."""
    rest, marked = list(arguments), list[str]()
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            return [*marked, word, *rest]
        if word == "--command" and rest:
            marked.append(TEXT_MARK + rest.pop(0))
        elif name == "--command" and equals:
            marked.append(TEXT_MARK + value)
        elif (flags := _FLAGS_WITH_TEXT.fullmatch(word)) and (flags[2] or rest):
            marked += [*(f"-{flag}" for flag in flags[1]), TEXT_MARK + (flags[2] or rest.pop(0))]
        elif word in with_value and rest:
            marked += [word, rest.pop(0)]
        else:
            marked.append(word)
    return marked


# Variables: the scripts are checked before anything runs.


def check_variables(sources: Sequence[InputSource], variables: selection.Variables) -> None:
    """Raise NothingRunError if a command uses a variable without a value; warn on stderr about
    unused ones of --set.

    The sources are read to their end, so they must be in memory already (`read_now`).
    """
    used, unset = set[str](), 0
    for source in sources:
        for line in _commands_of(source):
            used |= used_in(line)
            for each in unset_in(line, variables.values):
                unset += 1
                print_error(
                    f"{source.name}, line {each.line}, column {each.column}: {each.sentence}",
                )
    if unset:
        raise target.NothingRunError(
            f"nothing was run: {unset} {'variable has' if unset == 1 else 'variables have'} no "
            "value",
        )
    for name in sorted(variables.expected - used):
        print_error(f"--set {name}: no command uses ${{{name}}}")


def _commands_of(source: InputSource) -> Iterator[LogicalLine]:
    """The commands of an input; none if it cannot be read, which the run reports later."""
    if not source.fault:
        with opened_lines(source) as lines:
            yield from commands_in(lines)

"""`mqsc run`: scripted MQSC."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from mqsc.commands.parameters import iso
from mqsc.inputs import InputFault, Source, opened_lines
from mqsc.options import Choices, choices_of, common_options, is_terminal
from mqsc.output import JsonWriter, QuietWriter, TextWriter, Writer
from mqsc.resolve import FIRST_QUEUE_MANAGER, Refused, opened_queue_manager
from mqsc.rows import JSON_FORMATS
from mqsc.script import Answered, Script

if TYPE_CHECKING:
    from store.queue_manager import QueueManager

# No argument can hold a NUL, so a text given with -c can travel among the file names and keep its place.
TEXT_MARK = "\0"
_FLAGS_WITH_TEXT = re.compile("-([ev]*)c(.*)", re.DOTALL)


class InOrder(click.Command):
    """A command whose -c texts and FILE arguments keep the order in which they were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn every `-c TEXT` into an argument of its own before the options are read."""
        return super().parse_args(ctx, _texts_marked(args, self._words_with_value(ctx)))

    def _words_with_value(self, context: click.Context) -> frozenset[str]:
        return frozenset(
            word
            for option in self.get_params(context)
            if isinstance(option, click.Option) and not option.is_flag
            for word in option.opts
        )


@click.command(cls=InOrder)
@click.argument("inputs", nargs=-1, metavar="[FILE|-]...")
@click.option("-c", "--command", multiple=True, metavar="TEXT", help="MQSC to run, in its place among the files.")
@click.option("-e", "--no-echo", is_flag=True, help="Do not print the commands themselves.")
@click.option("-v", "--verify", is_flag=True, help="Check the commands only; nothing is carried out.")
@click.option(
    "--skip-if-running",
    is_flag=True,
    help="For cron: do nothing, with a line and exit code 0, while another such job works on the queue manager.",
)
@common_options
@click.pass_context
def run(
    context: click.Context,
    inputs: tuple[str, ...],
    command: tuple[str, ...],
    no_echo: bool,
    verify: bool,
    skip_if_running: bool,
) -> None:
    """Run MQSC from FILEs, from standard input (-) and from -c texts, in the order given, with one tally.

    With --quiet only the answers are printed, each with its moment. Exit code 0 when every command was carried out, 10
    when one was not, 20 when nothing could be run.
    """
    sources = [_source(each) for each in inputs] or _standard_input()
    code = run_sources(choices_of(context), sources, echo=not no_echo, verify=verify, skip_if_running=skip_if_running)
    context.exit(code)


def run_sources(
    choices: Choices,
    sources: Sequence[Source],
    *,
    echo: bool = True,
    verify: bool = False,
    skip_if_running: bool = False,
) -> int:
    """Run the inputs one after another against the chosen queue manager; the exit code."""
    # Before the store is opened, or made: nothing happens when there is nothing to run.
    if all(source.file is not None and not _can_be_read(source) for source in sources):
        return 20
    writer = _writer(choices, echo)
    with ExitStack() as stack:
        if verify and choices.qmgr_name() is None:
            script, name, store_path = Script(None), FIRST_QUEUE_MANAGER, None
        else:
            qmgr = stack.enter_context(opened_queue_manager(choices, create=not verify))
            script, name, store_path = Script(None if verify else qmgr), qmgr.name, qmgr.store.path
            if skip_if_running and not _alone(stack, qmgr):
                click.echo(f"mqsc: another job works on {name}; this one is skipped", err=True)
                return 0
            if not verify and not qmgr.is_running:
                return _not_running(choices, writer, script, name)
        writer.begin(name)
        unread = [source for source in sources if not _run_one(script, source, writer, store_path)]
        writer.end(script.tally)
    if choices.format in JSON_FORMATS:
        choices.talk("\n".join(script.tally.lines()))
    if len(unread) == len(sources):
        return 20
    return 10 if unread else script.tally.exit_code


def _alone(stack: ExitStack, qmgr: QueueManager) -> bool:
    """Whether no other job holds the queue manager's job lock; it is ours until the run, or this process, ends."""
    from store.liveness import OneAtATime, lock_beside

    if qmgr.store.path is None:
        return True
    lock = OneAtATime(lock_beside(qmgr.store.path, "job", qmgr.name))
    stack.callback(lock.release)
    return lock.take()


def _run_one(script: Script, source: Source, writer: Writer, store_path: str | None) -> bool:
    """Run one input; whether it could be read."""
    empty = True
    try:
        with opened_lines(source, store_path) as lines:
            for step in script.steps(lines, source.file):
                empty = False
                if isinstance(step, Answered):
                    writer.answer(step)
                else:
                    writer.echo(step)
    except InputFault as fault:
        click.echo(f"mqsc: {fault}", err=True)
        return False
    if empty:
        click.echo(
            f"mqsc: {source.name}, line 1, column 1: it is empty; a command such as DISPLAY QMGR would go here",
            err=True,
        )
    return True


def _can_be_read(source: Source) -> bool:
    try:
        with opened_lines(source):
            return True
    except InputFault as fault:
        click.echo(f"mqsc: {fault}", err=True)
        return False


def _not_running(choices: Choices, writer: Writer, script: Script, name: str) -> int:
    """The queue manager is not running: AMQ8146E between banner and tally, exit code 20."""
    from mqsc.reply import text_of

    message = f"AMQ8146E: {text_of('AMQ8146E', name)}"
    if choices.format in JSON_FORMATS:
        raise Refused(message)
    writer.begin(name)
    click.echo(message)
    writer.end(script.tally)
    return 20


def _writer(choices: Choices, echo: bool) -> Writer:
    if choices.format in JSON_FORMATS:
        return JsonWriter(sys.stdout, array=choices.format == "json")
    if choices.quiet:
        return QuietWriter(sys.stdout, _moment, terminal=is_terminal(sys.stdout))
    return TextWriter(sys.stdout, echo=echo, terminal=is_terminal(sys.stdout))


def _moment() -> str:
    """Now by the machine's clock: what a log goes by."""
    from store.environment import Environment

    return iso(Environment.system().clock.now())


def _source(given: str) -> Source:
    if given.startswith(TEXT_MARK):
        return Source(text=given[len(TEXT_MARK) :])
    return Source(path=given)


def _standard_input() -> list[Source]:
    if is_terminal(sys.stdin):
        raise click.UsageError("nothing to run: give a FILE, - for standard input, or -c TEXT")
    return [Source(path="-")]


def _texts_marked(arguments: Sequence[str], with_value: frozenset[str]) -> list[str]:
    """`arguments` with each -c and --command, and its value, replaced by one marked argument."""
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

"""`mqsc dlq run`: the dead-letter handler on the command line, and what it prints."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event

import click

from mqsc.agents.stopping import stoppable, stopped_at_once, until_signalled
from mqsc.console.inputs import Source, opened_lines
from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import Choices, choices_of, common_options
from mqsc.console.target import opened_store
from mqsc.console.terminal import printable
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.notices import Notice
from mqsc.dlq.reload import WatchedFile, watching
from store.environment import Environment

SECOND = 1_000_000


@click.command()
@click.argument("rules", metavar="RULES|-")
@click.option("--queue", metavar="NAME", help="The queue to work on, instead of INPUTQ; ' ' is the DEADQ.")
@click.option("--watch", is_flag=True, help="Changes to the file RULES take effect at once, not at the next start.")
@common_options
@click.pass_context
def run(context: click.Context, rules: str, queue: str | None, watch: bool) -> None:
    """Run the dead-letter handler with the table in the file RULES (- is standard input) until it has nothing to do.

    INPUTQ, INPUTQM, RETRYINT and WAIT in the table say on which queue, how often, and how long; SIGTERM and SIGINT end
    it between two messages. Exit code 0 when it ended so, 10 when an error ended it, 20 when it did not start.
    """
    choices = choices_of(context)
    if watch and rules == "-":
        raise click.UsageError("--watch needs a file: standard input is read once")
    context.exit(handle(choices, rules, HandlerArguments(queue, choices.qmgr_name()), watch=watch))


def handle(choices: Choices, path: str, asked: HandlerArguments, *, watch: bool = False) -> int:
    """Run the handler with the table at `path`, - for standard input, until it ends; the exit code."""
    watched = WatchedFile(path) if watch else None
    with until_signalled() as stop:
        environment = stoppable(Environment.system(), stop)
        world = environment if watched is None else watching(environment, watched)
        with opened_store(choices, environment=world) as store, _log(choices) as listener:
            source = Source(path=path)
            rules = TableSource(source.name, lambda: _lines(source, store.path, stop), watched)
            return run_handler(store, rules, asked, listener, stop)


def _lines(source: Source, store_path: str | None, stop: Event) -> list[bytes]:
    with stopped_at_once(stop), opened_lines(source, store_path) as lines:
        return list(lines)


@contextmanager
def _log(choices: Choices) -> Iterator[HandlerOutput]:
    """Where the handler's messages go: a line or an object each on stdout, as it comes."""
    if choices.format not in JSON_FORMATS:

        def print_line(at: int, said: Notice) -> None:
            # A name in a message must not begin a line of its own.
            click.echo(printable(f"{moment(at)}  {said.message_id}: {said.text}"))

        yield HandlerOutput(print_line, choices.talk)
        return
    with Rows(sys.stdout, array=choices.format == "json") as rows:

        def write(at: int, said: Notice) -> None:
            rows.write({"at": at, "message_id": said.message_id, "text": said.text, **said.inserts})
            sys.stdout.flush()

        yield HandlerOutput(write, choices.talk)


def moment(at: int) -> str:
    """Date and time, UTC, to the second."""
    return datetime.fromtimestamp(at // SECOND, UTC).strftime("%Y-%m-%d %H:%M:%S")

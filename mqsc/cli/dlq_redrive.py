"""`mqsc dlq retry`, `forward` and `discard`: dead letters moved by hand."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mqsc.agents.stopping import StopRequested, stoppable, until_signalled
from mqsc.console.dead_letter_options import dead_letter_queue, filter_of, filter_options
from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import Choices, choices_of, common_options
from mqsc.console.target import opened_queue_manager
from mqsc.dlq.dead_letter_text import redrive_line, redrive_row
from mqsc.dlq.dead_letters import dead_letters_on_queue
from mqsc.dlq.redrive import (
    DEFAULT_RETURNS,
    REDRIVE_OPEN_OPTIONS,
    RedriveRequest,
    RedriveResult,
    preview_redrive,
    redrive,
)
from mqsc.dlq.rules import Rule
from store.admin.peek import peek
from store.admin.put_preview import PutPreview, leads_to
from store.environment import Environment
from store.headers import mqdlh

if TYPE_CHECKING:
    from store.client.api import QueueManager

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FAILED = 10
INTERRUPTED = 130

_OPTIONS: tuple[Callable[[Decorated], Decorated], ...] = (
    click.argument("queue", required=False),
    click.option("--dry-run", is_flag=True, help="Only print what would be done, and whether it would succeed."),
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Move at most N letters."),
    click.option("--rate", type=click.FloatRange(min=0, min_open=True), metavar="N", help="At most N a second."),
)
_RETURNS = click.option(
    "--returns",
    type=click.IntRange(min=1),
    default=DEFAULT_RETURNS,
    show_default=True,
    metavar="N",
    help="Leave a letter alone that was sent on from the queue N times before.",
)


def _by_hand(decorated: Any) -> Any:
    """What the three commands have in common."""
    decorated = filter_options(common_options(click.pass_context(decorated)))
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


@click.command()
@_by_hand
@_RETURNS
def retry(context: click.Context, /, queue: str | None, **given: Any) -> None:
    """Put the letters of QUEUE (or the DEADQ) where they should have gone, without their header.

    Each is moved in a unit of work of its own; those that cannot be put stay. To go on after an interruption, run it
    again. Exit code 10 when a put failed.
    """
    _carry_out(context, queue, Rule((), "RETRY"), given)


@click.command()
@click.option("--to", required=True, metavar="QUEUE", help="The queue to put them on.")
@click.option("--to-q-mgr", default="", metavar="NAME", help="Its queue manager; else the one that holds the letters.")
@click.option("--strip-header", is_flag=True, help="Take the dead-letter header off.")
@_by_hand
@_RETURNS
def forward(
    context: click.Context, /, queue: str | None, to: str, to_q_mgr: str, strip_header: bool, **given: Any
) -> None:
    """Put the letters of QUEUE (or the DEADQ) on another queue, with their header unless --strip-header.

    Each is moved in a unit of work of its own; those that cannot be put stay. Exit code 10 when a put failed.
    """
    _carry_out(context, queue, Rule((), "FWD", to, to_q_mgr, "NO" if strip_header else "YES"), given)


@click.command()
@click.option("--all", "everything", is_flag=True, help="Every letter, where no other option says which.")
@_by_hand
def discard(context: click.Context, /, queue: str | None, everything: bool, **given: Any) -> None:
    """Throw letters of QUEUE (or the DEADQ) away; no report is made. Say which, or --all."""
    if not (everything or any(given[name] for name in ("reasons", "destination", "older_than", "msg_id"))):
        raise click.UsageError("say which letters to throw away, by --reason, --destination ..., or --all")
    _carry_out(context, queue, Rule((), "DISCARD"), {**given, "returns": DEFAULT_RETURNS})


def _carry_out(context: click.Context, queue: str | None, rule: Rule, given: dict[str, Any]) -> None:
    choices, dry_run = choices_of(context), given.pop("dry_run")
    order = RedriveRequest(rule, filter_of(given), **given)
    with until_signalled() as stop:
        environment = stoppable(Environment.system(), stop)
        with opened_queue_manager(choices, environment=environment) as qmgr:
            name = dead_letter_queue(qmgr, queue)
            if rule.action == "FWD" and leads_to(qmgr, rule.forward_queue, rule.forward_queue_manager) == name:
                raise click.UsageError(f"--to {rule.forward_queue} leads back to {name}, where the letters are")
            if order.rate and qmgr.row().clock_at is not None:
                choices.talk(f"mqsc: {qmgr.name} has a manual clock: --rate waits for `mqsc clock`")
            with _steps(qmgr, name, order, stop, dry_run=dry_run) as steps:
                counts = _printed(choices, steps, foreseen=dry_run)
    _conclude(choices, counts, name, dry_run=dry_run)
    if stop.is_set():
        choices.talk("mqsc: interrupted; what is left is there for the next run")
        context.exit(INTERRUPTED)
    context.exit(FAILED if counts["failed"] and not dry_run else 0)


@contextmanager
def _steps(
    qmgr: QueueManager, name: str, order: RedriveRequest, stop: Event, *, dry_run: bool
) -> Iterator[Iterator[RedriveResult]]:
    if dry_run:
        letters = dead_letters_on_queue(peek(qmgr, name, mqdlh.LENGTH))
        yield preview_redrive(qmgr, name, letters, order, PutPreview(qmgr, name))
        return
    with qmgr.connect() as connection:
        yield redrive(connection.open(name, REDRIVE_OPEN_OPTIONS), order, stop.is_set)


def _printed(choices: Choices, steps: Iterator[RedriveResult], *, foreseen: bool) -> Counter[str]:
    """Print each step as it comes; how many ended how."""
    counts: Counter[str] = Counter()
    try:
        if choices.format in JSON_FORMATS:
            with Rows(sys.stdout, array=choices.format == "json") as rows:
                for step in steps:
                    counts[step.outcome] += 1
                    rows.write(redrive_row(step))
        else:
            for step in steps:
                counts[step.outcome] += 1
                click.echo(redrive_line(step, preview=foreseen))
    except StopRequested:
        # While waiting for the next letter's turn: none is in hand.
        return counts
    return counts


def _conclude(choices: Choices, counts: Counter[str], name: str, *, dry_run: bool) -> None:
    moved, failed = ("would be done", "would fail") if dry_run else ("done", "failed")
    left = counts.total() - counts["moved"] - counts["failed"]
    choices.talk(f"mqsc: {name}: {counts['moved']} {moved}, {counts['failed']} {failed}, {left} left alone")

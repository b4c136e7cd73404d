"""`mqsc dlq retry`, `forward` and `discard`: the run that they share, and its output."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event

import click
from msgspec.structs import replace

from mqsc.agents.stopping import StopRequested, stoppable, until_signalled
from mqsc.cli.dlq.dead_letter_queue import dead_letter_queue
from mqsc.cli.dlq.options import LettersWanted, RedriveOptions, redrive_options, returns_option
from mqsc.cli.dlq.saved_messages import message_saver
from mqsc.console.getting import inform_about_discarded
from mqsc.console.json_rows import json_rows
from mqsc.console.object_names import DESTINATION, ObjectName
from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.parameters import PLACE
from mqsc.console.target import (
    FAILED,
    CommandFailedError,
    inform_about_manual_clock,
    opened_queue_manager,
)
from mqsc.console.terminal import columns, packed, print_line
from mqsc.console.text.reasons import legend_lines, reason_text
from mqsc.dlq import dead_letter_text, redrive, text_parts
from mqsc.dlq.dead_letter import dead_letters_on_queue
from mqsc.dlq.rules_table import Rule
from mqsc.store.admin.message_origins import MessageOrigins
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.put_preview import PutPreview, leads_to
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import Environment
from mqsc.store.headers import mqdlh

INTERRUPTED = 130


def run_redrive(
    choices: Choices,
    queue: str | None,
    rule: Rule,
    options: RedriveOptions,
    *,
    save: str | None = None,
) -> int:
    """Apply `rule` to the selected dead letters on `queue`, print each step, and return the exit
    code.

    With `save`, each message is appended to the file of that name before it is removed.
    """
    only_plan = options.only_plan
    with until_signalled() as stop, ExitStack() as held:
        environment = stoppable(Environment.system(), stop)
        with opened_queue_manager(choices, environment=environment) as qmgr:
            name = dead_letter_queue(qmgr, queue)
            if (
                rule.action == "FWD"
                and leads_to(qmgr, rule.forward_queue, rule.forward_queue_manager) == name
            ):
                raise click.UsageError(
                    f"--to {rule.forward_queue} leads back to {name}, which holds the messages",
                )
            _check_target(qmgr, rule)
            order = redrive.RedriveRequest(
                rule,
                options.letters.on_queue(qmgr, name),
                limit=options.limit,
                rate=options.rate,
                returns=options.returns,
            )
            if save is not None and not only_plan:
                order = replace(
                    order,
                    save=held.enter_context(message_saver(save, qmgr.store.path)),
                )
            if order.rate:
                inform_about_manual_clock(choices, qmgr, "--rate waits for `mqsc clock`")
            with _steps(choices, qmgr, name, order, stop, only_plan=only_plan) as steps:
                counts = _print_steps(choices, steps, foreseen=only_plan)
            _print_summary(
                choices,
                counts,
                name,
                redrive.depth_of(qmgr, name) or 0,
                only_plan=only_plan,
            )
            if counts["no header"]:
                _print_advice(choices, qmgr, name)
    if stop.is_set():
        choices.inform("mqsc: interrupted; run the command again to process the rest")
        return INTERRUPTED
    return FAILED if counts["failed"] else 0


def _check_target(qmgr: QueueManager, rule: Rule) -> None:
    """CommandFailedError when no message can be forwarded because the name of the target does
    not resolve.
    """
    if rule.action != "FWD":
        return
    target = (rule.forward_queue, rule.forward_queue_manager)
    reason = PutPreview(qmgr).reason_for(*target)
    if reason:
        why = reason_text(reason).removesuffix(".")
        raise CommandFailedError(
            f"cannot forward to {text_parts.target_text(target)}: {why}; no message was moved",
        )


@contextmanager
def _steps(
    choices: Choices,
    qmgr: QueueManager,
    name: str,
    order: redrive.RedriveRequest,
    stop: Event,
    *,
    only_plan: bool,
) -> Iterator[Iterator[redrive.RedriveResult]]:
    if only_plan:
        letters = dead_letters_on_queue(
            peek(qmgr, name, mqdlh.MQDLH_LENGTH),
            MessageOrigins(qmgr, name).of,
        )
        yield redrive.preview_redrive(qmgr, name, letters, order, PutPreview(qmgr, name))
        return
    with qmgr.connect() as connection:
        yield redrive.redrive(
            connection.open(name, redrive.REDRIVE_OPEN_OPTIONS),
            order,
            stop.is_set,
        )
    inform_about_discarded(choices, connection)


def _print_steps(
    choices: Choices,
    steps: Iterator[redrive.RedriveResult],
    *,
    foreseen: bool,
) -> Counter[str]:
    """Print each step as it happens; return how many steps had which outcome."""
    counts: Counter[str] = Counter()
    reasons: dict[int, None] = {}
    try:
        with json_rows(choices.format) as rows:
            for step in steps:
                counts[step.outcome] += 1
                if rows is not None:
                    rows.write(dead_letter_text.redrive_row(step))
                elif foreseen or not choices.quiet or step.outcome != "moved":
                    parts = dead_letter_text.redrive_line(step, preview=foreseen).split("  ")
                    for line in packed(parts, "  ", columns(), hanging="    "):
                        print_line(line)
                    reasons |= dict.fromkeys(dead_letter_text.reasons_of(step))
    except StopRequested:
        # Raised while waiting between two messages, so no message is in progress.
        pass
    for line in legend_lines(reasons):
        click.echo(line)
    return counts


def _print_summary(
    choices: Choices,
    counts: Counter[str],
    name: str,
    depth: int,
    *,
    only_plan: bool,
) -> None:
    moved, failed = ("would succeed", "would fail") if only_plan else ("done", "failed")
    skipped = counts.total() - counts["moved"] - counts["failed"]
    remain = (
        f"{depth - counts['moved']} would remain" if only_plan else f"{depth} remain on the queue"
    )
    choices.inform(
        f"mqsc: {name}: {counts['moved']} {moved}, {counts['failed']} {failed}, {skipped} skipped; "
        f"{remain}",
    )


def _print_advice(choices: Choices, qmgr: QueueManager, name: str) -> None:
    """What to do with messages whose destination is unknown."""
    recorded = redrive.records_puts(qmgr, name)
    why = "" if recorded else f"{name} has ACCTQ(OFF), so the history does not record puts on it; "
    choices.inform(
        f"mqsc: {why}to move a message of unknown destination: mqsc dlq forward {name} --to QUEUE "
        "--msg-id HEX",
    )


@command(common=AS_USER)
@redrive_options
@returns_option
def retry(
    choices: Choices,
    queue: str | None,
    only_plan: bool,
    limit: int | None,
    rate: float | None,
    reasons: tuple[int, ...],
    destination: str | None,
    older_than: int | None,
    msg_id: str | None,
    returns: int,
) -> int:
    """Put the dead letters on QUEUE (default: the DEADQ) on their original destination, without the
    header.

    A message without a header, as on a backout queue, goes back to the queue that it was moved from
    according to the history; it is skipped when that is unknown.

    Each message moves in a unit of work of its own; a message that cannot be put stays. After an
    interruption, run the command again. Exit code 10 when a put failed, or would fail with
    --plan.
    """
    letters = LettersWanted(reasons, destination, older_than, msg_id)
    options = RedriveOptions(letters, only_plan, limit, rate, returns)
    return run_redrive(choices, queue, Rule((), "RETRY"), options)


@command(common=AS_USER)
@click.option("--to", type=ObjectName(), required=True, metavar="QUEUE", help="The target queue.")
@click.option(
    "--to-q-mgr",
    type=ObjectName(DESTINATION),
    default="",
    metavar="NAME",
    help="Its queue manager (default: the one with the messages).",
)
@click.option("--strip-header", is_flag=True, help="Remove the dead-letter header.")
@redrive_options
@returns_option
def forward(
    choices: Choices,
    queue: str | None,
    to: str,
    to_q_mgr: str,
    strip_header: bool,
    only_plan: bool,
    limit: int | None,
    rate: float | None,
    reasons: tuple[int, ...],
    destination: str | None,
    older_than: int | None,
    msg_id: str | None,
    returns: int,
) -> int:
    """Put the dead letters on QUEUE (default: the DEADQ) on another queue, with their header unless
    --strip-header.

    Each message moves in a unit of work of its own; a message that cannot be put stays. Exit code
    10 when a put failed, or would fail with --plan, and when there is no such target.
    """
    letters = LettersWanted(reasons, destination, older_than, msg_id)
    options = RedriveOptions(letters, only_plan, limit, rate, returns)
    rule = Rule((), "FWD", to, to_q_mgr, "NO" if strip_header else "YES")
    return run_redrive(choices, queue, rule, options)


@command(common=AS_USER)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Delete every message; needed if no other option selects messages.",
)
@click.option(
    "--save",
    type=PLACE,
    metavar="FILE",
    help="First append each message to FILE, as JSON that `mqsc put --json` can read.",
)
@redrive_options
def discard(
    choices: Choices,
    queue: str | None,
    everything: bool,
    save: str | None,
    only_plan: bool,
    limit: int | None,
    rate: float | None,
    reasons: tuple[int, ...],
    destination: str | None,
    older_than: int | None,
    msg_id: str | None,
) -> int:
    """Delete dead letters from QUEUE (default: the DEADQ), without reports. Select messages, or
    give --all.
    """
    letters = LettersWanted(reasons, destination, older_than, msg_id)
    if letters.are_all and not everything:
        raise click.UsageError(
            "select the messages to delete with --reason, --destination ..., or give --all",
        )
    options = RedriveOptions(letters, only_plan, limit, rate)
    return run_redrive(choices, queue, Rule((), "DISCARD"), options, save=save)

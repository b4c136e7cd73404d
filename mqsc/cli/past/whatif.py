"""`mqsc whatif`: what would have been different with other definitions, rules or scans: the
recorded calls played twice on copies of the store as it was, once as they were and once with the
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from itertools import islice

import click

from mqsc.cli.dlq.dead_letter_queue import dead_letter_queue
from mqsc.cli.past.whatif_differences import Differences
from mqsc.cli.past.whatif_replay import Changes, Period, Trial
from mqsc.cli.past.whatif_text import DifferenceRow, lines
from mqsc.console import inputs, json_rows, parameters
from mqsc.console.options import Choices, command
from mqsc.console.parameters import AnyPath, EventOrMoment
from mqsc.console.past import When, moment_of
from mqsc.console.target import CommandFailedError, failing, opened_queue_manager
from mqsc.dlq import rules_table, table_reading
from mqsc.store.admin.archiving import pruning_prevented
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.past.as_of import NoSuchMomentError, copy_as_of
from mqsc.store.past.clocks import Moment, clock_at, owners_with_clock
from mqsc.store.sqlite import copies
from mqsc.store.sqlite.files import OWNER_ONLY
from mqsc.targets.on_target import most_option, on_target

DIFFERS = 2
# How many calls are played at a time.
_PAGE = 500


class Every(parameters.TextType):
    """A schedule such as `every 5m`, in microseconds."""

    name = "schedule"

    def read(self, text: str) -> int:
        word, _, span = text.strip().partition(" ")
        if word.lower() != "every" or not span:
            raise ValueError(f"{text!r} is not a schedule; example: 'every 5m'")
        length = parameters.Span().read(span.strip())
        if not length:
            raise ValueError("a schedule needs some time between two scans")
        return length


@command(reads=True)
@click.argument("commands", nargs=-1, metavar="['MQSC COMMAND'...]")
@click.option(
    "--since",
    type=EventOrMoment(),
    metavar="MOMENT|SEQ",
    help="From when the changes hold; required, except with --on.",
)
@click.option(
    "--until",
    type=EventOrMoment(),
    metavar="MOMENT|SEQ",
    help="Up to when (default: now).",
)
@click.option(
    "--rules",
    type=AnyPath(),
    metavar="FILE",
    help="Handle the dead-letter queue with the rules table in FILE.",
)
@click.option(
    "--refresh",
    type=Every(),
    metavar="'every TIME'",
    help="REFRESH QMGR TYPE(EXPIRY) on this schedule.",
)
@on_target
@most_option
def whatif(
    choices: Choices,
    commands: tuple[str, ...],
    since: When | None,
    until: When | None,
    rules: str | None,
    refresh: int | None,
) -> int:
    """Show what would have been different if MQSC commands had been given at an earlier time.

    The calls and commands recorded since then are played again, with their times, users and MsgIds,
    on copies of the store as it was: as they were, and with the changes. A program whose call would
    have failed, or whose get would have received another message, would have gone on differently:
    it is named, and not followed any further. Exit code 0 if nothing differs, 2 if something does.
    The store itself is only read.

    With --on, only --rules: what the rules table would do with the dead letters there.
    """
    is_elsewhere = choices.elsewhere is not None
    if is_elsewhere and (commands or refresh or since or until or rules is None):
        raise click.UsageError("--on has no history; give --rules alone")
    if since is None and not is_elsewhere:
        raise click.UsageError("Missing option '--since'")
    if not commands and rules is None and refresh is None:
        raise click.UsageError(
            "give an MQSC command, --rules or --refresh; example: 'ALTER QLOCAL(Q) MAXDEPTH(500)'",
        )
    table = None if rules is None else _table(rules)
    changes = Changes(commands, table, refresh)
    with opened_queue_manager(choices) as qmgr, failing(NoSuchMomentError):
        begin = _moment(qmgr, since)
        if table is not None:
            _prepare_dead_letters(choices, qmgr, table)
        end = _moment(qmgr, until)
        if end.seq <= begin.seq:
            raise click.UsageError("no event is between --since and --until")
        owners = owners_with_clock(qmgr.store, qmgr.name)
        period = Period(qmgr.store, begin, end, qmgr.name, owners)
        with (
            _pruning_prevented(qmgr.store),
            compared(period, changes, choices.inform) as (differences, played),
        ):
            answer = Answer(differences.rows())
            json_rows.print_rows(choices.format, answer, lines(answer, begin, end, played))
    return DIFFERS if answer.has_rows else 0


def _prepare_dead_letters(
    choices: Choices, qmgr: QueueManager, table: rules_table.RulesTable
) -> None:
    """Read the dead letters of a queue manager elsewhere; say which ones of the past lack data."""
    if choices.elsewhere is not None:
        choices.bring_messages(qmgr, dead_letter_queue(qmgr, table.control.input_queue))
        return
    choices.inform(
        "mqsc: messages gone since have data only if it was kept; the rules see the others "
        "without theirs",
    )


class Answer:
    """Rows that are read once, and whether there were any."""

    def __init__(self, rows: Iterator[DifferenceRow]) -> None:
        self._rows = rows
        self.has_rows = False

    def __iter__(self) -> Iterator[DifferenceRow]:
        for row in self._rows:
            self.has_rows = True
            yield row


def _pruning_prevented(store: Store) -> AbstractContextManager[None]:
    """Keep the history as it is: it is read twice, once to see what comes later and once to play
    it.
    """
    return nullcontext() if store.path is None else pruning_prevented(store.path)


def _moment(qmgr: QueueManager, when: When | None) -> Moment:
    """The moment, now by default, with the time that the clock of the queue manager showed."""
    if when is None:
        return Moment(qmgr.store.bound().seq, qmgr.now(), qmgr.name)
    found = moment_of(qmgr, when)
    return Moment(found.seq, clock_at(qmgr.store, found, qmgr.name), qmgr.name)


def _table(file: str) -> rules_table.RulesTable:
    source = inputs.InputSource(path=file)
    with inputs.opened_lines(source) as text_lines:
        parsed = table_reading.parse_table(text_lines, source.name)
    if parsed.table is None:
        raise CommandFailedError("\n".join(map(str, parsed.diagnostics)))
    return parsed.table


@contextmanager
def compared(
    period: Period,
    changes: Changes,
    inform: Callable[[str], None],
) -> Iterator[tuple[Differences, int]]:
    """What differs, and how many calls and commands were played with the changes."""
    with copy_as_of(period.store, period.since) as past:
        if past.unknown:
            inform(
                "mqsc: not known are puts and gets of queues with ACCTQ(OFF): "
                f"{', '.join(past.unknown[:5])}",
            )
        changed = past.file.with_name("changed.db")
        changed.touch(OWNER_ONLY)
        copies.copy_file(past.file, changed, changed)
        with (
            closing(Trial(str(past.file), period, Changes((), None, None))) as before,
            closing(Trial(str(changed), period, changes, before.replay.intent)) as after,
            closing(Differences(before, after, period.store)) as differences,
        ):
            _play(period, before, after, differences)
            if differences.unknown_after is not None:
                inform(
                    "mqsc: the history does not say enough to play everything after event "
                    f"{differences.unknown_after} as it was",
                )
            yield differences, after.replay.result.played


def _play(period: Period, before: Trial, after: Trial, differences: Differences) -> None:
    """Play the calls on both copies, page by page, so that only one page is in memory."""
    calls = period.calls()
    while page := [*islice(calls, _PAGE)]:
        before.play(page)
        after.play(page)
        differences.take()
        before.replay.intent.forget()
    before.finish()
    after.finish()
    differences.take()

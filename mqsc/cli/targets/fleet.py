"""`mqsc fleet`: all targets in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import click
from msgspec import Struct

from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command, earlier_word
from mqsc.console.tables import table_lines
from mqsc.console.target import FAILED, opened_queue_manager
from mqsc.console.terminal import columns, printable
from mqsc.plan import Action
from mqsc.scripts.beyond_catalog import plan_beyond_catalog
from mqsc.scripts.declarations import declared_in, inputs_named_by
from mqsc.scripts.planning import plan_to_apply
from mqsc.scripts.selection import Selection
from mqsc.targets.calls import LIMIT_SECONDS, end_all
from mqsc.targets.declared import targets
from mqsc.targets.dump import Dump, dump_of
from mqsc.targets.facts import Facts, facts_of
from mqsc.targets.on_target import TargetName
from mqsc.targets.reading import state_of
from mqsc.targets.target import Target, TargetError

DIFFERENT = 2
_RUNNING = "RUNNING"
_HEADINGS = ("TARGET", "QUEUE MANAGER", "VERSION", "DRIFT", "DEAD LETTERS", "CHANNELS NOT RUNNING")


class Report(Struct):
    """What is known of a target: `error` says why nothing is. `drift` is the number of objects
    that are not as its definitions say; None if it has none.
    """

    target: Target
    facts: Facts = Facts()
    drift: int | None = None
    error: str = ""

    @property
    def dead_letters(self) -> int | None:
        """The depth of the dead-letter queue; None if there is none, or not of this name."""
        return self.facts.depths.get(self.facts.dead_letter_queue)

    @property
    def not_running(self) -> list[str]:
        """The channels that have a status other than RUNNING."""
        channels = self.facts.channels
        return sorted(name for name, status in channels.items() if status != _RUNNING)

    def row(self) -> dict[str, Any]:
        """The report as data."""
        return {
            "target": self.target.name,
            "queue_manager": self.target.queue_manager,
            "version": self.facts.version or None,
            "level": self.facts.level or None,
            "platform": self.facts.platform or None,
            "drift": self.drift,
            "dead_letters": self.dead_letters,
            "channels_not_running": self.not_running,
            "error": self.error or None,
        }

    def cells(self) -> list[str]:
        """The report as a row of the table."""
        first = [self.target.name, self.target.queue_manager]
        if self.error:
            return [*first, "?", "?", "?", "?"]
        numbers = (self.drift, self.dead_letters)
        return [
            *first,
            printable(self.facts.version) or "-",
            *("-" if number is None else str(number) for number in numbers),
            printable(", ".join(self.not_running)) or "-",
        ]


@command(common=("format", "quiet"))
@click.argument("names", type=TargetName(), nargs=-1, metavar="[TARGET]...")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=LIMIT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long a program may take; a target that takes longer is an error.",
)
@earlier_word("--limit", now="--timeout")
def fleet(choices: Choices, names: tuple[str, ...], timeout: float) -> int:
    """Show the version, drift, dead letters and stopped channels of all targets, or of those
    named.

    Drift is the number of objects that are not as the definitions of the target say: key
    definitions of its table. All targets are read at the same time, and one that fails does not
    hide the others. Exit code 0 without drift, 2 with drift, 10 if a target cannot be read.
    """
    known = targets()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise TargetError(f"there is no target {unknown[0]!r}; there are {', '.join(known)}")
    chosen = [known[name] for name in names] or [*known.values()]
    reports = [*_reports(choices, chosen, timeout)]
    table = table_lines(_HEADINGS, [each.cells() for each in reports], columns())
    print_rows(choices.format, (each.row() for each in reports), table if reports else ())
    for each in reports:
        if each.error:
            choices.inform(f"mqsc: {printable(each.error)}")
    if not reports:
        choices.inform("mqsc: there are no targets; `mqsc target add` declares one")
    if any(each.error for each in reports):
        return FAILED
    return DIFFERENT if any(each.drift for each in reports) else 0


_Read = tuple[Facts, Dump | None]


def _reports(choices: Choices, chosen: Sequence[Target], limit: float) -> Iterator[Report]:
    """The reports in the order of the targets, which are read at the same time."""
    if not chosen:
        return
    with ThreadPoolExecutor(len(chosen)) as threads:
        try:
            reads = [threads.submit(_read, target, limit) for target in chosen]
            for target, read in zip(chosen, reads, strict=True):
                yield _report(choices, target, read)
        except BaseException:
            end_all()
            threads.shutdown(wait=False, cancel_futures=True)
            raise


def _read(target: Target, limit: float) -> _Read:
    facts = facts_of(target, limit)
    return facts, dump_of(target, limit_seconds=limit) if target.definitions else None


def _report(choices: Choices, target: Target, read: Future[_Read]) -> Report:
    try:
        facts, dump = read.result()
        drift = None if dump is None else _drift(choices, target, dump)
    except click.ClickException as error:
        return Report(target, error=error.message)
    return Report(target, facts, drift)


def _drift(choices: Choices, target: Target, dump: Dump) -> int:
    """How many objects are not as the definitions of the target say."""
    selection = Selection(only_defined=True)
    quiet = choices._replace(quiet=True, qmgr=None)
    with state_of(quiet, target, dump) as state, opened_queue_manager(state.choices) as qmgr:
        sources = inputs_named_by(state.choices, target.definitions, subfolders=True)
        statements = declared_in(
            sources,
            None,
            purpose=f"{target.name}: nothing was compared: fleet",
            elsewhere=state,
        )
        plan = plan_to_apply(qmgr, statements, prune=True, selection=selection)
        plan = plan_beyond_catalog(plan, statements, state, selection)
    return sum(row.action not in (Action.UNCHANGED, Action.SKIPPED) for row in plan.rows)

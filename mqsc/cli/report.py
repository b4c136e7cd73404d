"""`mqsc report`, and the description of its tables."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource
from msgspec import Struct

from mqsc.console import target
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command, earlier_word, wants_colour
from mqsc.console.parameters import PLACE, Ago, AnyPath, PastMoment
from mqsc.console.tables import cell_text, table_lines
from mqsc.console.terminal import (
    DATA_FORMATS,
    columns,
    is_terminal,
    notice,
    print_data,
    print_rows,
    printable,
    wrapped,
)
from mqsc.console.text.reasons import counted
from mqsc.store.catalog.spelling import did_you_mean, similar_names
from mqsc.store.environment import Environment
from mqsc.store.published import KEPT, Bound

if TYPE_CHECKING:
    from mqsc.reports import Result
    from mqsc.reports.archive.merging import ArchivedStore
    from mqsc.reports.declaration import Report, Table
    from mqsc.reports.running import RunSettings
    from mqsc.reports.sources import Archived
    from mqsc.store.client.store import Store


# `mqsc report`: reports on the history, made with Spark.


def _names_to_complete(
    _: click.Context,
    __: click.Parameter | None = None,
    incomplete: str = "",
) -> list[str]:
    from mqsc.reports.catalog import DAILY, names

    return [name for name in (*names(), DAILY) if name.startswith(incomplete)]


@command()
@click.option(
    "--out",
    type=PLACE,
    metavar="DIR",
    help="Write the tables to this folder, or let Spark write them to this URL.",
)
@click.option(
    "--as",
    "as_",
    type=click.Choice(("csv", "parquet", "html")),
    default="csv",
    help="Output format; html writes one page for all reports.",
)
@click.option(
    "--since",
    type=PastMoment(),
    help="Only events at or after this time: ISO (UTC), 09:14, or 2h or 7d before now.",
)
@click.option("--until", type=PastMoment(), help="Only events before this time.")
@click.option(
    "--queue",
    "queues",
    type=ObjectName(is_exact=True),
    multiple=True,
    metavar="NAME",
    help="Only this queue, or a generic name such as APP*; repeatable.",
)
@click.option(
    "--archive",
    "archives",
    type=AnyPath(),
    multiple=True,
    metavar="URL",
    help="Read this archive; repeatable. The store is read too if --store or MQSC_STORE names one.",
)
@earlier_word("--from", now="--archive")
@click.option(
    "--master",
    default="local[*]",
    show_default=True,
    metavar="URL",
    help="Where Spark runs, such as spark://HOST:7077, or sc://HOST for Spark Connect.",
)
@click.option("--conf", multiple=True, metavar="KEY=VALUE", help="A setting of Spark; repeatable.")
@click.option(
    "--live",
    is_flag=True,
    help="Make the reports again whenever more is archived, until Ctrl-C.",
)
@click.option(
    "--kept-data",
    is_flag=True,
    help="With what `mqsc history keep` has kept of expired messages and dead letters.",
)
@click.option(
    "--describe",
    is_flag=True,
    help="Describe the tables and columns of NAME, or of all reports.",
)
@click.argument("names", nargs=-1, metavar="NAME...", shell_complete=_names_to_complete)
def report(
    choices: Choices,
    names: tuple[str, ...],
    out: str | None,
    as_: str,
    since: int | Ago | None,
    until: int | Ago | None,
    queues: tuple[str, ...],
    archives: tuple[str, ...],
    master: str,
    conf: tuple[str, ...],
    live: bool,
    kept_data: bool,
    describe: bool,
) -> None:
    """Make the reports NAME, or all for `daily`, and write their tables to DIR/<report>/<table>.

    \b
    admin-audit        who changed what
    authority          what was refused, to whom, and who may do what
    backouts           poison messages
    channels           what channels carried
    dead-letters       arrivals and outcomes
    expired-messages   what expired, how late
    message-lifetimes  how messages ended
    queue-activity     puts, gets and depths
    trigger-history    triggers and programs

    Covers all queue managers in the store unless one is selected; shared queues are those of their
    group. With --as html, DIR/index.html has totals, charts and the worst 250 rows of each table.
    Needs the extra `reports`.
    """
    with _report_errors():
        if describe:
            _refuse_with_describe(click.get_current_context())
            print_descriptions(_reports(names), choices.format)
            return
        if not names:
            names = tuple(_names_to_complete(click.get_current_context()))
            raise click.UsageError(
                f"Missing argument 'NAME...'; the reports are {', '.join(names)}.",
            )
        _reports(names)
        if out is None:
            raise click.UsageError("Missing option '--out'.")
        wanted = _ReportsWanted(names, out, as_, since, until, queues, archives, master, conf)
        _make(choices, wanted, live=live, kept_data=kept_data)


class _ReportsWanted(Struct, frozen=True):
    """Which reports on what are made where, in the format `as_`, by the Spark at `master`."""

    names: tuple[str, ...]
    out: str
    as_: str
    since: int | Ago | None
    until: int | Ago | None
    queues: tuple[str, ...]
    archives: tuple[str, ...]
    master: str
    conf: tuple[str, ...]

    def by_the_clock(self) -> _Period:
        """The period by the machine's clock, for archives alone."""
        now = Environment.system().clock.now()
        since, until = (
            at.before(now) if isinstance(at, Ago) else at for at in (self.since, self.until)
        )
        return _Period(since, until)


class _Period(NamedTuple):
    """The events from `since` until before `until`; None for no limit."""

    since: int | None
    until: int | None


def _reports(names: Sequence[str]) -> list[Report]:
    """The reports with these names, or all reports if no name is given. NothingRunError, with a
    similar name, for an unknown one.
    """
    from mqsc.reports import catalog

    known = [*catalog.names(), catalog.DAILY]
    for unknown in {*names} - {*known}:
        near = did_you_mean(similar_names(unknown, known)) or f"the reports are {', '.join(known)}"
        raise target.NothingRunError(f"there is no report {unknown!r}; {near}")
    return [catalog.report(name) for name in catalog.expanded(names or [catalog.DAILY])]


@contextmanager
def _report_errors() -> Iterator[None]:
    """NothingRunError if a library is missing, and errors of reports as failures of the command."""
    from mqsc.reports.errors import missing_library

    missing = missing_library()
    if missing:
        raise target.NothingRunError(
            f"reports need {missing}, which is not installed; in the source tree of mqsc, run: "
            "pip install '.[reports]'",
        )
    from mqsc.reports import ReportError, ReportFailedError

    with target.failing(ReportError, target.NothingRunError), target.failing(ReportFailedError):
        yield


def _make(choices: Choices, wanted: _ReportsWanted, *, live: bool, kept_data: bool) -> None:
    from mqsc.reports import run
    from mqsc.reports.masters import is_local, require_master

    qmgr = choices.qmgr_name()
    from_store = not wanted.archives or bool(choices.named_store())
    if kept_data:
        _check_kept_data(wanted.names, live=live)
    require_master(wanted.master)
    if live:
        # MQSC_STORE is for other commands, too.
        if choices.store or not wanted.archives:
            raise click.UsageError(
                "--live reads archives alone; name them with --archive, and leave --store out",
            )
        _keep_current(choices, wanted)
        return
    if from_store and not is_local(wanted.master):
        _refuse_store(choices, wanted.master)
    no_store = _FrozenSource(
        None,
        Bound(0, 0, {}, kept=0 if kept_data else None),
        None,
        wanted.by_the_clock(),
    )
    frozen = (
        _frozen_store(choices, wanted, kept_data=kept_data) if from_store else nullcontext(no_store)
    )
    with frozen as source, _progress(bool(choices.quiet)) as update:
        results = run(
            wanted.names,
            source.path,
            wanted.out,
            wanted.as_,
            bound=source.bound,
            archives=wanted.archives,
            archived=source.archived,
            since=source.period.since,
            until=source.period.until,
            qmgrs=[qmgr] if qmgr else [],
            queues=wanted.queues,
            master=wanted.master,
            conf=wanted.conf,
            created=Environment.system().clock.now(),
            progress=update,
            warn=_warn,
        )
    _show(choices, results, wanted.out, wanted.as_)


def _warn(text: str) -> None:
    notice(f"mqsc: warning: {text}")


def _show(choices: Choices, results: list[Result], out: str, as_: str) -> None:
    from mqsc.reports.output import PAGE, PAGE_FORMAT

    if choices.format in DATA_FORMATS or not choices.quiet:
        _print(results, choices.format)
    if as_ == PAGE_FORMAT:
        choices.inform(f"mqsc: all reports of this run are on one page: {Path(out) / PAGE}")


def _keep_current(choices: Choices, wanted: _ReportsWanted) -> None:
    """Make the reports from archives again and again; Ctrl-C ends it."""
    from mqsc.reports.live import keep_current

    def each_time() -> RunSettings:
        period = wanted.by_the_clock()
        return {
            "since": period.since,
            "until": period.until,
            "created": Environment.system().clock.now(),
        }

    def after_run(results: list[Result], read: Sequence[ArchivedStore]) -> None:
        if choices.format in DATA_FORMATS:
            _print(results, choices.format)
        known = ", ".join(f"{each.last} of {each.name}" for each in read)
        choices.inform(f"mqsc: the reports in {wanted.out} are up to event {known}; Ctrl-C ends")

    qmgr = choices.qmgr_name()
    with suppress(KeyboardInterrupt):
        keep_current(
            wanted.names,
            wanted.out,
            wanted.as_,
            each_time=each_time,
            after_run=after_run,
            archives=wanted.archives,
            period=(wanted.since, wanted.until),
            qmgrs=[qmgr] if qmgr else [],
            queues=wanted.queues,
            master=wanted.master,
            conf=wanted.conf,
            warn=_warn,
        )


def _refuse_with_describe(context: click.Context) -> None:
    """UsageError for an option of a report that is made: a description is the same for all of
    them.
    """
    for parameter in context.command.params:
        own = parameter.name in (
            "out",
            "as_",
            "since",
            "until",
            "queues",
            "archives",
            "master",
            "conf",
            "live",
            "kept_data",
        )
        if (
            own
            and context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        ):
            raise click.UsageError(
                f"--describe makes no report; leave out {parameter.opts[0]}",
                context,
            )


def _check_kept_data(names: Sequence[str], *, live: bool) -> None:
    """UsageError for --kept-data with a report that has none."""
    if live:
        raise click.UsageError("--live has no kept data; leave out --kept-data")
    if not any(KEPT.name in each.reads for each in _reports(names)):
        raise click.UsageError("--kept-data is for the reports expired-messages and dead-letters")


def _refuse_store(choices: Choices, master: str) -> None:
    """NothingRunError: only this machine can read a store."""
    from mqsc.reports.masters import require_archive

    with target.opened_store(choices._replace(qmgr=None)) as store:
        path = store.path
    require_archive(master, path or "in memory")


class _FrozenSource(NamedTuple):
    """What a report reads of a store: its file, None for none, up to `bound`, how far it is
    archived, and the period by its clocks.
    """

    path: str | None
    bound: Bound
    archived: Archived | None
    period: _Period


@contextmanager
def _frozen_store(
    choices: Choices,
    wanted: _ReportsWanted,
    *,
    kept_data: bool,
) -> Iterator[_FrozenSource]:
    """What is read of the store, which is closed in the block."""
    from mqsc.history.output import moment
    from mqsc.reports.catalog import expanded
    from mqsc.reports.sources import Archived
    from mqsc.store.admin.published_authority import published
    from mqsc.store.admin.sharing_groups import group_of_store

    period = _Period(None, None)
    qmgr = choices.qmgr_name()
    authorities: list[tuple[str | int | None, ...]] = []

    def look(store: Store) -> None:
        nonlocal period
        # Rows about shared queues have the group as their queue manager.
        names = [*(row.name for row in store.queue_managers()), group_of_store(store)]
        if qmgr is not None and qmgr not in names and not wanted.archives:
            raise target.unknown_queue_manager(qmgr)
        if not wanted.archives:
            _refuse_unknown_queue(store, wanted.queues, qmgr)
        period = _Period(
            moment(wanted.since, store, choices),
            moment(wanted.until, store, choices),
        )
        if "authority" in expanded(wanted.names):
            authorities.extend(published(store))

    with target.frozen_store(choices, look, with_kept=kept_data) as frozen:
        uuid, pruned, url = frozen.archived
        if pruned and not wanted.archives:
            choices.inform(
                f"mqsc: old events up to {pruned} are only in the archive; add --archive {url} to "
                "include them",
            )
        bound = frozen.bound._replace(authorities=authorities)
        yield _FrozenSource(frozen.path, bound, Archived(uuid, pruned), period)


def _refuse_unknown_queue(store: Store, queues: Sequence[str], qmgr: str | None) -> None:
    from mqsc.store.admin.known_names import unknown_queue

    # `run` refuses malformed names.
    wellformed = [queue for queue in queues if queue and "*" not in queue[:-1]]
    unknown = unknown_queue(store, wellformed, qmgr or "") if wellformed else None
    if unknown is None:
        return
    name, similar = unknown
    hint = did_you_mean(similar) if similar else "DISPLAY QUEUE(*) lists those that there are"
    has_none = f"{qmgr} has" if qmgr else "there is"
    which = f"queue whose name begins with {name[:-1]}" if name.endswith("*") else f"queue {name}"
    raise target.CommandFailedError(f"{has_none} no {which}, and the history mentions none; {hint}")


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str], None]]:
    """A function that shows what is being done: in a spinner on a terminal, otherwise nowhere."""
    if quiet or not is_terminal(sys.stderr):
        yield lambda text: None
        return
    from rich.console import Console

    console = Console(stderr=True, no_color=not wants_colour())
    with console.status("") as status:
        yield status.update


def _print(results: list[Result], format: str | None) -> None:
    if print_data(format, (_result_as_json(result) for result in results)):
        return
    width = shutil.get_terminal_size((120, 24)).columns
    for result in results:
        headings = [column.name for column in result.columns]
        click.echo(
            f"{result.report}: {result.table} ({counted(result.rows_written, 'row')} in "
            f"{result.where})",
        )
        for line in (
            table_lines(headings, result.summary_rows, width) if result.summary_rows else ()
        ):
            click.echo(printable(line))
        if result.rows_written > len(result.summary_rows):
            click.echo(
                f"... and {counted(result.rows_written - len(result.summary_rows), 'more row')}",
            )
        click.echo()


def _result_as_json(result: Result) -> dict[str, Any]:
    names = [column.name for column in result.columns]
    shown = (
        [each if isinstance(each, (int, str, type(None))) else cell_text(each) for each in row]
        for row in result.summary_rows
    )
    rows = [dict(zip(names, each, strict=True)) for each in shown]
    about = {"report": result.report, "table": result.table, "path": result.where}
    return {**about, "rows_written": result.rows_written, "rows": rows}


# The tables of reports and their columns, as text and as JSON.

INDENT = "  "
# On a narrower terminal a description begins on a line of its own.
NARROWEST_DESCRIPTION = 40


def print_descriptions(reports: Sequence[Report], format: str | None) -> None:
    """Print what the reports contain."""
    lines = (
        [""] * bool(number) + [*_lines(report, columns())] for number, report in enumerate(reports)
    )
    print_rows(format, map(_description_as_json, reports), chain.from_iterable(lines))


def _lines(report: Report, width: int) -> Iterator[str]:
    yield from wrapped(f"{report.name}: {report.doc}", width, hanging=INDENT)
    for table in report.tables:
        yield ""
        yield from wrapped(f"{table.name}: {table.doc}", width, INDENT, INDENT * 2)
        yield from _column_lines(table, width)
    yield ""
    yield f"{INDENT}Checked in every run:"
    for each in report.identities:
        yield from wrapped(each.says, width, INDENT * 2, INDENT * 3)


def _column_lines(table: Table, width: int) -> Iterator[str]:
    names = max(len(column.name) for column in table.columns)
    types = max(len(column.type) for column in table.columns)
    for column in table.columns:
        begins = f"{INDENT * 2}{column.name:{names}}{INDENT}{column.type:{types}}{INDENT}"
        if width - len(begins) >= NARROWEST_DESCRIPTION:
            yield from wrapped(column.doc, width, begins, " " * len(begins))
        else:
            yield f"{INDENT * 2}{column.name} {column.type}"
            yield from wrapped(column.doc, width, INDENT * 3)


def _description_as_json(report: Report) -> dict[str, Any]:
    tables = []
    for table in report.tables:
        described = [
            {"name": each.name, "type": each.type, "description": each.doc}
            for each in table.columns
        ]
        tables.append({"table": table.name, "description": table.doc, "columns": described})
    identities = [
        {"identity": each.says, "by": list(each.by), "whole": each.whole}
        for each in report.identities
    ]
    return {
        "report": report.name,
        "description": report.doc,
        "tables": tables,
        "identities": identities,
    }

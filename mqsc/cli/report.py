"""`mqsc report`: reports on the history, made with Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from mqsc.cli.report_descriptions import print_descriptions
from mqsc.cli.report_output import print_results, progress, warn
from mqsc.cli.report_source import FrozenSource, ReportsWanted, frozen_store
from mqsc.console import target
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command, earlier_word
from mqsc.console.parameters import PLACE, Ago, AnyPath, PastMoment
from mqsc.store.catalog.spelling import did_you_mean, similar_names
from mqsc.store.environment import Environment
from mqsc.store.published import KEPT, Bound

if TYPE_CHECKING:
    from mqsc.reports import Result
    from mqsc.reports.archive.merging import ArchivedStore
    from mqsc.reports.declaration import Report
    from mqsc.reports.running import RunSettings


def _names_to_complete(
    _: click.Context,
    __: click.Parameter | None = None,
    incomplete: str = "",
) -> list[str]:
    from mqsc.reports.catalog import DAILY, names

    return [name for name in (*names(), DAILY) if name.startswith(incomplete)]


@command(reads=True)
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
        wanted = ReportsWanted(names, out, as_, since, until, queues, archives, master, conf)
        _make(choices, wanted, live=live, kept_data=kept_data)


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


def _make(choices: Choices, wanted: ReportsWanted, *, live: bool, kept_data: bool) -> None:
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
    no_store = FrozenSource(
        None,
        Bound(0, 0, {}, kept=0 if kept_data else None),
        None,
        wanted.by_the_clock(),
    )
    frozen = (
        frozen_store(choices, wanted, kept_data=kept_data) if from_store else nullcontext(no_store)
    )
    with frozen as source, progress(bool(choices.quiet)) as update:
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
            warn=warn,
        )
    _show(choices, results, wanted.out, wanted.as_)


def _show(choices: Choices, results: list[Result], out: str, as_: str) -> None:
    from mqsc.reports.output import PAGE, PAGE_FORMAT

    if choices.format in DATA_FORMATS or not choices.quiet:
        print_results(results, choices.format)
    if as_ == PAGE_FORMAT:
        choices.inform(f"mqsc: all reports of this run are on one page: {Path(out) / PAGE}")


def _keep_current(choices: Choices, wanted: ReportsWanted) -> None:
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
            print_results(results, choices.format)
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
            warn=warn,
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

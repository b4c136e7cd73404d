"""`mqsc backup`, `mqsc restore`, `mqsc doctor`, `mqsc archive` and `mqsc config`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mqsc.agents.archiver import ArchivedRange, Archiver, archived_text, pruned_text
from mqsc.console import target
from mqsc.console.agreement import is_agreed
from mqsc.console.config import SETTINGS, EffectiveSetting, effective_setting, path
from mqsc.console.help import commands_in
from mqsc.console.options import (
    Choices,
    LazyGroup,
    choices_of,
    command,
    common_options,
    earlier_word,
)
from mqsc.console.parameters import FILE_PATH, KEEP, PLACE, archive_errors
from mqsc.console.tables import table_lines
from mqsc.console.terminal import (
    columns,
    is_terminal,
    json_rows,
    print_data,
    print_line,
    print_rows,
    printable,
)
from mqsc.store import open_store
from mqsc.store.admin import health
from mqsc.store.admin.health import back_up, restore as restore_store
from mqsc.store.client.store_url import path_of
from mqsc.store.environment import Environment
from mqsc.store.error import DamagedStoreError, NotADatabaseError, StoreError
from mqsc.store.rules.health import Finding, Severity, findings, quantity

if TYPE_CHECKING:
    from mqsc.reports.archive.verifying import VerifiedStore


# `mqsc backup`: a verified copy of the store, made while programs use it.


@command()
@click.argument("file", type=FILE_PATH)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option(
    "--kept-data",
    is_flag=True,
    help="With the data that `mqsc history keep` has kept of past messages.",
)
def backup(choices: Choices, file: Path, force: bool, kept_data: bool) -> None:
    """Copy the store, with all its queue managers, into FILE, while programs use it.

    The copy shows the store after one commit. FILE appears only when the copy is complete and has
    been verified, and only you can read it. `mqsc restore FILE` brings it back.
    """
    if file.exists() and not force:
        raise target.NothingRunError(f"{file} exists already; replace it with --force")
    with target.opened_store(choices) as store:
        size = back_up(store, file.absolute(), replace=force, kept=kept_data)
        if not print_data(
            choices.format,
            [{"store": store.path, "file": str(file), "bytes": size}],
        ):
            choices.inform(f"mqsc: backed up {store.path} to {file} ({size:,} bytes)")


# `mqsc restore`: the store as it was when a backup was made.


@command()
@click.argument("file", type=FILE_PATH)
def restore(choices: Choices, file: Path) -> None:
    """Replace the store by the copy in FILE that `mqsc backup` made.

    Refused while a program uses the store, `mqsc serve` included. The old store is kept beside the
    new one, under a name with the time. Units of work that were open when the copy was made are
    backed out by the next program.
    """
    path = path_of(choices.store_url())
    if path is None:
        raise target.NothingRunError("only a store in a file can be restored")
    if choices.user_name() is not None and not choices.store_is_missing():
        # Who may not administer a store may not replace it either.
        with target.opened_store(choices):
            pass
    _refuse_missing(choices, file)
    restored = restore_store(path, file.absolute(), Environment.system().clock.now())
    if restored.undone:
        choices.inform(f"mqsc: {restored.undone}")
    aside = None if restored.aside is None else str(restored.aside)
    if print_data(
        choices.format,
        [{"store": path, "file": str(file), "bytes": restored.size, "old_store": aside}],
    ):
        return
    kept = f"; the old store is now {restored.aside}" if restored.aside else ""
    choices.inform(f"mqsc: restored {path} from {file} ({restored.size:,} bytes){kept}")


def _refuse_missing(choices: Choices, file: Path) -> None:
    """Raise UnknownQueueManagerError for a queue manager after -m that the copy does not have."""
    from mqsc.console.object_names import queue_managers

    # Reading the copy does not need the store, which may be damaged.
    known = queue_managers(Choices(store=f"sqlite:///{file.absolute()}", user=""))
    if choices.qmgr is not None and known and choices.qmgr not in known:
        raise target.unknown_queue_manager(choices.qmgr)


# `mqsc doctor`: checks the store and what it needs, says what to do, and repairs what is safe to
# repair.

RESTORE = "restore a backup with `mqsc restore FILE`"
# Where a finding begins, after its severity and its check.
INDENT = " " * 19


@command()
@click.option("--repair", is_flag=True, help="First repair what is safe to repair.")
def doctor(choices: Choices, repair: bool) -> int:
    """Check the store and what it needs, and say what to do about each finding.

    With --repair, the work of dead programs is backed out, wrong depths are corrected, free space
    is returned and the log is truncated. The exit code is 0 when all is well, 2 when there is
    advice, and 10 when there are errors.
    """
    if choices.store_is_missing():
        raise target.NothingRunError(f"there is no store at {choices.store_url()}")
    found = [*_store_findings(choices, repair), *(("reports", each) for each in report_findings())]
    if not print_data(choices.format, (_as_row(name, each) for name, each in found)):
        for name, each in found:
            if each.severity or not choices.quiet:
                _print_findings(name, each)
    return max(each.severity for _, each in found)


def _store_findings(choices: Choices, repair: bool) -> Iterator[tuple[str, Finding]]:
    """The findings about the store; one error when it is too damaged to be opened or read."""
    try:
        with open_store(choices.store_url(), create=False) as store:
            if store.path is None:
                raise target.NothingRunError("only a store in a file can be checked")
            target.inform_about_undone_restore(choices, store)
            if choices.user_name() is not None:
                target.act_as(store, choices, for_users=False)
            facts = health.facts_about(store)
            if not facts.damage:
                target.check_named(store, choices)
            # Changes could make a damaged file worse.
            if repair and not facts.damage:
                for sentence in health.repair(store):
                    choices.inform(f"mqsc: {sentence}")
                facts = health.facts_about(store)
            yield from findings(facts)
    except DamagedStoreError as error:
        yield "store", Finding(Severity.ERROR, str(error), RESTORE)
        for each in health.faults_of_file(target.path_of_file(choices)):
            yield "integrity", Finding(Severity.ERROR, f"the file is damaged: {each}", RESTORE)
    except NotADatabaseError as error:
        yield "store", Finding(Severity.ERROR, str(error), f"if it was a store, {RESTORE}")
    except StoreError as error:
        # The store may be whole, and a backup is older.
        yield "store", Finding(Severity.ERROR, str(error))


def report_findings() -> list[Finding]:
    """Whether `mqsc report` can run; it is optional, so a missing part is not advice."""
    from mqsc.reports.errors import ReportError, missing_library
    from mqsc.reports.masters import java_home, version_of

    missing = missing_library()
    if missing:
        return [
            Finding(
                Severity.OK,
                f"not available: {missing} is not installed (in the source tree of mqsc, run: "
                "pip install '.[reports]')",
            ),
        ]
    try:
        home = java_home()
    except ReportError as error:
        return [Finding(Severity.ADVICE, "Spark finds no Java runtime", str(error))]
    return [Finding(Severity.OK, f"available, with Java {version_of(home)} in {home}")]


def _as_row(name: str, finding: Finding) -> dict[str, Any]:
    severity = finding.severity.name.lower()
    return {
        "check": name,
        "severity": severity,
        "finding": finding.text,
        "remedy": finding.remedy or None,
    }


def _print_findings(name: str, finding: Finding) -> None:
    print_line(f"{finding.severity.name.lower():6}  {name:9}  {finding.text}", INDENT)
    if finding.remedy:
        print_line(f"{INDENT}→ {finding.remedy}", f"{INDENT}  ")


# `mqsc archive`: the history of a store as Parquet files, proved by hashes; what is archived can be
# pruned.


@click.group(cls=LazyGroup, rows=commands_in("archive"), invoke_without_command=True)
@click.option(
    "--to",
    "url",
    type=PLACE,
    metavar="URL",
    help="The archive: a folder, or a URL such as s3://bucket/folder.",
)
@click.option(
    "--keep",
    type=KEEP,
    metavar="DAYS",
    help=(
        "Keep events of the last DAYS days (or a time such as 12h) in the store too (default: "
        "none)."
    ),
)
@click.option("--kept-data", is_flag=True, help="Archive what `mqsc history keep` has kept, too.")
@click.option(
    "--plan",
    "only_plan",
    is_flag=True,
    help="Say what would be archived and pruned, and change nothing.",
)
@earlier_word("--dry-run", now="--plan", is_flag=True)
@click.option("--yes", "-y", is_flag=True, help="Do not ask before events are pruned.")
@common_options
@click.pass_context
def archive(
    context: click.Context,
    url: str | None,
    keep: int | None,
    kept_data: bool,
    only_plan: bool,
    yes: bool,
) -> None:
    """Archive the history of the store to URL, and prune from the store what is archived.

    Each event is archived exactly once, even if a run is killed: the next one continues. Files are
    compared with the store before they are committed. Events that queue managers still need stay in
    the store, as do those that --keep covers. On a terminal, a question says how many events would
    be pruned.
    """
    if context.invoked_subcommand is not None:
        if url is not None or keep is not None or kept_data or only_plan or yes:
            raise click.UsageError(
                "--to, --keep, --kept-data, --plan and --yes are not for verify and list",
                context,
            )
        return
    if not url:
        raise click.UsageError(
            "Missing option '--to'. Name the archive: a folder or a URL.",
            context,
        )
    if only_plan and kept_data:
        raise click.UsageError(
            "--plan says nothing of kept data; leave out --kept-data",
            context,
        )
    choices = choices_of(context)
    with archive_errors(), target.opened_store(choices) as store, Archiver(store, url) as archiver:
        if only_plan:
            _print_plan(archiver, keep or 0, choices)
        elif not _may_prune(archiver, keep or 0, yes=yes):
            context.exit(target.FAILED)
        else:
            _archive(archiver, keep or 0, choices, kept_data=kept_data)


def _may_prune(archiver: Archiver, keep: int, *, yes: bool) -> bool:
    if yes or not is_terminal(sys.stdin):
        return True
    number = archiver.plan(keep).pruned
    question = (
        f"Archive the history to {archiver.url}, and remove {quantity(number, 'event')} from the "
        "store?"
    )
    return not number or is_agreed(question, yes=yes)


def _print_plan(archiver: Archiver, keep: int, choices: Choices) -> None:
    plan = archiver.plan(keep)
    number = plan.last - plan.first + 1
    first, last = (plan.first, plan.last) if number else (None, None)
    row = {"archive": archiver.url, "from": first, "to": last, "would_prune": plan.pruned}
    if print_data(choices.format, [row]):
        return
    which = f"{quantity(number, 'event')} ({plan.first} to {plan.last})" if number else "no events"
    print_line(
        f"Would archive {which} to {archiver.url}, and prune {quantity(plan.pruned, 'event')}.",
    )


def _archive(archiver: Archiver, keep: int, choices: Choices, *, kept_data: bool) -> None:
    missing: list[str] = []
    with json_rows(choices.format) as rows:
        for archived in archiver.archive():
            missing += archived.missing
            if rows is not None:
                rows.write(_archive_row(archiver.url, archived))
            else:
                choices.inform(f"mqsc: {archived_text(archived)}")
        if kept_data:
            added = archiver.add_kept_data()
            if rows is not None:
                rows.write({"archive": archiver.url, "kept_messages": added})
            else:
                choices.inform(f"mqsc: archived the data of {quantity(added, 'message')}")
        pruned = archiver.prune(keep)
        if rows is not None:
            rows.write(
                {"archive": archiver.url, "pruned": pruned.events, "returned": pruned.returned},
            )
        else:
            choices.inform(f"mqsc: {pruned_text(pruned)}")
    if missing:
        gaps = ", ".join(missing)
        raise target.CommandFailedError(
            f"the store does not have the events {gaps}: they were removed",
        )


def _archive_row(url: str, archived: ArchivedRange) -> dict[str, object]:
    row = archived._asdict()
    return {"archive": url, "from": row.pop("first"), "to": row.pop("last"), **row}


# `mqsc archive list`: which stores and events an archive has.

_SHOWN = tuple(
    "name store first last events first_day last_day commits files bytes archived_at".split(),
)


@command("list")
@click.argument("url", metavar="URL")
def list_(choices: Choices, url: str) -> None:
    """List the stores in the archive at URL: their events, days and files. Needs no store."""
    with archive_errors():
        from mqsc.reports.archive.writing import contents

        stores = [*contents(url)]
    lines = table_lines(_SHOWN, [[each[name] for name in _SHOWN] for each in stores], columns())
    print_rows(choices.format, stores, lines)


# `mqsc archive verify`: whether an archive is what its commits say.


@command()
@click.argument("url", metavar="URL")
def verify(choices: Choices, url: str) -> None:
    """Read the archive at URL and compare it with its commits: files, events, the chain, and gaps.

    Data of messages that was archived beside them is read, too. Needs no store. Each problem is a
    line on stdout, with the file; the exit code is then 10.
    """
    with archive_errors():
        from mqsc.reports.archive.verifying import verify as verified

        stores = verified(url, with_kept=True)
    rows = (
        {**each._asdict(), "problems": [problem._asdict() for problem in each.problems]}
        for each in stores
    )
    lines = (line for each in stores for line in _verification(each, quiet=bool(choices.quiet)))
    print_rows(choices.format, rows, lines)
    problems = sum(len(each.problems) for each in stores)
    if problems:
        raise target.CommandFailedError(f"{url} is damaged: {quantity(problems, 'problem')}")


def _verification(store: VerifiedStore, *, quiet: bool) -> Iterator[str]:
    for problem in store.problems:
        yield f"{problem.path}: {problem.text}"
    if not (store.problems or quiet):
        read = f"{quantity(store.commits, 'commit')}, {quantity(store.files, 'file')}"
        yield (
            f"{store.name} ({store.store}): {quantity(store.events, 'event')} up to {store.last} "
            f"are whole ({read})"
        )
        if store.kept:
            yield (
                f"{store.name} ({store.store}): the data of {quantity(store.kept, 'message')} can "
                "be read"
            )


# `mqsc config`: the user's settings.


@command()
def config(choices: Choices) -> None:
    """Show each setting, its value, and where the value comes from: an option, a variable, the
    file, or the default.

    The file is mqsc/config.toml in your configuration folder, with lines such as format =
    "vertical" or hide_system = true; MQSC_CONFIG names another one.
    """
    rows = {name: effective_setting(name) for name in SETTINGS}
    if choices.store:
        rows["store"] = EffectiveSetting(choices.store, "--store")
    elif not rows["store"].value:
        rows["store"] = EffectiveSetting(path_of(choices.store_url()) or "", "default")
    as_json = (
        {"setting": name, "value": setting.value, "from": setting.origin}
        for name, setting in rows.items()
    )
    file = f"File: {path()}{'' if path().is_file() else ' (does not exist)'}"
    table = table_lines(
        ["SETTING", "VALUE", "FROM"],
        [*map(_cells, rows, rows.values())],
        columns(),
    )
    print_rows(choices.format, as_json, chain([file], table))


def _cells(name: str, setting: EffectiveSetting) -> list[str]:
    value = str(setting.value).lower() if isinstance(setting.value, bool) else setting.value
    return [name, printable(value), printable(setting.origin)]

"""`mqsc archive`: the history of a store as Parquet files, proved by hashes; what is archived can be
pruned.
"""

from __future__ import annotations

import sys

import click

from mqsc.agents.archive_service import archived_text, pruned_text
from mqsc.agents.archiver import ArchivedRange, Archiver
from mqsc.console import target
from mqsc.console.agreement import is_agreed
from mqsc.console.archive_errors import archive_errors
from mqsc.console.commands import commands_in
from mqsc.console.json_rows import json_rows, print_data
from mqsc.console.options import Choices, LazyGroup, choices_of, common_options, earlier_word
from mqsc.console.parameters import KEEP, PLACE
from mqsc.console.refused_on import not_elsewhere
from mqsc.console.terminal import is_terminal, print_line
from mqsc.store.rules.health import quantity


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
@not_elsewhere
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
        for archived_range in archiver.archive():
            missing += archived_range.missing
            if rows is not None:
                rows.write(_archive_row(archiver.url, archived_range))
            else:
                choices.inform(f"mqsc: {archived_text(archived_range)}")
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

"""`mqsc archive`: the history of a store as Parquet files, proved by hashes; what is archived can be pruned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mqsc.agents.archive_text import archived_text, pruned_text
from mqsc.console.archive_options import KEEP, archive_errors
from mqsc.console.help.commands import commands_in
from mqsc.console.json_output import json_rows, print_json
from mqsc.console.options import Choices, LazyGroup, choices_of, common_options
from mqsc.console.target import CommandFailedError, opened_store
from mqsc.console.terminal import print_line
from store.rules.health import quantity

if TYPE_CHECKING:
    from mqsc.agents.archiver import ArchivedRange, Archiver


@click.group(cls=LazyGroup, rows=commands_in("archive"), invoke_without_command=True)
@click.option("--to", "url", metavar="URL", help="The archive: a folder, or a URL such as s3://bucket/folder.")
@click.option(
    "--keep",
    type=KEEP,
    metavar="DAYS",
    help="Keep events of the last DAYS days (or a time such as 12h) in the store too (default: none).",
)
@click.option("--dry-run", is_flag=True, help="Say what would be archived and pruned, and change nothing.")
@common_options
@click.pass_context
def archive(context: click.Context, url: str | None, keep: int | None, dry_run: bool) -> None:
    """Archive the history of the store to URL, and prune from the store what is archived.

    Each event is archived exactly once, even if a run is killed: the next one continues. Files are compared with the
    store before they are committed. Events that queue managers still need stay in the store, as do those that --keep
    covers.
    """
    if context.invoked_subcommand is not None:
        if url is not None or keep is not None or dry_run:
            raise click.UsageError("--to, --keep and --dry-run are not for verify and list", context)
        return
    if not url:
        raise click.UsageError("Missing option '--to'. Name the archive: a folder or a URL.", context)
    choices = choices_of(context)
    with archive_errors(), opened_store(choices) as store:
        from mqsc.agents.archiver import Archiver

        with Archiver(store, url) as archiver:
            if dry_run:
                _print_plan(archiver, keep or 0, choices)
            else:
                _archive(archiver, keep or 0, choices)


def _print_plan(archiver: Archiver, keep: int, choices: Choices) -> None:
    plan = archiver.plan(keep)
    row = {"archive": archiver.url, "from": plan.first, "to": plan.last, "would_prune": plan.pruned}
    if print_json(choices.format, [row]):
        return
    number = plan.last - plan.first + 1
    which = f"{quantity(number, 'event')} ({plan.first} to {plan.last})" if number else "no events"
    print_line(f"Would archive {which} to {archiver.url}, and prune {quantity(plan.pruned, 'event')}.")


def _archive(archiver: Archiver, keep: int, choices: Choices) -> None:
    missing: list[str] = []
    with json_rows(choices.format) as rows:
        for each in archiver.archive():
            missing += each.missing
            if rows is not None:
                rows.write(_row(archiver.url, each))
            else:
                choices.inform(f"mqsc: {archived_text(each)}")
        pruned = archiver.prune(keep)
        if rows is not None:
            rows.write({"archive": archiver.url, "pruned": pruned.events, "returned": pruned.returned})
        else:
            choices.inform(f"mqsc: {pruned_text(pruned)}")
    if missing:
        gaps = ", ".join(missing)
        raise CommandFailedError(f"the store does not have the events {gaps}: they were removed")


def _row(url: str, archived: ArchivedRange) -> dict[str, object]:
    row = archived._asdict()
    return {"archive": url, "from": row.pop("first"), "to": row.pop("last"), **row}

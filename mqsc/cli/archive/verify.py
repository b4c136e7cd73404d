"""`mqsc archive verify`: whether an archive is what its commits say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mqsc.console import target
from mqsc.console.archive_errors import archive_errors
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.store.rules.health import quantity

if TYPE_CHECKING:
    from mqsc.reports.archive.verifying import VerifiedStore


_UNCOMMITTED = (
    "in no commit: a run is writing it, or it was left by a run that was killed, or its commit is "
    "missing"
)


@command()
@click.argument("url", metavar="URL")
def verify(choices: Choices, url: str) -> None:
    """Read the archive at URL and compare it with its commits: files, events, the chain, and gaps.

    Data of messages that was archived beside them is read, too. Needs no store. Each problem is a
    line on stdout, with the file; the exit code is then 10. Files that are in no commit are listed,
    too, but a run that was killed may have left them.
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
    for path in store.uncommitted:
        yield f"{path}: {_UNCOMMITTED}"
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

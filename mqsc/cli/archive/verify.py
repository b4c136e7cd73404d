"""`mqsc archive verify`: whether an archive is what its commits say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mqsc.console.archive_options import archive_errors
from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command
from mqsc.console.target import CommandFailedError
from mqsc.console.terminal import print_line
from store.rules.health import quantity

if TYPE_CHECKING:
    from reports.archive.verifying import VerifiedStore


@command()
@click.argument("url", metavar="URL")
def verify(choices: Choices, url: str) -> None:
    """Read the archive at URL and compare it with its commits: files, events, the chain, and gaps.

    Needs no store. Each problem is a line on stdout, with the file; the exit code is then 10.
    """
    with archive_errors():
        from reports.archive.verifying import verify as verified

        stores = verified(url)
    rows = ({**each._asdict(), "problems": [problem._asdict() for problem in each.problems]} for each in stores)
    if not print_json(choices.format, rows):
        for each in stores:
            _print(each, quiet=bool(choices.quiet))
    problems = sum(len(each.problems) for each in stores)
    if problems:
        raise CommandFailedError(f"{url} is damaged: {quantity(problems, 'problem')}")


def _print(store: VerifiedStore, *, quiet: bool) -> None:
    for problem in store.problems:
        print_line(f"{problem.path}: {problem.text}")
    if store.problems or quiet:
        return
    read = f"{quantity(store.commits, 'commit')}, {quantity(store.files, 'file')}"
    print_line(f"{store.name} ({store.store}): {quantity(store.events, 'event')} up to {store.last} are whole ({read})")

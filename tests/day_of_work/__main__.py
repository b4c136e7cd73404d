"""A day of work, with its figures: `python -m tests.day_of_work --hours 24`.

Two queue managers with a manual clock, thirteen programs, of which some are killed; every
simulated hour REFRESH, archive and backup. Ends with 1 if a message is not accounted for, or if
anything grows.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from tests.day_of_work import day
from tests.day_of_work.figures import HEADING, line_of


@click.command(help=__doc__)
@click.option("--hours", default=24, show_default=True, help="Simulated hours.")
@click.option("--messages", default=100, show_default=True, help="Of each writer in 5 minutes.")
@click.option("--reports-every", default=6, show_default=True, help="Hours; 0 for no reports.")
@click.option("--seed", default=1, show_default=True, help="Which programs are killed when.")
@click.option("--folder", type=click.Path(path_type=Path), help="Keep everything in this folder.")
def main(hours: int, messages: int, reports_every: int, seed: int, folder: Path | None) -> None:
    plan = day.Plan(hours, messages, reports_every, seed)
    if folder is not None:
        sys.exit(shown(folder, plan))
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(shown(Path(temporary) / "day", plan))


def shown(folder: Path, plan: day.Plan) -> int:
    """Work through the day, print its figures as they come, and return the exit code."""
    print(HEADING, flush=True)
    result = day.run(folder, plan, lambda hour: print(line_of(hour), flush=True))
    print(result.account.line())
    print(f"{result.kills} programs were killed")
    for fault in result.faults:
        print(f"FAULT {fault}")
    return 1 if result.faults else 0


if __name__ == "__main__":
    main()

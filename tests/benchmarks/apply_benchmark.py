"""`apply` and `diff` of files that a queue manager matches already, compared with `check` of the
same files.

    python -m tests.benchmarks.apply_benchmark             10 000 objects
    python -m tests.benchmarks.apply_benchmark 2000        another number

Processor seconds of the command line, each the least of three runs; the limit is 1.5 times `check`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.script_benchmark import measured

LIMIT = 1.5
RUNS = 3
# Nothing that `check` would advise against, which would take it longer.
SHAPES = (
    "DEFINE QLOCAL({name}) DESCR('Orders of branch {number}') +\n   MAXDEPTH({number}) BOTHRESH(3) "
    "BOQNAME(BAD)",
    "DEFINE QALIAS({name}) TARGET(APP.OBJECT.{before})",
    "DEFINE QLOCAL({name}) +\n   MAXDEPTH({number}) DEFPSIST(YES) MSGDLVSQ(FIFO)",
    "DEFINE PROCESS({name}) APPLICID('/opt/orders/run {number}')",
    "DEFINE NAMELIST({name}) NAMES(BAD,APP.OBJECT.{before})",
)


def script(count: int) -> str:
    """So many definitions of several kinds."""
    shapes = (SHAPES[number % len(SHAPES)] for number in range(count))
    each = (
        shape.format(name=f"APP.OBJECT.{at}", number=at + 1, before=at - 1)
        for at, shape in enumerate(shapes)
    )
    return "\n".join(("DEFINE QLOCAL(BAD)", *each, ""))


def report(count: int, folder: Path) -> None:
    """Print the seconds of each command and its ratio to `check`."""
    file, store = folder / "files.mqsc", folder / "store.db"
    file.write_text(script(count), encoding="utf-8")
    measured(store, "apply", "--yes", "--quiet", str(file))
    commands: dict[str, tuple[str, ...]] = {"check": (), "apply": ("--yes",), "diff": ()}
    seconds = {
        name: min(measured(store, name, *more, str(file)).processor for _ in range(RUNS))
        for name, more in commands.items()
    }
    for name, spent in seconds.items():
        ratio = spent / seconds["check"]
        print(
            f"{name:6} {count} unchanged objects: {spent:5.2f} s, {ratio:4.2f} times check (limit "
            f"{LIMIT})",
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        report(int(sys.argv[1]) if sys.argv[1:] else 10_000, Path(made))

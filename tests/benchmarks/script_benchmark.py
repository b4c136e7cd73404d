"""Scripts of many definitions: run time compared with the time that Lark alone needs, and DISPLAY
of the result.

    python -m tests.benchmarks.script_benchmark            10 000 queues and 50 000
    python -m tests.benchmarks.script_benchmark 2000       other numbers of queues

Each run of the command line is measured in its own process, as a user would start it.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lark import Lark

from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.printing import print_tree
from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.store.catalog import KINDS, Stored, defaults
from mqsc.store.catalog.types import Flag
from tests.benchmarks.measuring import took
from tests.source import ROOT

LINE = 80


class Measured(NamedTuple):
    """A run of the command line: seconds until its first reply and until its end, processor
    seconds, peak megabytes.
    """

    first: float
    elapsed: float
    processor: float
    megabytes: float


def definitions(count: int) -> Iterator[str]:
    """Yield DEFINE QLOCAL commands with all their attributes, in the layout of an export."""
    kind = KINDS["QLOCAL"]
    shipped = {
        word: value
        for word, value in defaults(kind).items()
        if "DEFINE" in kind.attributes[word].verbs
    }
    for number in range(count):
        given = shipped | {"DESCR": f"Orders of branch {number}", "MAXDEPTH": 5000 + number}
        parameters = [_parameter(word, value) for word, value in given.items()]
        name = Parameter(
            "QLOCAL",
            "",
            (Value(f"ORDERS.OF.BRANCH.{number:06}", "", True, 1, 1),),
            1,
            1,
        )
        verb, replace = (Parameter(word, "", None, 1, 1) for word in ("DEFINE", "REPLACE"))
        yield print_tree(Command((verb, name, *parameters, replace), 1), LINE)


def _parameter(word: str, value: Stored) -> Parameter:
    if isinstance(KINDS["QLOCAL"].attributes[word].type, Flag):
        return Parameter(str(value), "", None, 1, 1)
    texts = [str(each) for each in (value if isinstance(value, list) else [value])] or [" "]
    return Parameter(
        word,
        "",
        tuple(Value(each or " ", "", not each.isalnum(), 1, 1) for each in texts),
        1,
        1,
    )


def seconds_of_lark(script: Path) -> float:
    """Return the processor seconds that Lark alone needs to parse every command. Joining the
    lines is not measured.
    """
    lark = Lark.open_from_package("grammar", "mqsc.lark", parser="lalr", start="command")
    with script.open("rb") as source:
        texts = [line.text for line in logical_lines(source) if isinstance(line, LogicalLine)]
    return took(lambda: [lark.parse(text) for text in texts]).processor


def measured(store: Path, *arguments: str) -> Measured:
    """Run `mqsc` with the arguments; its output is read but not kept."""
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{store}"}
    command = [sys.executable, "-m", "tests.benchmarks.script_benchmark", "--measure", *arguments]
    pipe, began, first, told = subprocess.PIPE, time.perf_counter(), 0.0, [b""]

    def run() -> None:
        nonlocal first, told
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=pipe,
            stderr=pipe,
        ) as running:
            assert running.stdout is not None
            assert running.stderr is not None
            for line in running.stdout:
                if not first and line.startswith(b"AMQ"):
                    first = time.perf_counter() - began
            told = running.stderr.read().split()
        assert running.returncode in (0, 2), told

    elapsed, processor = took(run)
    return Measured(first, elapsed, processor, int(told[-1]) / 1024)


def run_and_tell(arguments: list[str]) -> None:
    """Run the command line in this process, then print its peak memory in kilobytes on stderr."""
    from mqsc.main import run_to_exit_code

    code = run_to_exit_code(arguments)
    sys.stdout.flush()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
    sys.exit(code)


def report(count: int, folder: Path) -> None:
    """Print all figures for a script that defines `count` queues."""
    script, store = folder / f"{count}.mqsc", folder / f"{count}.db"
    with script.open("w", encoding="utf-8") as out:
        out.writelines(f"{text}\n" for text in definitions(count))
    deletions = folder / f"{count} deletions.mqsc"
    with deletions.open("w", encoding="utf-8") as out:
        out.writelines(f"DELETE QLOCAL('ORDERS.OF.BRANCH.{n:06}')\n" for n in range(count))
    measured(store, "qmgr", "create", "QM1")
    lark = seconds_of_lark(script)
    print(f"{count} queues, {script.stat().st_size / 1e6:.1f} MB: Lark alone {lark:.2f} s")
    for title, arguments in (
        *(("run, all new", ("run", str(script))), ("run, all replaced", ("run", str(script)))),
        *(("run -v", ("run", "-v", str(script))), ("run --plan", ("run", "--plan", str(script)))),
        ("run --atomic", ("run", "--atomic", str(script))),
    ):
        ran = measured(store, *arguments)
        print(
            f"  {title:<18} {ran.processor / lark:.2f} x Lark, {ran.elapsed / lark:.2f} x elapsed, "
            f"{ran.elapsed / count * 1e6:.0f} us a queue, {ran.megabytes:.0f} MB",
        )
    shown = measured(store, "run", "-c", "DISPLAY QLOCAL(*) ALL")
    print(
        f"  DISPLAY QLOCAL(*) ALL: first row after {shown.first:.2f} s of {shown.elapsed:.2f} s, "
        f"{shown.elapsed / count * 1e6:.0f} us a queue, {shown.megabytes:.0f} MB",
    )
    for title, arguments in (
        ("run --plan, deleted", ("run", "--plan", str(deletions))),
        ("run, all deleted", ("run", str(deletions))),
    ):
        ran = measured(store, *arguments)
        print(f"  {title}: {ran.elapsed / count * 1e6:.0f} us a queue, {ran.megabytes:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        run_and_tell(sys.argv[2:])
    parser = argparse.ArgumentParser()
    parser.add_argument("queues", type=int, nargs="*", default=[10_000, 50_000])
    for count in parser.parse_args().queues:
        with tempfile.TemporaryDirectory() as folder:
            report(count, Path(folder))

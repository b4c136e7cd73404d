"""Measures how many random one-line mutants the nearest tests catch.

    python tests/mutation/mutate.py --count 100 --seed 12 --workers 2 --results mutants.jsonl

A mutant changes one line of the source: a comparison (`<` to `<=` or `>`), `and`/`or`, a condition
(negated or dropped), a number (±1), `+`/`-`, a boolean, two arguments (swapped), a call (left out),
a statement (removed) or a result (`return None`). The script
picks them at random, with a seed, from the folders in FOLDERS or from the folders and files given
as arguments. It never changes the working tree: each worker has a copy of it in a temporary folder,
applies one mutant at a time there, and runs the tests stage by stage until one fails:

1. the mirror of the module (store/rules/expiry.py: tests/store/rules/test_expiry.py) and the files
   of tests that import it,
2. the other tests of the folder,
3. the tests in FURTHER for that folder: the scenarios, the verbs through the language.

A test that fails is run again without the mutant; if it fails then too, it is left out from then
on. A test that does not end counts as killed: the mutant made it loop forever. The survivors are
printed with their diffs; a survivor that changes nothing observable (an equivalent mutant) still
counts as survived, so look at each.

The mutants run in random order, so the first of them are a random sample too. With --results each
outcome is also written to a file, and mutants that are already in the file are not run again: a
measurement that was interrupted continues. --near leaves out the third stage, which takes minutes;
what survives then is not written to the file, so a run without --near continues with it. --list
prints the mutants only. --only 3,17 runs a selection by number.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.mutation.mutants import Mutant, mutants_of  # noqa: E402

FOLDERS = ("store/rules", "store/engine", "store/sql", "mqsc/verbs", "mqsc/dlq", "reports")
SCENARIOS = "tests/scenarios"
FURTHER: Mapping[str, tuple[str, ...]] = {
    "store/rules": (SCENARIOS,),
    "store/engine": ("tests/store/client", "tests/store/mqi", "tests/store/admin", SCENARIOS),
    "store/sql": ("tests/store/engine", "tests/store/mqi", "tests/store/admin", SCENARIOS),
    "mqsc/verbs": (
        "tests/mqsc/language",
        "tests/mqsc/console",
        "tests/mqsc/test_pages.py",
        "tests/mqsc/test_plan.py",
        "tests/mqsc/test_corpus.py",
        SCENARIOS,
    ),
    "mqsc/dlq": (
        "tests/mqsc/console/test_messages.py",
        "tests/mqsc/cli/dlq",
        "tests/mqsc/ibm/test_managers.py",
    ),
    "reports": ("tests/mqsc/cli/test_report.py",),
}
NOT_COPIED = shutil.ignore_patterns(
    ".git",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    ".venv",
    "*.egg-info",
)
# Seconds that one test may take, and a stage. Spark starts within the first test of a report.
SLOWEST_TEST, SLOWEST_STAGE = 120, 1800
KILLED, TIMEOUT, SURVIVED = "killed", "killed (timeout)", "survived"


@dataclass(slots=True)
class Workshop:
    """A copy of the tree that one worker changes."""

    tree: Path

    def pytest(self, tests: Sequence[str], options: Sequence[str] = ()) -> tuple[int | None, str]:
        """The exit code and output of pytest; the code is None when the tests did not end."""
        environment = {**os.environ, "PYTHONPATH": str(self.tree), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--no-header",
            "--tb=no",
        ]
        command += [
            f"--timeout={SLOWEST_TEST}",
            f"--basetemp={self.tree.parent / 'temporary'}",
            *options,
            *tests,
        ]
        # Not a pipe: a program that a test started may outlive pytest and hold the pipe open.
        with tempfile.TemporaryFile() as written:
            process = subprocess.Popen(
                command,
                cwd=self.tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code: int | None = process.wait(timeout=SLOWEST_STAGE)
            except subprocess.TimeoutExpired:
                code = None
            _end(process)
            written.seek(0)
            output = written.read().decode(errors="replace")
        return None if "+ Timeout +" in output else code, output


# What became of a mutant: a line of the results file.
Result = Mapping[str, object]


@dataclass(slots=True)
class Measurement:
    """The mutants to run, with the copies of the tree and the tests to leave out that all of
    them share.
    """

    workshops: queue.Queue[Workshop]
    results: Path | None
    total: int
    near: bool
    left_out: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, number: int, mutant: Mutant) -> Result:
        """Apply one mutant, run its stages until one fails, and undo it."""
        workshop = self.workshops.get()
        started = time.monotonic()
        file = workshop.tree / mutant.path
        source = file.read_text(encoding="utf-8")
        unchanged = file.stat()
        outcome, by = SURVIVED, ""
        try:
            for stage in stages(workshop.tree, mutant.path, self.near):
                outcome, by = self._stage(workshop, stage, mutant, source)
                if outcome != SURVIVED:
                    break
        finally:
            _restore(file, source, unchanged)
            self.workshops.put(workshop)
        seconds = round(time.monotonic() - started, 1)
        place = {"key": key_of(mutant), "number": number, "file": mutant.path, "line": mutant.line}
        told = {"operator": mutant.operator, "outcome": outcome, "by": by, "seconds": seconds}
        result = {**place, **told, "diff": diff_of(mutant, source)}
        with self._lock:
            if self.results is not None and not (self.near and outcome == SURVIVED):
                with self.results.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(result) + "\n")
            where = f"{mutant.path}:{mutant.line}  {mutant.operator}"
            print(
                f"{number:4}/{self.total} {outcome:16} {seconds:6.1f} s  {where}  {by}",
                flush=True,
            )
        return result

    def _stage(
        self,
        workshop: Workshop,
        stage: Sequence[str],
        mutant: Mutant,
        source: str,
    ) -> tuple[str, str]:
        """The outcome of one stage, and the test that failed."""
        file = workshop.tree / mutant.path
        unchanged = file.stat()
        while True:
            file.write_text(mutant.apply(source), encoding="utf-8")
            code, output = workshop.pytest(
                stage,
                ["-x", *(f"--deselect={test}" for test in self.left_out)],
            )
            _restore(file, source, unchanged)
            if code is None:
                if workshop.pytest(stage)[0] is None:
                    raise SystemExit(
                        f"without any mutant, these tests do not end: {' '.join(stage)}",
                    )
                return TIMEOUT, stage[0]
            # 5 means that no tests were collected.
            if code in (0, 5):
                return SURVIVED, ""
            test = _first_failure(output)
            if test is None:
                return KILLED, "the tests could not run"
            if test in self.left_out:
                raise SystemExit(
                    f"without any mutant, this test fails and cannot be left out: {test}\n{output}",
                )
            if workshop.pytest([test])[0] == 0:
                return KILLED, test
            self.left_out.add(test)


def set_up(folder: Path, workers: int) -> queue.Queue[Workshop]:
    """A copy of the tree for each worker, compiled once: with a mutant nothing compiled is
    written.
    """
    workshops: queue.Queue[Workshop] = queue.Queue()
    first = folder / "0" / "tree"
    for worker in range(workers):
        tree = folder / str(worker) / "tree"
        copy(ROOT if worker == 0 else first, tree)
        if worker == 0:
            subprocess.run([sys.executable, "-m", "compileall", "-q", "."], cwd=tree, check=False)
        workshops.put(Workshop(tree))
    return workshops


def copy(source: Path, tree: Path) -> None:
    """Copy a tree with its links as links: `mqsc/store` is one to the `store` that a mutant
    changes.
    """
    ignored = NOT_COPIED if source == ROOT else None
    shutil.copytree(source, tree, symlinks=True, ignore=ignored)


def sources(places: Sequence[str]) -> Iterator[Path]:
    """The Python files in folders, or the files themselves, relative to the root."""
    for place in places:
        path = ROOT / place
        found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        yield from (each.relative_to(ROOT) for each in found if "__pycache__" not in each.parts)


def picked(places: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """`count` mutants on different lines in random order, the same ones for the same seed and
    source.
    """
    found = [
        mutant
        for path in sources(places)
        for mutant in mutants_of(path.as_posix(), (ROOT / path).read_text(encoding="utf-8"))
    ]
    random.Random(seed).shuffle(found)
    on_lines: dict[tuple[str, int], Mutant] = {}
    for mutant in found:
        on_lines.setdefault((mutant.path, mutant.line), mutant)
    return list(on_lines.values())[:count]


def stages(tree: Path, path: str, only_near: bool) -> Iterator[tuple[str, ...]]:
    """The tests for a module, nearest first; each test file is in one stage only."""
    module = Path(path)
    folder = Path("tests") / module.parent
    mirror = folder / f"test_{module.stem}.py"
    dotted = ".".join(module.with_suffix("").parts)
    package = ".".join(module.parent.parts)
    # Outside `mqsc`, the source has the name that it has inside the product.
    within = r"(?:mqsc\.)?"
    imports = re.compile(
        rf"\bfrom {within}{re.escape(dotted)} import|\bimport {within}{re.escape(dotted)}\b"
        rf"|\bfrom {within}{re.escape(package)} import .*\b{re.escape(module.stem)}\b",
    )
    near = [mirror] if (tree / mirror).exists() else []
    files = sorted(each.relative_to(tree) for each in (tree / "tests").rglob("test_*.py"))
    in_folder = [each for each in files if each.is_relative_to(folder)]
    near += [
        each
        for each in files
        if each != mirror and imports.search((tree / each).read_text(encoding="utf-8"))
    ]
    top = next((each for each in FURTHER if path.startswith(each + "/")), "")
    further = [Path(each) for each in FURTHER.get(top, (SCENARIOS,))]
    if missing := [each for each in further if not (tree / each).exists()]:
        raise SystemExit(f"FURTHER names tests that do not exist: {', '.join(map(str, missing))}")
    for stage in (
        near,
        [each for each in in_folder if each not in near],
        [] if only_near else further,
    ):
        if stage:
            yield tuple(each.as_posix() for each in stage)


def key_of(mutant: Mutant) -> str:
    """What identifies a mutant in the results file."""
    return f"{mutant.path}:{mutant.start}:{mutant.end}:{mutant.new}"


def diff_of(mutant: Mutant, source: str) -> str:
    """The change as a unified diff without context."""
    before, after = source.splitlines(), mutant.apply(source).splitlines()
    return "\n".join(
        difflib.unified_diff(before, after, mutant.path, mutant.path, lineterm="", n=0),
    )


def report(results: Sequence[Result]) -> None:
    """Print the survivors and how many were killed, in all and by folder and operator."""
    survivors = [each for each in results if each["outcome"] == SURVIVED]
    for each in survivors:
        print(f"\nsurvived: mutant {each['number']} ({each['operator']})\n{each['diff']}")
    print(f"\n{len(results) - len(survivors)} of {len(results)} mutants were killed")
    for name in ("folder", "operator"):
        everything, alive = (
            Counter(_group(each, name) for each in some) for some in (results, survivors)
        )
        print(
            f"by {name}: "
            + ", ".join(
                f"{key} {all - alive[key]}/{all}" for key, all in sorted(everything.items())
            ),
        )


def _group(result: Result, name: str) -> str:
    return str(Path(str(result["file"])).parent if name == "folder" else result[name])


def _first_failure(output: str) -> str | None:
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
    return found.group(1) if found else None


def _restore(file: Path, source: str, unchanged: os.stat_result) -> None:
    """Undo a mutant; with its old time the file matches its compiled form again."""
    file.write_text(source, encoding="utf-8")
    os.utime(file, ns=(unchanged.st_atime_ns, unchanged.st_mtime_ns))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End pytest and the programs that its tests started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _done(results: Path | None) -> dict[str, Result]:
    if results is None or not results.exists():
        return {}
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return {row["key"]: row for row in rows}


def main() -> int:
    """Run the measurement that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "places",
        nargs="*",
        default=FOLDERS,
        help="folders and files, relative to the root",
    )
    parser.add_argument("--count", type=int, default=100, help="how many mutants (100)")
    parser.add_argument("--seed", type=int, default=12, help="which mutants (12)")
    parser.add_argument("--workers", type=int, default=1, help="how many mutants at a time (1)")
    parser.add_argument(
        "--results",
        type=Path,
        help="file to write each outcome to, and to continue from",
    )
    parser.add_argument("--near", action="store_true", help="run the tests of the same folder only")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    parser.add_argument("--only", help="numbers of the mutants to run, separated by commas")
    options = parser.parse_args()
    chosen = dict(enumerate(picked(options.places, options.count, options.seed), 1))
    if options.only:
        wanted = {int(number) for number in options.only.split(",")}
        chosen = {number: mutant for number, mutant in chosen.items() if number in wanted}
    if options.list:
        for number, mutant in chosen.items():
            source = (ROOT / mutant.path).read_text(encoding="utf-8")
            print(f"{number}: {mutant.operator}\n{diff_of(mutant, source)}")
        return 0
    done = _done(options.results)
    results = [done[key_of(mutant)] for mutant in chosen.values() if key_of(mutant) in done]
    waiting = {number: mutant for number, mutant in chosen.items() if key_of(mutant) not in done}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        workshops = set_up(Path(folder), min(options.workers, len(waiting)))
        measurement = Measurement(workshops, options.results, len(chosen), options.near)
        with ThreadPoolExecutor(options.workers) as pool:
            results += pool.map(lambda item: measurement.run(*item), waiting.items())
    report(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The memory of `mqsc whatif` does not grow with the history that it plays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import examples
from tests.mqsc.cli.past.long_history import make

# MQSC_TIMES=100 makes the longer history one of 1.2 million events.
PROGRAMS = 200, 200 + examples(2_000)
# The caches of SQLite grow up to 16 MB for each of the copies.
MOST_MORE = 26 << 20
# The peak in bytes, with the answer on stderr.
MEASURED = """import sys
from resource import RUSAGE_SELF, getrusage
from mqsc.main import run_to_exit_code
out, sys.stdout = sys.stdout, sys.stderr
code = run_to_exit_code(sys.argv[1:])
print(code, getrusage(RUSAGE_SELF).ru_maxrss << 10, file=out)"""


def peak(folder: Path, programs: int, change: str) -> tuple[int, int]:
    """The exit code and the peak of memory for a history of so many programs."""
    file = folder / f"{programs}.db"
    if not file.exists():
        make(file, programs)
    words = [sys.executable, "-c", MEASURED, "whatif", "--since", "2026-03-01T09:00", change]
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{file}"}
    ended = subprocess.run(words, env=environment, stdout=subprocess.PIPE, check=True)
    code, memory = map(int, ended.stdout.split())
    return code, memory


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("long")


@pytest.mark.parametrize(
    ("change", "code"),
    [("ALTER QLOCAL(ORDERS) DESCR('same')", 0), ("ALTER QLOCAL(ORDERS) PUT(DISABLED)", 2)],
)
def test_ten_times_as_many_events(folder: Path, change: str, code: int) -> None:
    """Also if every program would have gone on differently."""
    few, many = (peak(folder, programs, change) for programs in PROGRAMS)
    assert (few[0], many[0]) == (code, code)
    assert many[1] - few[1] < MOST_MORE, (few, many)

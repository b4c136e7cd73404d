"""The memory of `mqsc whatif` does not grow with the history that it plays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import examples
from tests.mqsc.cli.past.long_history import make

# MQSC_TIMES=400 makes the longer history one of 1.2 million events.
FEW, MORE = 200, examples(500)
PROGRAMS = FEW, FEW + MORE
# Events of a program.
EVENTS = 6
# SQLite caches about 1.2 KB for an event of both copies, until its caches are full; events that are
# kept in memory take more than 4 KB each.
MOST_MORE = min(26 << 20, MORE * EVENTS * 2_500)
# The exit code and the peak in kilobytes, with the answer on stderr. The peak that getrusage gives
# includes the parent process, which this one shared its memory with until it was started.
MEASURED = """import sys
from pathlib import Path
from mqsc.main import run_to_exit_code
out, sys.stdout = sys.stdout, sys.stderr
code = run_to_exit_code(sys.argv[1:])
lines = Path("/proc/self/status").read_text().splitlines()
peak = next(line for line in lines if line.startswith("VmHWM:"))
print(code, peak.split()[1], file=out)"""


def peak(folder: Path, programs: int, change: str) -> tuple[int, int]:
    """The exit code and the peak of memory in bytes for a history of so many programs."""
    file = folder / f"{programs}.db"
    if not file.exists():
        make(file, programs)
    words = [sys.executable, "-c", MEASURED, "whatif", "--since", "2026-03-01T09:00", change]
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{file}"}
    ended = subprocess.run(words, env=environment, stdout=subprocess.PIPE, check=True)
    code, memory = map(int, ended.stdout.split())
    return code, memory << 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("long")


@pytest.mark.parametrize(
    ("change", "code"),
    [("ALTER QLOCAL(ORDERS) DESCR('same')", 0), ("ALTER QLOCAL(ORDERS) PUT(DISABLED)", 2)],
)
def test_more_events_take_no_more_memory(folder: Path, change: str, code: int) -> None:
    """Also if every program would have gone on differently."""
    few, many = (peak(folder, programs, change) for programs in PROGRAMS)
    assert (few[0], many[0]) == (code, code)
    assert many[1] - few[1] < MOST_MORE, (few, many)

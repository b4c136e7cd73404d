"""Each call of a command that changes files can be its last: the next command finishes or undoes
what it has begun.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.processes.conftest import Start
from tests.processes.kill_points import Unavailable, compiled
from tests.processes.kill_sweep import SWEEPS, run

# Besides the last calls, so many of each command; with 1000 it is all of them.
KILLS = int(os.environ.get("MQSC_KILLS", "4"))


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The library that stops a program at its calls; the test is skipped where there can be
    none.
    """
    try:
        return str(compiled(tmp_path_factory.mktemp("kill-points")))
    except Unavailable as why:
        pytest.skip(str(why))


@pytest.mark.long
@pytest.mark.parametrize("name", SWEEPS)
def test_a_command_that_is_killed_before_a_call(
    name: str,
    library: str,
    launch: Start,
    tmp_path: Path,
) -> None:
    program = launch(run, library, tmp_path, name, KILLS, errors=True)
    code, said, complaint = program.rest(None)
    if "Unavailable" in complaint:
        pytest.skip(complaint.splitlines()[-1])
    assert code == 0, complaint
    print(said)

"""A disk that fails: whichever call on a file of the store it is, the program gets a StoreError."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source import ROOT

SOURCE = ROOT / "tests" / "processes" / "failing_calls.c"


@pytest.fixture(scope="module")
def failing_calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that lets system calls fail."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("there is no C compiler, or this is not Linux")
    library = tmp_path_factory.mktemp("library") / "failing_calls.so"
    made = subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, SOURCE],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"the library cannot be compiled: {made.stderr.decode()}")
    return library


def test_a_call_that_fails_is_a_store_error(failing_calls: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(failing_calls)}
    command = [sys.executable, "-m", "tests.processes.broken_disk", str(tmp_path)]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.returncode) == ("done\n", 0), ended.stderr

"""A read-only file, folder or file system: commands that only read work, the others fail with a clear message."""

from __future__ import annotations

import ctypes
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes.disks import small_file_system
from tests.processes.programs import run_program

# Runs one command after the other, and prints their exit codes.
PROGRAM = """
import json, sys
from mqsc.main import run_to_exit_code
for command in json.loads(sys.argv[2]):
    print("code:", run_to_exit_code([*command, "--store", sys.argv[1]]), flush=True)
"""
PREPARING = [["run", "-c", "DEFINE QLOCAL(Q)"], ["put", "Q", "hello"]]
LOOKING = [["run", "-c", "DISPLAY QLOCAL(Q) CURDEPTH"], ["qmgr", "list"], ["expiry", "Q"], ["history", "Q"]]
WRITING = [["run", "-c", "DEFINE QLOCAL(R)"], ["put", "Q", "more"], ["get", "Q"], ["browse", "Q"], ["qmgr", "end"]]
FILE = "test.db"
WRITTEN = "cannot be written: the file, its folder or the file system is read-only"
OPENED = "cannot be opened: no such folder, no permission to write in it, or a read-only file system"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a store that holds one message."""
    folder = tmp_path / "folder"
    folder.mkdir()
    assert run(folder, PREPARING)[0] == [0, 0]
    yield folder
    for each in (folder, *folder.iterdir()):
        each.chmod(stat.S_IRWXU)


def run(folder: Path, commands: list[list[str]]) -> tuple[list[int], list[str]]:
    """Return the exit codes of commands, and the lines on stderr."""
    ran = run_program(PROGRAM, f"sqlite:///{folder / FILE}", json.dumps(commands), obeying=True)
    codes = [int(line.split()[1]) for line in ran.stdout.splitlines() if line.startswith("code: ")]
    return codes, ran.stderr.splitlines()


def refusals(folder: Path, commands: list[list[str]]) -> set[str]:
    """Run commands that must all fail; return their messages without the path."""
    codes, said = run(folder, commands)
    assert codes == [20] * len(commands)
    assert len(said) == len(commands)
    return {line.split(" ", 2)[2] for line in said}


def test_a_file_that_is_read_only(folder: Path) -> None:
    (folder / FILE).chmod(stat.S_IRUSR)
    assert run(folder, LOOKING) == ([0, 0, 0, 0], [])
    assert refusals(folder, WRITING) == {WRITTEN}


def test_a_folder_that_is_read_only(folder: Path) -> None:
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert refusals(folder, LOOKING + WRITING) == {WRITTEN}


def test_a_folder_that_holds_no_store_yet(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir(stat.S_IRUSR | stat.S_IXUSR)
    assert refusals(inner, [["qmgr", "create", "QM2"], ["run", "-c", "DISPLAY QMGR"]]) == {
        "cannot be created: Permission denied"
    }


def test_a_file_that_nobody_may_read(folder: Path) -> None:
    (folder / FILE).chmod(0)
    assert refusals(folder, LOOKING + WRITING) == {OPENED}


def test_a_file_system_that_is_read_only(tmp_path: Path) -> None:
    place = tmp_path / "disk"
    place.mkdir()
    with small_file_system(place):
        assert run(place, PREPARING)[0] == [0, 0]
        remount_read_only(place)
        assert refusals(place, LOOKING + WRITING) == {OPENED}


def remount_read_only(folder: Path) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    read_only, remount = 1, 32
    if library.mount(b"none", os.fsencode(folder), b"tmpfs", read_only | remount, None):
        raise OSError(ctypes.get_errno(), "cannot be remounted")

"""The checks that a program can be started, made without starting it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc.agents.program_consumer import shell_fault, start_fault

NOT_THERE = "does not exist, or is not executable"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """An executable file whose content the test writes."""
    path = tmp_path / "program"
    path.touch(0o755)
    return path


@pytest.fixture
def formats(tmp_path: Path) -> Path:
    """An empty binfmt_misc folder: no additional executable formats are registered."""
    folder = tmp_path / "formats"
    folder.mkdir()
    for name in ("register", "status"):
        (folder / name).touch()
    return folder


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("#!/bin/sh\n", ""),
        ("#! \t/bin/sh -e\n", ""),
        ("#!/bin/sh\t-e", ""),
        ("#!/no/such/program\n", f"its interpreter '/no/such/program' {NOT_THERE}"),
        ("#!/bin/sh\r\n", f"its interpreter '/bin/sh\\r' {NOT_THERE}"),
        ("#!/usr\n", f"its interpreter '/usr' {NOT_THERE}"),
        ("#!\n", f"its interpreter '' {NOT_THERE}"),
        ("\x7fELF", ""),
        ("echo without a first line\n", "Exec format error"),
        ("", "Exec format error"),
    ],
)
def test_the_beginning_of_a_file_says_whether_it_can_be_started(
    program: Path, formats: Path, content: str, fault: str
) -> None:
    program.write_bytes(content.encode())
    assert start_fault(str(program), formats) == fault
    if sys.platform == "linux" and content != "\x7fELF":
        assert is_started(program) is (fault == "")


def is_started(program: Path) -> bool:
    """Start the program, to compare the check with the system's own answer."""
    try:
        subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError:
        return False
    return True


def test_an_interpreter_may_be_a_script_itself(tmp_path: Path, program: Path) -> None:
    program.write_text(f"#!{tmp_path / 'second'}\n")
    assert start_fault(str(program)) == f"its interpreter {str(tmp_path / 'second')!r} {NOT_THERE}"
    (tmp_path / "second").write_text("#!/bin/sh\n")
    (tmp_path / "second").chmod(0o755)
    assert start_fault(str(program)) == ""


def test_a_script_that_is_its_own_interpreter(program: Path) -> None:
    program.write_text(f"#!{program}\n")
    assert start_fault(str(program)) == "too many interpreters"
    assert not is_started(program)


@pytest.mark.parametrize("mode", [0o644, None])
def test_a_file_that_is_not_executable_or_not_there(program: Path, mode: int | None) -> None:
    program.unlink() if mode is None else program.chmod(mode)
    assert start_fault(str(program)) == "no such program, or it is not executable"


@pytest.mark.skipif(sys.platform != "linux", reason="binfmt_misc is Linux's")
def test_a_system_that_was_told_of_other_formats_decides_itself(program: Path, formats: Path) -> None:
    program.write_text("of another format")
    assert start_fault(str(program), formats) == "Exec format error"
    (formats / "qemu-arm").touch()
    assert start_fault(str(program), formats) == ""


def test_a_name_is_looked_up_in_path(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copy("/bin/sh", program)
    assert start_fault(program.name) == ""


@pytest.mark.parametrize("line", ["cat >> orders.txt", "no-such-program", "exit 3"])
def test_a_line_that_a_shell_can_parse_is_not_run(line: str) -> None:
    assert shell_fault(line) == ""


@pytest.mark.parametrize("line", ["if true", "cat 'orders", "cat |"])
def test_a_line_that_a_shell_cannot_parse(line: str) -> None:
    assert shell_fault(line) != ""

"""Processes of our own modules."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from reports.errors import command_of, ending, python_path
from tests.source import ROOT


def test_such_a_process_finds_our_packages_and_those_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, here = tmp_path / "mine", tmp_path / "here"
    mine.mkdir()
    here.mkdir()
    (mine / "of_the_user.py").write_text("import reports\nprint(reports.__path__[0])", "utf-8")
    (here / "reports.py").write_text("raise SystemExit('the wrong module')", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(mine))
    environment = {**os.environ, "PYTHONPATH": python_path()}
    ended = subprocess.run(
        command_of("of_the_user"), cwd=here, env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == (f"{ROOT / 'reports'}\n", "")


def test_how_a_process_ended_is_said_for_people() -> None:
    assert [ending(code) for code in (-9, 2)] == ["SIGKILL", "exit code 2"]

"""What the two commands of the README install, and what the second checks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.source import ROOT


@pytest.mark.parametrize(
    ("asked", "arguments", "packages"),
    [
        ({}, [], ""),
        ({"MQSC_INSTALL_BROWSER": "1"}, [], "chromium-headless-shell chromium"),
        ({"MQSC_INSTALL_BROWSER": "1"}, ["--quick"], ""),
        ({"MQSC_INSTALL_BROWSER": "1"}, ["tests/grammar"], ""),
    ],
)
def test_a_browser_is_installed_only_when_asked_for(
    tmp_path: Path,
    asked: dict[str, str],
    arguments: list[str],
    packages: str,
) -> None:
    """With a set-up that only says what it would install, and programs among which there is no
    browser.
    """
    for folder in ("tests", "samples", "bin"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "tests" / "run.sh", tmp_path / "tests")
    (tmp_path / "samples" / "setup.sh").write_text('printf %s "$also"; exit\n', "utf-8")
    (tmp_path / "bin" / "dirname").symlink_to(shutil.which("dirname") or "")
    ended = subprocess.run(
        ["/bin/sh", tmp_path / "tests" / "run.sh", *arguments],
        env={"PATH": str(tmp_path / "bin"), **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == packages


@pytest.mark.parametrize(
    ("arguments", "fails", "runs", "code"),
    [
        (
            ["--quick"],
            "none",
            "ruff check, ruff format --check --quiet, pytest -n 2 --dist loadscope --quick",
            0,
        ),
        (
            ["--quick"],
            "ruff",
            "ruff check, ruff format --check --quiet, pytest -n 2 --dist loadscope --quick",
            1,
        ),
        (
            ["--quick"],
            "pytest",
            "ruff check, ruff format --check --quiet, pytest -n 2 --dist loadscope --quick",
            1,
        ),
        (["tests/grammar", "-x"], "none", "reports, pytest tests/grammar -x", 0),
        (["tests/grammar", "-x"], "pytest", "reports, pytest tests/grammar -x", 1),
    ],
)
def test_what_is_run(
    tmp_path: Path,
    arguments: list[str],
    fails: str,
    runs: str,
    code: int,
) -> None:
    """With a Python that only says which module it would run."""
    for folder in ("tests", "samples"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "tests" / "run.sh", tmp_path / "tests")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nshift\necho "$*"\n[ "$1" != {fails} ]\n', "utf-8")
    python.chmod(0o755)
    (tmp_path / "samples" / "setup.sh").write_text(
        f"python={python}\nprepare_reports() {{ echo reports; }}\n",
        "utf-8",
    )
    ended = subprocess.run(
        ["/bin/sh", tmp_path / "tests" / "run.sh", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (", ".join(ended.stdout.splitlines()), ended.returncode) == (runs, code)

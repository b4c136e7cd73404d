"""What the two commands of the README install."""

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
        ({"MQSC_INSTALL_BROWSER": "1"}, ["tests/grammar"], ""),
    ],
)
def test_a_browser_is_installed_only_when_asked_for(
    tmp_path: Path, asked: dict[str, str], arguments: list[str], packages: str
) -> None:
    """With a set-up that only says what it would install, and programs among which there is no browser."""
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

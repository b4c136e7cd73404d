"""The pages of the documentation, their code blocks, and a shell to run them in."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.mqsc.command_server import command_server
from tests.source import ROOT

README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
# Pages for those who work on the product alone.
NOTES = sorted((ROOT / "docs" / "development").glob("*.md"))


def blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page in a language, in order."""
    return re.findall(
        rf"^```{language}\n(.*?)^```",
        page.read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )


def run(command: str, folder: Path, tree: Path | None = None, **settings: str) -> str:
    """Run `command` in a POSIX shell in `folder`; return its output. It must succeed.

    With a `tree`, it runs the installed programs with the code of that. Otherwise `mqsc` is that of
    a command server.
    """
    first = [] if tree else [command_server().programs]
    path = os.pathsep.join([*map(str, first), str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run(
        ["sh", "-e", "-c", command],
        cwd=folder,
        env={
            **os.environ,
            "PATH": path,
            "PYTHONPATH": str(tree or ROOT),
            "COLUMNS": "80",
            **settings,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout

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


# What differs from one run to the next.
VARIES = {
    r"[0-9A-F]{48}": "MSGID",
    r"[0-9a-f]{64}": "SHA-256",
    r"user \w+": "user",
    r"event \d+": "event",
    r"process \d+": "process",
    r"(in|after) [\d.]+ ?s": "in",
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d": "TIME",
    r"\b\d+s( ago|$)": "SECONDS",
    r"\d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z|\d{8}T\d{6}Z": "TIME",
    r"(?<= )/\S+/(?=\w)": "FOLDER/",
    r"[\d,]+ bytes": "bytes",
    r"\([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\)|Batch [0-9A-F]{16}": "IDENTIFIER",
}
FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def constant(text: str) -> str:
    """The text of an example, without what differs from one run to the next."""
    for pattern, instead in VARIES.items():
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def check_typed(page: Path, folder: Path, first: str = "", **settings: str) -> None:
    """Type the commands of a page: each prints what the block after it shows. Files are written
    that begin with their names.

    `first` is typed before each block, as what it exports is.
    """
    exported, printed = first, ""
    for language, text in FENCED.findall(page.read_text("utf-8")):
        if language == "sh":
            printed = constant(run(f"exec 2>&1\n{exported}{text}", folder, None, **settings))
            exported += "".join(_EXPORT.findall(text))
        elif language == "text":
            assert printed == constant(text), printed
        else:
            name = re.match(r"[#*] (\S+)\n", text)
            assert name is not None
            (folder / name[1]).write_text(text)


# With the lines that go on with what is exported.
_EXPORT = re.compile(r"^export .*\n(?:    .*\n)*", re.MULTILINE)

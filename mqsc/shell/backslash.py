"""What is typed after a backslash and is no setting (\\tee, \\once, \\e, \\f), and `! COMMAND`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from typing import TextIO

import click

from mqsc.console.config import path as config_path
from mqsc.language.refusal import masked, secret_spans
from mqsc.shell.command_text import SettingError
from mqsc.shell.output import ScreenStream
from mqsc.shell.own_commands import BACKSLASH

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_SUFFIX = ".mqsc"


class Tee(ScreenStream):
    """A stream to the screen that also writes to a file, without styles."""

    def __init__(self, screen: TextIO, file: TextIO) -> None:
        super().__init__(screen)
        self._file = file

    def write(self, text: str) -> int:
        self._file.write(_STYLE.sub("", text))
        return self._screen.write(text)

    def flush(self) -> None:
        self._file.flush()
        self._screen.flush()


class Copies:
    """The file of \\tee, while there is one."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._file: TextIO | None = None

    def to(self, name: str) -> None:
        """Copy to this file from now on, after what it holds; to none if the name is blank. OSError."""
        self.close()
        if name:
            file = Path(name).expanduser().open("a", encoding="utf-8", errors="backslashreplace")
            self._file = self._open.enter_context(file)

    def of_stdout(self) -> ExitStack:
        """Copy what is written to stdout while the result is entered."""
        stack = ExitStack()
        if self._file is not None:
            stack.callback(self._file.flush)
            stack.enter_context(redirect_stdout(Tee(sys.stdout, self._file)))
        return stack

    def close(self) -> None:
        self._open.close()
        self._file = None


def run_in_shell(command: str) -> None:
    """Run a command in the user's own shell, or that shell itself; it has the terminal until it ends."""
    own = os.environ.get("SHELL", "/bin/sh")
    # The user typed this command for their shell, as in any other shell.
    code = subprocess.run([own, "-c", command] if command else [own], check=False).returncode
    if code:
        sys.stdout.write(f"(exit code {code})\n")


def edited(text: str) -> str:
    """The text after the user has edited it, as it was if nothing was saved; SettingError without an editor."""
    try:
        found = click.edit(text or "\n", extension=_SUFFIX, require_save=False)
    except click.ClickException as error:
        raise SettingError(error.format_message()) from error
    return (text if found is None else found).strip()


# Saved commands: a file for each, readable by the user only, beside the file of settings.


def _folder() -> Path:
    return config_path().parent / "saved"


def _file(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise SettingError(f"{name!r} cannot be the name of a saved command: use letters, digits, _, - and .")
    return _folder() / f"{name}{_SUFFIX}"


def saved(name: str) -> str:
    """The saved command of a name; SettingError names the others if there is none."""
    try:
        return _file(name).read_text("utf-8").strip()
    except FileNotFoundError:
        known = ", ".join(_saved_names()) or "none"
        raise SettingError(f"no command is saved as {name}; saved are: {known}") from None


def _saved_names() -> list[str]:
    return sorted(each.stem for each in _folder().glob(f"*{_SUFFIX}"))


def saved_lines() -> list[str]:
    """A line for each saved command: its name and the command."""
    return [f"{each}: {masked(' '.join(saved(each).split()))}" for each in _saved_names()]


def save(words: str) -> None:
    """Save a command; the words are its name and itself. SettingError."""
    name, command = (*words.split(maxsplit=1), "", "")[:2]
    if not command:
        raise SettingError(f"\\fs takes {BACKSLASH['fs'][0]}")
    if secret_spans(command.replace("\n", " ")):
        raise SettingError("a command with a password is not saved")
    file = _file(name)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        out.write(f"{command}\n")


def delete(name: str) -> None:
    """Delete a saved command; SettingError if there is none of this name."""
    saved(name)
    _file(name).unlink()

"""What is typed after a backslash and is no setting (\\tee, \\once, \\e, \\f), and `! COMMAND`."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import TextIO

import click

from mqsc.console.terminal import notice
from mqsc.shell.pager import ScreenStream, ended
from mqsc.shell.settings import SettingError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
# Colours, and what clears the screen.
_STYLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
SUFFIX = ".mqsc"


class Tee(ScreenStream):
    """A stream to the screen whose text is also given to a function."""

    def __init__(self, screen: TextIO, note: Callable[[str], None]) -> None:
        super().__init__(screen)
        self._note = note

    def copy(self, text: str) -> None:
        self._note(text)

    def write(self, text: str) -> int:
        self.copy(text)
        return self._screen.write(text)

    def flush(self) -> None:
        self._screen.flush()


class Copies:
    """The file of \\tee, while there is one. When it cannot be written, that is said once, and
    copying ends.
    """

    def __init__(self) -> None:
        self._file: TextIO | None = None

    def to(self, name: str) -> None:
        """Copy to this file from now on, after what it holds; to none if the name is blank.
        OSError.
        """
        self.close()
        if name:
            self._file = Path(name).open("a", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115

    @contextmanager
    def of_screen(self) -> Iterator[None]:
        """Copy what is written to stdout and stderr while the block runs, without styles."""
        tees = (Tee(each, self._copy) for each in (sys.stdout, sys.stderr))
        with redirect_stdout(next(tees)), redirect_stderr(next(tees)):
            try:
                yield
            finally:
                self._copy("", flush=True)

    def _copy(self, text: str, *, flush: bool = False) -> None:
        if self._file is None:
            return
        try:
            self._file.write(_STYLE.sub("", text))
            if flush:
                self._file.flush()
        except OSError as error:
            name = self._file.name
            self.close()
            notice(f"{name}: {error.strerror}; nothing more is copied")

    def close(self) -> None:
        file, self._file = self._file, None
        # What could not be written has been said.
        with suppress(OSError):
            if file is not None:
                file.close()


def run_in_shell(command: str) -> None:
    """Run a command in the user's own shell, or that shell itself; it has the terminal until it
    ends.
    """
    own = os.environ.get("SHELL", "/bin/sh")
    # The user typed this command for their shell, as in any other shell.
    code = ended(subprocess.Popen([own, "-c", command] if command else [own]))
    if code:
        # A signal has the number that a shell gives it.
        sys.stdout.write(f"(exit code {code if code > 0 else 128 - code})\n")


def edited(text: str) -> str:
    """The text after the user has edited it, as it was if nothing was saved; SettingError
    without an editor.
    """
    try:
        edited_text = click.edit(text or "\n", extension=SUFFIX, require_save=False)
    except click.ClickException as error:
        raise SettingError(error.format_message()) from error
    except UnicodeDecodeError as error:
        raise SettingError("the editor saved something that is no text in UTF-8") from error
    return (text if edited_text is None else edited_text).strip()

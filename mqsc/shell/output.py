"""Where the output of a command goes: the screen, a pager, a file or a program."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import IO

import click

from mqsc.console.inputs import is_store_file
from mqsc.console.terminal import is_screen
from mqsc.shell.output_marks import Output
from mqsc.shell.pager import PagerStream, check_is_text, ended, pager_command
from mqsc.shell.settings import SettingError


def check_file(output: Output, store: str | None, ask: Callable[[str], bool]) -> None:
    """SettingError if the output must not go to this file, or if the user does not want to replace
    it.

    `store` is the path of the store, whose files are never written.
    """
    if not os.path.isfile(output.file):
        return
    if store is not None and is_store_file(output.file, store):
        raise SettingError(f"{output.file} belongs to the store")
    asks = not (output.append or output.replaces)
    if asks and not ask(f"{output.file} exists. Replace it? [y/N] "):
        raise SettingError(
            f"{output.file} was left as it is; >! replaces a file without a question, >> appends",
        )


@contextmanager
def going_to(output: Output, *, paged: bool) -> Iterator[None]:
    """Send stdout to the output while the block runs; OSError if a file cannot be opened."""
    if output.file:
        mode = "a" if output.append else "w"
        with (
            Path(output.file).open(mode, encoding="utf-8", errors="backslashreplace") as file,
            redirect_stdout(file),
        ):
            yield
        return
    if output.pipe:
        yield from _to_command(output.pipe)
        return
    command = pager_command() if paged and is_screen(sys.stdout) else []
    if not command:
        yield
        return
    stream = PagerStream(sys.stdout, command)
    try:
        with redirect_stdout(stream):
            yield
    except click.exceptions.Exit:
        # The user has left the pager.
        return
    finally:
        stream.finish()


def _to_command(command: str) -> Iterator[None]:
    # The user typed this command for their shell, as in any other shell.
    started = subprocess.Popen(
        command,
        shell=True,
        stdin=subprocess.PIPE,
        text=True,
        errors="backslashreplace",
    )
    assert started.stdin is not None
    try:
        with suppress(click.exceptions.Exit), redirect_stdout(_PipeStream(started.stdin)):
            yield
    finally:
        # head and the like read only the beginning.
        with suppress(BrokenPipeError):
            started.stdin.close()
        ended(started)


class _PipeStream(io.TextIOBase):
    """A pipe whose closed end ends the command that writes to it."""

    def __init__(self, pipe: IO[str]) -> None:
        self._pipe = pipe

    def write(self, text: str) -> int:
        check_is_text(text)
        try:
            return self._pipe.write(text)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def flush(self) -> None:
        try:
            self._pipe.flush()
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def writable(self) -> bool:
        return True

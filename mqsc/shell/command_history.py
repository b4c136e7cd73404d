"""The history of commands, in a file that only its owner can read. It never holds a secret."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress

from platformdirs import user_state_path
from prompt_toolkit.history import FileHistory


class CommandHistory(FileHistory):
    """Keeps complete commands, except those for which `is_secret` is true."""

    def __init__(self, filename: str, is_secret: Callable[[str], bool]) -> None:
        super().__init__(filename)
        self._is_secret = is_secret

    def append_string(self, string: str) -> None:
        """Ignore what the prompt adds by itself: a command is added when it is known whether it
        has a secret.
        """

    def remember(self, text: str) -> None:
        """Add a command to the history, in memory and in the file, unless it repeats the last
        one.
        """
        if (
            text.strip()
            and not self._is_secret(text.replace("\n", " "))
            and self.get_strings()[-1:] != [text]
        ):
            super().append_string(text)

    def load_history_strings(self) -> Iterable[str]:
        """The commands in the file; none if it cannot be read."""
        try:
            return super().load_history_strings()
        except OSError:
            return ()

    def store_string(self, string: str) -> None:
        """Add a command to the file. If that fails, as on a full disk, the shell still knows it."""
        with suppress(OSError):
            super().store_string(string)


def command_history(is_secret: Callable[[str], bool]) -> CommandHistory:
    """The history in the user's state folder; the null device when the file cannot be created."""
    try:
        folder = user_state_path("mqsc", appauthor=False)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "history"
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600))
        path.chmod(0o600)
    except OSError:
        return CommandHistory(os.devnull, is_secret)
    return CommandHistory(str(path), is_secret)

"""Several commands of the shell, carried out one after the other: which of them failed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mqsc.console.text.reasons import counted
from mqsc.language.secrets import masked


class CommandSequence:
    """Commands that are carried out one after the other; it says which failed.

    `failures` is the number of failures so far, `say` prints a remark.
    """

    def __init__(self, failures: Callable[[], int], say: Callable[[str], None]) -> None:
        self._failures = failures
        self._say = say
        self._done = 0
        self._failed: list[int] = []

    @contextmanager
    def next(self, text: str, place: str = "") -> Iterator[None]:
        """The next command, which is carried out while the block runs."""
        before = self._failures()
        yield
        self._done += 1
        if self._failures() > before:
            self._failed.append(self._done)
            self._say(f"Command {self._done}{place} failed: {masked(' '.join(text.split()))}")

    def report(self) -> None:
        """Say how many were carried out, and which failed."""
        failed = ", ".join(map(str, self._failed))
        which = f"{len(self._failed)} failed: {failed}" if failed else "none failed"
        self._say(f"({counted(self._done, 'command')}, {which})")

"""Writers of what a run brings: as runmqsc prints it, as one JSON array, or as a JSON object per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TextIO

from mqsc import __version__
from mqsc.console.display_layout import answer_lines
from mqsc.console.json_output import Rows
from mqsc.console.terminal import printable
from mqsc.script import Answered, Echoed
from mqsc.tally import Tally

ROOM_FOR_NUMBER = 6
BANNER = f"mqsc {__version__}, an MQ-style queue manager in SQLite."


class Writer(Protocol):
    """What a run tells whoever prints."""

    def begin(self, qmgr: str) -> None:
        """The run starts."""

    def echo(self, echoed: Echoed) -> None:
        """Source lines were read."""

    def answer(self, answered: Answered) -> None:
        """A command was answered; its rows are read here."""

    def end(self, tally: Tally) -> None:
        """The run is over."""


class TextWriter:
    """Prints as runmqsc does. Control characters are escaped when the output is a terminal."""

    def __init__(self, out: TextIO, *, echo: bool = True, terminal: bool = False) -> None:
        self._out = out
        self._echo = echo
        self._terminal = terminal

    def begin(self, qmgr: str) -> None:
        """Two lines of banner, two empty lines."""
        self._lines((BANNER, f"Starting MQSC for queue manager {qmgr}.", "", ""))

    def echo(self, echoed: Echoed) -> None:
        """The lines as read; the number of the command before the first, nothing before the others."""
        if self._echo:
            self._lines(echo_lines(echoed))

    def answer(self, answered: Answered) -> None:
        """The message and its rows."""
        self._lines(answer_lines(answered.answer))

    def end(self, tally: Tally) -> None:
        """The three closing lines."""
        self._lines(tally.lines())
        self._out.flush()

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._out.write(f"{printable(line) if self._terminal else line}\n")


class QuietWriter(TextWriter):
    """Answers alone, as a log keeps them: no banner, no echo, no closing lines; each begins with the moment it came."""

    def __init__(self, out: TextIO, clock: Callable[[], str], *, terminal: bool = False) -> None:
        super().__init__(out, echo=False, terminal=terminal)
        self._clock = clock
        self._qmgr = ""

    def begin(self, qmgr: str) -> None:
        """Nothing is printed."""
        self._qmgr = qmgr

    def answer(self, answered: Answered) -> None:
        """The moment and the queue manager, then the message and its rows."""
        first, *rest = list(answer_lines(answered.answer)) or [""]
        self._lines((f"{self._clock()} {self._qmgr} {first}", *rest))

    def end(self, tally: Tally) -> None:
        """Nothing is printed."""
        self._out.flush()


class JsonWriter:
    """An object per command, written as it comes; echo, banner and closing lines are no data."""

    def __init__(self, out: TextIO, *, array: bool) -> None:
        self._out = out
        self._rows = Rows(out, array=array)

    def begin(self, qmgr: str) -> None:
        """The array opens."""
        self._rows.__enter__()

    def echo(self, echoed: Echoed) -> None:
        """Source lines are no data here."""

    def answer(self, answered: Answered) -> None:
        """One object; the rows come last and are written one by one."""
        self._rows.begin()
        self._out.write(self._rows.text_of(answered.reply_fields())[:-1] + ', "rows": [')
        for index, row in enumerate(answered.answer.rows):
            self._out.write((", " if index else "") + self._rows.text_of(dict(row)))
        self._out.write("]}")
        self._rows.finish()

    def end(self, tally: Tally) -> None:
        """The array closes."""
        self._rows.__exit__()
        self._out.flush()


def echo_lines(echoed: Echoed) -> list[str]:
    """The echo of source lines: number right-aligned in six columns, blank, colon, blank, line; trailing blank only if
    the line holds something."""
    numbers = [echoed.number if index == 0 else None for index in range(len(echoed.lines))]
    return [
        f"{'' if number is None else number:>{ROOM_FOR_NUMBER}} :{' ' + line if line else ''}"
        for number, line in zip(numbers, echoed.lines, strict=True)
    ]

"""Prints replies in the shape of runmqsc, as JSON or as CSV, after the banner."""

from collections.abc import Callable, Iterable
from typing import TextIO

from mqsc.console.answer_layout import answer_lines
from mqsc.console.json_rows import JsonRows, position_row, print_csv
from mqsc.console.terminal import columns, fitted, notice, printable
from mqsc.language.reply import Answer, ReplyRow
from mqsc.language.tally import Tally
from mqsc.script import Answered, Echoed
from mqsc.version import __version__

# The first lines of a run.

BANNER = f"mqsc {__version__}, an MQ-style queue manager in SQLite."


def heading(qmgr: str) -> tuple[str, ...]:
    """The lines before the first command, as in runmqsc."""
    return BANNER, f"Starting MQSC for queue manager {qmgr}.", "", ""


ROOM_FOR_NUMBER = 6


class TextWriter:
    """Prints in the layout of runmqsc, control characters escaped. On a terminal, long lines are
    broken.

    Elsewhere too, a value must not begin another line: programs read the lines.
    """

    def __init__(self, out: TextIO, *, echo: bool = True, terminal: bool = False) -> None:
        self._out = out
        self._echo = echo
        self._terminal = terminal

    def begin(self, qmgr: str) -> None:
        self._lines(heading(qmgr))

    def echo(self, echoed: Echoed) -> None:
        """The lines as read; the first has the number of the command."""
        if self._echo:
            self._lines(echo_lines(echoed))

    def answer(self, answered: Answered) -> None:
        self._lines(answer_lines(answered.answer))

    def end(self, tally: Tally) -> None:
        self._lines(tally.lines())
        self._out.flush()

    def _lines(self, lines: Iterable[str]) -> None:
        lines = map(printable, lines)
        if self._terminal:
            width = columns()
            lines = (part for line in lines for part in fitted(line, width))
        self._out.writelines(f"{line}\n" for line in lines)


class QuietWriter(TextWriter):
    """Prints only what a log should hold: errors, warnings and rows of DISPLAY, each after its time
    and queue manager.

    Nothing is printed when every command succeeds.
    """

    def __init__(self, out: TextIO, clock: Callable[[], str], *, terminal: bool = False) -> None:
        super().__init__(out, echo=False, terminal=terminal)
        self._clock = clock
        self._qmgr = ""

    def begin(self, qmgr: str) -> None:
        self._qmgr = qmgr

    def answer(self, answered: Answered) -> None:
        answer = answered.answer
        displays = answer.shows_rows or any(each.shows_rows for _, each in answer.replies)
        if not answer.completion and not displays and answer.message_id[-1:] in ("", "I"):
            return
        first, *rest = list(answer_lines(answer)) or [""]
        self._lines((f"{self._clock()} {self._qmgr} {first}", *rest))

    def end(self, tally: Tally) -> None:
        self._out.flush()


class JsonWriter:
    """Prints an object per command at once, without banner, echo or tally."""

    def __init__(self, out: TextIO, *, array: bool) -> None:
        self._out = out
        self._rows = JsonRows(out, array=array)

    def begin(self, qmgr: str) -> None:
        self._rows.__enter__()

    def echo(self, echoed: Echoed) -> None:
        """Print nothing: the echo is not part of the data."""

    def answer(self, answered: Answered) -> None:
        """One object; its rows come last and are written one by one, to save memory."""
        self._rows.begin()
        fields = {**answered.reply_fields(), "position": position_row(answered.answer.position)}
        self._out.write(self._rows.text_of(fields)[:-1] + ', "rows": [')
        for index, row in enumerate(answered.answer.rows):
            self._out.write((", " if index else "") + self._rows.text_of(dict(row)))
        self._out.write("]}")
        self._rows.finish()

    def end(self, tally: Tally) -> None:
        self._rows.__exit__()
        self._out.flush()


class CsvWriter:
    """Prints the rows of all DISPLAY commands of a run as one table, when the run is over.

    Other replies are sentences, and go to stderr, so that the output is a table and nothing else;
    those of success not at all.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._rows: list[ReplyRow] = []

    def begin(self, qmgr: str) -> None:
        """Print nothing: the banner is not part of the data."""

    def echo(self, echoed: Echoed) -> None:
        """Print nothing: the echo is not part of the data."""

    def answer(self, answered: Answered) -> None:
        self._take(answered.answer)

    def end(self, tally: Tally) -> None:
        print_csv(self._rows, self._out)
        self._out.flush()

    def _take(self, answer: Answer) -> None:
        for _, reply in answer.replies:
            self._take(reply)
        if answer.shows_rows:
            self._rows += answer.rows
        elif answer.completion and not answer.replies:
            notice("\n".join(answer_lines(answer)))


# Each receives the events of a run in order, and consumes the rows of each reply.
Writer = TextWriter | JsonWriter | CsvWriter


def echo_lines(echoed: Echoed) -> list[str]:
    """The echo of source lines: the number in six columns, a blank, a colon, and the line after
    another blank.
    """
    numbers = [echoed.number if index == 0 else None for index in range(len(echoed.lines))]
    return [
        f"{'' if number is None else number:>{ROOM_FOR_NUMBER}} :{' ' + line if line else ''}"
        for number, line in zip(numbers, echoed.lines, strict=True)
    ]

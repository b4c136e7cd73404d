"""Replies and remarks on the terminal: where each goes, and in which format."""

import io
import shutil
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout, suppress
from typing import TextIO

from msgspec.structs import replace

from mqsc.console.config import value
from mqsc.console.object_names import defined_names
from mqsc.console.options import Choices
from mqsc.console.tables import Screen
from mqsc.console.terminal import is_screen, is_terminal, printable, wrapped
from mqsc.console.text.reasons import counted
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.scripts import for_each
from mqsc.shell import output_marks
from mqsc.shell.brief_error import brief_error
from mqsc.shell.row_formats import DATA_FORMATS, for_people, show_answer
from mqsc.shell.settings import Settings
from mqsc.store.catalog.spelling import similar, suggesting
from mqsc.store.constants import MQRC
from mqsc.store.engine.definitions import namespaces
from mqsc.verbs.syntax import syntax_begun_by


class ReplyDisplay:
    """Shows the replies, errors and remarks of a session.

    `choices` choose the queue manager whose names are suggested. While output goes to a file or a
    program, `screen` is the stream for errors and remarks; None: that of the output. `indent` is
    the width of the prompt if the command is on the line above.
    """

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.screen: TextIO | None = None
        self.indent: int | None = None
        self._request: Request | None = None
        self._hidden: frozenset[str] = frozenset()

    def prepared(self, request: Request) -> Request:
        """The request to perform, whose answer is shown next."""
        self._request = request
        request, self._hidden = for_people(request)
        return request

    def show(
        self,
        answer: Answer,
        text: str,
        output: output_marks.Output,
        settings: Settings,
    ) -> None:
        """Show the answer to a command with this text: data on the output, sentences on the
        screen.
        """
        is_data = answer.shows_rows and not answer.completion
        if (
            not output.is_screen
            and not is_data
            and (answer.completion or settings.format in DATA_FORMATS)
        ):
            with redirect_stdout(self.screen):
                self.show_on_screen(answer, text, settings)
        elif output.is_screen:
            self.show_on_screen(answer, text, settings)
        else:
            show_answer(
                without_system(answer, self._request, settings)[0],
                settings,
                _shape(),
                self._hidden,
            )

    def show_on_screen(self, answer: Answer, text: str, settings: Settings) -> None:
        """Show the answer with the place of an error, or the number of its rows."""
        if answer.completion and settings.format != "classic":
            has_syntax = syntax_begun_by(text) is not None
            lines = brief_error(
                answer,
                text,
                prompt=self.indent,
                width=screen_width(),
                has_syntax=has_syntax,
            )
            self.print(lines or _runmqsc_lines(self._with_similar_name(answer), settings))
            return
        answer, left_out = without_system(answer, self._request, settings)
        number = show_answer(answer, settings, _shape(), self._hidden)
        more = f", {left_out} of SYSTEM left out" if left_out else ""
        if (number > 1 or left_out) and settings.format in ("table", "vertical"):
            sys.stdout.write(f"({counted(number, 'row')}{more})\n")

    def _with_similar_name(self, answer: Answer) -> Answer:
        """The answer about an object that does not exist, with the name of a similar one."""
        request = self._request
        if (
            request is None
            or answer.reason != MQRC.UNKNOWN_OBJECT_NAME
            or request.name not in answer.text
        ):
            return answer
        near = similar(request.name, defined_names(self.choices, namespaces(request.kinds[0])[0]))
        return replace(answer, text=suggesting(near, answer.text)) if near else answer

    def print(self, lines: Iterable[str]) -> None:
        """Print lines, on the screen broken between words."""
        for line in lines:
            for part in _broken(line) if is_terminal(sys.stdout) else (line,):
                sys.stdout.write(f"{part}\n")

    def say(self, text: str) -> None:
        """Print an error or remark on the screen, even if the output of the command is
        redirected.
        """
        screen = self.screen or sys.stdout
        for line in text.split("\n"):
            for part in _broken(line):
                screen.write(f"{part}\n")


def without_system(
    answer: Answer,
    request: Request | None,
    settings: Settings,
) -> tuple[Answer, int]:
    """The answer to a request without SYSTEM objects if they are not wanted, and how many were
    left out.
    """
    return (answer, 0) if settings.system else for_each.without_system(answer, request)


def screen_width() -> int:
    """The width of the screen in columns, even while output goes elsewhere."""
    return shutil.get_terminal_size().columns


def _broken(line: str) -> Iterable[str]:
    return wrapped(printable(line), screen_width(), hanging="    ")


def _runmqsc_lines(answer: Answer, settings: Settings) -> list[str]:
    buffer = io.StringIO()
    with redirect_stdout(buffer):
        show_answer(answer, settings.changed("format", "classic"), _shape(), frozenset())
    return buffer.getvalue().splitlines()


def _shape() -> Screen:
    styled = is_screen(sys.stdout) and bool(value("colours"))
    return Screen(screen_width(), styled=styled, blocks=_has(sys.stdout, "█░"))


def _has(stream: TextIO, characters: str) -> bool:
    """Whether the encoding of a stream has the characters."""
    with suppress(UnicodeEncodeError, LookupError):
        characters.encode(getattr(stream, "encoding", None) or "utf-8")
        return True
    return False

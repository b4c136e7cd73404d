"""Joins source lines into commands, one logical line each, and maps every character back to its
source position.

Rules (MQSC reference, "Rules for using MQSC commands"): a line is a comment if `*` is its first
character, or its first one after blanks outside quotes; blank lines and comments are allowed inside
a continued command; a line that ends in `+` continues with the first non-blank character of the
next line, one that ends in `-` with its first column; `;` outside quotes ends a command, and
another may follow it. Lines end in LF, CRLF or CR; a byte order mark at the start of a line, and a
Ctrl-Z (the end of a file in DOS) at its end, are dropped. A line of 80 characters may end in a line
number of eight digits after a blank, as on z/OS.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from mqsc.grammar.tree import SyntaxFault

# Lines, with or without their line ends, or all of them in one bytes object.
Lines: TypeAlias = Iterable[bytes | str] | bytes

LINE_LENGTH = 2048
# z/OS reads the first 72 columns of a line of 80 characters; the others hold the line number.
READ_COLUMNS, NUMBERED_LENGTH = 72, 80
COMMAND_LENGTH = 32768  # MQ_COMMAND_MQSC_LENGTH
BLANKS = " \t\f\v"

_AFTER_ANY = 1 << 62
_QUOTED_OR_SEMICOLON = re.compile(r"'[^']*'?|;")
_COMMENT = re.compile(r"[ \t\f\v]*\*")
# A line that continues its command, and a comment or blank line, which may be inside a command;
# eight digits at the end may be a line number.
_CONTINUED = re.compile(r".*[-+]\s*(?:\d{8})?$")
_REMARK = re.compile(r"\s*(?:\*|(?:\d{8})?$)")
_column = attrgetter("column")
# NUL, and the surrogates that replace bytes that are not UTF-8.
DEFECT = re.compile("[\0\ud800-\udfff]")


class SourceLine(Struct, frozen=True):
    """A source line without its line end; unreadable characters are replaced by U+FFFD.

    If several commands share a line, each has its own part, which begins at `column` (from 1). All
    parts of a line together are the whole line.
    """

    number: int
    text: str
    column: int = 1


class Remark(Struct, frozen=True):
    """A blank line, a comment outside a command, or a `;` without a command."""

    source: tuple[SourceLine, ...]


class LogicalLine(Struct, frozen=True):
    """One command: `text` is the text of the `source` lines without continuation marks and
    comments.

    `pieces` map the text to the source: (offset in the text, line, column) of each fragment.
    `fault` is set if the line cannot be a command whatever its words are. `unfinished` means that
    the input ended in a continuation; `fault` is then set too.
    """

    source: tuple[SourceLine, ...]
    text: str
    pieces: tuple[tuple[int, int, int], ...]
    fault: SyntaxFault | None = None
    unfinished: bool = False

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset` of the text, or of its end."""
        pieces = self.pieces
        start, line, column = pieces[
            bisect_right(pieces, (offset, _AFTER_ANY)) - 1 if len(pieces) > 1 else 0
        ]
        return line, column + offset - start

    def positions(self, offsets: Iterable[int]) -> list[tuple[int, int]]:
        """The positions of many offsets, in ascending order."""
        pieces = self.pieces
        index = 0
        last = len(self.pieces) - 1
        places = []
        for offset in offsets:
            while index < last and pieces[index + 1][0] <= offset:
                index += 1
            start, line, column = pieces[index]
            places.append((line, column + offset - start))
        return places


def logical_lines(
    lines: Lines,
    *,
    semicolon: bool = True,
    limited: bool = True,
) -> Iterator[LogicalLine | Remark]:
    """The commands of `lines` and the remarks between them, each as soon as it is read. Never
    raises a SyntaxFault.

    Every source line, or every part of a line shared by several commands, is in exactly one result,
    in order. `semicolon=False` reads a rules table: there `;` has no meaning and lengths are not
    limited (dlq-rules §3.8), nor are they if `limited` is false.
    """
    assembly = _Assembly(semicolon, limited and semicolon)
    for number, text in enumerate(physical_lines(lines), 1):
        yield from assembly.take(number, text)
    yield from assembly.end()


def may_continue(line: str) -> bool:
    """Whether the line after this one may belong to the same command."""
    return _CONTINUED.match(line) is not None or _REMARK.match(line) is not None


def blocks(lines: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Runs of lines that hold whole commands with the remarks before them, found without parsing
    the commands.
    """
    block: list[str] = []
    for line in lines:
        block.append(line)
        if not may_continue(line):
            yield tuple(block)
            block.clear()
    if block:
        yield tuple(block)


def physical_lines(lines: Lines) -> Iterator[str]:
    """Lines without their line ends; an item may hold one line, with or without its end, or
    several.

    A byte that is not UTF-8 becomes a surrogate (error handler "surrogateescape").
    """
    if isinstance(lines, (bytes, str)):
        items: Iterable[bytes | str] = [lines] if lines else []
    else:
        items = lines
    for item in items:
        text = item.decode("utf-8", "surrogateescape") if isinstance(item, bytes) else item
        for line in text.removesuffix("\n").split("\n"):
            # Editors count CR CR LF as one line end.
            for part in line.rstrip("\r").split("\r"):
                yield part.removeprefix("\ufeff").removesuffix("\x1a")


def _without_number(text: str) -> str:
    """A line of 80 characters without the line number in its last eight columns, if there is
    one.
    """
    number = text[READ_COLUMNS:]
    numbered = number.isascii() and number.isdigit() and text[READ_COLUMNS - 1] in f"{BLANKS}+-"
    return text[:READ_COLUMNS] if numbered else text


def _statements(text: str, quote_open: bool) -> list[tuple[int, int, bool]]:
    """The parts of a line between semicolons outside quotes: (start, end, whether a `;` follows).

    A comment after a semicolon is left out.
    """
    parts, start = [], 0
    end_of_quoted = (text.find("'") + 1 or len(text)) if quote_open else 0
    for match in _QUOTED_OR_SEMICOLON.finditer(text, end_of_quoted):
        if match.group() == ";":
            parts.append((start, match.start(), True))
            start = match.end()
            if _COMMENT.match(text, start):
                return parts
    return [*parts, (start, len(text), False)]


class _Draft(Struct):
    """The command being read."""

    limited: bool
    source: list[SourceLine] = field(default_factory=list)
    fragments: list[str] = field(default_factory=list)
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    length: int = 0
    quote_open: bool = False
    keeps_blanks: bool = False
    fault: SyntaxFault | None = None

    def add(self, number: int, fragment: str, start: int, ended: bool) -> bool:
        """Add a fragment that begins at offset `start` of line `number`; return whether the
        command is now complete.
        """
        if not self.keeps_blanks:
            unindented = fragment.lstrip(BLANKS)
            start += len(fragment) - len(unindented)
            fragment = unindented
        fragment = fragment.rstrip(BLANKS)
        beyond = start + len(fragment)
        continued = not ended and fragment.endswith(("+", "-"))
        if continued:
            self.keeps_blanks = fragment.endswith("-")
            fragment = fragment[:-1]
        clean = fragment.isascii() and "\0" not in fragment
        too_long = self.limited and (
            beyond > LINE_LENGTH or self.length + len(fragment) > COMMAND_LENGTH
        )
        if self.fault is None and (too_long or not clean):
            self.fault = min(
                self._faults(number, fragment, start, beyond, clean),
                key=_column,
                default=None,
            )
        self.fragments.append(fragment if clean else DEFECT.sub("\ufffd", fragment))
        self.pieces.append((self.length, number, start + 1))
        self.length += len(fragment)
        self.quote_open ^= fragment.count("'") % 2 == 1
        return not continued

    def _faults(
        self,
        number: int,
        fragment: str,
        start: int,
        beyond: int,
        clean: bool,
    ) -> Iterator[SyntaxFault]:
        """The faults of a fragment that, with its continuation mark, spans offsets `start` to
        `beyond` of its line.
        """
        defect = None if clean else DEFECT.search(fragment)
        if defect is not None:
            yield _unreadable(number, start + defect.start() + 1, defect.group())
        if self.limited and beyond > LINE_LENGTH:
            yield _too_long(number, max(start, LINE_LENGTH) + 1, "line", LINE_LENGTH)
        room = max(COMMAND_LENGTH - self.length, 0)
        if self.limited and len(fragment) > room:
            yield _too_long(number, start + room + 1, "command", COMMAND_LENGTH)

    def finish(self, *, unfinished: bool = False) -> LogicalLine | Remark:
        """The command, or a Remark if its text is blank."""
        text = "".join(self.fragments)
        if not (unfinished or text.strip()):
            return Remark(tuple(self.source))
        line = LogicalLine(tuple(self.source), text, tuple(self.pieces), self.fault, unfinished)
        if unfinished and self.fault is None:
            unit = "command" if self.limited else "entry"
            return replace(line, fault=_unfinished(*line.position(len(text)), unit))
        return line


class _Assembly:
    """Holds the command that continues on the next line, if there is one."""

    def __init__(self, semicolon: bool, limited: bool) -> None:
        self._semicolon = semicolon
        self._limited = limited
        self._draft: _Draft | None = None

    def take(self, number: int, text: str) -> Iterator[LogicalLine | Remark]:
        """The commands and remarks that line `number` completes."""
        draft = self._draft
        shown = text if text.isascii() and "\0" not in text else DEFECT.sub("\ufffd", text)
        if self._semicolon and len(text) == NUMBERED_LENGTH:
            text = _without_number(text)
        quote_open = draft is not None and draft.quote_open
        if not text.strip() or text.startswith("*") or (not quote_open and _COMMENT.match(text)):
            yield from self._comment(SourceLine(number, shown))
            return
        parts = [(0, len(text), False)]
        if self._semicolon and ";" in text:
            parts = [
                part
                for part in _statements(text, quote_open)
                if text[part[0] : part[1]].strip() or (draft and not part[0])
            ]
        if not parts:
            yield from self._comment(SourceLine(number, shown))
        for index, (start, end, ended) in enumerate(parts):
            draft = self._draft or _Draft(self._limited)
            first, last = index == 0, index == len(parts) - 1
            begin, beyond = 0 if first else start, len(shown) if last else parts[index + 1][0]
            draft.source.append(SourceLine(number, shown[begin:beyond], begin + 1))
            complete = draft.add(number, text[start:end], start, ended)
            self._draft = None if complete else draft
            if complete:
                yield draft.finish()

    def end(self) -> Iterator[LogicalLine | Remark]:
        """The command that the end of the input leaves unfinished, if there is one."""
        if self._draft is not None:
            yield self._draft.finish(unfinished=True)

    def _comment(self, line: SourceLine) -> Iterator[Remark]:
        """Treat a line as a comment: part of the command being read, or a Remark of its own."""
        if self._draft is None:
            yield Remark((line,))
        else:
            self._draft.source.append(line)


def _unreadable(line: int, column: int, character: str) -> SyntaxFault:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        shown = f"X'{code - 0xDC00:02X}'"
        reason = "is a byte that is not UTF-8; save the script as UTF-8"
    elif code:
        shown, reason = f"U+{code:04X}", "is a lone surrogate; save the script as UTF-8"
    else:
        shown, reason = "X'00'", "is a NUL byte, which a command must not contain"
    return SyntaxFault(line, column, shown, ("text in UTF-8",), f"{shown} {reason}")


def _too_long(line: int, column: int, unit: str, limit: int) -> SyntaxFault:
    reason = f"the {unit} is too long: the limit is {limit} characters"
    return SyntaxFault(
        line,
        column,
        f"character {limit + 1}",
        (f"a {unit} of at most {limit} characters",),
        reason,
    )


def _unfinished(line: int, column: int, unit: str) -> SyntaxFault:
    reason = f"the input ends after a + or - that continues the {unit}"
    return SyntaxFault(line, column, "end of the input", (f"the rest of the {unit}",), reason)

"""The line layer: source lines in, commands out as one line of text each, with the way back to every character.

Rules (MQSC reference, "Rules for using MQSC commands"): `*` in first position, or after leading blanks outside quotes,
makes a comment line; blank lines and comments may stand inside a continued command; a line that ends in `+` continues
with the first character of the next that is not blank, one that ends in `-` with its first column; `;` outside quotes
ends a command, and another may follow it. Lines end in LF, CRLF or CR; a byte order mark before a line is dropped. A
line of 80 characters may end in its number, eight digits behind a blank, as on z/OS.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from grammar.fault import SyntaxFault

# Lines, with or without their ends; or all of them as one text.
Lines: TypeAlias = Iterable[bytes | str] | bytes

LINE_LENGTH = 2048
# z/OS reads the first 72 columns of a line of 80 characters; the rest numbers the lines.
READ_COLUMNS, NUMBERED_LENGTH = 72, 80
COMMAND_LENGTH = 32768  # MQ_COMMAND_MQSC_LENGTH
BLANKS = " \t\f\v"

_AFTER_ANY = 1 << 62
_QUOTED_OR_SEMICOLON = re.compile(r"'[^']*'?|;")
_COMMENT = re.compile(r"[ \t\f\v]*\*")
# NUL, and what stands in for bytes that are not UTF-8.
_DEFECT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line as read, without its end; characters that could not be read are U+FFFD.

    Where several commands share a line, each has its own part of it, which begins at `column` (from 1). The parts of a
    line, put together, are the line.
    """

    number: int
    text: str
    column: int = 1


@dataclass(frozen=True, slots=True)
class Remark:
    """A blank line or a comment outside a command, or a `;` that ends nothing."""

    source: tuple[SourceLine, ...]


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One command: `text` is what the `source` lines say once continuation marks and comments are taken out.

    `pieces` say where the text comes from: (offset in the text, line, column) of each fragment. `fault` says why it
    cannot be a command, whatever it says. `unfinished`: the input ended in a continuation (and `fault` says so too).
    """

    source: tuple[SourceLine, ...]
    text: str
    pieces: tuple[tuple[int, int, int], ...]
    fault: SyntaxFault | None = None
    unfinished: bool = False

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset` of the text, or of its end."""
        pieces = self.pieces
        start, line, column = pieces[bisect_right(pieces, (offset, _AFTER_ANY)) - 1 if len(pieces) > 1 else 0]
        return line, column + offset - start


def logical_lines(lines: Lines, *, semicolon: bool = True) -> Iterator[LogicalLine | Remark]:
    """Every command of `lines` and whatever stands between them, each as soon as it is read. Raises no SyntaxFault.

    Every source line is in exactly one result, in order; of a line that several commands share, every part is.
    `semicolon=False` reads a rules table: there `;` ends nothing and no length is limited (dlq-rules §3.8).
    """
    assembly = _Assembly(semicolon)
    for number, text in enumerate(_physical_lines(lines), 1):
        yield from assembly.take(number, text)
    yield from assembly.end()


def _physical_lines(lines: Lines) -> Iterator[str]:
    """Lines without their ends; an item may be a line, with or without its end, or several.

    A byte that is not UTF-8 becomes a surrogate, as "surrogateescape" has it.
    """
    for item in ((lines,) if lines else ()) if isinstance(lines, (bytes, str)) else lines:
        text = item.decode("utf-8", "surrogateescape") if isinstance(item, bytes) else item
        for line in text.removesuffix("\n").split("\n"):
            # An editor counts CR CR LF as one end of a line.
            for part in line.rstrip("\r").split("\r"):
                yield part.removeprefix("\ufeff")


def _without_number(text: str) -> str:
    """A line of 80 characters without the line number in its last eight columns, if it has one."""
    number = text[READ_COLUMNS:]
    numbered = number.isascii() and number.isdigit() and text[READ_COLUMNS - 1] in f"{BLANKS}+-"
    return text[:READ_COLUMNS] if numbered else text


def _statements(text: str, quote_open: bool) -> list[tuple[int, int, bool]]:
    """The parts of a line between semicolons outside quotes: (start, end, whether a `;` follows).

    A comment after a semicolon is no part.
    """
    if ";" not in text:
        return [(0, len(text), False)]
    parts, start = [], 0
    for found in _QUOTED_OR_SEMICOLON.finditer(text, _end_of_quoted(text) if quote_open else 0):
        if found.group() == ";":
            parts.append((start, found.start(), True))
            start = found.end()
            if _COMMENT.match(text, start):
                return parts
    return [*parts, (start, len(text), False)]


def _end_of_quoted(text: str) -> int:
    """Where the quoted text ends that is open when `text` begins."""
    return text.find("'") + 1 or len(text)


@dataclass(slots=True)
class _Draft:
    """A command as far as it has been read."""

    limited: bool
    source: list[SourceLine] = field(default_factory=list)
    fragments: list[str] = field(default_factory=list)
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    length: int = 0
    quote_open: bool = False
    keeps_blanks: bool = False
    fault: SyntaxFault | None = None

    def add(self, number: int, fragment: str, start: int, ended: bool) -> bool:
        """Add what line `number` says from offset `start` on; whether the command is complete with it."""
        if not self.keeps_blanks:
            start += len(fragment) - len(fragment := fragment.lstrip(BLANKS))
        fragment = fragment.rstrip(BLANKS)
        beyond = start + len(fragment)
        continued = not ended and fragment.endswith(("+", "-"))
        if continued:
            self.keeps_blanks = fragment.endswith("-")
            fragment = fragment[:-1]
        clean = fragment.isascii() and "\0" not in fragment
        if self.fault is None and (not clean or (self.limited and self._is_long(beyond, fragment))):
            self.fault = min(self._faults(number, fragment, start, beyond, clean), key=_column, default=None)
        self.fragments.append(fragment if clean else _DEFECT.sub("\ufffd", fragment))
        self.pieces.append((self.length, number, start + 1))
        self.length += len(fragment)
        self.quote_open ^= fragment.count("'") % 2 == 1
        return not continued

    def _is_long(self, beyond: int, fragment: str) -> bool:
        return beyond > LINE_LENGTH or self.length + len(fragment) > COMMAND_LENGTH

    def _faults(self, number: int, fragment: str, start: int, beyond: int, clean: bool) -> Iterator[SyntaxFault]:
        """What is wrong with a fragment that, with its mark, reaches from offset `start` to `beyond` of its line."""
        if not clean and (defect := _DEFECT.search(fragment)):
            yield _unreadable(number, start + defect.start() + 1, defect.group())
        if self.limited and beyond > LINE_LENGTH:
            yield _too_long(number, max(start, LINE_LENGTH) + 1, "line", LINE_LENGTH)
        room = max(COMMAND_LENGTH - self.length, 0)
        if self.limited and len(fragment) > room:
            yield _too_long(number, start + room + 1, "command", COMMAND_LENGTH)

    def finish(self, *, unfinished: bool = False) -> LogicalLine | Remark:
        """The command, or a Remark when there is nothing in it."""
        text = "".join(self.fragments)
        if not (unfinished or text.strip()):
            return Remark(tuple(self.source))
        line = LogicalLine(tuple(self.source), text, tuple(self.pieces), self.fault, unfinished)
        if unfinished and self.fault is None:
            return replace(line, fault=_unfinished(*line.position(len(text))))
        return line


class _Assembly:
    """Holds the command that waits for its next line, if one does."""

    def __init__(self, semicolon: bool) -> None:
        self._semicolon = semicolon
        self._draft: _Draft | None = None

    def take(self, number: int, text: str) -> Iterator[LogicalLine | Remark]:
        """What is complete once line `number` is read."""
        draft = self._draft
        shown = text if text.isascii() and "\0" not in text else _DEFECT.sub("\ufffd", text)
        if self._semicolon and len(text) == NUMBERED_LENGTH:
            text = _without_number(text)
        quote_open = draft is not None and draft.quote_open
        if not text.strip() or text.startswith("*") or (not quote_open and _COMMENT.match(text)):
            yield from self._aside(SourceLine(number, shown))
            return
        parts = _statements(text, quote_open) if self._semicolon else [(0, len(text), False)]
        parts = [part for part in parts if text[part[0] : part[1]].strip() or (draft and not part[0])]
        if not parts:
            yield from self._aside(SourceLine(number, shown))
        for index, (start, end, ended) in enumerate(parts):
            draft = self._draft or _Draft(self._semicolon)
            first, last = index == 0, index == len(parts) - 1
            begin, beyond = 0 if first else start, len(shown) if last else parts[index + 1][0]
            draft.source.append(SourceLine(number, shown[begin:beyond], begin + 1))
            complete = draft.add(number, text[start:end], start, ended)
            self._draft = None if complete else draft
            if complete:
                yield draft.finish()

    def end(self) -> Iterator[LogicalLine | Remark]:
        """What is left when no line follows."""
        if self._draft is not None:
            yield self._draft.finish(unfinished=True)

    def _aside(self, line: SourceLine) -> Iterator[Remark]:
        """A line that says nothing: part of the command that is being read, or of none."""
        if self._draft is None:
            yield Remark((line,))
        else:
            self._draft.source.append(line)


def _column(fault: SyntaxFault) -> int:
    return fault.column


def _unreadable(line: int, column: int, character: str) -> SyntaxFault:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        found, reason = f"X'{code - 0xDC00:02X}'", "is a byte that is not UTF-8; save the script as UTF-8"
    elif code:
        found, reason = f"U+{code:04X}", "is half a character; save the script as UTF-8"
    else:
        found, reason = "X'00'", "is a NUL byte, which no command may hold"
    return SyntaxFault(line, column, found, ("text in UTF-8",), f"{found} {reason}")


def _too_long(line: int, column: int, what: str, limit: int) -> SyntaxFault:
    reason = f"the {what} is too long: a {what} may have {limit} characters"
    return SyntaxFault(line, column, f"character {limit + 1}", (f"a {what} of {limit} characters at most",), reason)


def _unfinished(line: int, column: int) -> SyntaxFault:
    reason = "the input ends where a + or - at the end of the line says that the command continues"
    return SyntaxFault(line, column, "end of the input", ("the rest of the command",), reason)

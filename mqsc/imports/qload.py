"""Reads files of dmpmqmsg and qload: messages as lines of attributes and data (import §2).

They are read line by line as bytes, because data may be in any code page.

The format has no escapes in texts, so the end of a line in a text would begin another line, perhaps
of another message. A text with control characters is therefore written twice: with question marks in
their place, which dmpmqmsg reads, and in hexadecimal in a comment after it, which `read_qload` reads.
"""

from __future__ import annotations

import re
from binascii import Error as HexError, unhexlify
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from msgspec import Struct, field

from mqsc.console.text.message_properties import GivenProperty
from mqsc.store.descriptor import FIELDS, ID_LENGTH, TOKEN_LENGTH, MessageDescriptor
from mqsc.store.message import Message


class FoundMessages(NamedTuple):
    """Messages of a file that follow one another, and where to put them.

    `lines` are the numbers of their first lines, `ends` the offsets at which they end; `next_line`
    is the first line after them. `queue` and `qmgr` are blank if the file does not name them. All
    have the same properties. A damaged message comes alone, with a `fault` in line `fault_line`; it
    `is_lost` if the rest of it cannot be put.
    """

    lines: list[int]
    ends: list[int]
    next_line: int
    qmgr: str
    queue: str
    messages: list[Message]
    properties: tuple[GivenProperty, ...] = ()
    fault: str = ""
    fault_line: int = 0
    is_lost: bool = False


class Position(Struct):
    """How far a file has been read, and what its headings say of the messages that follow."""

    line: int = 1
    offset: int = 0
    qmgr: str = ""
    queue: str = ""
    cuts_returns: bool = False


# Reads the messages of a file from a position on.
MessageReader = Callable[[BinaryIO, Position], Iterator[FoundMessages]]

# The attributes: code, field, and the length of a text or of bytes; 0 for a number.
CODES = (
    ("RPT", "report", 0),
    ("MST", "msg_type", 0),
    ("EXP", "expiry", 0),
    ("FDB", "feedback", 0),
    ("ENC", "encoding", 0),
    ("CCS", "coded_char_set_id", 0),
    ("FMT", "format", 8),
    ("PRI", "priority", 0),
    ("PER", "persistence", 0),
    ("MSI", "msg_id", ID_LENGTH),
    ("COI", "correl_id", ID_LENGTH),
    ("BOC", "backout_count", 0),
    ("RTQ", "reply_to_q", 48),
    ("RTM", "reply_to_q_mgr", 48),
    ("USR", "user_identifier", 12),
    ("ACC", "accounting_token", TOKEN_LENGTH),
    ("AIX", "appl_identity_data", 32),
    ("PAT", "put_appl_type", 0),
    ("PAN", "put_appl_name", 28),
    ("PTD", "put_date", 8),
    ("PTT", "put_time", 8),
    ("AOX", "appl_origin_data", 4),
    ("GRP", "group_id", ID_LENGTH),
    ("MSQ", "msg_seq_number", 0),
    ("OFF", "offset", 0),
    ("MSF", "msg_flags", 0),
    ("ORL", "original_length", 0),
)
BYTES = frozenset(("MSI", "COI", "ACC", "GRP"))
TEXT_AS_HEX = frozenset(("AIX", "AOX"))
_BLANK = MessageDescriptor(put_date="", put_time="").fields()
_LOWEST, _HIGHEST = -(1 << 31), (1 << 31) - 1
_ESCAPED = re.compile(rb'~(["~])')


class _DamagedError(Exception):
    """A line that does not belong to the grammar; the text says why."""


def read_qload(stream: BinaryIO, at: Position) -> Iterator[FoundMessages]:
    """The messages of a file from the position on, which moves with them; damaged ones have a
    fault.
    """
    reader = _Reader(stream, at)
    while messages := reader.alike() or reader.next():
        yield messages


# Most lines of attributes are repeated from message to message, so these are read only once.
_MOST_KNOWN = 4096
_BLOCK = 1 << 18
# The length of the beginning of a line of an attribute, with its code.
_CODE = 6
# The most messages that are read at once.
_MOST_ALIKE = 250


class _Likeness(NamedTuple):
    """How messages like the last one are read, which takes a tenth of the time.

    `fields`: what precedes the value of a field that varies, the index of the field and how its
    value is read; `rest`: the other attributes behind them, in `lines` lines altogether.
    """

    fields: tuple[tuple[bytes, int, Callable[[bytes], Any]], ...]
    rest: bytes
    values: list[Any]
    lines: int

    def read(self, block: bytes, place: int) -> tuple[Message, int, int] | None:
        """The message at that place, how many lines it has and where the next begins; None if it is
        another one.

        HexError or _DamagedError if a value or the data is not what it should be.
        """
        values = self.values.copy()
        for before, index, read in self.fields:
            if not block.startswith(before, place):
                return None
            place += len(before)
            beyond = block.find(b"\n", place)
            values[index] = read(block[place:beyond])
            place = beyond
        end = block.find(b"\nA ", place + len(self.rest)) + 1
        if not (end and block.startswith(self.rest, place)):
            return None
        lines = block[place + len(self.rest) : end]
        digits = lines.rstrip(b"\n")
        data = digits.split(b"\nX ")
        message = Message(unhexlify(b"".join(data)), MessageDescriptor(*values))
        return message, self.lines + len(data) - 1 + len(lines) - len(digits), end


class _Reader:
    """Reads messages from a file, line by line, or faster those that have the attributes of the
    last one.
    """

    def __init__(self, stream: BinaryIO, at: Position) -> None:
        self._stream, self._at = stream, at
        self._block, self._begin = b"", 0
        self._known: dict[bytes, tuple[int, Any]] = {}
        self._likeness: _Likeness | None = None
        self._last: list[bytes] = []
        # The attributes that differed from one message to the next.
        self._varying = {b"A MSI ", b"A PTT "}

    def alike(self) -> FoundMessages | None:
        """The next messages that are whole in the block, have the attributes of the last one,
        and hexadecimal data.
        """
        like = self._likeness
        at = self._at
        block = self._block
        begin = self._begin
        if like is None or at.cuts_returns:
            return None
        lines = list[int]()
        ends = list[int]()
        line = at.line
        offset = at.offset - begin
        messages: list[Message] = []
        # One that is damaged is read line by line, which says where the fault is.
        with suppress(HexError, _DamagedError):
            while len(messages) < _MOST_ALIKE and (alike_message := like.read(block, begin)):
                message, length, begin = alike_message
                messages.append(message)
                lines.append(line)
                ends.append(offset + begin)
                line += length
        if not messages:
            return None
        self._begin = begin
        at.line = line
        at.offset = ends[-1]
        return FoundMessages(lines, ends, line, at.qmgr, at.queue, messages)

    def next(self) -> FoundMessages | None:
        """The next message, read line by line; None at the end of the file."""
        draft, at = _Draft(), self._at
        before = b""
        while line := self._line(draft):
            self._take(line, before, draft)
            if not draft.line and draft.has_begun:
                draft.line = at.line
            before = line
            at.line += 1
            at.offset += len(line)
        self._learn(draft)
        return draft.messages_before(at) if draft.line else None

    def _take(self, line: bytes, before: bytes, draft: _Draft) -> None:
        """Add a line to the message; `before` is the line before it."""
        at = self._at
        kind = line[:2]
        if kind == b"A ":
            known = None if draft.is_bare else self._known.get(line)
            attribute = known or draft.attribute(line, at)
            if attribute is not None:
                index, value = attribute
                draft.values[index] = value
                self._remember(line, attribute)
            draft.attributes.append(line)
        elif kind in _DATA or line[:1] in _BARE:
            read = _DATA[kind[:1] + b" "]
            draft.data.append(draft.tried(read, _content(line, at), at) or b"")
        elif line[:1] == b"*":
            draft.take_whole_text(line, before, at)
            _comment(line, at)
        elif line[:1] == b"N" and not line[1:].strip():
            draft.is_bare = True
        elif line.strip(b"\0 \t\r\n"):
            draft.note("it is neither an attribute nor data", at.line)

    def _learn(self, draft: _Draft) -> None:
        """Learn from a message how those that have its attributes are read."""
        if self._last:
            changed = set(draft.attributes).difference(self._last)
            self._varying.update(line[:_CODE] for line in changed)
        self._last = draft.attributes
        self._likeness = None
        if not (draft.fault or draft.is_bare or draft.has_whole_text):
            self._likeness = _likeness(draft.attributes, self._varying, draft.values)

    def _line(self, draft: _Draft) -> bytes:
        """The next line of the message; empty at the end of the file, or where another message
        begins.
        """
        end = self._block.find(b"\n", self._begin) + 1
        while not end and (more := self._stream.read(_BLOCK)):
            self._block, self._begin = self._block[self._begin :] + more, 0
            end = self._block.find(b"\n") + 1
        line = self._block[self._begin : end or None]
        if draft.data and line[:1] in (b"A", b"N", b"*"):
            return b""
        self._begin += len(line)
        return line

    def _remember(self, line: bytes, attribute: tuple[int, Any]) -> None:
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._known[line] = attribute


def _likeness(attributes: list[bytes], varying: set[bytes], values: list[Any]) -> _Likeness:
    """How messages are read that have these attributes but for those that vary."""
    fields, before = [], b""
    for line in attributes:
        before += line
        if line[:_CODE] in varying and line[2:5] in _ATTRIBUTES:
            index, read = _ATTRIBUTES[line[2:5]]
            fields.append((before[: _CODE - len(line)], index, read))
            before = b"\n"
    return _Likeness(tuple(fields), before + b"X ", [*values], len(attributes))


class _Draft(Struct):
    """The message being read; `is_bare` if it was written without its descriptor. `line` is 0
    before it begins.

    `has_whole_text`: a comment had the text of an attribute in hexadecimal.
    """

    line: int = 0
    values: list[Any] = field(default_factory=lambda: [*_BLANK])
    attributes: list[bytes] = field(default_factory=list)
    data: list[bytes] = field(default_factory=list)
    fault: str = ""
    fault_line: int = 0
    is_bare: bool = False
    has_whole_text: bool = False

    @property
    def has_begun(self) -> bool:
        return bool(self.attributes or self.data or self.is_bare or self.fault)

    def note(self, fault: str, line: int) -> None:
        """Note the first fault."""
        if not self.fault:
            self.fault, self.fault_line = fault, line

    def take_whole_text(self, comment: bytes, before: bytes, at: Position) -> None:
        """Take the text of an attribute from a comment that has it in hexadecimal, directly
        behind its line.
        """
        match = _WHOLE_TEXT.match(comment)
        if match is None or before[:_CODE].rstrip() != b"A " + match[1]:
            return
        index, length = _TEXTS[match[1]]
        text = self.tried(partial(_text_of_hex, length), match[2], at)
        if text is not None:
            self.values[index] = text
            self.has_whole_text = True

    def attribute(self, line: bytes, at: Position) -> tuple[int, Any] | None:
        """The index of a field and its value in a line; None for the version, which no field holds
        here, and for a damaged line.
        """
        if self.is_bare:
            self.note("N (no descriptor) and a line of attributes exclude each other", at.line)
            return None
        attribute: tuple[int, Any] | None = self.tried(_attribute, _content(line, at), at)
        return attribute

    def tried(self, read: Callable[[bytes], Any], content: bytes, at: Position) -> Any:
        """What the function reads; None if it fails, which makes the message a damaged one."""
        try:
            return read(content)
        except _DamagedError as damage:
            self.note(str(damage), at.line)
        except HexError:
            self.note("it does not have pairs of hexadecimal digits", at.line)
        return None

    def messages_before(self, at: Position) -> FoundMessages:
        """The message, which ends before the line at the position."""
        body = self.data[0] if len(self.data) == 1 else b"".join(self.data)
        if not self.data:
            self.note("the message has no data line", self.line)
        message = Message(body, MessageDescriptor(*self.values))
        where = [self.line], [at.offset], at.line, at.qmgr, at.queue
        return FoundMessages(*where, [message], (), self.fault, self.fault_line, bool(self.fault))


def _attribute(content: bytes) -> tuple[int, Any] | None:
    code, value = content[:3], content[4:]
    if code == b"VER":
        return None
    if code not in _ATTRIBUTES:
        raise _DamagedError(f"the attribute {code.decode('latin-1')!r} is not known")
    index, read = _ATTRIBUTES[code]
    return index, read(value)


def _number(value: bytes) -> int:
    try:
        number = int(value)
    except ValueError:
        raise _DamagedError(f"{value.decode('latin-1')!r} is not a number") from None
    if not _LOWEST <= number <= _HIGHEST:
        raise _DamagedError(f"{number} has more than 32 bits")
    return number


def _bytes(length: int, digits: bytes) -> bytes:
    decoded = unhexlify(digits.strip()).ljust(length, b"\0")
    if len(decoded) > length:
        raise _DamagedError(f"{len(decoded)} bytes in a field of {length}")
    return decoded


def _text(length: int, value: bytes) -> str:
    value = value[:length]
    try:
        return value.decode().rstrip(" \0")
    except UnicodeDecodeError:
        return value.decode("latin-1").rstrip(" \0")


def _text_of_hex(length: int, digits: bytes) -> str:
    return _text(length, _bytes(length, digits))


def _reading(code: str, length: int) -> Callable[[bytes], Any]:
    """How the value of an attribute is read; it raises _DamagedError, or HexError for digits."""
    if not length:
        return _number
    if code in BYTES:
        return partial(_bytes, length)
    return partial(_text_of_hex if code in TEXT_AS_HEX else _text, length)


# By its code, the index of the field and how its value is read.
_ATTRIBUTES: Mapping[bytes, tuple[int, Callable[[bytes], Any]]] = {
    code.encode(): (FIELDS.index(name), _reading(code, length))
    for code, name, length in (
        *CODES,
        ("AID", "appl_identity_data", 32),
        ("AOD", "appl_origin_data", 4),
    )
}

# By its code, the index of a text and its length in bytes.
_TEXTS: Mapping[bytes, tuple[int, int]] = {
    code.encode(): (FIELDS.index(name), length)
    for code, name, length in CODES
    if length and code not in BYTES | TEXT_AS_HEX
}
_WHOLE_TEXT = re.compile(rb"\* (%s) in hexadecimal: ([0-9A-Fa-f]*)\s*$" % b"|".join(_TEXTS))


def _content(line: bytes, at: Position) -> bytes:
    """The line behind its letter and blank, without its end."""
    return line[2:].removesuffix(b"\n").removesuffix(b"\r" if at.cuts_returns else b"")


def _of_hex(content: bytes) -> bytes:
    """X: digits, and perhaps the characters between < and > behind blanks."""
    digits, _, rest = content.partition(b" ")
    rest = rest.strip(b" \r")
    if rest and not (rest.startswith(b"<") and rest.endswith(b">")):
        raise _DamagedError(
            "what is behind a blank is not read as data; write the digits without blanks",
        )
    return unhexlify(digits.rstrip(b"\r"))


def _of_string(content: bytes) -> bytes:
    if not content.startswith(b'"'):
        return content.rstrip(b" ")
    quoted = content.rstrip(b" \r")
    if len(quoted) < 2 or not quoted.endswith(b'"'):
        raise _DamagedError("the quote at the end of the string is missing")
    return _ESCAPED.sub(rb"\1", quoted[1:-1])


_DATA = {b"X ": _of_hex, b"S ": _of_string, b"T ": lambda content: content + b"\n"}
# Editors remove the blank of an empty line of data.
_BARE = frozenset((b"X", b"T"))
_HEADING = re.compile(rb"\* (?:QLOAD|DMPMQMSG) Version:")
_NAMED = re.compile(rb"\* (Qmgr|Queue) += (\S+)")


def _comment(line: bytes, at: Position) -> None:
    if _HEADING.match(line):
        at.cuts_returns = line.endswith(b"\r\n")
    elif match := _NAMED.match(line):
        setattr(at, match[1].decode().lower(), match[2].decode("latin-1"))

"""Files of records as pieces of bytes that are read one after the other, and local times.

The memory that a file takes does not depend on its length. A time without a zone is UTC by the zone
that was given, or by an offset that records of the same host and day have taught; else it is taken
for UTC, and marked as assumed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from itertools import pairwise
from typing import BinaryIO, NamedTuple

_BLOCK = 1 << 20
_LINE_FEED = ord("\n")
# A longer piece is not a record.
_LONGEST = 1 << 24
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
_QUARTER = timedelta(minutes=15)
# No zone is farther from UTC.
_FARTHEST = timedelta(hours=15)
ASSUMED, AMBIGUOUS = "assumed", "ambiguous"


class Piece(NamedTuple):
    """A part of a file: the number of its first line, where it begins and ends, and its bytes.

    `is_last`: the file has no more now, so the piece may go on when it grows.
    """

    line: int
    begin: int
    end: int
    data: bytes
    is_last: bool


class Opened(NamedTuple):
    """A file that is read from an offset, which is that of a line, on.

    `tail` goes on where the file ends: the rest of a record that its rotation has cut.
    """

    stream: BinaryIO
    begin: int = 0
    line: int = 1
    tail: bytes = b""


def pieces(file: Opened, start: re.Pattern[bytes]) -> Iterator[Piece]:
    """The pieces of a file, each up to where the pattern matches again; a line feed at its
    beginning ends a piece.

    The first piece begins where the reading begins, whether the pattern matches there or not.
    """
    _, begin, line, tail = file
    buffer, is_over = b"", False
    while not is_over:
        block = file.stream.read(_BLOCK)
        is_over = not block
        buffer += block or tail
        # A pattern that begins with a line feed is found faster than one with ^.
        places = (each.start() for each in start.finditer(buffer))
        cuts = [0, *(at + 1 if buffer[at] == _LINE_FEED else at for at in places if at)]
        if is_over:
            cuts.append(len(buffer))
        elif len(cuts) == 1 and len(buffer) > _LONGEST:
            cuts.append(buffer.rfind(b"\n") + 1 or len(buffer))
        for first, after in pairwise(cuts):
            data = buffer[first:after]
            if data:
                yield Piece(line, begin, begin + len(data), data, is_over and after == len(buffer))
            line += data.count(b"\n")
            begin += len(data)
        buffer = buffer[cuts[-1] :]


def skip(stream: BinaryIO, length: int) -> int:
    """Read so many bytes from the beginning, or go there; how many lines they have, if they are
    few.
    """
    if length > io.DEFAULT_BUFFER_SIZE << 4 and isinstance(stream, io.BufferedReader):
        stream.seek(length)
        return 0
    lines = 0
    while length > 0 and (block := stream.read(min(length, _BLOCK))):
        length -= len(block)
        lines += block.count(b"\n")
    return lines


def beginning_before(stream: BinaryIO, start: re.Pattern[bytes], head: re.Pattern[bytes]) -> bytes:
    """What a file has before its first piece with that head; nothing if that is only blank, or
    if it has none.
    """
    first = next(pieces(Opened(stream), start), None)
    is_before = first is not None and not first.is_last and head.match(first.data) is None
    return first.data if first is not None and is_before and first.data.strip() else b""


def decoded(data: bytes, encoding: str) -> str:
    """The text of a piece: UTF-8 if it is that, else in the given encoding; lines end with LF,
    NULs are cut.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\0", "") if "\r" in text or "\0" in text else text


_SURROGATE = re.compile(r"(\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u[dD][89a-fA-F]..")


def json_text(data: bytes, encoding: str) -> str:
    """The text of a piece that is JSON, without halves of surrogate pairs, which are no
    characters.
    """
    text = decoded(data, encoding)
    if "\\ud" in text or "\\uD" in text:
        return _SURROGATE.sub(lambda match: match[1] or "\\ufffd", text)
    return text


def microseconds(moment: datetime) -> int:
    """A moment with a zone as microseconds since 1970, UTC; OverflowError if that is in no year
    from 1 to 9999.
    """
    number = (moment - _EPOCH) // timedelta(microseconds=1)
    if not _FIRST <= number <= _LAST:
        raise OverflowError(f"{moment} in UTC is before the year 1 or after 9999")
    return number


class ZonedTime(NamedTuple):
    """Microseconds UTC, and where the zone is from: its name or offset, `assumed` or
    `ambiguous`; blank for UTC.
    """

    at: int
    zone: str


class LocalTimes:
    """Turns local times into UTC; `zone` is that of all files, if it was given."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone
        # By host and day; None where records disagree, as on a day on which the offset changes.
        self._learned: dict[tuple[str, int], timedelta | None] = {}
        self._seen: set[tuple[str, str]] = set()

    def learn(self, host: str, local: datetime, at: int) -> None:
        """A record of the host has the time `at` as the local one."""
        away = timedelta(microseconds=microseconds(local.replace(tzinfo=UTC)) - at)
        if abs(away) > _FARTHEST:
            return
        offset = round(away / _QUARTER) * _QUARTER
        known = self._learned.setdefault((host, local.toordinal()), offset)
        if known != offset:
            self._learned[host, local.toordinal()] = None

    def is_new(self, host: str, hour: str) -> bool:
        """Whether a record of the host in an hour, however that is written, is the first one to
        learn from.
        """
        is_new = (host, hour) not in self._seen
        self._seen.add((host, hour))
        return is_new

    def utc(self, local: datetime, host: str = "") -> ZonedTime:
        """The moment of a local time of the host; one that no year has in UTC is taken for UTC."""
        with suppress(OverflowError):
            return self._utc(local, host)
        return ZonedTime(microseconds(local.replace(tzinfo=UTC)), ASSUMED)

    def _utc(self, local: datetime, host: str) -> ZonedTime:
        if self._zone is not None:
            first, second = (local.replace(tzinfo=self._zone, fold=fold) for fold in (0, 1))
            name = AMBIGUOUS if first.utcoffset() != second.utcoffset() else str(self._zone)
            return ZonedTime(microseconds(first), name)
        offset = self._learned.get((host, local.toordinal()))
        if offset is None:
            return ZonedTime(microseconds(local.replace(tzinfo=UTC)), ASSUMED)
        minutes = offset // timedelta(minutes=1)
        sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
        return ZonedTime(
            microseconds(local.replace(tzinfo=timezone(offset))),
            f"{sign}{hours:02}:{rest:02}",
        )

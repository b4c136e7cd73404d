"""A record of an error log: what all forms of such logs have (import-events §3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mqsc.imports.source_text import Piece

LINE = re.compile(rb"\n")
INSERTS = ("ArithInsert1", "ArithInsert2", "CommentInsert1", "CommentInsert2", "CommentInsert3")


class LogRecord(NamedTuple):
    """A message of an error log, and where it is in the file.

    `time` is the time as written. Without a zone `zone` says where the zone is from. `inserts` has
    no empty ones.
    """

    piece: Piece
    message_id: str
    text: str
    time: str
    at: int
    zone: str
    precision: str
    qmgr: str
    severity: str
    inserts: Mapping[str, str]
    program: str = ""
    process: str = ""
    thread: str = ""
    user: str = ""
    host: str = ""

    def identity(self) -> tuple[object, ...]:
        """What the same record has in another file too, in text as in JSON."""
        when = self.at // 1000 if self.precision == "millisecond" else (self.time, self.text)
        number = self.message_id[:7]
        return (
            number,
            when,
            self.process,
            self.thread,
            *(self.inserts.get(name, "") for name in INSERTS),
        )


class Damaged(NamedTuple):
    """A part of a file that is no record, and what is wrong with it.

    `is_fault`: something is lost; else it is only worth knowing.
    """

    piece: Piece
    sentence: str
    is_fault: bool = True


class NotARecordError(Exception):
    """The part of a file cannot be read; the text says why."""

"""Imports error logs and event messages into the history, each record once.

A record is known by a fingerprint of what it has in common with the same record in another file,
and by how many equal ones the file has before it. A window of records is understood before the
first of them is recorded, because some complete or explain others. `Follower` goes on where it was,
with the state that is kept with the records.
"""

from __future__ import annotations

import io
import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct, convert, to_builtins
from msgspec.json import encode

from mqsc.console.inputs import InputError
from mqsc.imports import (
    container_log,
    error_log_json,
    error_log_text,
    event_json,
    event_pcf,
    event_text,
    job_log,
)
from mqsc.imports.activity_trace import Unit
from mqsc.imports.destination import Recorder, destination
from mqsc.imports.error_log import Damaged
from mqsc.imports.event_meaning import Understanding
from mqsc.imports.log_events import Entry, understand
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, Remark, opened_again
from mqsc.imports.source_text import LocalTimes, Opened, Piece, beginning_before, skip
from mqsc.store.admin.imported_records import FoundRecord, position_of
from mqsc.store.engine.state import StoreState
from mqsc.store.error import ImportedNameError

# So many records may belong together.
_WINDOW = 64
# Equal records that are farther apart are not told from each other.
_REMEMBERED = 1_024
_ROTATED = re.compile(r"(?P<before>.*AMQERR)(?P<number>\d\d)(?P<behind>\.[A-Za-z]+)")
_HEAD = 256

FileRecords = Iterator[Any]
Meaning = Callable[[Any, "deque[Entry]"], Entry]


class EventFormat(NamedTuple):
    """How a format is read.

    `start` is where a record begins that rotation may have cut, if there is any. `is_complete` says
    whether nothing can be added to the last record of a file that grows.
    """

    source: str
    read: Callable[[Opened, LocalTimes, str, bool], FileRecords]
    is_complete: Callable[[Piece], bool]
    start: re.Pattern[bytes] | None = None


def _ends_with(*ends: bytes) -> Callable[[Piece], bool]:
    return lambda piece: not piece.is_last or piece.data.endswith(ends)


FORMATS: Mapping[str, EventFormat] = {
    "errorlog": EventFormat(
        "errorlog", error_log_text.text_records, error_log_text.is_complete, error_log_text.START
    ),
    "errorlog-json": EventFormat("errorlog", error_log_json.json_records, _ends_with(b"\n")),
    "containerlog": EventFormat("errorlog", container_log.container_records, _ends_with(b"\n")),
    "joblog": EventFormat("errorlog", job_log.job_log_records, _ends_with(b"\n")),
    "amqsevt-json": EventFormat("amqsevt", event_json.json_messages, lambda piece: True),
    "amqsevt": EventFormat("amqsevt", event_text.text_messages, _ends_with(b"\n\n")),
    "pcf": EventFormat("pcf", event_pcf.pcf_messages, lambda piece: True),
}


class Progress(Struct):
    """How far a file was imported: the offset and line of the next record, equal records before
    it, units of work.
    """

    begin: int = 0
    line: int = 1
    equal: dict[str, int] = {}
    units: Mapping[int, Unit] = {}

    def fingerprint(self, entry: Entry, source: str) -> str:
        """The fingerprint of the next record, which is then one of those before."""
        first = sha256(encode([source, *entry.identity])).hexdigest()[:32]
        # The last one is that of the last record.
        number = self.equal.pop(first, 0)
        self.equal[first] = number + 1
        if len(self.equal) > _REMEMBERED:
            del self.equal[next(iter(self.equal))]
        return first if number == 0 else sha256(f"{first} {number}".encode()).hexdigest()[:32]


def import_events(
    format: str,
    files: Sequence[ImportFile],
    options: ImportOptions,
) -> Iterator[Imported]:
    """Import the files of a format; of rotated ones the oldest first, joining a record that is
    in two of them.
    """
    with destination(options) as store:
        for each in _joined(format, files):
            yield _FileImport(store, options, format, each).run()


class _Part(NamedTuple):
    """A file, what of its beginning belongs to the file before it, and what ends its last record
    in the next one.
    """

    file: ImportFile
    skipped: int = 0
    tail: bytes = b""


def _joined(format: str, files: Sequence[ImportFile]) -> Iterator[_Part]:
    """The files in order, the oldest of rotated ones first."""
    start = FORMATS[format].start
    ordered = sorted(files, key=_age)
    skipped = 0
    for file, other in pairwise([*ordered, None]):
        tail = b""
        if start is not None and other is not None and _age(file)[0] == _age(other)[0]:
            with other.opened() as stream:
                tail = beginning_before(stream, start, error_log_text.HEAD)
        yield _Part(file, skipped, tail)  # type: ignore[arg-type]
        skipped = len(tail)


def _age(file: ImportFile | None) -> tuple[str, int]:
    name = "" if file is None else file.name
    match = _ROTATED.fullmatch(name)
    if match is None:
        return name, 0
    return match["before"] + match["behind"], -int(match["number"])


class _FileImport:
    """The import of one file, from where it was left.

    With `is_growing`, what may go on when the file grows is left for the next time, and nothing
    damaged ends the import.
    """

    def __init__(self, store: StoreState, options: ImportOptions, format: str, part: _Part) -> None:
        self.progress = Progress()
        self.is_growing = False
        self._options = options
        self._part = part
        self._format = FORMATS[format]
        self._outcome = Imported(part.file.name, format)
        self._recorder = Recorder(store, options, self._outcome, self._format.source)

    def follow(self, state: Mapping[str, Any], identity: str, size: int) -> None:
        """Continue where the last import of that file stopped, and record where this one stops."""
        progress = convert(state, Progress, strict=False, str_keys=True)
        self.progress = progress if progress.begin <= size else Progress()
        self._recorder.position = lambda: (identity, to_builtins(self.progress, str_keys=True))

    def run(self) -> Imported:
        """Import the file."""
        part = self._part
        with part.file.opened() as stream:
            day_first = self._format.start is not None and error_log_text.has_days_first(stream)
        with part.file.opened() as stream:
            if self.progress.begin == 0 and part.skipped:
                self.progress.begin = part.skipped
                self.progress.line += skip(stream, part.skipped)
            elif self.progress.begin:
                skip(stream, self.progress.begin)
            try:
                self._read(
                    Opened(stream, self.progress.begin, self.progress.line, part.tail),
                    day_first,
                )
                self._recorder.end()
            except ImportedNameError as refusal:
                self._outcome.faults.append(Remark(part.file.name, str(refusal)))
                self._outcome.stopped = part.file.name
        return self._outcome

    def _read(self, opened: Opened, day_first: bool) -> None:
        times, encoding = self._options.times, self._options.encoding
        meaning: Meaning = (
            partial(understand, origin=self._recorder.origin)
            if self._format.source == "errorlog"
            else Understanding(self._recorder.origin, times, self.progress.units).entry
        )
        before: deque[Entry] = deque()
        for record in self._format.read(opened, times, encoding, day_first):
            if isinstance(record, Damaged):
                if not self._goes_on(record):
                    break
                continue
            before.append(meaning(record, before))
            if len(before) > _WINDOW:
                self._take(before.popleft())
        while before and not self.is_growing:
            self._take(before.popleft())

    def _goes_on(self, damaged: Damaged) -> bool:
        """Report a damaged part; whether the import goes on behind it."""
        if self.is_growing and damaged.piece.is_last:
            return True
        stops = damaged.is_fault and not self._options.keep_going
        place = f"{self._part.file.name}:{damaged.piece.line}"
        listed = self._outcome.faults if damaged.is_fault else self._outcome.remarks
        listed.append(Remark(place, damaged.sentence))
        self._outcome.stopped = place if stops else ""
        return not stops

    def _take(self, entry: Entry) -> None:
        """Take an entry that nothing changes any more."""
        # What is not complete will be read again.
        is_complete = self._format.is_complete(entry.piece)
        progress = self.progress if is_complete else Progress(equal=self.progress.equal.copy())
        fingerprint = progress.fingerprint(entry, self._format.source)
        if is_complete:
            self.progress.begin, self.progress.units = entry.piece.end, entry.units
            self.progress.line = entry.piece.line + entry.piece.data.count(b"\n")
        if not entry.qmgr:
            self._recorder.nameless += 1
            return
        self._recorder.take(FoundRecord(fingerprint, entry.events))


class Follower:
    """Imports what is new in files that others write, whenever it looks."""

    def __init__(self, store: StoreState, options: ImportOptions) -> None:
        self._store, self._options = store, options
        self._sizes: dict[str, int] = {}
        self._done: set[str] = set()

    def look(self, format: str, files: Sequence[ImportFile]) -> Iterator[Imported]:
        """Import what is new in the files of a format; what came of those that had something."""
        with ExitStack() as streams:
            held = [each for file in files if (each := _held(file, streams)) is not None]
            yield from self._look(format, held)

    def _look(self, format: str, files: Sequence[ImportFile]) -> Iterator[Imported]:
        identities = {file.name: _identity(file) for file in files}
        if all(
            identity in self._done and self._sizes[identity] == size
            for identity, size in identities.values()
        ):
            return
        for part in _joined(format, files):
            identity, size = identities[part.file.name]
            known = self._sizes.get(identity)
            if identity in self._done and known == size:
                continue
            file_import = _FileImport(self._store, self._options, format, part)
            file_import.follow(position_of(self._store, identity), identity, size)
            # A file that has not grown since the last look has no more for now.
            file_import.is_growing = known != size
            outcome = file_import.run()
            self._sizes[identity] = size
            (self._done.discard if file_import.is_growing else self._done.add)(identity)
            if outcome.counts or outcome.faults:
                yield outcome


def _held(file: ImportFile, streams: ExitStack) -> ImportFile | None:
    """The same file, however it is renamed meanwhile, until the streams are closed; None if it
    has gone.
    """
    try:
        stream = streams.enter_context(file.opened())
    except (InputError, OSError):
        return None
    return ImportFile(file.name, partial(opened_again, stream))


def _identity(file: ImportFile) -> tuple[str, int]:
    """What a file keeps when it is renamed, and its length."""
    with file.opened() as stream:
        head = sha256(stream.read(_HEAD)).hexdigest()[:16]
        try:
            status = os.fstat(stream.fileno())
        except io.UnsupportedOperation:
            return f"{file.name}:{head}", stream.seek(0, os.SEEK_END)
    return (
        f"{status.st_dev}:{status.st_ino}:{head if status.st_size >= _HEAD else 'short'}",
        status.st_size,
    )

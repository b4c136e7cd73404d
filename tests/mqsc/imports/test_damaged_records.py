"""Damaged logs and event messages: whatever is in a file, it is read or reported, and what is
read can be stored.
"""

from __future__ import annotations

import io
import os
import random
from collections import deque

import pytest

from mqsc.imports.error_log import Damaged
from mqsc.imports.event_meaning import Understanding
from mqsc.imports.log_events import Entry, Origin, understand
from mqsc.imports.recording import FORMATS, Progress
from mqsc.imports.source_text import LocalTimes, Opened
from mqsc.store.sql.rows import EventRow
from tests.mqsc.imports.test_error_logs import BOUND, CONTAINER, FAILED, LOST, as_json
from tests.mqsc.imports.test_event_messages import (
    CHANGE,
    COMMAND,
    FULL,
    GET,
    PUT,
    TEXT,
    call,
    message,
    pcf,
    trace,
    written,
)

COUNT = int(os.environ.get("MQSC_IMPORT_FUZZ", "60"))
EVENTS = (
    message(45, 2053, FULL),
    message(43, 2368, CHANGE, correlationID="AB", objectState="After Change"),
    message(99, 2412, COMMAND),
    trace(call("Put", 1, **PUT), call("Get", 2, **GET), call("Back", 3)),
)
WHOLE = {
    "errorlog": (BOUND + LOST + FAILED).encode(),
    "errorlog-json": (as_json("AMQ9002I: x", ibm_commentInsert1="A") * 2).encode(),
    "containerlog": CONTAINER.encode(),
    "amqsevt-json": written(*EVENTS).encode(),
    "amqsevt": TEXT.format(head="", gap="  ").encode() * 2,
    "pcf": pcf(44, 2222) + pcf(45, 2053),
}
PARTS = (
    b"{",
    b"}",
    b'"',
    b"(",
    b")",
    b"\n",
    b"\0",
    b"\\ud800",
    b"\xff",
    b"9" * 30,
    b"9" * 5000,
    "\u00b2".encode(),
    b"-1",
    b"[" * 3000,
    b": ",
    b"null",
    b"1e9",
)


def rows(format: str, data: bytes) -> list[EventRow]:
    """The events of a file; those that are stored, in the form that the database takes."""
    chosen, times, origin = FORMATS[format], LocalTimes(), Origin("x", "f", "SHOP")
    meaning = Understanding(origin, times, {})
    before: deque[Entry] = deque()
    for found in chosen.read(Opened(io.BytesIO(data)), times, "latin-1", False):
        if isinstance(found, Damaged):
            assert found.sentence
        else:
            before.append(
                understand(found, before, origin)
                if "log" in format
                else meaning.entry(found, before),
            )
            Progress().fingerprint(before[-1], format)
    return [row for entry in before for row in entry.events]


@pytest.mark.parametrize("format", WHOLE)
def test_whatever_is_damaged_can_be_read_or_is_reported(format: str) -> None:
    whole = WHOLE[format]
    assert rows(format, whole)
    for seed in range(COUNT):
        chance = random.Random(seed)
        data = whole
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(data))
            data = data[:at] + chance.choice(PARTS) + data[at + chance.choice((0, 0, 1, 20)) :]
        for row in rows(format, data):
            numbers = [value for value in row if isinstance(value, int)]
            assert all(-(1 << 63) <= value < 1 << 63 for value in numbers), (seed, row)
            assert "".join(value for value in row if isinstance(value, str)).encode(), seed

"""The log of a container, as `docker logs` shows it, perhaps behind another time: what MQ reports,
with its inserts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from mqsc.imports.error_log import LINE, Damaged, LogRecord
from mqsc.imports.source_text import LocalTimes, Opened, decoded, microseconds, pieces

_REPORTED = re.compile(
    r"(?:.*[\s|])?(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z) (?P<id>AMQ\d{4}[A-Z]?): "
    r"(?P<text>.*?)"
    r"(?: \[(?P<inserts>(?:Arith|Comment)Insert\d\(.*?)\]?)?$",
)
_INSERT = re.compile(r"(\w+Insert\d)\((.*?)\)?(?=, \w+Insert\d\(|$)")
_MANAGER = re.compile(r"Using queue manager name: (\S+)|[Qq]ueue manager '([^']+)'")


def container_records(
    file: Opened,
    times: LocalTimes,
    encoding: str,
    day_first: bool = False,
) -> Iterator[LogRecord | Damaged]:
    """The messages of MQ in the log of a container, of the queue manager that a line before
    names; no other lines.
    """
    qmgr = ""
    for piece in pieces(file, LINE):
        text = decoded(piece.data, encoding).rstrip()
        named, reported = _MANAGER.search(text), _REPORTED.match(text)
        qmgr = qmgr if named is None else named[1] or named[2]
        if reported is None:
            continue
        id, inserts = reported["id"], dict(_INSERT.findall(reported["inserts"] or ""))
        try:
            at = microseconds(datetime.fromisoformat(reported["time"]))
        except (ValueError, OverflowError):
            yield Damaged(
                piece, f"a message with the time {reported['time']}, which does not exist"
            )
            continue
        yield LogRecord(
            piece,
            id,
            reported["text"],
            reported["time"],
            at,
            "",
            "millisecond",
            qmgr,
            id[7:],
            inserts,
        )

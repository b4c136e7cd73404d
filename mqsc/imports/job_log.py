"""CSQ messages of z/OS, as job logs have them: +CSQX500I +CSQ1 CSQXRESP Channel TO.QM2 started."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from mqsc.imports.error_log import LINE, Damaged, LogRecord
from mqsc.imports.source_text import LocalTimes, Opened, decoded, pieces

_JOB_LINE = re.compile(
    r"^\s*(?:[A-Z]{1,2} *[0-9A-F]{7} +\S+ +)?(?:(?P<day>\d{7}|\d{4}-\d\d-\d\d)[ "
    r"T]+)?(?P<time>\d\d[.:]\d\d[.:]\d\d)"
    r"(?:[.:,]\d+)?\s.*?(?P<id>CSQ[A-Z0-9]\d{3}[A-Z])\s+(?P<text>.*)$",
)
_JOB_DAY = re.compile(r"---- \w+, +(?P<day>\d\d? \w{3} \d{4}) ----")
_JOB_NAME = re.compile(
    r"^[^\s\w@#$]?(?P<qmgr>[A-Z@#$][A-Z0-9@#$]{0,3})\s+(?:(?P<module>CSQ\w{4,5})\s+)?(?P<text>.*)$",
)


def job_log_records(
    file: Opened,
    times: LocalTimes,
    encoding: str,
    day_first: bool = False,
) -> Iterator[LogRecord | Damaged]:
    """The CSQ messages of a job log. Its other lines belong to other programs, and lines before
    a day have none.
    """
    day: datetime | None = None
    for piece in pieces(file, LINE):
        text = decoded(piece.data, encoding).rstrip()
        heading = _JOB_DAY.search(text)
        if heading is not None:
            day = datetime.strptime(heading["day"].title(), "%d %b %Y")
        match = _JOB_LINE.search(text)
        if match is None:
            continue
        if match["day"]:
            day = datetime.strptime(match["day"], "%Y-%m-%d" if "-" in match["day"] else "%Y%j")
        named = _JOB_NAME.match(match["text"])
        if day is None or named is None:
            yield Damaged(piece, "a CSQ message without a day, or without its queue manager")
            continue
        hour, minute, second = (int(part) for part in re.split("[.:]", match["time"]))
        when = times.utc(day.replace(hour=hour, minute=minute, second=second))
        id = match["id"]
        message, time = named["text"].strip(), f"{day:%Y-%m-%d} {match['time']}"
        program = named["module"] or ""
        yield LogRecord(
            piece,
            id,
            message,
            time,
            when.at,
            when.zone,
            "second",
            named["qmgr"],
            id[7:],
            {},
            program,
        )

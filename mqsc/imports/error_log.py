"""Records of error logs: AMQERR files as text and JSON, logs of containers, CSQ messages
(import-events §3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import BinaryIO, NamedTuple

from mqsc.imports.source_text import (
    LocalTimes,
    Opened,
    Piece,
    ZonedTime,
    decoded,
    json_text,
    microseconds,
    pieces,
)

# A record begins with its time and process, a word that is the same in all languages; before MQ 6
# with its time alone.
HEAD = re.compile(
    rb"[ \t]*\d[\d./-]*\d[ T]+\d[\d:.]*\d(?: ?[AaPp]\.?[Mm]\.?)?"
    rb"(?:[ \t]+-[ \t]+Process\(|[ \t]*\r?\n[ \t]*AMQ\d{4}: )",
)
START = re.compile(rb"\n(?=" + HEAD.pattern + rb")")
_SEPARATOR = re.compile(r"^-{3,} .*-{5,}[ \t]*$", re.MULTILINE)
_LINE = re.compile(rb"\n")
_FIRST = re.compile(
    r"\s*(?P<date>\d[\d./-]*\d)[ T]+(?P<time>\d[\d:.]*\d)(?: "
    r"?(?P<half>[AaPp])\.?[Mm]\.?)?(?:\s+-\s+|\s*\n)",
)
_MESSAGE = re.compile(r"^[ \t]*(?P<id>AMQ\d{4}[A-Z]?|CSQ[A-Z0-9]\d{3}[A-Z]):[ \t]*", re.MULTILINE)
_FLAT_MESSAGE = re.compile(r"\)\s+(?P<id>AMQ\d{4}[A-Z]?):[ \t]*")
# Parentheses in a value are balanced, three deep; else the value is the rest of the line up to the
# last one.
_VALUE = r"[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\)"
_FIELD = re.compile(
    rf"(?<![^\s])(?P<name>[A-Z]\w*)\((?P<value>(?:{_VALUE})*)\)(?=[ \t]*(?:$|[ "
    r"\t][A-Z]\w*(?:\(|$)))",
    re.MULTILINE,
)
# In a third of the time, for a head without a parenthesis in a value.
_PLAIN_FIELD = re.compile(r"([A-Z]\w*)\(([^()\n]*)\)")
_FIELD_OF_LINE = re.compile(r"^[ \t]*(?P<name>[A-Z]\w*)\((?P<value>.*)\)[ \t]*$", re.MULTILINE)
# Before MQ 7.5, only the explanation of these names the channel; a heading is before it, in any
# language.
_EXPLAINED = ("AMQ9001", "AMQ9002", "AMQ9999")
_HEADING = re.compile(r"\n[ \t]*\n.*[:：][ \t]*\n")
_FLAT_SECTION = re.compile(r"\s+EXPLANATION:")
_LONGEST_HEAD = 20_000
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


_CUT = (
    "the file begins in the middle of a record, which is left out; import it together with the "
    "file before it"
)


class NotARecordError(Exception):
    """The part of a file cannot be read; the text says why."""


# Text.


def text_records(
    file: Opened,
    times: LocalTimes,
    encoding: str,
    day_first: bool = False,
) -> Iterator[LogRecord | Damaged]:
    """The records of an AMQERR file in text; the end of one that was cut by rotation may come
    first.
    """
    for piece in pieces(file, START):
        text = decoded(piece.data, encoding)
        if HEAD.match(piece.data) is None:
            # Behind a record that was read before, only blank lines and a separator are no fault.
            if _SEPARATOR.sub("", text).strip("- \t\r\n"):
                yield Damaged(
                    piece,
                    _CUT if piece.begin == 0 else "not a record of an error log",
                    piece.begin > 0,
                )
            continue
        body, rest = _parted(text)
        try:
            yield _text_record(piece, body, times, day_first)
        except (NotARecordError, OverflowError) as fault:
            yield Damaged(piece, str(fault))
        else:
            if rest:
                lines = body.count("\n") + 1
                yield Damaged(
                    piece._replace(line=piece.line + lines),
                    "text after the end of a record",
                )


def is_complete(piece: Piece) -> bool:
    """Whether nothing can be added to a record of a file that grows: another one follows, or its
    separator.
    """
    return not piece.is_last or _SEPARATOR.search(decoded(piece.data[-200:], "latin-1")) is not None


def _parted(text: str) -> tuple[str, str]:
    """The record before its separator, and what is behind that."""
    begin = text.find("\n-----")
    match = (
        None
        if begin < 0
        else _SEPARATOR.match(text, begin + 1) or _SEPARATOR.search(text, begin + 1)
    )
    return (text, "") if match is None else (text[: match.start()], text[match.end() :].strip())


def _text_record(piece: Piece, text: str, times: LocalTimes, day_first: bool) -> LogRecord:
    message = _MESSAGE.search(text) or _FLAT_MESSAGE.search(text)
    if message is None:
        raise NotARecordError(
            "a record without the number of a message, perhaps cut off or mixed with another",
        )
    head = text[: message.start() + 1]
    if len(head) > _LONGEST_HEAD:
        raise NotARecordError("a record whose fields are longer than those of any message")
    first = _FIRST.match(head)
    fields = _fields(head)
    process, _, thread = fields.get("Process", "").partition(".")
    if first is None or ("Process" in head and not process):
        raise NotARecordError("a record whose time or process cannot be read")
    host = fields.get("Host", "")
    when, precision = _time(fields.get("Time", ""), first, day_first, host, times)
    id, inserts = message["id"], {name: fields[name] for name in INSERTS if fields.get(name)}
    words = _message_text(text[message.end() :])
    explained = _HEADING.split(text[message.end() :], maxsplit=1)[1:]
    if explained and not inserts and "'" not in words and id[:7] in _EXPLAINED:
        words = f"{words} {_message_text(explained[0])}"
    return LogRecord(
        piece,
        id,
        words,
        head[: first.end()].strip(" -\n"),
        when.at,
        when.zone,
        precision,
        fields.get("QMgr", ""),
        id[7:],
        inserts,
        fields.get("Program", ""),
        process,
        thread,
        fields.get("User", ""),
        host,
    )


def _fields(head: str) -> dict[str, str]:
    plain = _PLAIN_FIELD.findall(head)
    if len(plain) == head.count("(") == head.count(")"):
        return {name: value.strip() for name, value in plain}
    fields = {match["name"]: match["value"].strip() for match in _FIELD.finditer(head)}
    if head.count("(") == head.count(")"):
        return fields
    # A value with parentheses that are not balanced fills its line.
    lines = (
        match
        for match in _FIELD_OF_LINE.finditer(head)
        if match["value"].count("(") != match["value"].count(")")
    )
    return {**{match["name"]: match["value"] for match in lines}, **fields}


def _time(
    utc: str,
    first: re.Match[str],
    day_first: bool,
    host: str,
    times: LocalTimes,
) -> tuple[ZonedTime, str]:
    """The time of a record: the one in UTC if it has one, from which the zone of the host is
    learned.
    """
    if utc:
        try:
            at = microseconds(datetime.fromisoformat(utc))
        except (ValueError, TypeError, OverflowError):
            raise NotARecordError(f"a record with the time {utc}, which is none") from None
        if times.is_new(host, f"{first['date']} {first['time'][:2]}"):
            for local in {_local(first, False), _local(first, True)} - {None}:
                times.learn(host, local, at)  # type: ignore[arg-type]
        return ZonedTime(at, ""), "millisecond"
    local = _local(first, day_first)
    if local is None:
        raise NotARecordError(
            f"a record with the date {first['date']} {first['time']}, which is none",
        )
    return times.utc(local, host), "second"


def _local(first: re.Match[str], day_first: bool) -> datetime | None:
    parts = re.split(r"[./-]", first["date"])
    try:
        hour, minute, second = [*(int(part) for part in re.split(r"[:.]", first["time"])), 0][:3]
        one, two, three = map(int, parts)
        if len(parts[0]) == 4 or "-" in first["date"]:
            year = one
            month = two
            day = three
        elif "." in first["date"] or day_first or one > 12:
            day = one
            month = two
            year = three
        else:
            month = one
            day = two
            year = three
        if first["half"]:
            hour = hour % 12 + (12 if first["half"] in "pP" else 0)
        return datetime(year + 2000 if year < 100 else year, month, day, hour, minute, second)
    except (ValueError, OverflowError):
        return None


def has_days_first(stream: BinaryIO) -> bool:
    """Whether dates with slashes begin with the day: one of them begins with more than 12, and does
    not say its zone.

    Reads a log whose records have local times only; one with times in UTC needs no order.
    """
    for number, piece in enumerate(pieces(Opened(stream), START)):
        if number < 2 and b" Time(" in piece.data:
            return False
        match = re.match(rb"\s*(\d\d?)/", piece.data)
        if match is not None and int(match[1]) > 12:
            return True
    return False


def _message_text(text: str) -> str:
    """The text of a message, unwrapped: up to an empty line, or one in capitals with a colon at
    its end.
    """
    lines = []
    for line in _FLAT_SECTION.split(text, 1)[0].split("\n"):
        stripped = line.strip()
        if not stripped or (stripped[-1] in ":：" and stripped.upper() == stripped):
            break
        lines.append(stripped)
    return " ".join(lines)


# JSON, an object a line.

_LEVELS = {"INFO": "I", "WARNING": "W", "ERROR": "E", "SEVERE": "S", "FATAL": "T"}


def json_records(
    file: Opened,
    times: LocalTimes,
    encoding: str,
    day_first: bool = False,
) -> Iterator[LogRecord | Damaged]:
    """The records of an error log in JSON; those of a container that are no messages of MQ are
    left out.
    """
    for piece in pieces(file, _LINE):
        text = json_text(piece.data, encoding).strip()
        if not text:
            continue
        try:
            # `docker compose logs` and others put a name or a time before each object.
            record = json.loads(text[text.find("{") :], strict=False)
            if not isinstance(record, dict):
                raise ValueError
        except (ValueError, RecursionError):
            yield Damaged(piece, "not a JSON object")
            continue
        values = {str(name).lower(): value for name, value in record.items()}
        if values.get("type", "mq_log") == "mq_log":
            try:
                yield _json_record(piece, values)
            except NotARecordError as fault:
                yield Damaged(piece, str(fault))


def _json_record(piece: Piece, values: Mapping[str, object]) -> LogRecord:
    def text(name: str) -> str:
        value = values.get(name)
        return "" if value is None else str(value).strip()

    id, time = text("ibm_messageid"), text("ibm_datetime")
    at = None
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(time)
        at = microseconds(moment.replace(tzinfo=moment.tzinfo or UTC))
    if not id or at is None:
        raise NotARecordError(
            "an object without the number of a message (ibm_messageId) or its time (ibm_datetime)",
        )
    inserts = {
        name: value for name in INSERTS if (value := text(f"ibm_{name.lower()}")) not in ("", "0")
    }
    words = text("message")
    return LogRecord(
        piece,
        id,
        words.removeprefix(f"{id}: "),
        time,
        at,
        "",
        "millisecond",
        text("ibm_servername"),
        id[7:] or _LEVELS.get(text("loglevel"), ""),
        inserts,
        text("ibm_processname"),
        text("ibm_processid"),
        text("ibm_threadid"),
        text("ibm_username"),
        text("host"),
    )


# The log of a container, as `docker logs` shows it, perhaps behind another time: what MQ reports,
# with its inserts.

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
    for piece in pieces(file, _LINE):
        text = decoded(piece.data, encoding).rstrip()
        named, reported = _MANAGER.search(text), _REPORTED.match(text)
        qmgr = qmgr if named is None else named[1] or named[2]
        if reported is None:
            continue
        id, inserts = reported["id"], dict(_INSERT.findall(reported["inserts"] or ""))
        try:
            at = microseconds(datetime.fromisoformat(reported["time"]))
        except (ValueError, OverflowError):
            yield Damaged(piece, f"a message with the time {reported['time']}, which is none")
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


# CSQ messages of z/OS, as job logs have them: +CSQX500I +CSQ1 CSQXRESP Channel TO.QM2 started.

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
    for piece in pieces(file, _LINE):
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

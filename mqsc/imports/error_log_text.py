"""Error logs as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from mqsc.imports.error_log import INSERTS, Damaged, LogRecord, NotARecordError
from mqsc.imports.source_text import (
    LocalTimes,
    Opened,
    Piece,
    ZonedTime,
    decoded,
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
_CUT = (
    "the file begins in the middle of a record, which is left out; import it together with the "
    "file before it"
)


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
            raise NotARecordError(f"a record with the time {utc}, which does not exist") from None
        if times.is_new(host, f"{first['date']} {first['time'][:2]}"):
            for local in {_local(first, False), _local(first, True)} - {None}:
                times.learn(host, local, at)  # type: ignore[arg-type]
        return ZonedTime(at, ""), "millisecond"
    local = _local(first, day_first)
    if local is None:
        raise NotARecordError(
            f"a record with the date {first['date']} {first['time']}, which does not exist",
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

"""Event messages of MQ: as amqsevt prints them, in JSON and in text, and in PCF (import-events §4).

All become one form, in which each parameter has the key that amqsevt gives it in JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.imports.amqsbcg import READERS
from mqsc.imports.error_log import Damaged, NotARecordError
from mqsc.imports.qload import MessageReader, Position
from mqsc.imports.recognition import HEAD, recognised
from mqsc.imports.source_text import (
    LocalTimes,
    Opened,
    Piece,
    decoded,
    json_text,
    microseconds,
    pieces,
)
from mqsc.pcf.readable import parameter_name
from mqsc.store import constants
from mqsc.store.constants import MQCA, families
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import Parameter, PcfError
from mqsc.store.message_times import put_moment

if TYPE_CHECKING:
    from mqsc.store.message import Message

# The groups that are lists even with one member.
LISTS = frozenset(
    {"activityTrace", "queueStatisticsData", "queueAccountingData", "chlStatisticsData"},
)
# Seconds since 1970 at the end of the year 9999, the last that a time can have.
_END_OF_TIME = 253_402_300_800
_UNKNOWN = re.compile(r"unknown\[(\d{1,10})\]", re.IGNORECASE)


class EventMessage(NamedTuple):
    """An event message: its type (MQCMD) and reason (MQRC), when it was put, and its parameters by
    key.

    `qmgr` is that of the event queue, blank if the source does not say it. `state` is `Before` or
    `After` for a change of a configuration; `correlation` relates such messages. A group of
    parameters is a mapping, repeated ones a list.
    """

    piece: Piece
    type: int
    reason: int
    at: int
    precision: str
    qmgr: str
    queue: str
    state: str
    correlation: str
    data: Mapping[str, Any]

    def identity(self) -> tuple[object, ...]:
        """What the same message has in another file too."""
        return (
            self.type,
            self.reason,
            self.at,
            self.state,
            self.correlation,
            sorted(self.data.items()),
        )


def key_of(name: str) -> str:
    """The key that amqsevt gives a parameter, by its constant: queueMgrName for MQCA_Q_MGR_NAME."""
    replaced = (
        name.replace("_Q_", "_QUEUE_", 1) if "_Q_" in name else re.sub(r"_Q$", "_QUEUE", name)
    )
    first, *others = replaced.partition("_")[2].lower().split("_")
    return "".join([first, *map(str.capitalize, others)])


@cache
def key_of_number(number: int) -> str:
    """The key of a parameter by its number."""
    name = "MQCA_BASE_OBJECT_NAME" if number == MQCA.BASE_OBJECT_NAME else parameter_name(number)
    return key_of(name) if name != str(number) else f"unknown[{number}]"


@cache
def _key(written: str) -> str:
    """A key of JSON in the usual form: a constant with `amqsevt -d`, or the number of an unknown
    parameter.
    """
    unknown = _UNKNOWN.fullmatch(written)
    if unknown is not None:
        return key_of_number(int(unknown[1]))
    return key_of(written) if written.startswith("MQ") and "_" in written else written


def plain_word(word: str) -> str:
    """A word of a value, or the name of its constant, in a form in which both are equal."""
    return "".join("queue" if part == "q" else part for part in re.split(r"[ _]", word.lower()))


@cache
def _words(family: str) -> Mapping[str, int]:
    words: dict[str, int] = {}
    for name, number in members(family):
        words.setdefault(plain_word(name), number)
    return words


@cache
def members(family: str) -> Sequence[tuple[str, int]]:
    """The names and numbers of a family of constants; none for one that has texts, or does not
    exist.
    """
    enumeration = getattr(constants, family) if family in families() else None
    return [(name, int(each)) for name, each in getattr(enumeration, "__members__", {}).items()]


def number_of(value: Any, family: str) -> int | None:
    """The number that a value means: a number, its digits, {name, value}, or a word of a family;
    None if it is none.
    """
    if isinstance(value, Mapping):
        value = value.get("value")
    if isinstance(value, int):
        return value
    text = str(value).strip()
    if re.fullmatch(r"-?\d{1,18}", text):
        return int(text)
    return _words(family).get(plain_word(text.removeprefix(f"{family}_")))


def _merged(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs of an object; values of a repeated key become a list."""
    merged: dict[str, Any] = {}
    for key, value in pairs:
        key = _key(key)
        if key not in merged:
            merged[key] = (
                value.split("\0", 1)[0] if isinstance(value, str) and "\0" in value else value
            )
        elif isinstance(merged[key], list):
            merged[key].append(value)
        else:
            merged[key] = [merged[key], value]
    return merged


# JSON.

# The beginning of a message, not of an object in it; in a text, the quotes would be escaped.
_KEYS = b"eventSource|eventType|eventReason|eventCreation|eventData|objectState|correlationID|callbackReason"
_OBJECT = re.compile(rb'\{(?=\s*"(?:' + _KEYS + rb')"\s*:)')
_DECODER = json.JSONDecoder(object_pairs_hook=_merged, strict=False)
# Digits that are no number: `"connTag" : 000012`. A comma that is missing behind an empty list.
_LEADING_ZEROS = re.compile(r'("\s*:\s*)(0\d+)(?=\s*[,}\]])')
_MISSING_COMMA = re.compile(r'(\[\s*\])(\s*")')


def json_messages(
    file: Opened,
    _: LocalTimes,
    encoding: str,
    __: bool,
) -> Iterator[EventMessage | Damaged]:
    """The messages of amqsevt's JSON: objects one after the other, one a line, or as an array."""
    for piece in pieces(file, _OBJECT):
        values, fault = _values(json_text(piece.data, encoding))
        for value in values:
            try:
                yield _json_message(piece, value)
            except NotARecordError as why:
                yield Damaged(piece, str(why))
        if fault:
            yield Damaged(piece, f"not JSON: {fault}")


def _values(text: str) -> tuple[list[Any], str]:
    """The values of a text, and what is wrong behind them, blank if nothing is."""
    values: list[Any] = []
    is_repaired = False
    at = _after_separators(text, 0)
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except RecursionError:
            return values, "too many objects in one another"
        except ValueError as fault:
            if is_repaired:
                return values, str(fault.args[0]).partition(":")[0].lower()
            text = _MISSING_COMMA.sub(r"\1,\2", _LEADING_ZEROS.sub(r'\1"\2"', text[at:]))
            is_repaired = True
            at = 0
            continue
        values.append(value)
        at = _after_separators(text, at)
    return values, ""


def _after_separators(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,[]":
        at += 1
    return at


def _json_message(piece: Piece, value: Any) -> EventMessage:
    try:
        source, created = value["eventSource"], value["eventCreation"]
        type_, reason = (int(value[name]["value"]) for name in ("eventType", "eventReason"))
        qmgr = _name(source.get("queueMgr"))
        queue = _name(source.get("objectName"))
        at = int(created["epoch"])
        data = _with_lists(value.get("eventData") or {})
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        needed = "eventSource, eventType, eventReason and eventCreation"
        raise NotARecordError(f"not an event message of amqsevt: {needed} are needed") from None
    if not 0 <= at < _END_OF_TIME or max(type_, reason) >= 1 << 31:
        raise NotARecordError(
            f"an event message with the time {at}, the type {type_} and the reason {reason}",
        )
    state = str(value.get("objectState", "")).partition(" ")[0]
    correlation = str(value.get("correlationID", ""))
    return EventMessage(
        piece,
        type_,
        reason,
        at * 1_000_000,
        "second",
        qmgr,
        queue,
        state,
        correlation,
        data,
    )


def _with_lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters, with a list where a group has one member; what is no group is left out."""
    merged = dict(data.items())
    for key in LISTS & merged.keys():
        every = merged[key] if isinstance(merged[key], list) else [merged[key]]
        merged[key] = [each for each in every if isinstance(each, Mapping)]
    return merged


def _name(value: Any) -> str:
    return str(value or "").strip()


# Text.

_MESSAGE = re.compile(rb"^(?=\*\*\*\* Message #\d+ \()", re.MULTILINE)
_HEADING = re.compile(
    r"\*\*\*\* Message #\d+ \((?P<length>\d+) Bytes?\) on (?:Queue|Topic) (?P<queue>\S+) \*\*\*\*",
)
_NUMBER = re.compile(r"\[(\d{1,18})\]\s*$")
_CREATED = re.compile(r"(\d{4})/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d)\.(\d\d) GMT")


def text_messages(
    file: Opened,
    _: LocalTimes,
    encoding: str,
    __: bool,
) -> Iterator[EventMessage | Damaged]:
    """The messages of amqsevt's text."""
    for piece in pieces(file, _MESSAGE):
        text = decoded(piece.data, encoding)
        if _HEADING.match(text) is None:
            continue
        try:
            yield _text_message(piece, text)
        except (NotARecordError, RecursionError, ValueError) as fault:
            yield Damaged(piece, str(fault))


def _text_message(piece: Piece, text: str) -> EventMessage:
    heading, *lines = text.split("\n")
    named = _HEADING.match(heading)
    tree = _tree([line for line in lines if line.strip()])
    head = {
        key: tree.pop(key, None)
        for key in ("eventType", "reason", "eventCreated", "objectState", "correlationId")
    }
    type_, reason = (
        number_of(head[name], family)
        for name, family in (("eventType", "MQCMD"), ("reason", "MQRC"))
    )
    created = _CREATED.search(str(head["eventCreated"] or ""))
    if named is None or created is None or type_ is None:
        raise NotARecordError(
            "an event message without its type, or the time at which it was created",
        )
    *parts, hundredths = map(int, created.groups())
    at = microseconds(datetime(*parts, hundredths * 10_000, tzinfo=UTC))  # type: ignore[misc,arg-type]
    data = _with_lists(tree)
    return EventMessage(
        piece,
        type_,
        reason or 0,
        at,
        "hundredth",
        _name(data.get("queueMgrName") or data.get("eventQueueMgr")),
        named["queue"],
        str(head["objectState"] or "").partition(" ")[0],
        _name(head["correlationId"]),
        data,
    )


def _tree(lines: Sequence[str]) -> dict[str, Any]:
    """The values of lines by key; deeper lines belong to the group, a line without a colon,
    above them.
    """
    pairs: list[tuple[str, Any]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        depth = len(line) - len(line.lstrip())
        label = line.partition(":")[0].strip()
        gap = ":" in line
        value = line.partition(":")[2].strip()
        at += 1
        if not gap:
            inner = at
            while at < len(lines) and len(lines[at]) - len(lines[at].lstrip()) > depth:
                at += 1
            pairs.append((_key_of_label(label), _tree(lines[inner:at])))
        elif label:
            pairs.append((_key_of_label(label), _typed(value)))
        elif pairs:
            pairs.append((pairs[-1][0], _typed(value)))
    return _merged(pairs)


def _key_of_label(label: str) -> str:
    if label.isupper() and "_" not in label:
        return label
    first, *others = _key(label).split(" ")
    return "".join(
        [first[:1].lower() + first[1:], *(each[:1].upper() + each[1:] for each in others)],
    )


def _typed(value: str) -> Any:
    number = _NUMBER.search(value)
    if number is not None and value != number[0]:
        return {"name": value[: number.start()].strip(), "value": int(number[1])}
    return int(value) if re.fullmatch(r"0|[1-9][0-9]{0,17}", value) else value


# PCF.


def pcf_messages(
    file: Opened,
    _: LocalTimes,
    encoding: str,
    __: bool,
) -> Iterator[EventMessage | Damaged]:
    """The messages of a file of PCF messages, one after the other, or those in a file of
    dmpmqmsg or amqsbcg.
    """
    data = file.stream.read(HEAD)
    known = recognised(data)
    if known is not None and known.name in READERS:
        file.stream.seek(file.begin)
        yield from _described(file, READERS[known.name])
        return
    data += file.stream.read()
    begin = file.begin
    while data.strip(b"\0\n"):
        piece = Piece(1, begin, begin + len(data), data, True)
        order = 546 if data[4:8] == b"\x24\0\0\0" else 273
        try:
            message, length = pcf_message(piece, data, order, 1208)
        except PcfError as fault:
            yield Damaged(piece, f"not PCF: {fault}")
            return
        yield message
        data, begin = data[length:], begin + length


def _described(file: Opened, read: MessageReader) -> Iterator[EventMessage | Damaged]:
    """The messages of a file that has their descriptors, which say when each was put."""
    begin = file.begin
    for chunk in read(file.stream, Position(line=file.line, offset=begin)):
        following = [*chunk.lines[1:], chunk.next_line]
        for message, line, end, next_line in zip(
            chunk.messages,
            chunk.lines,
            chunk.ends,
            following,
            strict=True,
        ):
            piece = Piece(line, begin, end, b"\n" * (next_line - line), True)
            yield (
                Damaged(piece, chunk.fault) if chunk.fault else _in_pcf(message, piece, chunk.qmgr)
            )
            begin = end


def _in_pcf(message: Message, piece: Piece, qmgr: str) -> EventMessage | Damaged:
    descriptor = message.descriptor
    at = put_moment(descriptor.put_date, descriptor.put_time)
    try:
        event_message, _ = pcf_message(
            piece,
            message.body,
            descriptor.encoding,
            descriptor.coded_char_set_id,
            at,
            descriptor.correl_id,
        )
    except PcfError as fault:
        return Damaged(piece, f"not PCF: {fault}")
    return event_message._replace(qmgr=event_message.qmgr or qmgr)


def pcf_message(
    piece: Piece,
    data: bytes,
    encoding: int,
    ccsid: int,
    at: int | None = None,
    correlation: bytes = b"",
) -> tuple[EventMessage, int]:
    """An event message in PCF, and its length; `at` and `correlation` are those of its descriptor,
    if there is one.

    PcfError if it is not PCF.
    """
    header, count = pcf.unpack_header(data, encoding)
    parameters, end = pcf.unpack_parameters(data, count, encoding, ccsid)
    values = _parameters(parameters)
    state = (
        ("After" if header.control == pcf.LAST else "Before")
        if header.reason == int(constants.MQRC.CONFIG_CHANGE_OBJECT)
        else ""
    )
    name = _name(values.get("queueMgrName") or values.get("eventQueueMgr"))
    precision = "unknown" if at is None else "hundredth"
    event_message = EventMessage(
        piece,
        header.command,
        header.reason,
        at or 0,
        precision,
        name,
        "",
        state,
        correlation.hex().upper(),
        values,
    )
    return event_message, end


def _parameters(parameters: Sequence[Parameter]) -> dict[str, Any]:
    pairs: list[tuple[str, Any]] = []
    for parameter in parameters:
        value: Any = parameter.value
        key = key_of_number(parameter.number)
        if isinstance(value, tuple):
            value = _parameters(value)
        elif isinstance(value, bytes):
            value = value.hex().upper()
        pairs.append((key, value))
    merged = _merged(pairs)
    return _with_lists(merged)

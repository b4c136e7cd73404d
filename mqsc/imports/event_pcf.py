"""Event messages in PCF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mqsc.imports.amqsbcg import READERS
from mqsc.imports.error_log import Damaged
from mqsc.imports.event_messages import EventMessage
from mqsc.imports.event_parameters import key_of_number, merged_parameters, name_text, with_lists
from mqsc.imports.qload import MessageReader, Position
from mqsc.imports.recognition import HEAD, recognised
from mqsc.imports.source_text import LocalTimes, Opened, Piece
from mqsc.store import constants
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import Parameter, PcfError
from mqsc.store.message_times import put_moment

if TYPE_CHECKING:
    from mqsc.store.message import Message


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
    state = ""
    if header.reason == int(constants.MQRC.CONFIG_CHANGE_OBJECT):
        state = "After" if header.control == pcf.LAST else "Before"
    name = name_text(values.get("queueMgrName") or values.get("eventQueueMgr"))
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
    merged = merged_parameters(pairs)
    return with_lists(merged)

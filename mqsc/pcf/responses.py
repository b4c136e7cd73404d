"""Answers as PCF."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.language.reply import Answer, ReplyRow
from mqsc.language.request import Request
from mqsc.pcf.meanings import NOTHING_FOUND
from mqsc.pcf.refusals import PcfRefusedError
from mqsc.pcf.vocabulary import agent_rows, type_row
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.catalog.pcf import (
    BYTE_STRING,
    INTEGER,
    INTEGER_LIST,
    NAME,
    PcfAttribute,
    PcfCommandRow,
    pcf_attributes,
)
from mqsc.store.constants import MQBACF, MQCA, MQCC, MQIACF, MQRC, MQRCCF
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter
from mqsc.store.rules.object_events import pcf_parameter

OK, FAILED = int(MQCC.OK), int(MQCC.FAILED)
_COUNTED = struct.Struct("<9i")
# Texts of this length or more are not padded: it is a limit, not the length of a field.
_VARYING = 1024
# Encoded values that are kept, since most attributes of most objects are alike.
_KEPT = 20_000
_NOT_MONITORED = -1


class Body(NamedTuple):
    """A response without its place among the others: completion code, reason, and the
    parameters, encoded.
    """

    completion: int = OK
    reason: int = 0
    parameters: int = 0
    data: bytes = b""
    command: int | None = None

    def message(self, header: CommandHeader, number: int, *, last: bool) -> bytes:
        """The data of the response; `header` is that of the request, `number` counts from 1."""
        command = header.command if self.command is None else self.command
        control = pcf.LAST if last else pcf.NOT_LAST
        fields = (pcf.RESPONSE, pcf.HEADER_LENGTH, header.version, command, number, control)
        return _COUNTED.pack(*fields, self.completion, self.reason, self.parameters) + self.data


def body_of(parameters: Iterable[Parameter], **fields: int) -> Body:
    """A response with these parameters."""
    encoded = [encode(parameter) for parameter in parameters]
    return Body(parameters=len(encoded), data=b"".join(encoded), **fields)


def encode(parameter: Parameter) -> bytes:
    """A parameter as encoded in a response."""
    return pcf.pack(_NO_HEADER, [parameter])[pcf.HEADER_LENGTH :]


_NO_HEADER = CommandHeader(pcf.RESPONSE, 0)


def error_bodies(refusal: PcfRefusedError) -> Iterator[Body]:
    """The two responses to a command that failed."""
    yield body_of(refusal.parameters, completion=FAILED, reason=refusal.reason)
    yield Body(FAILED, int(MQRCCF.COMMAND_FAILED))


def unexpected_error() -> PcfRefusedError:
    """The refusal of a command because of an internal error of the command server."""
    return PcfRefusedError(MQRC.UNEXPECTED_ERROR, [Parameter(int(MQIACF.ERROR_ID), 0)])


def bodies_of(
    command: PcfCommandRow,
    request: Request,
    answer: Answer,
    queue_manager: str,
) -> Iterator[Body]:
    """The responses to a command that succeeded; PcfRefusedError for one that failed."""
    if answer.completion == FAILED:
        raise PcfRefusedError(reason_of(request, answer))
    if not (answer.shows_rows or command.returned):
        yield Body()
        return
    yield from map(RowEncoder(command, request, queue_manager).body, answer.rows)


def reason_of(request: Request, answer: Answer) -> int:
    """The reason code of a command that failed, as PCF has it."""
    if answer.message_id == "MQSC0003E":
        return int(MQRCCF.CFH_COMMAND_ERROR)
    if request.verb == "DISPLAY" and answer.reason == MQRC.UNKNOWN_OBJECT_NAME:
        return int(NOTHING_FOUND.get(request.noun, answer.reason))
    if answer.reason == MQRC.OBJECT_IN_USE:
        return int(MQRCCF.OBJECT_OPEN)
    if (request.noun, answer.reason) == ("CHANNEL", MQRCCF.OBJECT_WRONG_TYPE):
        return int(MQRCCF.WRONG_CHANNEL_TYPE)
    return int(answer.reason or MQRCCF.PARM_SYNTAX_ERROR)


class _Plan(Struct, frozen=True):
    """How the rows of one kind are encoded: the words at the beginning, and the others;
    `encoded` has values again.
    """

    first: tuple[tuple[str, PcfAttribute], ...]
    others: Mapping[str, PcfAttribute]
    encoded: dict[tuple[str, object], bytes] = field(default_factory=dict)


class RowEncoder:
    """Encodes rows; holds the encodings of values that are often the same."""

    def __init__(self, command: PcfCommandRow, request: Request, queue_manager: str) -> None:
        self._command = command
        self._kinds = {kind.keyword: kind for kind in request.kinds}
        self._kind = request.kinds[0]
        self._constants = {int(MQCA.Q_MGR_NAME): Parameter(int(MQCA.Q_MGR_NAME), queue_manager, 48)}
        match = pcf_attributes(self._kind.keyword).get("MATCH")
        if match is not None and match.number == MQIACF.AUTH_OPTIONS:
            word = str(request.options.get("MATCH", "PROFILE"))
            self._constants[match.number] = Parameter(match.number, match.words[word])
        self._plans: dict[str, _Plan] = {}

    def body(self, row: ReplyRow) -> Body:
        """The response for a row: the parameters that are always returned, then the others in
        the order of DISPLAY.
        """
        kind = self._kinds.get(str(row["TYPE"]), self._kind) if len(self._kinds) > 1 else self._kind
        plan = self._plans.get(kind.keyword)
        if plan is None:
            plan = self._plans[kind.keyword] = self._planned(kind)
        parts = self._beginning(plan, row)
        others, encoded = plan.others, plan.encoded
        for word, value in row.items():
            known = others.get(word)
            if known is None:
                continue
            key = word, value if type(value) is not list else tuple(value)
            part = encoded.get(key)
            if part is None:
                if len(encoded) >= _KEPT:
                    encoded.clear()
                part = encoded[key] = _encoded(known, value)
            if part:
                parts.append(part)
        return Body(parameters=len(parts), data=b"".join(parts))

    def _beginning(self, plan: _Plan, row: ReplyRow) -> list[bytes]:
        encoded = []
        for word, known in plan.first:
            if known.number == MQBACF.CONNECTION_ID and "EXTCONN" in row:
                value = bytes.fromhex(f"{row['EXTCONN']}{row['CONN']}")
                encoded.append(encode(Parameter(known.number, value)))
            elif word in row:
                encoded.append(_encoded(known, row[word]))
            elif known.number in self._constants:
                encoded.append(encode(self._constants[known.number]))
        return [each for each in encoded if each]

    def _planned(self, kind: Kind) -> _Plan:
        rows = {**pcf_attributes(kind.keyword), **agent_rows(self._command.noun)}
        called = rows.pop(NAME, None)
        if called is not None:
            names = [word for word in kind.key if word not in rows] or [*kind.key, kind.keyword]
            rows[names[0]] = called
        of_type = type_row(kind)
        if of_type is not None:
            rows["TYPE"] = of_type
        first = []
        for number in self._command.returned:
            words = [(word, row) for word, row in rows.items() if row.number == number]
            first += words or (
                [("", PcfAttribute(number, "", 0, {}))] if number in self._constants else []
            )
        beginning = {row.number for _, row in first}
        others = {word: row for word, row in rows.items() if row.number not in beginning}
        return _Plan(tuple(first), others)


def _encoded(pcf_attribute: PcfAttribute, value: Any) -> bytes:
    if value == "" and pcf_attribute.type == INTEGER and pcf_attribute.words:
        # It does not apply, such as the substate of a channel that has none.
        return b""
    parameter = pcf_parameter(
        pcf_attribute,
        _READINGS[pcf_attribute.type](value) if pcf_attribute.type in _READINGS else value,
    )
    if parameter is None:
        return b""
    return encode(
        parameter._replace(length=0)
        if isinstance(parameter.value, str) and parameter.length >= _VARYING
        else parameter,
    )


def _numbers(value: Any) -> Any:
    """The items of a list that DISPLAY shows as one text."""
    if not isinstance(value, str):
        return value
    return [part.strip() or _NOT_MONITORED for part in value.split(",")] if "," in value else value


def _hexadecimal(value: Any) -> Any:
    text = str(value)
    return (
        text
        if all(each in "0123456789ABCDEFabcdef" for each in text) and len(text) % 2 == 0
        else ""
    )


_READINGS: Mapping[str, Callable[[Any], Any]] = {
    INTEGER: lambda value: _NOT_MONITORED if value == "" else value,
    INTEGER_LIST: _numbers,
    BYTE_STRING: _hexadecimal,
}


def names_body(command: PcfCommandRow, rows: Iterable[ReplyRow]) -> Body:
    """The response that lists the names of objects, and their types for a command that returns
    those.
    """
    kinds = [kind for kind in KINDS.values() if kind.namespace == command.noun.lower()]
    names: list[str] = []
    types: list[int] = []
    length = pcf_attributes(kinds[0].keyword)[NAME].length
    for row in rows:
        kind = next((kind for kind in kinds if kind.keyword == row.get("TYPE")), kinds[0])
        names.append(str(row[kind.key[0]]))
        of_type = _type_number(kind, row)
        if of_type is not None:
            types.append(of_type)
    more = [Parameter(number, types) for number in command.returned[1:]]
    return body_of([Parameter(command.returned[0], names, length), *more])


def _type_number(kind: Kind, row: ReplyRow) -> int | None:
    rows = pcf_attributes(kind.keyword)
    pcf_attribute = rows.get("QTYPE") if "QTYPE" in rows else rows.get(kind.selector)
    word = str(row.get("TYPE" if "QTYPE" in rows else kind.selector, ""))
    return None if pcf_attribute is None else pcf_attribute.words.get(word)

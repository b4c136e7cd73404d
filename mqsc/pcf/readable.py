"""PCF in readable form: numbers with the names of their constants, their keywords in MQSC, and
words for values.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from mqsc.language.where import OPERATOR_ROWS
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import NAME, PcfAttribute, pcf_attributes, pcf_commands
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.constants import MQCFOP, MQIACF, name_of
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Filter, Parameter

# The families of parameters. The number of each begins in its own range, but MQIA and MQCA share
# theirs with others.
_FAMILIES = (
    "MQIA",
    "MQCA",
    "MQIACF",
    "MQCACF",
    "MQBACF",
    "MQGACF",
    "MQIACH",
    "MQCACH",
    "MQIAMO64",
    "MQIAMO",
    "MQCAMO",
)
_SELECTORS = "_ATTRS"
# Parameters whose values are numbers of another family.
_OF_FAMILY: Mapping[int, str] = {
    MQIACF.COMMAND: "MQCMD",
    MQIACF.REASON_QUALIFIER: "MQRQ",
    MQIACF.EVENT_ORIGIN: "MQEVO",
}
# The operators of filters (MQCFOP): the words of WHERE, and their meanings.
OPERATORS: Mapping[int, tuple[str, str]] = {
    MQCFOP[row["pcf"]]: (row["word"], row["pcf_meaning"]) for row in OPERATOR_ROWS
}
_LAST = {pcf.LAST: "the last", pcf.NOT_LAST: "more follow"}


class PcfMessage(Struct, frozen=True):
    """A PCF message: its header and its parameters."""

    header: CommandHeader
    parameters: tuple[Parameter, ...]


def messages_in(data: bytes, encoding: int = 546, ccsid: int = 1208) -> Iterator[PcfMessage]:
    """The PCF messages in the data, one after the other; PcfError if it has anything else."""
    while True:
        header, count = pcf.unpack_header(data, encoding)
        parameters, end = pcf.unpack_parameters(data, count, encoding, ccsid)
        yield PcfMessage(header, tuple(parameters))
        data = data[end:]
        if not data.strip(b"\0\n"):
            return


def heading_lines(message: PcfMessage) -> Iterator[str]:
    """The header, in a few lines."""
    h = message.header
    yield f"   type: {_named('MQCFT', h.type)}, version {h.version}"
    yield f"   command: {_named('MQCMD', h.command)}"
    if h.type not in (pcf.COMMAND, pcf.COMMAND_XR):
        yield f"   result: {_named('MQCC', h.comp_code)}, {reason_name(h.reason)}"
    yield f"   message {h.msg_seq_number}, {_LAST.get(h.control, f'control {h.control}')}"


def parameter_lines(message: PcfMessage) -> Iterator[str]:
    """The parameters, one a line; the members of a group are indented."""
    for each in _described(message):
        yield from _lines(each, "   ")


def as_json(message: PcfMessage) -> dict[str, Any]:
    """The message as data for JSON."""
    h = message.header
    return {
        "type": _data("MQCFT", h.type),
        "version": h.version,
        "command": _data("MQCMD", h.command),
        "message": h.msg_seq_number,
        "last": h.control == pcf.LAST,
        "completion": _data("MQCC", h.comp_code),
        "reason": {"value": h.reason, "name": reason_name(h.reason).partition(" ")[0]},
        "parameters": _plain(_described(message)),
    }


def reason_name(reason: int) -> str:
    """A reason code with its name, of the MQI or of PCF."""
    name = _name_in("MQRC", reason) or _name_in("MQRCCF", reason)
    return f"{name} ({reason})" if name else str(reason)


@cache
def parameter_name(number: int) -> str:
    """The name of the constant of a parameter, or its digits."""
    return next(filter(None, (_name_in(family, number) for family in _FAMILIES)), str(number))


def _name_in(family: str, number: int) -> str:
    """The name of a number of a family, blank if it has none."""
    name = name_of(family, number)
    return name if name != str(number) else ""


def _named(family: str, number: int) -> str:
    name = _name_in(family, number)
    return f"{name} ({number})" if name else str(number)


def _data(family: str, number: int) -> dict[str, Any]:
    return {"value": number, "name": _name_in(family, number) or None}


def _kinds_of(header: CommandHeader) -> tuple[str, ...]:
    """The kinds of object that a command is about: their rows have the words for its values."""
    commands = pcf_commands(header.command)
    kinds = [command.noun for command in commands if command.noun in (*KINDS, *STATUS_KINDS)]
    return tuple(
        kinds or (("QLOCAL",) if any(command.noun == "QUEUE" for command in commands) else ())
    )


@cache
def _attribute_of(number: int, kinds: tuple[str, ...]) -> tuple[str, PcfAttribute] | None:
    """The keyword and the row of a number, among those kinds first."""
    for kind in (*kinds, *KINDS, *STATUS_KINDS, "option"):
        for word, attribute in pcf_attributes(kind).items():
            if attribute.number == number and word != NAME:
                return word.partition("(")[0], attribute
    return None


def _lines(readable: dict[str, Any], indent: str) -> Iterator[str]:
    """A described parameter."""
    keyword = f" {readable['keyword']}" if readable["keyword"] and readable["name"] else ""
    label = f"{indent}{readable['name'] or readable['number']}{keyword}"
    if "members" in readable:
        yield f"{label}:"
        for member in readable["members"]:
            yield from _lines(member, f"{indent}   ")
        return
    value, words = readable["value"], readable.get("words")
    values, of_values = (value, words) if isinstance(value, list) else ([value], words and [words])
    texts = ", ".join(map(_text, values, of_values or [""] * len(values))) or "none"
    yield (
        f"{label} {readable['operator']} {texts}" if "operator" in readable else f"{label}: {texts}"
    )


def _text(value: Any, word: str) -> str:
    if isinstance(value, bytes):
        return value.hex().upper() or "''"
    if isinstance(value, str):
        return value if value and value == value.strip() else f"'{value}'"
    return f"{value} ({word})" if word else str(value)


def word_of(number: int, value: int, kinds: Iterable[str] = ()) -> str:
    """The word for a number as the value of a parameter; blank if it is only a number."""
    name = parameter_name(number)
    if name.endswith(_SELECTORS):
        constant = parameter_name(value)
        return constant if constant != str(value) else ""
    if number in _OF_FAMILY:
        return _name_in(_OF_FAMILY[number], value)
    keyword_and_attribute = _attribute_of(number, tuple(kinds))
    if keyword_and_attribute is None:
        return ""
    _, attribute = keyword_and_attribute
    return next((word for word, coded in attribute.words.items() if coded == value), "")


def _described(message: PcfMessage) -> list[dict[str, Any]]:
    """The parameters, each with its names and the words for its values."""
    kinds = _kinds_of(message.header)
    return [_readable(parameter, kinds) for parameter in message.parameters]


def _readable(parameter: Parameter, kinds: tuple[str, ...]) -> dict[str, Any]:
    value = parameter.value
    keyword_and_attribute = _attribute_of(parameter.number, kinds)
    name = parameter_name(parameter.number)
    readable: dict[str, Any] = {
        "number": parameter.number,
        "name": name if name != str(parameter.number) else None,
        "keyword": keyword_and_attribute[0] if keyword_and_attribute else None,
    }
    if isinstance(value, tuple):
        return {**readable, "members": [_readable(member, kinds) for member in value]}
    if isinstance(value, Filter):
        readable["operator"] = (
            OPERATORS[value.operator][1]
            if value.operator in OPERATORS
            else f"operator {value.operator}"
        )
        value = value.value
    readable["value"] = value
    values = value if isinstance(value, list) else [value]
    words = [word_of(parameter.number, value, kinds) for value in values if isinstance(value, int)]
    if any(words):
        readable["words"] = words if isinstance(value, list) else words[0]
    return readable


def _plain(value: Any) -> Any:
    """The value for JSON."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [*map(_plain, value)]
    return (
        {name: _plain(each) for name, each in value.items()} if isinstance(value, dict) else value
    )

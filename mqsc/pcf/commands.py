"""Commands in PCF: how they are read, and the messages that answer them."""

from collections.abc import Callable, Iterator

from msgspec import Struct, structs

from mqsc.language.command_table import kinds_for
from mqsc.language.request import Request
from mqsc.pcf import refusals, responses as answers
from mqsc.pcf.escape import escape_bodies_of_text, escaped_command_of, escaped_text_of
from mqsc.pcf.meanings import EVERY_TYPE
from mqsc.pcf.requests import check_parameters, request_of
from mqsc.pcf.vocabulary import rows_of, type_row
from mqsc.script import read_request
from mqsc.store.catalog.pcf import PcfCommandRow, pcf_commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCCSI, MQIA, MQRC, MQRCCF
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, StoreError
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Filter, Parameter, PcfError
from mqsc.verbs import perform_request

_TYPES = frozenset((pcf.COMMAND, pcf.COMMAND_XR))
_FIRST_VERSION, _NEWEST_VERSION = 1, 3
# Commands that cannot be part of a larger transaction: they wait, or work in batches.
_ON_THEIR_OWN = frozenset({"MOVE", "PING", "REFRESH", "RESOLVE", "START", "STOP"})
_SUPPORTED_CCSID = 1208
Responses = Callable[["QueueManager"], Iterator[answers.Body]]


class ReadCommand(Struct, frozen=True):
    """A command that was read: its header, and the function that performs it and makes the
    responses.

    `changes`: it changes objects in short transactions, which can be one with that of its
    responses.
    """

    header: CommandHeader
    responses: Responses
    changes: bool = False


def read_command(qmgr: QueueManager, descriptor: MessageDescriptor, data: bytes) -> ReadCommand:
    """The command in a message; an invalid one has the responses that report the error."""
    header = _NOTHING
    try:
        header, count = pcf.unpack_header(data, descriptor.encoding)
        _check_header(header)
        return _read(qmgr, header, _parameters(qmgr, descriptor, data, count))
    except Exception as error:
        return refused(_refusal_of(error), header)


def _refusal_of(error: Exception) -> refusals.PcfRefusedError:
    """The refusal of a command because of an error; internal ones must not reach the program
    that put the command.
    """
    if isinstance(error, refusals.PcfRefusedError):
        return error
    if isinstance(error, (MQError, PcfError)):
        return refusals.PcfRefusedError(int(error.reason))
    return answers.unexpected_error()


def refused(refusal: refusals.PcfRefusedError, header: CommandHeader | None = None) -> ReadCommand:
    """A command that only has the responses of an error."""
    header = header or _NOTHING
    if not _FIRST_VERSION <= header.version <= _NEWEST_VERSION:
        header = structs.replace(header, version=_FIRST_VERSION)
    return ReadCommand(header, lambda _: answers.error_bodies(refusal))


# The header of a message that is too short to have one.
_NOTHING = CommandHeader(pcf.COMMAND, 0)


def _check_header(header: CommandHeader) -> None:
    for applies, reason in (
        (header.type not in _TYPES, MQRCCF.CFH_TYPE_ERROR),
        (not _FIRST_VERSION <= header.version <= _NEWEST_VERSION, MQRCCF.CFH_VERSION_ERROR),
        (header.msg_seq_number != 1, MQRCCF.CFH_MSG_SEQ_NUMBER_ERR),
        (header.control != pcf.LAST, MQRCCF.CFH_CONTROL_ERROR),
        (not pcf_commands(header.command), MQRCCF.CFH_COMMAND_ERROR),
    ):
        if applies:
            raise refusals.PcfRefusedError(reason)


def _parameters(
    qmgr: QueueManager,
    descriptor: MessageDescriptor,
    data: bytes,
    count: int,
) -> list[Parameter]:
    own = (
        qmgr.row().ccsid
        if descriptor.coded_char_set_id == MQCCSI.Q_MGR
        else descriptor.coded_char_set_id
    )
    try:
        parameters, end = pcf.unpack_parameters(data, count, descriptor.encoding, own)
    except PcfError as error:
        more = (
            [Parameter(int(MQIA.CODED_CHAR_SET_ID), _SUPPORTED_CCSID)]
            if error.reason == MQRCCF.CCSID_ERROR
            else []
        )
        raise refusals.PcfRefusedError(error.reason, more) from None
    if end != len(data):
        raise refusals.PcfRefusedError(MQRCCF.MSG_LENGTH_ERROR)
    return parameters


def _read(qmgr: QueueManager, header: CommandHeader, parameters: list[Parameter]) -> ReadCommand:
    command = pcf_commands(header.command)[0]
    special = _SPECIAL.get(command.verb)
    if special is not None:
        check_parameters(command, parameters)
        return special(header, command, parameters)
    command, request = request_of(qmgr, header.command, parameters)

    def responses(performing: QueueManager) -> Iterator[answers.Body]:
        return answers.bodies_of(
            command, request, perform_request(performing, request), performing.name
        )

    return ReadCommand(header, responses, _changes(request))


def _changes(request: Request) -> bool:
    """Whether the command can be performed in one transaction with its responses."""
    return (
        request.verb not in _ON_THEIR_OWN
        and request.verb != "DISPLAY"
        and not request.options.get("CMDSCOPE")
    )


def _names(
    header: CommandHeader,
    command: PcfCommandRow,
    parameters: list[Parameter],
) -> ReadCommand:
    """INQUIRE_..._NAMES: the rows of an inquiry, of which only the names are returned."""
    kinds = kinds_for(command.noun)
    name = parameters[0]
    if not isinstance(name.value, str):
        raise refusals.unexpected(name)
    options: dict[str, str] = {}
    for parameter in parameters[1:]:
        options |= _name_option(command.noun, parameter)
    request = Request("DISPLAY", command.noun, kinds, name.value or "*", options=options)

    def responses(performing: QueueManager) -> Iterator[answers.Body]:
        answer = perform_request(performing, request)
        if answer.completion and answer.reason != MQRC.UNKNOWN_OBJECT_NAME:
            raise refusals.PcfRefusedError(int(answer.reason))
        yield answers.names_body(command, answer.rows)

    return ReadCommand(header, responses)


def _name_option(noun: str, parameter: Parameter) -> dict[str, str]:
    """The option of DISPLAY that a parameter stands for."""
    kinds = kinds_for(noun)
    if isinstance(parameter.value, Filter):
        raise refusals.unexpected(parameter)
    rows = rows_of(kinds)
    known = (
        {"TYPE": type_row(kinds[0])}
        if noun == "QUEUE"
        else {kinds[0].selector: rows.get(kinds[0].selector)}
    )
    known["QSGDISP"] = rows.get("QSGDISP")
    for word, row in known.items():
        if row is not None and row.number == parameter.number:
            if parameter.value == EVERY_TYPE.get(row.number, ""):
                return {}
            named = next(
                (text for text, number in row.words.items() if number == parameter.value),
                "",
            )
            if not named:
                raise refusals.wrong_value(parameter.number)
            return {word: named}
    raise refusals.unexpected(parameter)


def _escape(
    header: CommandHeader,
    command: PcfCommandRow,
    parameters: list[Parameter],
) -> ReadCommand:
    if len(parameters) > len(command.required):
        raise refusals.PcfRefusedError(MQRCCF.PARM_COUNT_TOO_BIG)
    line = escaped_command_of(escaped_text_of(parameters))
    request = read_request(line)
    changes = isinstance(request, Request) and _changes(request)
    return ReadCommand(
        header,
        lambda performing: escape_bodies_of_text(performing, line, request),
        changes,
    )


_SPECIAL = {"NAMES": _names, "ESCAPE": _escape}


def responses_of(qmgr: QueueManager, command: ReadCommand) -> Iterator[answers.Body]:
    """Perform the command and yield its responses; an internal error becomes a response, too."""
    try:
        yield from command.responses(qmgr)
    except StoreError:
        raise
    except Exception as error:
        yield from answers.error_bodies(_refusal_of(error))


def messages_of(command: ReadCommand, bodies: Iterator[answers.Body]) -> Iterator[bytes]:
    """The data of the responses; the last one is known when there are no more."""
    held: answers.Body | None = None
    number = 0
    for body in bodies:
        if held is not None:
            number += 1
            yield held.message(command.header, number, last=False)
        held = body
    yield (held or answers.Body()).message(command.header, number + 1, last=True)

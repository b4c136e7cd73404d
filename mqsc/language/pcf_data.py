"""A command of MQSC in PCF, as a command event shows it (events §6)."""

from collections.abc import Iterator, Mapping

from mqsc.language.request import Request
from mqsc.language.secrets import HIDDEN, masked
from mqsc.store.catalog import QUEUES, Kind, Stored
from mqsc.store.catalog.pcf import NAME, PcfAttribute, pcf_attributes, pcf_command
from mqsc.store.headers.pcf import Parameter
from mqsc.store.rules.object_events import QUEUE_TYPES, pcf_parameter

MQCACF_COMMAND_MQSC = 3075
OPTION = "option"
_Q_TYPE = 20


class _NoNumberError(Exception):
    """PCF has no number for the command or one of its parameters."""


def command_data(request: Request) -> tuple[int, list[Parameter]]:
    """(the MQCMD, the parameters) of a request; 0 and the text, with secrets masked, if PCF
    cannot express it.
    """
    command = pcf_command(request.verb, request.noun, like=request.has("LIKE"))
    try:
        if command is None:
            raise _NoNumberError
        return command.number, list(_parameters(request, command.selectors))
    except _NoNumberError:
        number = 0 if command is None else command.number
        return number, [Parameter(MQCACF_COMMAND_MQSC, masked(request.text))]


def _parameters(request: Request, selectors: int) -> Iterator[Parameter]:
    """The name, the type of a queue, and the parameters given."""
    kind = request.kinds[0]
    rows = pcf_attributes(kind.keyword)
    if request.name and NAME in rows:
        yield _parameter(rows[NAME], request.name)
    if request.noun in QUEUE_TYPES:
        yield Parameter(_Q_TYPE, QUEUE_TYPES[request.noun])
    for word, value in request.attributes.items():
        yield _parameter(_pcf_attribute(rows, word), _unless_secret(kind, word, value))
    for word, value in request.options.items():
        yield _parameter(_pcf_attribute(rows, word, request), value)
    if request.requested:
        if not selectors:
            raise _NoNumberError
        yield Parameter(
            selectors, [_pcf_attribute(rows, word).number for word in request.requested]
        )


def _pcf_attribute(
    rows: Mapping[str, PcfAttribute],
    word: str,
    request: Request | None = None,
) -> PcfAttribute:
    """The row of an attribute or, with a request, of one of its options."""
    if request is not None:
        options = pcf_attributes(OPTION)
        for key in option_keys(word, request.verb, request.noun, request.kinds[0]):
            if key in options:
                return options[key]
    if word not in rows:
        raise _NoNumberError
    return rows[word]


def option_keys(word: str, verb: str, noun: str, kind: Kind) -> tuple[str, ...]:
    """The keys of an option in the table, the most specific first."""
    of_kind = "queue" if kind in QUEUES else noun.lower()
    return f"{word}({verb}-{noun})", f"{word}({verb})", f"{word}({of_kind})", word


def _parameter(attribute: PcfAttribute, value: Stored) -> Parameter:
    parameter = pcf_parameter(attribute, value)
    if parameter is None:
        raise _NoNumberError
    return parameter


def _unless_secret(kind: Kind, word: str, value: Stored) -> Stored:
    attribute = kind.attributes.get(word)
    return HIDDEN if attribute is not None and attribute.secret and value else value

"""Configuration and command events: the parameters that show an object or a command (events §5, §6)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mqsc.store.catalog import Kind, pcf as pcf_table
from mqsc.store.catalog.pcf import NAME, STRING, PcfAttribute, pcf_attributes
from mqsc.store.constants import MQIA, MQOT, MQQT, MQRC
from mqsc.store.headers.pcf import Parameter
from mqsc.store.rules.command_message import Issuer
from mqsc.store.rules.event_message import parameters_of

CREATED, CHANGED = int(MQRC.CONFIG_CREATE_OBJECT), int(MQRC.CONFIG_CHANGE_OBJECT)
DELETED, REFRESHED = int(MQRC.CONFIG_DELETE_OBJECT), int(MQRC.CONFIG_REFRESH_OBJECT)
# As numbers: the tables of PCF take time to load, and every program imports this module.
CONSOLE = 1
MESSAGE = 3
SET = 4
INTERNAL = 0
_AUTHORITY_TYPE = 1412
MQGACF_COMMAND_CONTEXT, MQGACF_COMMAND_DATA = 8001, 8002

QUEUE_TYPES = {
    f"Q{each.name}": int(each) for each in (MQQT.LOCAL, MQQT.MODEL, MQQT.ALIAS, MQQT.REMOTE)
}
# The ObjectType of each kind; the others (SUB) have no events.
OBJECT_TYPES: Mapping[str, int] = {
    **dict.fromkeys(QUEUE_TYPES, int(MQOT.Q)),
    **{
        word: int(MQOT[word])
        for word in "NAMELIST PROCESS CHANNEL TOPIC LISTENER SERVICE CHLAUTH".split()
    },
    "STGCLASS": int(MQOT.STORAGE_CLASS),
    "QMGR": int(MQOT.Q_MGR),
    "AUTHINFO": int(MQOT.AUTH_INFO),
    "CFSTRUCT": int(MQOT.CF_STRUC),
    "COMMINFO": int(MQOT.COMM_INFO),
    "AUTHREC": 1022,
}
# Words that DISPLAY ALL shows although they are status, not definition.
_STATUS = frozenset({"CURDEPTH", "IPPROCS", "OPPROCS"})


def has_events(kind: Kind, name: str) -> bool:
    """Whether a change of that object is an event."""
    return kind.keyword in OBJECT_TYPES and name != "SYSTEM.ADMIN.CONFIG.EVENT"


def cause_parameters(
    user: str,
    origin: int,
    queue_manager: str,
    issuer: Issuer | None = None,
) -> list[Parameter]:
    """Who caused an event of a configuration or a command, and where; `issuer` if the command
    was a message.
    """
    facts: dict[str, Any] = {"EventUserId": user, "EventOrigin": origin, "EventQMgr": queue_manager}
    if issuer is not None and origin == CONSOLE:
        facts |= {
            "EventOrigin": MESSAGE,
            "EventAccountingToken": issuer.accounting_token,
            "EventIdentityData": issuer.identity_data,
            "EventApplType": issuer.application_type,
            "EventApplName": issuer.application,
            "EventApplOrigin": issuer.application_origin,
        }
    return parameters_of(facts, facts)


def object_parameters(
    kind: Kind,
    name: str,
    values: Mapping[str, Any],
    disposition: str = "QMGR",
) -> list[Parameter]:
    """An object as DISPLAY ALL shows it, without status and secrets: its type, its name, texts,
    then the others.

    The disposition in a queue-sharing group follows the name, unless it is QMGR.
    """
    rows = pcf_attributes(kind.keyword)
    head = parameters_of(("ObjectType",), {"ObjectType": OBJECT_TYPES[kind.keyword]})
    if kind.keyword == "AUTHREC":
        return [*head, *_authority(rows, values)]
    called = rows[NAME]
    attributes = list(_attributes(kind, rows, values))
    texts = [each for row, each in attributes if row.type == STRING]
    others = [each for row, each in attributes if row.type != STRING]
    last = (
        [Parameter(int(MQIA.Q_TYPE), QUEUE_TYPES[kind.keyword])]
        if kind.keyword in QUEUE_TYPES
        else []
    )
    where = (
        []
        if disposition == "QMGR"
        else [Parameter(int(MQIA.QSG_DISP), rows["QSGDISP"].words[disposition])]
    )
    return [*head, Parameter(called.number, name, called.length), *where, *texts, *others, *last]


def _attributes(
    kind: Kind,
    rows: Mapping[str, PcfAttribute],
    values: Mapping[str, Any],
) -> Iterator[tuple[PcfAttribute, Parameter]]:
    subtype = str(values.get(kind.selector, "")) if kind.selector else ""
    for word in kind.shown(subtype):
        attribute, pcf_attribute = kind.attributes.get(word), rows.get(word)
        if (
            pcf_attribute is None
            or word not in values
            or word in _STATUS
            or (attribute is not None and attribute.secret)
        ):
            continue
        # The name is written before the attributes.
        parameter = (
            None
            if pcf_attribute.number == rows[NAME].number
            else pcf_parameter(pcf_attribute, values[word])
        )
        if parameter is not None:
            yield pcf_attribute, parameter


def _authority(rows: Mapping[str, PcfAttribute], values: Mapping[str, Any]) -> Iterator[Parameter]:
    """The parameters of an authority record: profile, type of record, entity, its type, the
    authorities.
    """
    for word in ("PROFILE", "OBJTYPE", "ENTITY", "ENTTYPE", "AUTHLIST"):
        parameter = pcf_parameter(rows[word], values[word])
        if parameter is not None:
            yield parameter._replace(number=_AUTHORITY_TYPE) if word == "OBJTYPE" else parameter


def pcf_parameter(attribute: PcfAttribute, value: Any) -> Parameter | None:
    """An attribute as a parameter; None for a word that has no number."""
    pcf_value = _pcf_value(attribute, value)
    length = (
        0
        if attribute.type in (pcf_table.INTEGER, pcf_table.INTEGER_LIST, pcf_table.BYTE_STRING)
        else attribute.length
    )
    return None if pcf_value is None else Parameter(attribute.number, pcf_value, length)


def _pcf_value(
    attribute: PcfAttribute, value: Any
) -> int | str | bytes | list[int] | list[str] | None:
    """The value of an attribute in PCF; None for a word that has no number."""
    if attribute.type == pcf_table.INTEGER:
        return _number(attribute, value)
    if attribute.type == pcf_table.INTEGER_LIST:
        numbers = [_number(attribute, each) for each in _items(value)]
        return [each for each in numbers if each is not None]
    if attribute.type == pcf_table.BYTE_STRING:
        return bytes.fromhex(str(value))
    if attribute.type == pcf_table.STRING_LIST or (
        attribute.type != STRING and isinstance(value, list) and len(value) > 1
    ):
        return [str(each) for each in _items(value)]
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _items(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value in ("", None) else [value]


def _number(attribute: PcfAttribute, value: Any) -> int | None:
    if isinstance(value, int):
        return int(value)
    text = str(value)
    if text in attribute.words:
        return attribute.words[text]
    return int(text) if text.lstrip("-").isdigit() else None


def command_parameters(
    cause: Sequence[Parameter],
    command: int,
    data: Sequence[Parameter],
) -> list[Parameter]:
    """The two groups of a command event: who gave which command, and its parameters."""
    context = (*cause, *parameters_of(("Command",), {"Command": command}))
    return [Parameter(MQGACF_COMMAND_CONTEXT, context), Parameter(MQGACF_COMMAND_DATA, tuple(data))]

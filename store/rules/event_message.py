"""The contents of event messages, and when events on the depth of a queue are due.

To add an event, add its row to events.csv.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.store.catalog import KINDS, Kind, pcf as pcf_table
from mqsc.store.catalog.pcf import NAME, STRING, PcfAttribute, pcf_attributes
from mqsc.store.constants import MQAT, MQCC, MQCMD, MQFMT, MQIA, MQOT, MQQSIE, MQQT, MQRC
from mqsc.store.descriptor import NO_ID, DescribedData, MessageDescriptor
from mqsc.store.headers import layout, pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter
from mqsc.store.rules.made_message import Issuer, Maker, datagram
from mqsc.store.table import table

PERFORMANCE, QUEUE_MANAGER = int(MQCMD.PERFM_EVENT), int(MQCMD.Q_MGR_EVENT)
CONFIGURATION, COMMAND, CHANNEL = (
    int(MQCMD.CONFIG_EVENT),
    int(MQCMD.COMMAND_EVENT),
    int(MQCMD.CHANNEL_EVENT),
)
EVENT_QUEUES = {
    PERFORMANCE: "SYSTEM.ADMIN.PERFM.EVENT",
    QUEUE_MANAGER: "SYSTEM.ADMIN.QMGR.EVENT",
    CONFIGURATION: "SYSTEM.ADMIN.CONFIG.EVENT",
    COMMAND: "SYSTEM.ADMIN.COMMAND.EVENT",
    CHANNEL: "SYSTEM.ADMIN.CHANNEL.EVENT",
}
# The Version of the MQCFH; 1 for the others.
_VERSIONS = {CONFIGURATION: 2, COMMAND: 3}


class EventParameter(NamedTuple):
    """A parameter by the name that MQ gives it: its number, and the length of a text (0 means
    its own length).
    """

    number: int
    length: int = 0


PARAMETERS: Mapping[str, EventParameter] = {
    row["name"]: EventParameter(int(row["number"]), int(row["length"] or 0))
    for row in table(__file__, "event_parameters.csv", ("name", "number", "length"))
}
Facts = Mapping[str, "int | str"]


class Event(NamedTuple):
    """The category of an event, the column of the queue manager that enables it, and its parameters
    in order.

    A blank column: the code that raises it reads another attribute.
    """

    category: int
    enabled_by: str
    parameters: tuple[str, ...]


# The columns of the attributes that enable events.
_SWITCHES = {
    "": "",
    **{keyword: column.name for keyword, column in KINDS["QMGR"].hot_columns},
}
EVENTS: Mapping[int, Event] = {
    int(MQRC[row["reason"]]): Event(
        int(MQCMD[row["category"]]),
        _SWITCHES[row["attribute"]],
        tuple(row["parameters"].split()),
    )
    for row in table(
        __file__,
        "events.csv",
        ("reason", "category", "attribute", "parameters"),
        {
            "reason": MQRC.__members__,
            "category": MQCMD.__members__,
            "attribute": _SWITCHES,
        },
        {"parameters": PARAMETERS},
    )
}


def parameters_of(names: Iterable[str], facts: Mapping[str, Any]) -> list[Parameter]:
    """These parameters of events, in order; those without a fact are left out."""
    rows = ((PARAMETERS[name], facts[name]) for name in names if name in facts)
    return [Parameter(row.number, value, row.length) for row, value in rows]


def performance_facts(
    qmgr: str,
    queue: str,
    seconds: int,
    high_depth: int,
    puts: int,
    gets: int,
) -> Facts:
    """The facts of a performance event: the activity on the queue since its statistics were
    reset, `seconds` ago.
    """
    return {
        "QMgrName": qmgr,
        "BaseObjectName": queue,
        "TimeSinceReset": seconds,
        "HighQDepth": high_depth,
        "MsgEnqCount": puts,
        "MsgDeqCount": gets,
    }


def call_facts(
    queue_manager: str,
    application: str,
    object_queue_manager: str = "",
    *,
    by_queue_manager: bool = False,
) -> dict[str, int | str]:
    """The facts of a failing call that every event about it has.

    `by_queue_manager`: it is a put of a message that the queue manager makes.
    `object_queue_manager` is that of the object descriptor, and is a fact only when it is not the
    local one.
    """
    facts: dict[str, int | str] = {
        "QMgrName": queue_manager,
        "ApplType": int(MQAT.QMGR if by_queue_manager else MQAT.UNIX),
        "ApplName": queue_manager if by_queue_manager else application,
    }
    if object_queue_manager not in ("", queue_manager):
        facts["ObjectQMgrName"] = object_queue_manager
    return facts


def is_event_queue(name: str) -> bool:
    """Whether the queue holds event messages and so causes no performance events (events R3)."""
    return name.startswith("SYSTEM.ADMIN.") and name.endswith(".EVENT")


def is_event_message(descriptor: MessageDescriptor) -> bool:
    """Whether a queue manager made the message to report an event."""
    return descriptor.format == str(MQFMT.EVENT) and descriptor.put_appl_type == int(MQAT.QMGR)


class EventPart(NamedTuple):
    """An event, or one message of an event that takes several; `category` is one of
    EVENT_QUEUES.
    """

    category: int
    reason: int
    parameters: Sequence[Parameter]
    correl_id: bytes = NO_ID
    msg_seq_number: int = 1
    control: int = pcf.LAST


def message_of_event(
    part: EventPart,
    maker: Maker,
    *,
    priority: int,
    persistence: int,
) -> DescribedData:
    """Descriptor and data of an event message; `priority` and `persistence` are the defaults of
    the event queue.
    """
    descriptor = datagram(
        maker,
        MQFMT.EVENT,
        priority=priority,
        persistence=persistence,
        correl_id=part.correl_id,
    )
    category, reason, parameters, _, number, control = part
    header = CommandHeader(
        pcf.EVENT,
        category,
        int(MQCC.WARNING),
        reason,
        number,
        control,
        _VERSIONS.get(category, 1),
    )
    return descriptor, pcf.pack(header, parameters, layout.NATIVE, descriptor.coded_char_set_id)


# Performance events, which a put or a get causes: queue depth and service interval (mqi-semantics
# §11).
#
# An event disables itself and enables others. Only enabled events can occur next, whatever the
# definition of the queue says: with QDPHIEV(ENABLED) alone, a Queue Depth High event enables Queue
# Depth Low events.

NO_EVENTS, HIGH, OK = int(MQQSIE.NONE), int(MQQSIE.HIGH), int(MQQSIE.OK)
_MICROSECONDS_PER_MILLISECOND = 1000


class PerformanceEvent(Struct, frozen=True):
    """An event: its reason, and which events it disables (0) and enables, as columns of the
    queue.
    """

    reason: int
    switches: Mapping[str, int]


def _event(reason: int, **switches: int) -> PerformanceEvent:
    return PerformanceEvent(int(reason), MappingProxyType(switches))


QUEUE_FULL = _event(MQRC.Q_FULL, full_event=0, low_event=1)
DEPTH_HIGH = _event(MQRC.Q_DEPTH_HIGH, high_event=0, low_event=1, full_event=1)
DEPTH_LOW = _event(MQRC.Q_DEPTH_LOW, low_event=0, high_event=1, full_event=1)
SERVICE_HIGH = _event(MQRC.Q_SERVICE_INTERVAL_HIGH, service_event=OK)
SERVICE_OK = _event(MQRC.Q_SERVICE_INTERVAL_OK, service_event=HIGH)


class MonitoredQueue(NamedTuple):
    """A queue after a put or get: which events are enabled, its limits in percent of MAXDEPTH, and
    its service timer.

    `service_interval` is in milliseconds; `timer_started` and `now` are microseconds UTC. The timer
    starts at a put to an empty queue and restarts at a get that leaves messages; `timer_started` is
    None while it is not running.
    """

    depth: int
    max_depth: int
    depth_high: int
    depth_low: int
    high_event: int
    low_event: int
    full_event: int
    service_event: int
    service_interval: int
    timer_started: int | None
    now: int


def after_rise(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The event of any rise of the depth: a put, MOVE QLOCAL, the backout of gets (events P1)."""
    high = queue.high_event and queue.depth * 100 >= queue.depth_high * queue.max_depth
    return [DEPTH_HIGH] if high else []


def after_fall(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The event of any fall of the depth: a get, a discard, CLEAR, MOVE QLOCAL, the backout of
    puts.
    """
    low = queue.low_event and queue.depth * 100 <= queue.depth_low * queue.max_depth
    return [DEPTH_LOW] if low else []


def after_put(queue: MonitoredQueue) -> list[PerformanceEvent]:
    events = after_rise(queue)
    if queue.service_event == HIGH and _is_late(queue) is True:
        events.append(SERVICE_HIGH)
    return events


def after_get(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The events of a destructive get; `timer_started` is from before the get."""
    events = after_fall(queue)
    late = _is_late(queue)
    if queue.service_event == HIGH and late is True:
        events.append(SERVICE_HIGH)
    if queue.service_event == OK and late is False:
        events.append(SERVICE_OK)
    return events


def after_queue_full(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The events of a put that failed with Q_FULL."""
    return [QUEUE_FULL] if queue.full_event else []


def _is_late(queue: MonitoredQueue) -> bool | None:
    """Whether the service interval has passed; None while the timer is not running."""
    if queue.timer_started is None:
        return None
    return queue.now - queue.timer_started > queue.service_interval * _MICROSECONDS_PER_MILLISECOND


def all_switches(events: list[PerformanceEvent]) -> dict[str, int]:
    """The columns that the events change together."""
    return {name: value for event in events for name, value in event.switches.items()}


# Configuration and command events: the parameters that show an object or a command (events §5, §6).

CREATED, CHANGED = int(MQRC.CONFIG_CREATE_OBJECT), int(MQRC.CONFIG_CHANGE_OBJECT)
DELETED, REFRESHED = int(MQRC.CONFIG_DELETE_OBJECT), int(MQRC.CONFIG_REFRESH_OBJECT)
# As numbers: the tables of PCF take time to load, and every program imports this module.
CONSOLE, MESSAGE, SET, INTERNAL = 1, 3, 4, 0
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
        attribute, row = kind.attributes.get(word), rows.get(word)
        if (
            row is None
            or word not in values
            or word in _STATUS
            or (attribute is not None and attribute.secret)
        ):
            continue
        # The name is written before the attributes.
        made = None if row.number == rows[NAME].number else pcf_parameter(row, values[word])
        if made is not None:
            yield row, made


def _authority(rows: Mapping[str, PcfAttribute], values: Mapping[str, Any]) -> Iterator[Parameter]:
    """The parameters of an authority record: profile, type of record, entity, its type, the
    authorities.
    """
    for word in ("PROFILE", "OBJTYPE", "ENTITY", "ENTTYPE", "AUTHLIST"):
        made = pcf_parameter(rows[word], values[word])
        if made is not None:
            yield made._replace(number=_AUTHORITY_TYPE) if word == "OBJTYPE" else made


def pcf_parameter(row: PcfAttribute, value: Any) -> Parameter | None:
    """An attribute as a parameter; None for a word that has no number."""
    made = _pcf_value(row, value)
    length = (
        0
        if row.type in (pcf_table.INTEGER, pcf_table.INTEGER_LIST, pcf_table.BYTE_STRING)
        else row.length
    )
    return None if made is None else Parameter(row.number, made, length)


def _pcf_value(row: PcfAttribute, value: Any) -> int | str | bytes | list[int] | list[str] | None:
    """The value of an attribute in PCF; None for a word that has no number."""
    if row.type == pcf_table.INTEGER:
        return _number(row, value)
    if row.type == pcf_table.INTEGER_LIST:
        numbers = [_number(row, each) for each in _items(value)]
        return [each for each in numbers if each is not None]
    if row.type == pcf_table.BYTE_STRING:
        return bytes.fromhex(str(value))
    if row.type == pcf_table.STRING_LIST or (
        row.type != STRING and isinstance(value, list) and len(value) > 1
    ):
        return [str(each) for each in _items(value)]
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value not in ("", None) else []


def _number(row: PcfAttribute, value: Any) -> int | None:
    if isinstance(value, int):
        return int(value)
    text = str(value)
    if text in row.words:
        return row.words[text]
    return int(text) if text.lstrip("-").isdigit() else None


def command_parameters(
    cause: Sequence[Parameter],
    command: int,
    data: Sequence[Parameter],
) -> list[Parameter]:
    """The two groups of a command event: who gave which command, and its parameters."""
    context = (*cause, *parameters_of(("Command",), {"Command": command}))
    return [Parameter(MQGACF_COMMAND_CONTEXT, context), Parameter(MQGACF_COMMAND_DATA, tuple(data))]

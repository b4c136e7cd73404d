"""The contents of event messages.

To add an event, add its row to events.csv.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQAT, MQCC, MQCMD, MQFMT, MQRC
from mqsc.store.descriptor import NO_ID, DescribedData, MessageDescriptor
from mqsc.store.headers import layout, pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter
from mqsc.store.rules.made_message import Maker, datagram
from mqsc.store.table import table

PERFORMANCE, QUEUE_MANAGER = int(MQCMD.PERFM_EVENT), int(MQCMD.Q_MGR_EVENT)
CONFIGURATION = int(MQCMD.CONFIG_EVENT)
COMMAND = int(MQCMD.COMMAND_EVENT)
CHANNEL = int(MQCMD.CHANNEL_EVENT)
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

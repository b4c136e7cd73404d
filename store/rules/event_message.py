"""Event messages: a row for each reason with the parameters of its event, their descriptor and PCF data (events §1-§4).

To add an event, add its row to EVENTS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from store.constants import MQ, MQAT, MQCA, MQCACH, MQCC, MQCMD, MQFMT, MQIA, MQIACH, MQMT, MQRC
from store.descriptor import MessageDescriptor
from store.headers import pcf
from store.headers.layout import NATIVE, writable
from store.headers.pcf import CommandHeader, Parameter

PERFORMANCE, QUEUE_MANAGER = int(MQCMD.PERFM_EVENT), int(MQCMD.Q_MGR_EVENT)
CONFIGURATION, COMMAND = int(MQCMD.CONFIG_EVENT), int(MQCMD.COMMAND_EVENT)
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
_APPLICATION_LENGTH = int(MQ.PUT_APPL_NAME_LENGTH)
# As numbers: the tables of PCF take time to load, and every program imports this module.
(MQCACF_OBJECT_Q_MGR_NAME, MQCACF_APPL_NAME, MQCACF_USER_IDENTIFIER, MQCACF_HOST_NAME, MQIACF_REASON_QUALIFIER) = (
    3023,
    3024,
    3025,
    3191,
    1020,
)
MQIACF_ERROR_IDENTIFIER, MQIACF_AUX_ERROR_DATA_INT_1, MQIACF_AUX_ERROR_DATA_INT_2 = 1013, 1070, 1071
MQIACF_CONV_REASON_CODE = 1072
MQCACF_AUX_ERROR_DATA_STR_1, MQCACF_AUX_ERROR_DATA_STR_2, MQCACF_AUX_ERROR_DATA_STR_3 = 3026, 3027, 3028


class EventParameter(NamedTuple):
    """A parameter by the name that MQ gives it: its number, and the length of a text (0 means its own length)."""

    number: int
    length: int = 0


_NAME = int(MQ.Q_NAME_LENGTH)
PARAMETERS: Mapping[str, EventParameter] = MappingProxyType(
    {
        "QMgrName": EventParameter(int(MQCA.Q_MGR_NAME), _NAME),
        "QName": EventParameter(int(MQCA.Q_NAME), _NAME),
        "BaseObjectName": EventParameter(int(MQCA.BASE_OBJECT_NAME), _NAME),
        "XmitQName": EventParameter(int(MQCA.XMIT_Q_NAME), _NAME),
        "ProcessName": EventParameter(int(MQCA.PROCESS_NAME), _NAME),
        "ObjectQMgrName": EventParameter(MQCACF_OBJECT_Q_MGR_NAME, _NAME),
        "ApplName": EventParameter(MQCACF_APPL_NAME, _APPLICATION_LENGTH),
        "UserIdentifier": EventParameter(MQCACF_USER_IDENTIFIER, int(MQ.USER_ID_LENGTH)),
        "HostName": EventParameter(MQCACF_HOST_NAME),
        "QType": EventParameter(int(MQIA.Q_TYPE)),
        "BaseType": EventParameter(int(MQIA.BASE_TYPE)),
        "ApplType": EventParameter(int(MQIA.APPL_TYPE)),
        "ReasonQualifier": EventParameter(MQIACF_REASON_QUALIFIER),
        "TimeSinceReset": EventParameter(int(MQIA.TIME_SINCE_RESET)),
        "HighQDepth": EventParameter(int(MQIA.HIGH_Q_DEPTH)),
        "MsgEnqCount": EventParameter(int(MQIA.MSG_ENQ_COUNT)),
        "MsgDeqCount": EventParameter(int(MQIA.MSG_DEQ_COUNT)),
        "ChannelName": EventParameter(int(MQCACH.CHANNEL_NAME), int(MQ.CHANNEL_NAME_LENGTH)),
        "ChannelType": EventParameter(int(MQIACH.CHANNEL_TYPE)),
        "ChannelXmitQName": EventParameter(int(MQCACH.XMIT_Q_NAME), _NAME),
        "ConnectionName": EventParameter(int(MQCACH.CONNECTION_NAME), int(MQ.CONN_NAME_LENGTH)),
        "Format": EventParameter(int(MQCACH.FORMAT_NAME), int(MQ.FORMAT_LENGTH)),
        "ConversionReasonCode": EventParameter(MQIACF_CONV_REASON_CODE),
        "ErrorIdentifier": EventParameter(MQIACF_ERROR_IDENTIFIER),
        "AuxErrorDataInt1": EventParameter(MQIACF_AUX_ERROR_DATA_INT_1),
        "AuxErrorDataInt2": EventParameter(MQIACF_AUX_ERROR_DATA_INT_2),
        "AuxErrorDataStr1": EventParameter(MQCACF_AUX_ERROR_DATA_STR_1),
        "AuxErrorDataStr2": EventParameter(MQCACF_AUX_ERROR_DATA_STR_2),
        "AuxErrorDataStr3": EventParameter(MQCACF_AUX_ERROR_DATA_STR_3),
    }
)
Facts = Mapping[str, "int | str"]


class Event(NamedTuple):
    """The category of an event, the column of the queue manager that enables it, and its parameters in order.

    A blank column: another attribute enables it, which the code that raises it reads.
    """

    category: int
    enabled_by: str
    parameters: tuple[str, ...]


def _row(enabled_by: str, parameters: str, category: int = QUEUE_MANAGER) -> Event:
    return Event(category, enabled_by, tuple(parameters.split()))


_PERFORMANCE = _row(
    "performance_event", "QMgrName BaseObjectName TimeSinceReset HighQDepth MsgEnqCount MsgDeqCount", PERFORMANCE
)
_REMOTE = _row("remote_event", "QMgrName QName ApplType ApplName ObjectQMgrName")
_TRANSMISSION = _row("remote_event", "QMgrName QName XmitQName ApplType ApplName ObjectQMgrName")
_TRANSMISSION_TYPE = _row("remote_event", "QMgrName QName XmitQName QType ApplType ApplName ObjectQMgrName")
_LOCAL = "local_event"
EVENTS: Mapping[int, Event] = MappingProxyType(
    {
        int(MQRC.PUT_INHIBITED): _row("inhibit_event", "QMgrName QName ApplType ApplName ObjectQMgrName"),
        int(MQRC.GET_INHIBITED): _row("inhibit_event", "QMgrName QName ApplType ApplName"),
        int(MQRC.UNKNOWN_OBJECT_NAME): _row(_LOCAL, "QMgrName ApplType ApplName QName ProcessName ObjectQMgrName"),
        int(MQRC.UNKNOWN_ALIAS_BASE_Q): _row(
            _LOCAL, "QMgrName QName BaseObjectName ApplType ApplName ObjectQMgrName BaseType"
        ),
        int(MQRC.ALIAS_BASE_Q_TYPE_ERROR): _row(
            _LOCAL, "QMgrName QName BaseObjectName QType ApplType ApplName ObjectQMgrName"
        ),
        int(MQRC.UNKNOWN_REMOTE_Q_MGR): _REMOTE,
        int(MQRC.REMOTE_Q_NAME_ERROR): _REMOTE,
        int(MQRC.Q_TYPE_ERROR): _REMOTE,
        int(MQRC.UNKNOWN_XMIT_Q): _TRANSMISSION,
        int(MQRC.XMIT_Q_USAGE_ERROR): _TRANSMISSION,
        int(MQRC.UNKNOWN_DEF_XMIT_Q): _TRANSMISSION,
        int(MQRC.DEF_XMIT_Q_USAGE_ERROR): _TRANSMISSION,
        int(MQRC.XMIT_Q_TYPE_ERROR): _TRANSMISSION_TYPE,
        int(MQRC.DEF_XMIT_Q_TYPE_ERROR): _TRANSMISSION_TYPE,
        int(MQRC.Q_MGR_ACTIVE): _row("", "QMgrName HostName ReasonQualifier"),
        int(MQRC.Q_MGR_NOT_ACTIVE): _row("", "QMgrName ReasonQualifier"),
        int(MQRC.NOT_AUTHORIZED): _row("", "QMgrName ReasonQualifier UserIdentifier ApplType ApplName"),
        int(MQRC.Q_FULL): _PERFORMANCE,
        int(MQRC.Q_DEPTH_HIGH): _PERFORMANCE,
        int(MQRC.Q_DEPTH_LOW): _PERFORMANCE,
        int(MQRC.Q_SERVICE_INTERVAL_HIGH): _PERFORMANCE,
        int(MQRC.Q_SERVICE_INTERVAL_OK): _PERFORMANCE,
        int(MQRC.CHANNEL_STARTED): _row("", "QMgrName ChannelName ChannelXmitQName ConnectionName", CHANNEL),
        int(MQRC.CHANNEL_STOPPED): _row(
            "",
            "QMgrName ReasonQualifier ChannelName ErrorIdentifier AuxErrorDataInt1 AuxErrorDataInt2 AuxErrorDataStr1"
            " AuxErrorDataStr2 AuxErrorDataStr3 ChannelXmitQName ConnectionName",
            CHANNEL,
        ),
        int(MQRC.CHANNEL_STOPPED_BY_USER): _row("", "QMgrName ReasonQualifier ChannelName", CHANNEL),
        int(MQRC.CHANNEL_CONV_ERROR): _row(
            "", "QMgrName ConversionReasonCode ChannelName Format ChannelXmitQName ConnectionName", CHANNEL
        ),
        int(MQRC.CHANNEL_AUTO_DEF_OK): _row("", "QMgrName ChannelName ChannelType ConnectionName", CHANNEL),
        int(MQRC.CHANNEL_AUTO_DEF_ERROR): _row(
            "", "QMgrName ChannelName ChannelType ErrorIdentifier ConnectionName AuxErrorDataInt1", CHANNEL
        ),
    }
)


def event_parameters(reason: int, facts: Facts) -> list[Parameter]:
    """The parameters of the event of that reason, in order; those without a fact are left out."""
    rows = ((PARAMETERS[name], facts[name]) for name in EVENTS[reason].parameters if name in facts)
    return [Parameter(row.number, value, row.length) for row, value in rows]


def performance_facts(
    queue_manager: str, queue: str, *, seconds: int, high_depth: int, puts: int, gets: int
) -> dict[str, int | str]:
    """The facts of a performance event: the activity on the queue since its statistics were reset, `seconds` ago."""
    return {
        "QMgrName": queue_manager,
        "BaseObjectName": queue,
        "TimeSinceReset": seconds,
        "HighQDepth": high_depth,
        "MsgEnqCount": puts,
        "MsgDeqCount": gets,
    }


def call_facts(
    queue_manager: str, application: str, object_queue_manager: str = "", *, by_queue_manager: bool = False
) -> dict[str, int | str]:
    """The facts of a failing call that every event about it has.

    `by_queue_manager`: it is a put of a message that the queue manager makes. `object_queue_manager` is that of the
    object descriptor, and is a fact only when it is not the local one.
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
    """Whether no performance event concerns the queue (events R3)."""
    return name.startswith("SYSTEM.ADMIN.") and name.endswith(".EVENT")


def is_event_message(descriptor: MessageDescriptor) -> bool:
    """Whether a queue manager made the message to report an event."""
    return descriptor.format == str(MQFMT.EVENT) and descriptor.put_appl_type == int(MQAT.QMGR)


def event_message(
    category: int,
    reason: int,
    parameters: Sequence[Parameter],
    *,
    priority: int,
    persistence: int,
    queue_manager: str,
    msg_id: bytes,
    coded_char_set_id: int,
    now: int,
    correl_id: bytes = bytes(24),
    msg_seq_number: int = 1,
    control: int = pcf.LAST,
) -> tuple[MessageDescriptor, bytes]:
    """Descriptor and data of an event message; `category` is one of EVENT_QUEUES.

    `priority` and `persistence` are the defaults of the event queue, `coded_char_set_id` the queue manager's, `now`
    microseconds UTC.
    """
    ccsid = writable(coded_char_set_id)
    descriptor = MessageDescriptor(
        msg_type=int(MQMT.DATAGRAM),
        encoding=NATIVE,
        coded_char_set_id=ccsid,
        format=MQFMT.EVENT,
        priority=priority,
        persistence=persistence,
        msg_id=msg_id,
        correl_id=correl_id,
        reply_to_q_mgr=queue_manager,
        put_appl_type=int(MQAT.QMGR),
        put_appl_name=queue_manager[:_APPLICATION_LENGTH],
        put_date=None,
        put_time=None,
    )
    descriptor.put_at = now
    version = _VERSIONS.get(category, 1)
    header = CommandHeader(pcf.EVENT, category, int(MQCC.WARNING), reason, msg_seq_number, control, version)
    return descriptor, pcf.pack(header, parameters, NATIVE, ccsid)

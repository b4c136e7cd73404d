"""Event messages: descriptor and PCF data (mqi-semantics §11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from store.constants import MQ, MQAT, MQCA, MQCC, MQCMD, MQFMT, MQIA, MQMT
from store.descriptor import MessageDescriptor
from store.headers import pcf
from store.headers.layout import NATIVE, writable
from store.headers.pcf import CommandHeader, Parameter

PERFORMANCE, QUEUE_MANAGER = int(MQCMD.PERFM_EVENT), int(MQCMD.Q_MGR_EVENT)
EVENT_QUEUES = {PERFORMANCE: "SYSTEM.ADMIN.PERFM.EVENT", QUEUE_MANAGER: "SYSTEM.ADMIN.QMGR.EVENT"}
_NAME_LENGTH, _APPLICATION_LENGTH = int(MQ.Q_NAME_LENGTH), int(MQ.PUT_APPL_NAME_LENGTH)
# The families of PCF parameters are not in the table of constants.
MQCACF_OBJECT_Q_MGR_NAME, MQCACF_APPL_NAME = 3023, 3024


class QueueStatistics(NamedTuple):
    """The activity on a queue since its statistics were reset, `seconds` ago."""

    seconds: int
    high_depth: int
    puts: int
    gets: int


def performance_parameters(queue_manager: str, queue: str, statistics: QueueStatistics) -> list[Parameter]:
    """The parameters of a queue depth, queue full or service interval event."""
    return [
        Parameter(int(MQCA.Q_MGR_NAME), queue_manager, _NAME_LENGTH),
        Parameter(int(MQCA.BASE_OBJECT_NAME), queue, _NAME_LENGTH),
        Parameter(int(MQIA.TIME_SINCE_RESET), statistics.seconds),
        Parameter(int(MQIA.HIGH_Q_DEPTH), statistics.high_depth),
        Parameter(int(MQIA.MSG_ENQ_COUNT), statistics.puts),
        Parameter(int(MQIA.MSG_DEQ_COUNT), statistics.gets),
    ]


def inhibit_parameters(
    queue_manager: str, queue: str, application: str, object_queue_manager: str = ""
) -> list[Parameter]:
    """The parameters of a put or get inhibited event, with the names that the program used to open the queue."""
    parameters = [
        Parameter(int(MQCA.Q_MGR_NAME), queue_manager, _NAME_LENGTH),
        Parameter(int(MQCA.Q_NAME), queue, _NAME_LENGTH),
        Parameter(int(MQIA.APPL_TYPE), int(MQAT.UNIX)),
        Parameter(MQCACF_APPL_NAME, application, _APPLICATION_LENGTH),
    ]
    if object_queue_manager not in ("", queue_manager):
        parameters.append(Parameter(MQCACF_OBJECT_Q_MGR_NAME, object_queue_manager, _NAME_LENGTH))
    return parameters


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
) -> tuple[MessageDescriptor, bytes]:
    """Descriptor and data of an event message. `category` is PERFORMANCE or QUEUE_MANAGER.

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
        reply_to_q_mgr=queue_manager,
        put_appl_type=int(MQAT.QMGR),
        put_appl_name=queue_manager[:_APPLICATION_LENGTH],
        put_date=None,
        put_time=None,
    )
    descriptor.put_at = now
    header = CommandHeader(pcf.EVENT, category, int(MQCC.WARNING), reason)
    return descriptor, pcf.pack(header, parameters, NATIVE, ccsid)

"""Event messages: descriptor and data (mqi-semantics §11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from store.constants import MQCA, MQCC, MQCMD, MQFMT, MQIA, MQMT
from store.descriptor import MessageDescriptor
from store.headers import pcf
from store.headers.layout import NATIVE, writable
from store.headers.pcf import CommandHeader, Parameter

PERFORMANCE, QUEUE_MANAGER = int(MQCMD.PERFM_EVENT), int(MQCMD.Q_MGR_EVENT)
# Where events of each category go.
EVENT_QUEUES = {PERFORMANCE: "SYSTEM.ADMIN.PERFM.EVENT", QUEUE_MANAGER: "SYSTEM.ADMIN.QMGR.EVENT"}
_MADE_BY_QUEUE_MANAGER = 7  # MQAT_QMGR
_UNIX_APPLICATION = 6
_NAME_LENGTH, _APPLICATION_LENGTH = 48, 28
# MQCACF_OBJECT_Q_MGR_NAME and MQCACF_APPL_NAME.
_OBJECT_QUEUE_MANAGER, _APPLICATION_NAME = 3023, 3024


class Statistics(NamedTuple):
    """What happened on a queue since its statistics were reset, `seconds` ago."""

    seconds: int
    high_depth: int
    puts: int
    gets: int


def performance_parameters(queue_manager: str, queue: str, statistics: Statistics) -> list[Parameter]:
    """What a queue depth, queue full or service interval event tells."""
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
    """What a put or get inhibited event tells; names as the program gave them when it opened the queue."""
    told = [
        Parameter(int(MQCA.Q_MGR_NAME), queue_manager, _NAME_LENGTH),
        Parameter(int(MQCA.Q_NAME), queue, _NAME_LENGTH),
        Parameter(int(MQIA.APPL_TYPE), _UNIX_APPLICATION),
        Parameter(_APPLICATION_NAME, application, _APPLICATION_LENGTH),
    ]
    if object_queue_manager not in ("", queue_manager):
        told.append(Parameter(_OBJECT_QUEUE_MANAGER, object_queue_manager, _NAME_LENGTH))
    return told


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
    """Descriptor and data of an event message of that category (PERFORMANCE, QUEUE_MANAGER).

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
        put_appl_type=_MADE_BY_QUEUE_MANAGER,
        put_appl_name=queue_manager[:28],
        put_date=None,
        put_time=None,
    )
    descriptor.put_at = now
    header = CommandHeader(pcf.EVENT, category, int(MQCC.WARNING), reason)
    return descriptor, pcf.pack(header, parameters, NATIVE, ccsid)

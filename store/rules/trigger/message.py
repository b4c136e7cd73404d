"""The trigger message: MQTM data and its descriptor (triggering §5)."""

from __future__ import annotations

from typing import NamedTuple

from store.descriptor import MessageDescriptor
from store.headers import mqtm
from store.headers.layout import NATIVE, writable

DATAGRAM, UNLIMITED, NOT_PERSISTENT, QUEUE_MANAGER = 8, -1, 0, 7
TRIGGER_FORMAT = "MQTRIG"


class Process(NamedTuple):
    """A process definition: APPLTYPE as an MQAT number, APPLICID, ENVRDATA, USERDATA."""

    name: str
    appl_type: int
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


# PROCESS blank on a transmission queue (C6, T22).
NO_PROCESS = Process("", mqtm.UNKNOWN_APPLICATION)


def trigger_message(
    queue: str,
    trigger_data: str,
    process: Process,
    *,
    priority: int,
    queue_manager: str,
    msg_id: bytes,
    coded_char_set_id: int,
    now: int,
) -> tuple[MessageDescriptor, bytes]:
    """Descriptor and data of a trigger message for `queue`, the local name of the application queue.

    `priority` is DEFPRTY of the initiation queue, `coded_char_set_id` the queue manager's, `now` microseconds UTC.
    """
    ccsid = writable(coded_char_set_id)
    descriptor = MessageDescriptor(
        msg_type=DATAGRAM,
        expiry=UNLIMITED,
        encoding=NATIVE,
        coded_char_set_id=ccsid,
        format=TRIGGER_FORMAT,
        priority=priority,
        persistence=NOT_PERSISTENT,
        msg_id=msg_id,
        reply_to_q_mgr=queue_manager,
        put_appl_type=QUEUE_MANAGER,
        put_appl_name=queue_manager[:28],
        put_date=None,
        put_time=None,
    )
    descriptor.put_at = now
    told = mqtm.TriggerMessage(
        queue, process.name, trigger_data, process.appl_type, process.appl_id, process.env_data, process.user_data
    )
    return descriptor, mqtm.pack(told, NATIVE, ccsid)

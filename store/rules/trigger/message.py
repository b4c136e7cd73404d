"""The trigger message: its descriptor and its data, an MQTM (triggering §5)."""

from __future__ import annotations

from typing import NamedTuple

from store.constants import MQ, MQAT, MQEI, MQFMT, MQMT, MQPER
from store.descriptor import MessageDescriptor
from store.headers import mqtm
from store.headers.layout import NATIVE, writable

DATAGRAM, UNLIMITED, NOT_PERSISTENT = int(MQMT.DATAGRAM), int(MQEI.UNLIMITED), int(MQPER.NOT_PERSISTENT)
QUEUE_MANAGER = int(MQAT.QMGR)
TRIGGER_FORMAT = str(MQFMT.TRIGGER)
PUT_APPL_NAME_LENGTH = int(MQ.PUT_APPL_NAME_LENGTH)


class ProcessDefinition(NamedTuple):
    """A process definition: APPLTYPE as an MQAT number, APPLICID, ENVRDATA, USERDATA."""

    name: str
    appl_type: int
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


# For a transmission queue whose PROCESS is blank (C6, T22).
NO_PROCESS = ProcessDefinition("", mqtm.UNKNOWN_APPLICATION)


def start_of_data(queue: str, coded_char_set_id: int) -> bytes:
    """The first bytes of the data of every trigger message for `queue`, up to its name."""
    data = mqtm.pack(mqtm.TriggerMessage(queue), NATIVE, writable(coded_char_set_id))
    return data[: mqtm.QUEUE_NAME_ENDS]


def trigger_message(
    queue: str,
    trigger_data: str,
    process: ProcessDefinition,
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
        put_appl_name=queue_manager[:PUT_APPL_NAME_LENGTH],
        put_date=None,
        put_time=None,
    )
    descriptor.put_at = now
    message = mqtm.TriggerMessage(
        queue, process.name, trigger_data, process.appl_type, process.appl_id, process.env_data, process.user_data
    )
    return descriptor, mqtm.pack(message, NATIVE, ccsid)

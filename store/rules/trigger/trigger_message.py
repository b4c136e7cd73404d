"""The trigger message: its descriptor and its data, an MQTM (triggering §5)."""

from typing import NamedTuple

from mqsc.store.constants import MQFMT
from mqsc.store.descriptor import DescribedData
from mqsc.store.headers import layout, mqtm
from mqsc.store.rules.made_message import Maker, datagram

TRIGGER_FORMAT = str(MQFMT.TRIGGER)


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
    data = mqtm.pack_mqtm(
        mqtm.TriggerMessage(queue),
        layout.NATIVE,
        layout.writable(coded_char_set_id),
    )
    return data[: mqtm.QUEUE_NAME_ENDS]


def trigger_message(
    queue: str,
    trigger_data: str,
    process: ProcessDefinition,
    maker: Maker,
    *,
    priority: int,
) -> DescribedData:
    """Descriptor and data of a trigger message for `queue`, the local name of the application
    queue.

    `priority` is DEFPRTY of the initiation queue.
    """
    descriptor = datagram(maker, TRIGGER_FORMAT, priority=priority)
    message = mqtm.TriggerMessage(
        queue,
        process.name,
        trigger_data,
        process.appl_type,
        process.appl_id,
        process.env_data,
        process.user_data,
    )
    return descriptor, mqtm.pack_mqtm(message, layout.NATIVE, descriptor.coded_char_set_id)

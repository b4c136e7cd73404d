"""The descriptor of a message that the queue manager makes: a trigger message or an event message."""

from typing import NamedTuple

from mqsc.store.constants import MQ, MQAT, MQMT
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.headers.layout import NATIVE, writable

DATAGRAM, QUEUE_MANAGER = int(MQMT.DATAGRAM), int(MQAT.QMGR)
PUT_APPL_NAME_LENGTH = int(MQ.PUT_APPL_NAME_LENGTH)


class Maker(NamedTuple):
    """The queue manager that makes a message: its name and CCSID, a MsgId for the message, and
    microseconds UTC.
    """

    queue_manager: str
    coded_char_set_id: int
    msg_id: bytes
    now: int

    @property
    def application(self) -> str:
        """PutApplName of its messages."""
        return self.queue_manager[:PUT_APPL_NAME_LENGTH]


def datagram(
    maker: Maker,
    format: str,
    *,
    priority: int,
    persistence: int = 0,
    correl_id: bytes = NO_ID,
) -> MessageDescriptor:
    """The descriptor of a datagram in the queue manager's encoding and, if headers can be
    written in it, its CCSID.
    """
    descriptor = MessageDescriptor(
        msg_type=DATAGRAM,
        encoding=NATIVE,
        coded_char_set_id=writable(maker.coded_char_set_id),
        format=format,
        priority=priority,
        persistence=persistence,
        msg_id=maker.msg_id,
        correl_id=correl_id,
        reply_to_q_mgr=maker.queue_manager,
        put_appl_type=QUEUE_MANAGER,
        put_appl_name=maker.application,
        put_date=None,
        put_time=None,
    )
    descriptor.put_at = maker.now
    return descriptor

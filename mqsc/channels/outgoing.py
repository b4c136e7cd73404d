"""What a sending end does with a message on its transmission queue, for a run and for the forecast."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.constants import MQFB, MQMF, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import layout, mqxqh
from mqsc.store.mqi import conversion
from mqsc.store.rules import expiry, putting, report_message

# Its data is a part of a message, which cannot be converted by itself.
_SEGMENT = int(MQMF.SEGMENT)


class SendingEnd(NamedTuple):
    """The transmission queue and its queue manager, and what the ends agreed on.

    `ccsid` is that of the partner if CONVERT(YES), else 0. `longest`: the smaller MAXMSGL.
    """

    queue: str
    queue_manager: str
    ccsid: int
    longest: int


class Outgoing(NamedTuple):
    """A message to send, in the partner's CCSID if CONVERT(YES), or one that this end cannot send.

    `reason` is why it cannot, an MQRC or MQFB, else 0; `carried` is then the message for the
    dead-letter queue. `length` is that of its data, of which the caller may have given a part only.
    """

    carried: mqxqh.CarriedMessage
    length: int
    reason: int = 0
    is_unconvertible: bool = False


def outgoing(end: SendingEnd, outer: MessageDescriptor, body: bytes, length: int) -> Outgoing:
    """The message as the sending end treats it; `body` may be the start of its `length` bytes
    unless CONVERT(YES).

    Without a valid transmission header it cannot be sent (MQFB_XMIT_Q_MSG_ERROR).
    """
    sent = report_message.sent_message(outer, body)
    if isinstance(sent, mqxqh.NotCarried) or _fault(sent.descriptor):
        junk = mqxqh.CarriedMessage(end.queue, end.queue_manager, outer, body)
        return Outgoing(junk, length, int(MQFB.XMIT_Q_MSG_ERROR))
    left_out = length - len(body)
    reason, descriptor, data = _converted(end.ccsid, sent.descriptor, sent.body)
    if reason:
        return Outgoing(sent, len(sent.body) + left_out, reason, is_unconvertible=True)
    if len(data) + left_out > end.longest:
        return Outgoing(sent, len(sent.body) + left_out, int(MQRC.MSG_TOO_BIG_FOR_CHANNEL))
    return Outgoing(sent._replace(descriptor=descriptor, body=data), len(data) + left_out)


def _fault(descriptor: MessageDescriptor) -> int:
    """Why the descriptor in a transmission header cannot be sent, or 0. One that has expired can
    (expiry A5).
    """
    if not descriptor.expiry:
        descriptor = descriptor.copy()
        descriptor.expiry = expiry.UNLIMITED
    return putting.descriptor_fault(descriptor, transmission=True)


def _converted(
    ccsid: int,
    descriptor: MessageDescriptor,
    body: bytes,
) -> tuple[int, MessageDescriptor, bytes]:
    wanted = conversion.Representation(ccsid, layout.NATIVE)
    is_wanted = (descriptor.coded_char_set_id, descriptor.encoding) == wanted
    if (
        not ccsid
        or is_wanted
        or not body
        or not descriptor.format
        or descriptor.msg_flags & _SEGMENT
    ):
        return 0, descriptor, body
    into = descriptor.copy()
    reason, data = conversion.converted(into, body, wanted)
    return reason, into, data

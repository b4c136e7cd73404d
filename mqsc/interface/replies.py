"""Replies to requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mqsc.interface.connected import Connected, with_properties
from mqsc.interface.messages import NOTHING, Body, ReceivedMessage, message_of
from mqsc.store.argument_checks import must_be
from mqsc.store.constants import MQMT
from mqsc.store.descriptor import PERSISTENCE_AS_Q_DEF, MessageDescriptor
from mqsc.store.message import Message
from mqsc.store.rules.command_message import response_descriptor
from mqsc.store.rules.properties.property_types import Value

_REPLY = int(MQMT.REPLY)
# What answers a request: text, bytes, or anything that is JSON; None for no reply.
Answer = Callable[[ReceivedMessage], object]


def put_reply(
    connected: Connected,
    request: ReceivedMessage,
    body: Body = None,
    *,
    json: object = NOTHING,
    properties: Mapping[str, Value] | None = None,
) -> MessageDescriptor:
    """Put the reply to a request, in the unit of work if one is open. ValueError if it asks for
    none.
    """
    descriptor = must_be(ReceivedMessage, request, "the request").descriptor
    if not descriptor.reply_to_q:
        raise ValueError("the message names no queue for replies")
    to = response_descriptor(descriptor)
    message = message_of(
        body,
        json,
        msg_type=_REPLY,
        report=to.report,
        expiry=to.expiry,
        priority=to.priority,
        msg_id=to.msg_id,
        correl_id=to.correl_id,
        persistence=PERSISTENCE_AS_Q_DEF,
    )
    options = with_properties(properties or {}, connected.put_options)
    with connected.failures:
        return connected.connection.put1(
            descriptor.reply_to_q,
            message,
            options,
            queue_manager=descriptor.reply_to_q_mgr,
        )


def put_answer(connected: Connected, request: ReceivedMessage, answer: object) -> None:
    """Reply with what a function returned; None, or a message that names no queue for
    replies, is no reply.
    """
    if answer is None or not request.reply_to:
        return
    if isinstance(answer, (str, bytes, Message)):
        put_reply(connected, request, answer)
    else:
        put_reply(connected, request, json=answer)

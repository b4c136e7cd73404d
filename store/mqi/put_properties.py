"""The properties that a put adds to a message from message handles."""

from __future__ import annotations

from mqsc.store.argument_checks import bits
from mqsc.store.constants import MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_for
from mqsc.store.headers import mqrfh2
from mqsc.store.message import PutMessageOptions
from mqsc.store.mqi.message_handle import MessageHandleState
from mqsc.store.mqi.state import ConnectionState
from mqsc.store.rules.properties import message_data, put_action
from mqsc.store.rules.properties.put_action import EMPTY, HandleContent
from mqsc.store.sql import objects
from mqsc.store.sqlite.database import Transaction

MD_FOR_OUTPUT_ONLY = int(MQPMO.MD_FOR_OUTPUT_ONLY)


def usable(connection: ConnectionState, message_handle: object) -> MessageHandleState | None:
    """The message handle, or None without one; MQError 2460 for a handle of another connection,
    or a deleted one.
    """
    if message_handle is None:
        return None
    if not isinstance(message_handle, MessageHandleState):
        raise TypeError(f"a message handle is needed, not {type(message_handle).__name__}")
    if message_handle.is_deleted or (
        message_handle.connection is not None and message_handle.connection is not connection
    ):
        raise MQError(MQRC.HMSG_ERROR)
    return message_handle


def check_put_properties(connection: ConnectionState, options: PutMessageOptions) -> bool:
    """Whether message handles take part in the put. MQError 2460, 2535."""
    original = usable(connection, options.original_handle)
    new = usable(connection, options.message_handle)
    refuse_for(
        put_action.action_fault(bits(options.action, "action"), has_original=original is not None),
    )
    return original is not None or new is not None


def contents(options: PutMessageOptions) -> tuple[HandleContent, HandleContent]:
    """What the original and the new message handle hold."""
    original, new = (_content(each) for each in (options.original_handle, options.message_handle))
    return original, new


def _content(handle: object) -> HandleContent:
    return (
        HandleContent(handle.properties, handle.fields)
        if isinstance(handle, MessageHandleState)
        else EMPTY
    )


def restart_iteration(options: PutMessageOptions) -> None:
    """A put resets the cursors of the message handles."""
    for each in (options.original_handle, options.message_handle):
        if isinstance(each, MessageHandleState):
            each.reset_cursor()


def given_descriptor(
    descriptor: MessageDescriptor,
    options: PutMessageOptions,
    option_bits: int,
) -> MessageDescriptor:
    """The MQMD to put with: with MD_FOR_OUTPUT_ONLY the fields that the handles hold."""
    if not option_bits & MD_FOR_OUTPUT_ONLY:
        return descriptor
    taken = MessageDescriptor()
    original, new = contents(options)
    for name, value in put_action.fields_of(options.action, original, new).items():
        setattr(taken, name, value)
    return taken


def with_properties(
    tx: Transaction,
    call: CallContext,
    placed: MessageDescriptor,
    body: bytes,
    options: PutMessageOptions,
) -> tuple[MessageDescriptor, bytes, int]:
    """The message as it is stored, and the length that MAXMSGL counts.

    MQError 2334, 2421 or 2527 for an invalid MQRFH2 at the start of the data, 2490 and 2478 for
    properties that cannot be put.
    """
    stored = placed
    if placed.format == mqrfh2.FORMAT:
        refuse_for(message_data.fault(placed, body))
    if options.message_handle is not None or options.original_handle is not None:
        original, new = contents(options)
        properties = put_action.properties_of(options.action, original, new)
        refuse_for(put_action.support_fault(properties))
        if properties:
            stored, body = message_data.with_properties(
                placed,
                body,
                properties.values(),
                call.qmgr.ccsid,
            )
    carried = message_data.read(stored, body)
    if carried is None:
        return stored, body, len(body)
    limit = objects.attribute(tx, call.qmgr.name, "qmgr", call.qmgr.name, "MAXPROPL")
    if isinstance(limit, int) and 0 <= limit < message_data.properties_length(carried):
        raise MQError(MQRC.PROPERTIES_TOO_BIG)
    return stored, body, message_data.counted(carried, len(body))

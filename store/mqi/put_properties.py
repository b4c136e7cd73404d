"""The properties that a put adds to a message from message handles, and what the queue manager refuses about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.argument_checks import bits
from store.constants import MQPMO, MQRC
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.headers import mqrfh2
from store.message import PutMessageOptions
from store.mqi.message_handle import MessageHandleState
from store.mqi.state import ConnectionState
from store.rules.properties import message_data, outgoing
from store.rules.properties.outgoing import EMPTY, HandleContent
from store.sql import objects

if TYPE_CHECKING:
    from store.engine.call_context import CallContext
    from store.sqlite.database import Transaction

MD_FOR_OUTPUT_ONLY = int(MQPMO.MD_FOR_OUTPUT_ONLY)


def usable(connection: ConnectionState, given: object) -> MessageHandleState | None:
    """The message handle, or None where none is given; MQError 2460 for one of another connection, or a deleted one."""
    if given is None:
        return None
    if not isinstance(given, MessageHandleState):
        raise TypeError(f"a message handle is needed, not {type(given).__name__}")
    if given.is_deleted or (given.connection is not None and given.connection is not connection):
        raise MQError(MQRC.HMSG_ERROR)
    return given


def check(connection: ConnectionState, options: PutMessageOptions) -> bool:
    """Whether message handles take part in the put. MQError 2460, 2535."""
    original, new = usable(connection, options.original_handle), usable(connection, options.message_handle)
    fault = outgoing.action_fault(bits(options.action, "action"), has_original=original is not None)
    if fault:
        raise MQError(fault)
    return original is not None or new is not None


def contents(options: PutMessageOptions) -> tuple[HandleContent, HandleContent]:
    """What the original and the new message handle hold."""
    original, new = (_content(each) for each in (options.original_handle, options.message_handle))
    return original, new


def _content(handle: object) -> HandleContent:
    return HandleContent(handle.properties, handle.fields) if isinstance(handle, MessageHandleState) else EMPTY


def restart_iteration(options: PutMessageOptions) -> None:
    """A put resets the cursors of the message handles."""
    for each in (options.original_handle, options.message_handle):
        if isinstance(each, MessageHandleState):
            each.reset_cursor()


def given_descriptor(descriptor: MessageDescriptor, options: PutMessageOptions, asked: int) -> MessageDescriptor:
    """The MQMD to put with: with MD_FOR_OUTPUT_ONLY the fields that the handles hold."""
    if not asked & MD_FOR_OUTPUT_ONLY:
        return descriptor
    taken = MessageDescriptor()
    original, new = contents(options)
    for name, value in outgoing.fields_of(options.action, original, new).items():
        setattr(taken, name, value)
    return taken


def with_properties(
    tx: Transaction, call: CallContext, placed: MessageDescriptor, body: bytes, options: PutMessageOptions
) -> tuple[MessageDescriptor, bytes, int]:
    """The message as it is stored, and the length that MAXMSGL counts.

    MQError 2334, 2421 or 2527 for an invalid MQRFH2 at the start of the data, 2490 and 2478 for properties that cannot
    be put.
    """
    stored = placed
    if placed.format == mqrfh2.FORMAT:
        refused = message_data.fault(placed, body)
        if refused:
            raise MQError(refused)
    if options.message_handle is not None or options.original_handle is not None:
        original, new = contents(options)
        properties = outgoing.properties_of(options.action, original, new)
        refused = outgoing.support_fault(properties)
        if refused:
            raise MQError(refused)
        if properties:
            stored, body = message_data.with_properties(placed, body, properties.values(), call.qmgr.ccsid)
    carried = message_data.read(stored, body)
    if carried is None:
        return stored, body, len(body)
    limit = objects.attribute(tx, call.qmgr.name, "qmgr", call.qmgr.name, "MAXPROPL")
    if isinstance(limit, int) and 0 <= limit < message_data.properties_length(carried):
        raise MQError(MQRC.PROPERTIES_TOO_BIG)
    return stored, body, message_data.counted(carried, len(body))

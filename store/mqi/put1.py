"""MQPUT1: open, put one message, close, in one call."""

from __future__ import annotations

from store.argument_checks import bits
from store.descriptor import MessageDescriptor
from store.engine import name_resolution
from store.engine.name_resolution import Unresolved
from store.error import MQError
from store.message import Message, PutMessageOptions
from store.mqi.open import OpenRequest, check_names, check_user, raise_event
from store.mqi.put import put
from store.mqi.revalidate import call_context
from store.mqi.state import ConnectionState, HandleState, Opened
from store.rules import opening, putting
from store.sqlite.database import Transaction


def put1(
    connection: ConnectionState, request: OpenRequest, message: Message, options: PutMessageOptions
) -> MessageDescriptor:
    """Put one message to a queue by name; no context option needs an open option here."""
    name, queue_manager, alternate_user = request.name, request.queue_manager, request.alternate_user
    asked = bits(options.options, "options")
    fault = putting.options_fault(asked, put1=True)
    if fault:
        raise MQError(fault, name)
    check_user(alternate_user)
    check_names(connection, name, queue_manager)
    with Transaction(connection.store.database, durable=False) as tx:
        call = call_context(tx, connection, fail_if_quiescing=asked & putting.FAIL_IF_QUIESCING)
        destination = name_resolution.resolve(tx, call.qmgr, name, queue_manager)
        if isinstance(destination, Unresolved):
            raise_event(tx, call, name, queue_manager, destination)
    if isinstance(destination, Unresolved):
        raise MQError(destination.reason, name)
    # Not registered: it exists for this call only, and the put revalidates the queue.
    user = alternate_user if asked & putting.ALTERNATE_USER_AUTHORITY else ""
    opened = Opened(0, name, opening.OUTPUT | opening.SET_ALL_CONTEXT, destination, alternate_user=user)
    handle = HandleState(connection, opened)
    return put(handle, (message,), options, asked, put1=True)[0]

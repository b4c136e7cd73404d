"""Asynchronous puts, and MQSTAT, which reports their outcome (callbacks §5).

A put with MQPMO_ASYNC_RESPONSE, or through an object with DEFPRESP(ASYNC), is done at once; an
error in the message or the queue is recorded and does not fail the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.store.constants import MQCC, MQOT, MQRC, MQSTAT
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, refuse_if
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi.handles import OpenRequest
from mqsc.store.mqi.publish import publishes_asynchronously
from mqsc.store.mqi.put1 import put1 as put_one
from mqsc.store.mqi.state import ConnectionState, HandleState, PutStatus, Recorded
from mqsc.store.rules import putting
from mqsc.store.sql import objects


class Names(NamedTuple):
    """The queue put to, its queue manager, and what they resolved to."""

    queue: str
    queue_manager: str
    resolved_queue: str = ""
    resolved_queue_manager: str = ""


# The program's own mistakes, which fail the call: handles, options and structures.
FAIL_THE_CALL = frozenset(
    int(MQRC[each])
    for each in (
        "HCONN_ERROR HOBJ_ERROR NOT_OPEN_FOR_OUTPUT OPTIONS_ERROR PMO_ERROR MD_ERROR "
        "CONNECTION_BROKEN"
        " CALL_IN_PROGRESS HCONN_ASYNC_ACTIVE HMSG_ERROR ACTION_ERROR"
    ).split()
)


def is_asynchronous(handle: HandleState, option_bits: int) -> bool:
    """Whether a put through the handle is asynchronous; without an option, as DEFPRESP of the
    object opened says.
    """
    if option_bits & putting.ASYNC_RESPONSE:
        return True
    destination = handle.destination
    if option_bits & putting.SYNC_RESPONSE:
        return False
    if destination is None:
        return bool(handle.topic) and publishes_asynchronously(handle)
    if handle.is_asynchronous is None:
        opened = destination.opened
        put_response = handle.connection.store.read(
            objects.attribute,
            opened.owner,
            "queue",
            opened.name,
            "DEFPRESP",
        )
        handle.is_asynchronous = put_response == "ASYNC"
    return handle.is_asynchronous


def put1(
    connection: ConnectionState,
    request: OpenRequest,
    message: Message,
    options: PutMessageOptions,
) -> MessageDescriptor:
    """MQPUT1 with MQPMO_ASYNC_RESPONSE: the descriptor as placed, or as given when the put
    failed.
    """
    about = Names(request.name, request.queue_manager or connection.qmgr.name)
    in_unit = bool(options.options & putting.SYNCPOINT)
    return recorded(
        connection,
        about,
        [message],
        lambda: [put_one(connection, request, message, options)],
        in_unit,
    )[0]


def names_of(handle: HandleState) -> Names:
    """The names that MQSTAT returns about a put through the handle."""
    destination = handle.destination
    resolved = ("", "") if destination is None else destination.resolved_names
    return Names(handle.name, handle.connection.qmgr.name, *resolved)


def recorded(
    connection: ConnectionState,
    about: Names,
    messages: Sequence[Message],
    put: Callable[[], list[MessageDescriptor]],
    in_unit: bool,
) -> list[MessageDescriptor]:
    """What `put` places, or the descriptors as given when it failed; the outcome is only recorded.

    A unit of work that misses a message cannot be committed. A mistake of the program raises its
    error.
    """
    status = connection.asynchronous
    try:
        placed = put()
    except MQError as error:
        if error.reason in FAIL_THE_CALL:
            raise
        status.failed += len(messages)
        status.note(_problem(about, int(MQCC.FAILED), int(error.reason)))
        connection.unit.misses_put = connection.unit.misses_put or in_unit
        placed = [each.descriptor.copy() for each in messages]
    else:
        status.succeeded += sum(not each.reason for each in messages)
        for each in messages:
            if each.reason:
                status.warned += 1
                status.note(_problem(about, int(MQCC.WARNING), each.reason))
    for each in messages:
        each.completion = each.reason = 0
    return placed


def _problem(about: Names, completion: int, reason: int) -> PutStatus:
    return PutStatus(completion, reason, 0, 0, 0, int(MQOT.Q), *about)


def status(connection: ConnectionState, type: int) -> PutStatus:
    """Return the recorded status and clear it. MQError 2430 for an unknown type.

    2012 for reconnection, of which a local connection knows nothing.
    """
    refuse_if(
        type in (MQSTAT.TYPE_RECONNECTION, MQSTAT.TYPE_RECONNECTION_ERROR),
        MQRC.ENVIRONMENT_ERROR,
    )
    refuse_if(type != MQSTAT.TYPE_ASYNC_ERROR, MQRC.STAT_TYPE_ERROR)
    recorded, connection.asynchronous = connection.asynchronous, Recorded()
    succeeded = recorded.succeeded
    warned = recorded.warned
    failed = recorded.failed
    return replace(
        recorded.first,
        put_success_count=succeeded,
        put_warning_count=warned,
        put_failure_count=failed,
    )

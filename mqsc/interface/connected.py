"""The connection of a session, which its queues and units of work share."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from mqsc.interface.failures import Failures
from mqsc.interface.messages import handle_of
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.subscription import Subscription
from mqsc.store.constants import MQPMO
from mqsc.store.error import MQError
from mqsc.store.message import PutMessageOptions
from mqsc.store.rules.properties.property_types import Value

_PUT = MQPMO.FAIL_IF_QUIESCING | MQPMO.SYNC_RESPONSE
AT_ONCE = PutMessageOptions(int(_PUT | MQPMO.NO_SYNCPOINT))
_IN_UNIT = PutMessageOptions(int(_PUT | MQPMO.SYNCPOINT))


class Connected:
    """A connection, whether a unit of work is open on it, and its errors as those of the
    interface.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.failures = Failures(connection.qmgr)
        self.is_in_unit = False

    @property
    def put_options(self) -> PutMessageOptions:
        """The options of a put: in the unit of work if one is open."""
        return _IN_UNIT if self.is_in_unit else AT_ONCE

    def __repr__(self) -> str:
        closed = "" if self.connection.is_connected else ", closed"
        return f"<mqsc.Session with {self.connection.qmgr.name}{closed}>"


def with_properties(
    properties: Mapping[str, Value],
    options: PutMessageOptions,
) -> PutMessageOptions:
    """The options of a put, with a message handle if there are properties."""
    return (
        PutMessageOptions(options.options, message_handle=handle_of(properties))
        if properties
        else options
    )


def close_handle(handle: Subscription | ObjectHandle) -> None:
    """Close a handle, unless its connection has ended, which closed it."""
    connection = handle.connection
    if handle.is_open and connection.is_connected and not connection.is_inherited:
        with suppress(MQError):
            handle.close()

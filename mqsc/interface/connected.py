"""The connection of a session, which its queues and units of work share."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

from mqsc.interface.failures import Failures
from mqsc.interface.messages import handle_of
from mqsc.store.catalog.spelling import did_you_mean, typing_error_of
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


# The arguments of the calls that put a message.
PUT = ("json", "priority", "persistent", "expiry", "correl_id", "reply_to", "properties")
PUBLISH = ("json", "retain", "priority", "persistent", "expiry", "properties")
REQUEST = ("json", "timeout", "properties")
REPLY = ("json", "properties")


def properties_of(
    named: Mapping[str, Value],
    given: Mapping[str, Value] | None,
    arguments: tuple[str, ...],
) -> Mapping[str, Value]:
    """The properties that were `named` as arguments of a call, and those `given` as a mapping.

    All names that are no argument are properties, so TypeError for one that is a typing error of an
    argument, or an argument of `put` that this call does not have; a mapping may have any name.
    """
    for name in named:
        if name in PUT:
            raise TypeError(
                f"this call has no argument {name!r}; a Message as the body can have that field, "
                f"and a property of that name is given as properties={{{name!r}: ...}}",
            )
        meant = _meant(name, arguments)
        if meant:
            raise TypeError(
                f"{name!r} is not an argument; {did_you_mean([meant])} A property of that name is "
                f"given as properties={{{name!r}: ...}}",
            )
    return {**named, **given} if given else named


@lru_cache(maxsize=1024)
def _meant(name: str, arguments: tuple[str, ...]) -> str:
    return typing_error_of(name, arguments)


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

"""Messages put, browsed and got over REST: calls of the MQI (rest §5). Called in threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from mqsc.http import contract
from mqsc.http.connections import Connections
from mqsc.http.errors import RestError, unknown_queue_manager
from mqsc.http.message_headers import (
    Put,
    ReceivedFields,
    answer_headers,
    correlation_text,
    identifier_text,
    refused_header,
)
from mqsc.http.user_properties import HEADER as PROPERTIES
from mqsc.store.client.connection import Connection
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQFMT, MQGMO, MQMO, MQOO, MQOT, MQPMO, MQRC
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions

_FORMAT = str(MQFMT.STRING)
_UTF_8 = 1208
_PUT = int(MQPMO.NO_SYNCPOINT | MQPMO.FAIL_IF_QUIESCING)
_BROWSE = int(MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING)
_INPUT = int(MQOO.INPUT_AS_Q_DEF) | _BROWSE
_LOOK = int(MQGMO.FAIL_IF_QUIESCING | MQGMO.NO_PROPERTIES | MQGMO.CONVERT)
_FIRST, _NEXT = int(MQGMO.BROWSE_FIRST), int(MQGMO.BROWSE_NEXT)
_LOCK = int(MQGMO.LOCK)
_WAIT = int(MQGMO.WAIT)
# The data is known from the browse.
_TAKE = int(MQGMO.MSG_UNDER_CURSOR | MQGMO.NO_SYNCPOINT | MQGMO.ACCEPT_TRUNCATED_MSG)
_LIST = int(MQGMO.ACCEPT_TRUNCATED_MSG | MQGMO.FAIL_IF_QUIESCING | MQGMO.NO_PROPERTIES)
# Status and id of the answer by reason; every other reason is 500. The last ones mean that the
# request names a queue, or has a message, that cannot be used in this way.
_STATUSES: Mapping[int, tuple[int, str]] = {
    MQRC.UNKNOWN_OBJECT_NAME: (404, "MQWB0300E"),
    MQRC.UNKNOWN_ALIAS_BASE_Q: (404, "MQWB0300E"),
    MQRC.TOPIC_STRING_ERROR: (400, "MQWB0303E"),
    MQRC.OBJECT_STRING_ERROR: (400, "MQWB0303E"),
    MQRC.Q_MGR_NOT_AVAILABLE: (503, "MQWB0300E"),
    MQRC.Q_MGR_QUIESCING: (503, "MQWB0300E"),
    MQRC.CONNECTION_BROKEN: (503, "MQWB0300E"),
    MQRC.RESOURCE_PROBLEM: (503, "MQWB0004E"),
    MQRC.NOT_AUTHORIZED: (403, contract.NOT_AUTHORIZED),
    MQRC.PUT_INHIBITED: (405, "MQWB0303E"),
    MQRC.GET_INHIBITED: (405, "MQWB0303E"),
    MQRC.MSG_TOO_BIG_FOR_Q: (400, "MQWB0303E"),
    MQRC.MSG_TOO_BIG_FOR_Q_MGR: (400, "MQWB0303E"),
    MQRC.OBJECT_IN_USE: (400, "MQWB0303E"),
    MQRC.OPTION_NOT_VALID_FOR_TYPE: (400, "MQWB0303E"),
    MQRC.OBJECT_NAME_ERROR: (400, "MQWB0303E"),
    MQRC.Q_TYPE_ERROR: (400, "MQWB0303E"),
    MQRC.UNKNOWN_REMOTE_Q_MGR: (400, "MQWB0303E"),
}
# The methods that are left when puts, or gets, are inhibited.
_ALLOWED_STILL: Mapping[int, str] = {
    MQRC.PUT_INHIBITED: "GET, HEAD, DELETE",
    MQRC.GET_INHIBITED: "POST",
}


class Place(NamedTuple):
    """A queue, and the user as whom it is used, blank for the one who runs the server. For a
    publication `topic` is the topic string, and no queue is named.
    """

    queue_manager: str
    queue: str
    user: str
    topic: str = ""


class Wanted(NamedTuple):
    """Which message is wanted; blank identifiers match any. `wait` is in milliseconds."""

    msg_id: bytes = b""
    correl_id: bytes = b""
    wait: int = 0

    def options(self, bits: int, **more: Any) -> GetMessageOptions:
        """The options of a get for this message."""
        matched = (int(MQMO.MATCH_MSG_ID) if self.msg_id else 0) | (
            int(MQMO.MATCH_CORREL_ID) if self.correl_id else 0
        )
        return GetMessageOptions(
            bits,
            match_options=matched,
            msg_id=self.msg_id,
            correl_id=self.correl_id,
            coded_char_set_id=_UTF_8,
            **more,
        )


class Received(NamedTuple):
    """A message as an answer: its data in UTF-8 and the headers."""

    body: bytes
    headers: list[tuple[str, str]]


def put_message(connections: Connections, place: Place, put: Put, body: bytes) -> bytes:
    """Put or publish a message; returns its MsgId, which a publication does not have."""
    options = PutMessageOptions(_PUT)
    if put.properties:
        options.message_handle = _handle(put)
    with _Refusing(place), connections.connected(place.queue_manager, place.user) as connection:
        placed = connection.put1(
            place.queue,
            Message(body, put.descriptor),
            options,
            object_type=MQOT.TOPIC if place.topic else MQOT.Q,
            object_string=place.topic,
        )
    return placed.msg_id


def _handle(put: Put) -> MessageHandle:
    handle = MessageHandle(None)
    for name, type_, value in put.properties:
        try:
            handle.set(name, value, type=type_)
        except (MQError, TypeError, ValueError) as error:
            raise refused_header(PROPERTIES, name, f"other names or values ({error})") from None
    return handle


def browse_message(
    connections: Connections,
    place: Place,
    wanted: Wanted,
    version: str,
) -> Received | None:
    """The next message that is wanted, which stays on the queue; None if there is none."""
    with (
        _Refusing(place),
        connections.connected(place.queue_manager, place.user) as connection,
        _opened(connection, place.queue, _BROWSE) as handle,
    ):
        message = _next(handle, wanted.options(_LOOK | _FIRST))
    return None if message is None else _received(message, version)


class Taking:
    """A get that removes the message, perhaps after a wait, unless the client has gone."""

    def __init__(self, connections: Connections, place: Place, wanted: Wanted) -> None:
        self._connections = connections
        self._place = place
        self._wanted = wanted
        self._connection: Connection | None = None
        self._is_cancelled = False
        # Set when the client is known to be gone: its message then stays on the queue.
        self.has_nobody_to_answer = False

    def cancel(self) -> None:
        """End the wait, from another thread."""
        self._is_cancelled = True
        if self._connection is not None:
            self._connection.cancel()

    def take(self, version: str) -> Received | None:
        """The message; None if there is none, after the wait. It is removed for good when this
        returns, so that an answer that is lost loses the message (at most once, as in IBM's).

        It is browsed first, because one that is no text stays on the queue, without another
        backout.
        """
        place = self._place
        with (
            _Refusing(place),
            self._connections.connected(place.queue_manager, place.user) as connection,
            _opened(connection, place.queue, _INPUT) as handle,
        ):
            self._connection = connection
            try:
                return self._taken(handle, version)
            finally:
                self._connection = None

    def _taken(self, handle: ObjectHandle, version: str) -> Received | None:
        lock = 0
        while True:
            wait = _WAIT if self._wanted.wait and not self._is_cancelled else 0
            bits = _LOOK | _FIRST | lock | wait
            options = self._wanted.options(bits, wait_interval=self._wanted.wait)
            message = _next(handle, options)
            if message is None or self.has_nobody_to_answer:
                return None
            received = _received(message, version)
            try:
                handle.get(GetMessageOptions(_TAKE, buffer_length=0))
            except MQError as error:
                if error.reason != MQRC.NO_MSG_UNDER_CURSOR:
                    raise
                # Another program was faster; what is browsed now is this one's.
                lock = _LOCK
                continue
            return received


def list_messages(
    connections: Connections,
    place: Place,
    wanted: Wanted,
    most: int,
    version: str,
) -> list[dict[str, str]]:
    """The identifiers and formats of the next messages, in the order in which they would be got."""
    found: list[dict[str, str]] = []
    with (
        _Refusing(place),
        connections.connected(place.queue_manager, place.user) as connection,
        _opened(connection, place.queue, _BROWSE) as handle,
    ):
        step = _FIRST
        while len(found) < most:
            try:
                message = _next(handle, wanted.options(_LIST | step, buffer_length=0))
            except MQError as error:
                if error.reason != MQRC.GET_INHIBITED:
                    raise
                return []
            if message is None:
                break
            found.append(_listed(message, version))
            step = _NEXT
    return found


def _listed(message: Message, version: str) -> dict[str, str]:
    descriptor = message.descriptor
    correlation = correlation_text(ReceivedFields(descriptor, {}, {}), version)
    return {
        "correlationId": correlation or identifier_text(descriptor.correl_id, version),
        "format": str(descriptor.format).strip(),
        "messageId": identifier_text(descriptor.msg_id, version),
    }


def _next(handle: ObjectHandle, options: GetMessageOptions) -> Message | None:
    try:
        return handle.get(options)
    except MQError as error:
        if error.reason != MQRC.NO_MSG_AVAILABLE:
            raise
        return None


def _received(message: Message, version: str) -> Received:
    """A message as an answer; RestError 501 if it is no text, 500 if it cannot be in UTF-8."""
    if message.descriptor.format != _FORMAT:
        raise RestError(501, "MQWB0309E", str(message.descriptor.format).strip())
    if message.reason or not _is_utf_8(message.body):
        reason = int(message.reason or MQRC.NOT_CONVERTED)
        detail = "the data of the message cannot be converted to UTF-8"
        raise RestError(500, "MQWB0303E", detail, reason=reason)
    handle = MessageHandle(None)
    if message.stored is not None:
        handle.from_buffer(message.stored)
    fields = ReceivedFields(message.descriptor, handle.values, handle.types)
    return Received(message.body, answer_headers(fields, version))


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def _opened(connection: Connection, queue: str, options: int) -> Iterator[ObjectHandle]:
    """The queue, open for the block; no dynamic queue is created."""
    handle = connection.open(queue, options, dynamic_name=None)
    try:
        yield handle
    finally:
        with suppress(MQError):
            handle.close()


class _Refusing:
    """Turns the errors of calls into those of the resource (rest §6).

    A generator would be part of the error's traceback, and its frame would refer to the error: the
    body of the request would then stay in memory until the next collection of garbage.
    """

    def __init__(self, place: Place) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, MQError):
            raise _refusal(self._place, error) from error


def _refusal(place: Place, error: MQError) -> RestError:
    reason = int(error.reason)
    if reason == MQRC.Q_MGR_NAME_ERROR:
        return unknown_queue_manager(place.queue_manager)
    # A topic has no other method.
    allow = "" if place.topic else _ALLOWED_STILL.get(reason, "")
    headers = (("Allow", allow),) if reason in _ALLOWED_STILL else ()
    status, message_id = _STATUSES.get(reason, (500, "MQWB0303E"))
    return RestError(status, message_id, str(error), reason=reason, headers=headers)

"""The MQI of a process, in bytes: each call takes and returns structures as C programs pass them,
and never raises.

A call returns its output parameters, completion code and reason last. One that fails returns its
input as it was.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any

from mqsc.clients import (
    callbacks,
    connection_calls,
    messages,
    object_calls,
    properties,
    property_values,
    publish_subscribe,
    unit_calls,
)
from mqsc.clients.process import (
    UNUSABLE_CONNECTION,
    UNUSABLE_OBJECT,
    ClientProcess,
    LinkedConnection,
)
from mqsc.store.constants import MQCC, MQHC, MQRC
from mqsc.store.error import DiskFullError, MQError, NotAuthorizedError, StoreError

Values = tuple[Any, ...]
Function = Callable[..., Values | None]
_LOG = logging.getLogger("mqsc.clients")
_FAILED = int(MQCC.FAILED)
_DONE = (int(MQCC.OK), 0)
# For errors of the store, which is behind the queue manager.
_REASONS: tuple[tuple[type[Exception], int], ...] = (
    (MemoryError, MQRC.STORAGE_NOT_AVAILABLE),
    (DiskFullError, MQRC.STORAGE_MEDIUM_FULL),
    (StoreError, MQRC.RESOURCE_PROBLEM),
    (OSError, MQRC.RESOURCE_PROBLEM),
)


class Mqi:
    """The calls. Their first argument is the number of a connection, but for MQCONN and MQCONNX."""

    def __init__(self, process: ClientProcess | None = None) -> None:
        self.process = ClientProcess() if process is None else process

    def MQCONN(self, name: str | bytes | None) -> Values:
        return self.answered(connection_calls.connect, (self.process, name), (UNUSABLE_CONNECTION,))

    def MQCONNX(
        self,
        name: str | bytes | None,
        options: Any,
        security: Any = None,
        channel: bytes | None = None,
    ) -> Values:
        arguments = (self.process, name, options, security, channel)
        return self.answered(
            connection_calls.connect_with_options, arguments, (UNUSABLE_CONNECTION, options)
        )

    def MQDISC(self, connection: int) -> Values:
        if self._put_off(lambda: self.MQDISC(connection)):
            return 0, 0
        # Callbacks must be able to use the connection until they have ended.
        ended = self.with_connection(
            connection, connection_calls.end_callbacks, (), (), locked=False
        )
        if ended[0] == _FAILED:
            return ended
        return self.with_connection(
            connection,
            lambda linked: connection_calls.disconnect(self.process, linked),
            (),
            (),
        )

    def MQCLOSE(self, connection: int, handle: int, options: int) -> Values:
        if self._put_off(lambda: self.MQCLOSE(connection, handle, options)):
            return 0, 0
        return self.with_connection(connection, object_calls.close_object, (handle, options), ())

    def MQOPEN(self, connection: int, descriptor: bytes, options: int) -> Values:
        return self.with_connection(
            connection,
            object_calls.open_object,
            (descriptor, options),
            (UNUSABLE_OBJECT, descriptor),
        )

    def MQPUT(
        self,
        connection: int,
        handle: int,
        descriptor: bytes | None,
        options: bytes,
        body: bytes,
    ) -> Values:
        return self.with_connection(
            connection,
            messages.put,
            (handle, descriptor, options, body),
            (descriptor, options),
        )

    def MQPUT1(
        self,
        connection: int,
        object: bytes,
        descriptor: bytes | None,
        options: bytes,
        body: bytes,
    ) -> Values:
        return self.with_connection(
            connection,
            messages.put1,
            (object, descriptor, options, body),
            (object, descriptor, options),
        )

    def MQGET(
        self,
        connection: int,
        handle: int,
        descriptor: bytes | None,
        options: bytes,
        length: int,
    ) -> Values:
        return self.with_connection(
            connection,
            messages.get,
            (handle, descriptor, options, length),
            (b"", descriptor, options, 0),
        )

    def MQINQ(
        self,
        connection: int,
        handle: int,
        selectors: Sequence[int],
        integers: int,
        length: int,
    ) -> Values:
        return self.with_connection(
            connection,
            object_calls.inquire,
            (handle, selectors, integers, length),
            ([], b""),
        )

    def MQSET(
        self,
        connection: int,
        handle: int,
        selectors: Sequence[int],
        integers: Sequence[int],
        texts: bytes,
    ) -> Values:
        return self.with_connection(
            connection,
            object_calls.set_attributes,
            (handle, selectors, integers, texts),
            (),
        )

    def MQBEGIN(self, connection: int, options: bytes | None = None) -> Values:
        return self.with_connection(connection, unit_calls.begin, (options,), ())

    def MQCMIT(self, connection: int) -> Values:
        return self.with_connection(connection, unit_calls.commit, (), ())

    def MQBACK(self, connection: int) -> Values:
        return self.with_connection(connection, unit_calls.back, (), ())

    def MQSUB(self, connection: int, descriptor: bytes, handle: int) -> Values:
        return self.with_connection(
            connection,
            publish_subscribe.subscribe,
            (descriptor, handle),
            (descriptor, handle, UNUSABLE_OBJECT),
        )

    def MQSUBRQ(self, connection: int, subscription: int, action: int, options: bytes) -> Values:
        return self.with_connection(
            connection,
            publish_subscribe.request_publications,
            (subscription, action, options),
            (options,),
        )

    def MQSTAT(self, connection: int, type: int, status: bytes) -> Values:
        return self.with_connection(connection, callbacks.status, (type, status), (status,))

    def MQCB(
        self,
        connection: int,
        operation: int,
        described: bytes | None,
        handle: int,
        descriptor: bytes | None,
        options: bytes | None,
        function: callbacks.Callback | None = None,
    ) -> Values:
        return self.with_connection(
            connection,
            callbacks.callback,
            (operation, described, handle, descriptor, options, function),
            (),
        )

    def MQCTL(self, connection: int, operation: int, options: bytes) -> Values:
        return self.with_connection(
            connection,
            callbacks.control,
            (operation, options),
            (),
            locked=False,
        )

    def MQCRTMH(self, connection: int, options: bytes) -> Values:
        return self.with_message_handles(
            connection,
            properties.create,
            (options,),
            (properties.UNUSABLE_MESSAGE,),
        )

    def MQDLTMH(self, connection: int, handle: int, options: bytes) -> Values:
        return self.with_message_handles(
            connection,
            properties.delete,
            (handle, options),
            (handle,),
        )

    def MQSETMP(
        self,
        connection: int,
        handle: int,
        options: bytes,
        name: bytes,
        descriptor: bytes,
        type: int,
        value: bytes,
    ) -> Values:
        return self.with_message_handles(
            connection,
            properties.set_property,
            (handle, options, name, descriptor, type, value),
            (),
        )

    def MQINQMP(
        self,
        connection: int,
        handle: int,
        options: bytes,
        name: bytes,
        descriptor: bytes,
        type: int,
        length: int,
    ) -> Values:
        return self.with_message_handles(
            connection,
            properties.inquire_property,
            (handle, options, name, descriptor, type, length),
            (options, b"", descriptor, type, b"", 0),
        )

    def MQDLTMP(self, connection: int, handle: int, options: bytes, name: bytes) -> Values:
        return self.with_message_handles(
            connection,
            properties.delete_property,
            (handle, options, name),
            (),
        )

    def set_value(
        self,
        connection: int,
        handle: int,
        options: Any,
        name: bytes | str,
        descriptor: Any,
        type: int,
        *value: Any,
    ) -> Values:
        """MQSETMP with a Python value and its length, which counts for strings and bytes only."""
        try:
            data = property_values.to_bytes(type, *value)
        except Exception as error:
            return _FAILED, int(error.reason if isinstance(error, MQError) else MQRC.BUFFER_ERROR)
        encoded = name.encode() if isinstance(name, str) else name
        return self.MQSETMP(connection, handle, options, encoded, descriptor, type, data)

    def answered(self, function: Function, arguments: Values, unchanged: Values) -> Values:
        """Call a function that may raise an exception; one without output parameters may return
        None for success.
        """
        calls = self.process.calls
        calls.under_way += 1
        try:
            return function(*arguments) or _DONE
        except MQError as error:
            if isinstance(error, NotAuthorizedError) and os.environ.get("MQSC_EXPLAIN") == "1":
                _explain(error)
            return (*unchanged, int(error.completion), int(error.reason))
        except Exception as error:
            return (*unchanged, _FAILED, _unexpected(function, error))
        finally:
            calls.under_way -= 1
            while calls.put_off and not calls.under_way:
                calls.put_off.pop(0)()

    def _put_off(self, call: Callable[[], Values]) -> bool:
        """Put the call off to the end of the one that this thread is in; False if it is in none.

        Python may run a finalizer in the middle of a call, where another one would wait for the
        first forever.
        """
        if self.process.calls.under_way:
            self.process.calls.put_off.append(call)
            return True
        return False

    def with_connection(
        self,
        number: int,
        function: Function,
        arguments: Values,
        unchanged: Values,
        *,
        locked: bool = True,
    ) -> Values:
        """Call a function with the connection of that number, which no other thread uses
        meanwhile if it is locked.
        """
        try:
            linked = self.process.linked(number)
            linked.enter() if locked else linked.check_thread()
        except MQError as error:
            return (*unchanged, _FAILED, int(error.reason))
        try:
            return self.answered(function, (linked, *arguments), unchanged)
        finally:
            if locked:
                linked.calling.release()

    def with_message_handles(
        self,
        number: int,
        function: Function,
        arguments: Values,
        unchanged: Values,
    ) -> Values:
        """Call a function with the message handles of the connection of that number, or with those
        of the process for MQHC_UNASSOCIATED_HCONN.
        """
        if number == MQHC.UNASSOCIATED_HCONN:
            return self.answered(
                _with_handles_of_process(function), (self.process, *arguments), unchanged
            )
        return self.with_connection(
            number,
            _with_handles_of_connection(function),
            arguments,
            unchanged,
        )


def _with_handles_of_process(function: Function) -> Function:
    @wraps(function)
    def call(process: ClientProcess, *arguments: object) -> Values | None:
        return function(process.messages(), *arguments)

    return call


def _with_handles_of_connection(function: Function) -> Function:
    @wraps(function)
    def call(linked: LinkedConnection, *arguments: object) -> Values | None:
        return function(linked.messages, *arguments)

    return call


@cache
def of_this_process() -> Mqi:
    """The MQI of this process, whose handles all its client packages share."""
    return Mqi()


def _explain(error: NotAuthorizedError) -> None:
    """Say on stderr who lacks what, in programs of the owner of the store."""
    from mqsc.console.terminal import notice
    from mqsc.console.text.authority import mqsc_of
    from mqsc.store.admin.authority_explanation import granting

    if error.explanation:
        cures = granting((error.refusal.user, each) for each in error.missing)
        notice(f"mqsc: 2035: {'; '.join((error.explanation, *map(mqsc_of, cures)))}")


def _unexpected(function: Function, error: Exception) -> int:
    """The reason code for an error of the store, which is logged: a program in C has nowhere to
    raise it to.
    """
    _LOG.error("%s: %s: %s", function.__name__, type(error).__name__, error)
    _LOG.debug("%s", function.__name__, exc_info=error)
    return int(
        next(
            (reason for kind, reason in _REASONS if isinstance(error, kind)),
            MQRC.UNEXPECTED_ERROR,
        ),
    )

"""The MQI of a process, in bytes: each call takes and returns structures as C programs pass them,
and never raises.

A call returns its output parameters, completion code and reason last. One that fails returns its
input as it was.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import cache
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
from mqsc.clients.process import UNUSABLE_CONNECTION, UNUSABLE_OBJECT, ClientProcess
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


def _call(
    function: Function,
    unchanged: Callable[..., Values] = lambda *_: (),
    *,
    locked: bool = True,
) -> Callable[..., Values]:
    """The call of a function with a connection; `unchanged` are its output parameters if it
    fails.
    """

    def call(mqi: Mqi, connection: int, /, *arguments: Any) -> Values:
        return mqi.with_connection(
            connection, function, arguments, unchanged(*arguments), locked=locked
        )

    return call


def _about_messages(
    function: Function,
    unchanged: Callable[..., Values] = lambda *_: (),
) -> Callable[..., Values]:
    """The call of a function with the message handles of a connection, or of the process."""

    def call(mqi: Mqi, connection: int, /, *arguments: Any) -> Values:
        if connection == MQHC.UNASSOCIATED_HCONN:
            return mqi.answered(
                lambda: function(mqi.process.messages(), *arguments),
                (),
                unchanged(*arguments),
            )
        return of_connection(mqi, connection, *arguments)

    of_connection = _call(
        lambda linked, *arguments: function(linked.messages, *arguments), unchanged
    )
    return call


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

    MQOPEN = _call(
        object_calls.open_object, lambda descriptor, options: (UNUSABLE_OBJECT, descriptor)
    )
    MQPUT = _call(messages.put, lambda handle, descriptor, options, body: (descriptor, options))
    MQPUT1 = _call(
        messages.put1,
        lambda object, descriptor, options, body: (object, descriptor, options),
    )
    MQGET = _call(
        messages.get,
        lambda handle, descriptor, options, length: (b"", descriptor, options, 0),
    )
    MQINQ = _call(object_calls.inquire, lambda *_: ([], b""))
    MQSET = _call(object_calls.set_attributes)
    MQBEGIN = _call(unit_calls.begin)
    MQCMIT = _call(unit_calls.commit)
    MQBACK = _call(unit_calls.back)
    MQSUB = _call(
        publish_subscribe.refuse_subscription,
        lambda descriptor, handle: (descriptor, handle, UNUSABLE_OBJECT),
    )
    MQSUBRQ = _call(
        publish_subscribe.refuse_subscription, lambda subscription, action, options: (options,)
    )
    MQSTAT = _call(callbacks.status, lambda type, status: (status,))
    MQCB = _call(callbacks.callback)
    MQCTL = _call(callbacks.control, locked=False)
    MQCRTMH = _about_messages(properties.create, lambda options: (properties.UNUSABLE_MESSAGE,))
    MQDLTMH = _about_messages(properties.delete, lambda handle, options: (handle,))
    MQSETMP = _about_messages(properties.set_property)
    MQINQMP = _about_messages(
        properties.inquire_property,
        lambda handle, options, name, descriptor, type, length: (
            options,
            b"",
            descriptor,
            type,
            b"",
            0,
        ),
    )
    MQDLTMP = _about_messages(properties.delete_property)

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


@cache
def of_this_process() -> Mqi:
    """The MQI of this process, whose handles all its client packages share."""
    return Mqi()


def _explain(error: NotAuthorizedError) -> None:
    """Say on stderr who lacks what, in programs of the owner of the store."""
    from mqsc.console.terminal import notice
    from mqsc.console.text.authority import mqsc_of
    from mqsc.store.admin.authority import granting

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

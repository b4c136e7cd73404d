"""The MQI of a process, in bytes: each call takes and returns structures as C programs pass them, and never raises.

A call returns its output parameters, completion code and reason last. One that fails returns its input as it was.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

from mqsc.clients import callbacks, calls, messages, properties
from mqsc.clients.process import UNUSABLE_CONNECTION, UNUSABLE_OBJECT, ClientProcess, LinkedConnection
from store.constants import MQCC, MQHC, MQRC
from store.error import DiskFullError, MQError, NotAuthorizedError, StoreError

Values = tuple[Any, ...]
_LOG = logging.getLogger("mqsc.clients")
_FAILED = int(MQCC.FAILED)
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
        return self._answered(calls.connect, (self.process, name), (UNUSABLE_CONNECTION,))

    def MQCONNX(
        self, name: str | bytes | None, options: Any, security: Any = None, channel: bytes | None = None
    ) -> Values:
        given = (self.process, name, options, security, channel)
        return self._answered(calls.connect_with_options, given, (UNUSABLE_CONNECTION, options))

    def MQDISC(self, connection: int) -> Values:
        if self._put_off(lambda: self.MQDISC(connection)):
            return 0, 0
        # Callbacks must be able to use the connection until they have ended.
        ended = self._unlocked(connection, calls.end_callbacks, (), ())
        if ended[0] == _FAILED:
            return ended
        return self._call(connection, lambda linked: calls.disconnect(self.process, linked), (), ())

    def MQOPEN(self, connection: int, descriptor: Any, options: int) -> Values:
        return self._call(connection, calls.open_object, (descriptor, options), (UNUSABLE_OBJECT, descriptor))

    def MQCLOSE(self, connection: int, handle: int, options: int) -> Values:
        if self._put_off(lambda: self.MQCLOSE(connection, handle, options)):
            return 0, 0
        return self._call(connection, calls.close_object, (handle, options), ())

    def MQPUT(self, connection: int, handle: int, descriptor: Any, options: Any, body: Any) -> Values:
        return self._call(connection, messages.put, (handle, descriptor, options, body), (descriptor, options))

    def MQPUT1(self, connection: int, object: Any, descriptor: Any, options: Any, body: Any) -> Values:
        given = (object, descriptor, options, body)
        return self._call(connection, messages.put1, given, (object, descriptor, options))

    def MQGET(self, connection: int, handle: int, descriptor: Any, options: Any, length: int) -> Values:
        given = (handle, descriptor, options, length)
        return self._call(connection, messages.get, given, (b"", descriptor, options, 0))

    def MQINQ(self, connection: int, handle: int, selectors: Any, integers: int, length: int) -> Values:
        return self._call(connection, calls.inquire, (handle, selectors, integers, length), ([], b""))

    def MQSET(self, connection: int, handle: int, selectors: Any, integers: Any, texts: Any) -> Values:
        return self._call(connection, calls.set_attributes, (handle, selectors, integers, texts), ())

    def MQBEGIN(self, connection: int, options: Any = None) -> Values:
        return self._call(connection, calls.begin, (options,), ())

    def MQCMIT(self, connection: int) -> Values:
        return self._call(connection, calls.commit, (), ())

    def MQBACK(self, connection: int) -> Values:
        return self._call(connection, calls.back, (), ())

    def MQSUB(self, connection: int, descriptor: Any, handle: int) -> Values:
        return self._call(connection, _subscribe, (), (descriptor, handle, UNUSABLE_OBJECT))

    def MQSUBRQ(self, connection: int, subscription: int, action: int, options: Any) -> Values:
        return self._call(connection, _subscribe, (), (options,))

    def MQSTAT(self, connection: int, type: int, status: Any) -> Values:
        return self._call(connection, callbacks.status, (type, status), (status,))

    def MQCB(
        self,
        connection: int,
        operation: int,
        described: Any,
        handle: int,
        descriptor: Any,
        options: Any,
        function: callbacks.Callback | None = None,
    ) -> Values:
        given = (operation, described, handle, descriptor, options, function)
        return self._call(connection, callbacks.callback, given, ())

    def MQCTL(self, connection: int, operation: int, options: Any) -> Values:
        return self._unlocked(connection, callbacks.control, (operation, options), ())

    def MQCRTMH(self, connection: int, options: Any) -> Values:
        return self._about_messages(connection, properties.create, (options,), (properties.UNUSABLE_MESSAGE,))

    def MQDLTMH(self, connection: int, handle: int, options: Any) -> Values:
        return self._about_messages(connection, properties.delete, (handle, options), (handle,))

    def MQSETMP(
        self, connection: int, handle: int, options: Any, name: Any, descriptor: Any, type: int, value: Any
    ) -> Values:
        given = (handle, options, name, descriptor, type, value)
        return self._about_messages(connection, properties.set_property, given, ())

    def MQINQMP(
        self, connection: int, handle: int, options: Any, name: Any, descriptor: Any, type: int, length: int
    ) -> Values:
        given = (handle, options, name, descriptor, type, length)
        unchanged = (options, b"", descriptor, type, b"", 0)
        return self._about_messages(connection, properties.inquire_property, given, unchanged)

    def MQDLTMP(self, connection: int, handle: int, options: Any, name: Any) -> Values:
        return self._about_messages(connection, properties.delete_property, (handle, options, name), ())

    def _about_messages(self, number: int, function: Callable[..., Values], given: Values, unchanged: Values) -> Values:
        """Call a function with the message handles of a connection, or of the process."""
        if number == MQHC.UNASSOCIATED_HCONN:
            return self._answered(lambda *given: function(self.process.messages(), *given), given, unchanged)
        return self._call(number, lambda linked, *given: function(linked.messages, *given), given, unchanged)

    def _answered(self, function: Callable[..., Values], given: Values, unchanged: Values) -> Values:
        """Call a function that may raise an exception."""
        calls = self.process.calls
        calls.under_way += 1
        try:
            return function(*given)
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

        Python may run a finalizer in the middle of a call, where another one would wait for the first for ever.
        """
        if self.process.calls.under_way:
            self.process.calls.put_off.append(call)
            return True
        return False

    def _unlocked(self, number: int, function: Callable[..., Values], given: Values, unchanged: Values) -> Values:
        """Call a function with the connection of that number while callbacks, in other threads too, may use it."""
        try:
            linked = self.process.linked(number)
            linked.check_thread()
        except MQError as error:
            return (*unchanged, _FAILED, int(error.reason))
        return self._answered(function, (linked, *given), unchanged)

    def _call(self, number: int, function: Callable[..., Values], given: Values, unchanged: Values) -> Values:
        """Call a function with the connection of that number, which no other thread uses meanwhile."""
        try:
            linked = self.process.linked(number)
            linked.enter()
        except MQError as error:
            return (*unchanged, _FAILED, int(error.reason))
        try:
            return self._answered(function, (linked, *given), unchanged)
        finally:
            linked.leave()


@cache
def of_this_process() -> Mqi:
    """The MQI of this process, whose handles all its client packages share."""
    return Mqi()


def _subscribe(_: LinkedConnection) -> NoReturn:
    calls.refuse_subscription()


def _explain(error: NotAuthorizedError) -> None:
    """Say on stderr who lacks what, in programs of the owner of the store."""
    from mqsc.console.terminal import notice
    from mqsc.console.text.authority import mqsc_of
    from store.admin.authority import granting

    if error.explanation:
        cures = granting((error.refusal.user, each) for each in error.missing)
        notice(f"mqsc: 2035: {'; '.join((error.explanation, *map(mqsc_of, cures)))}")


def _unexpected(function: Callable[..., Values], error: Exception) -> int:
    """The reason code for an error of the store, which is logged: a program in C has nowhere to raise it to."""
    _LOG.error("%s: %s: %s", function.__name__, type(error).__name__, error)
    _LOG.debug("%s", function.__name__, exc_info=error)
    return int(next((reason for kind, reason in _REASONS if isinstance(error, kind)), MQRC.UNEXPECTED_ERROR))

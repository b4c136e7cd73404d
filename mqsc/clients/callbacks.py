"""MQCB, MQCTL and MQSTAT."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mqsc.clients import descriptor as md
from mqsc.clients.messages import filled_options, get_options
from mqsc.clients.process import LinkedConnection
from mqsc.clients.structures import MQCBC, MQCBD, MQCTLO, MQGMO, MQSTS
from store.client.api import ObjectHandle
from store.client.callback_registration import CallbackContext
from store.constants import MQCBT, MQOP, MQRC
from store.error import MQError

# The arguments of a callback: connection, MQMD and MQGMO if there is a message, data, and MQCBC.
Callback = Callable[[int, bytes | None, bytes | None, bytes | None, bytes], object]
_REGISTER = int(MQOP.REGISTER)
_CONSUMER, _EVENT_HANDLER = int(MQCBT.MESSAGE_CONSUMER), int(MQCBT.EVENT_HANDLER)
_NEWEST_MQGMO, _NEWEST_MQCBC = 4, 2
_EMPTY_MQMD = b"MD  "
# Of the queue in the DEREGISTER call that MQCLOSE makes.
_CLOSED, _NO_OBJECT = -1, 0


def callback(
    linked: LinkedConnection,
    operation: int,
    described: bytes | None,
    number: int,
    descriptor: bytes | None,
    options: bytes | None,
    function: Callback | None,
) -> tuple[int, int]:
    """MQCB: register, deregister, suspend or resume the function for a queue, or for events.

    The MQCBD may be left out unless the operation registers.
    """
    registers = bool(operation & _REGISTER)
    wanted = MQCBD.read(described) if registers or described is not None else None
    kind = _CONSUMER if wanted is None else wanted["callback_type"]
    handle = None if kind == _EVENT_HANDLER else linked.object(number)
    if not registers or wanted is None:
        linked.connection.callback(operation, handle=handle, callback_type=kind)
        return 0, 0
    _check_name(wanted["callback_name"], function)
    asked, calls = None, None
    if handle is not None:
        version, asked = get_options(linked, descriptor, options, length=None)
        calls = _Calls(linked, number, handle, function, wanted["callback_area"], version, options)
    elif function is not None:
        calls = _Calls(linked, _NO_OBJECT, None, function, wanted["callback_area"], md.SECOND, None)
    linked.connection.callback(
        operation,
        calls,
        handle=handle,
        callback_type=kind,
        options=wanted["options"],
        get_options=asked,
        max_message_length=wanted["max_msg_length"],
    )
    return 0, 0


def _check_name(name: str, function: Callback | None) -> None:
    """MQError 2486 for both a function and a name, or neither; 2495 for a name, because nothing is loaded here."""
    if bool(name) is (function is not None):
        raise MQError(MQRC.CALLBACK_ROUTINE_ERROR)
    if name:
        raise MQError(MQRC.MODULE_NOT_FOUND)


class _Calls:
    """Calls a function of the program with structures in bytes."""

    def __init__(
        self,
        linked: LinkedConnection,
        number: int,
        handle: ObjectHandle | None,
        function: Callback | None,
        area: int,
        version: int,
        options: bytes | None,
    ) -> None:
        self._linked = linked
        self._number = number
        self._handle = handle
        self._function = function
        self._area = area
        self._version = version
        given = {} if options is None else MQGMO.read(options)
        kept = {name: given[name] for name in ("options", "wait_interval", "match_options", "msg_handle") if given}
        self._options = MQGMO.new(_NEWEST_MQGMO, **kept)

    def __call__(self, context: CallbackContext) -> None:
        message = context.message
        closed = context.handle is None and self._handle is not None
        described: bytes | None = None
        options: bytes | None = None
        body: bytes | None = None
        if message is not None and self._handle is not None:
            empty = _EMPTY_MQMD.ljust(md.MQMD.lengths[self._version], b"\0")
            described = md.write(empty, self._version, message.descriptor)
            options = filled_options(self._options, self._handle, message)
            body = message.body
        about = MQCBC.new(
            _NEWEST_MQCBC,
            call_type=context.call_type,
            object_handle=_CLOSED if closed else self._number,
            callback_area=self._area,
            connection_area=self._linked.connection_area,
            completion=int(context.completion),
            reason=int(context.reason),
            state=context.state,
            data_length=context.data_length,
            buffer_length=len(body or b""),
        )
        assert self._function is not None
        with self._linked.in_callback():
            self._function(self._linked.number, described, options, body, about)


def control(linked: LinkedConnection, operation: int, options: bytes) -> tuple[int, int]:
    """MQCTL: START, START_WAIT, STOP, SUSPEND or RESUME the calls of the functions."""
    wanted = MQCTLO.read(options)
    linked.connection_area = wanted["connection_area"]
    linked.connection.control(operation, wanted["options"])
    return 0, 0


def status(linked: LinkedConnection, type: int, given: bytes) -> tuple[bytes, int, int]:
    """MQSTAT: what became of asynchronous puts. A client connection has nothing to say about reconnection."""
    MQSTS.version(given)
    found: Any = linked.connection.stat(type)
    filled = MQSTS.write(
        given,
        completion=found.completion,
        reason=found.reason,
        success_count=found.put_success_count,
        warning_count=found.put_warning_count,
        failure_count=found.put_failure_count,
        object_type=found.object_type,
        object_name=found.object_name,
        object_q_mgr_name=found.object_q_mgr_name,
        resolved_object_name=found.resolved_object_name,
        resolved_q_mgr_name=found.resolved_q_mgr_name,
    )
    return filled, 0, 0

"""MQCB, MQCTL and MQSTAT."""

from collections.abc import Callable

from msgspec import Struct, structs

from mqsc.clients import message_descriptors
from mqsc.clients.messages import filled_options, get_options
from mqsc.clients.process import LinkedConnection
from mqsc.clients.structures import MQCBC, MQCBD, MQCTLO, MQGMO, MQSTS
from mqsc.store.client.callback_registration import CallbackContext
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQCBT, MQOP, MQRC
from mqsc.store.error import refuse_if, required

# The arguments of a callback: connection, MQMD and MQGMO if there is a message, data, and MQCBC.
Callback = Callable[[int, bytes | None, bytes | None, bytes | None, bytes], object]
_REGISTER = int(MQOP.REGISTER)
_CONSUMER = int(MQCBT.MESSAGE_CONSUMER)
_EVENT_HANDLER = int(MQCBT.EVENT_HANDLER)
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
    function: Callback | None = None,
) -> None:
    """MQCB: register, deregister, suspend or resume the function for a queue, or for events.

    The MQCBD may be left out unless the operation registers.
    """
    registers = bool(operation & _REGISTER)
    wanted = MQCBD.read(described) if registers or described is not None else None
    kind = _CONSUMER if wanted is None else wanted["callback_type"]
    handle = None if kind == _EVENT_HANDLER else linked.object(number)
    if not registers or wanted is None:
        linked.connection.callback(operation, handle=handle, callback_type=kind)
        return
    function = _checked(function, wanted["callback_name"])
    version, options_of_get = message_descriptors.SECOND, None
    if handle is not None:
        version, options_of_get = get_options(linked, descriptor, options, length=None)
    number = _NO_OBJECT if handle is None else number
    newest = _newest(None if handle is None else options)
    calls = _Calls(linked, number, handle, function, wanted["callback_area"], version, newest)
    linked.connection.callback(
        operation,
        calls,
        handle=handle,
        callback_type=kind,
        options=wanted["options"],
        get_options=options_of_get,
        max_message_length=wanted["max_msg_length"],
    )


def _checked(function: Callback | None, name: str) -> Callback:
    """MQError 2486 for both a function and a name, or neither; 2495 for a name, because nothing
    is loaded here.
    """
    refuse_if(bool(name) is (function is not None), MQRC.CALLBACK_ROUTINE_ERROR)
    return required(function, MQRC.MODULE_NOT_FOUND)


def _newest(options: bytes | None) -> bytes:
    """The MQGMO in its newest version."""
    fields = {} if options is None else MQGMO.read(options)
    kept = {
        name: fields[name]
        for name in ("options", "wait_interval", "match_options", "msg_handle")
        if fields
    }
    return MQGMO.new(_NEWEST_MQGMO, **kept)


class _Calls(Struct, frozen=True, eq=False):
    """Calls a function of the program with structures in bytes; `number` is that of the queue's
    handle.
    """

    linked: LinkedConnection
    number: int
    handle: ObjectHandle | None
    function: Callback
    area: int
    version: int
    options: bytes

    def __call__(self, context: CallbackContext) -> None:
        message = context.message
        closed = context.handle is None and self.handle is not None
        about_message: tuple[bytes | None, bytes | None, bytes | None] = (None, None, None)
        if message is not None and self.handle is not None:
            empty = _EMPTY_MQMD.ljust(message_descriptors.MQMD.lengths[self.version], b"\0")
            described = message_descriptors.write_descriptor(
                empty, self.version, message.descriptor
            )
            about_message = (
                described,
                filled_options(self.options, self.handle, message),
                message.body,
            )
        about = MQCBC.new(
            _NEWEST_MQCBC,
            call_type=context.call_type,
            object_handle=_CLOSED if closed else self.number,
            callback_area=self.area,
            connection_area=self.linked.connection_area,
            completion=int(context.completion),
            reason=int(context.reason),
            state=context.state,
            data_length=context.data_length,
            buffer_length=len(about_message[2] or b""),
        )
        with self.linked.in_callback():
            self.function(self.linked.number, *about_message, about)


def control(linked: LinkedConnection, operation: int, options: bytes) -> None:
    """MQCTL: START, START_WAIT, STOP, SUSPEND or RESUME the calls of the functions."""
    wanted = MQCTLO.read(options)
    linked.connection_area = wanted["connection_area"]
    linked.connection.control(operation, wanted["options"])


def status(linked: LinkedConnection, type: int, structure: bytes) -> tuple[bytes, int, int]:
    """MQSTAT: the outcome of asynchronous puts. A client connection reports nothing about
    reconnection.
    """
    MQSTS.version(structure)
    values = structs.asdict(linked.connection.stat(type))
    return (
        MQSTS.write(
            structure, **{name.removeprefix("put_"): value for name, value in values.items()}
        ),
        0,
        0,
    )

"""The calls of the MQI on message properties."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from mqsc.clients.structures import MQCMHO, MQDMHO, MQDMPO, MQIMPO, MQPD, MQSMPO
from mqsc.store.client.connection import Connection
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.constants import MQCC, MQRC
from mqsc.store.error import MQError, refuse_if
from mqsc.store.mqi.property_inquiry import PropertyTooBigError
from mqsc.store.rules.properties import property_types
from mqsc.store.rules.properties.property_set import PropertyDescriptor
from mqsc.store.rules.properties.property_types import STRING, PropertyFault

UNUSABLE_MESSAGE = -1
_NUL_ENDED = -1
_WARNING = int(MQCC.WARNING)


class MessageHandles:
    """The message handles of a connection, or those of the process, which all its connections
    can use.
    """

    def __init__(
        self,
        connection: Connection | None,
        numbers: count[int],
        of_process: dict[int, MessageHandle],
    ) -> None:
        self._connection = connection
        self._numbers = numbers
        self._of_process = of_process
        self._own = of_process if connection is None else {}

    def add(self, options: int) -> int:
        """The number of a new message handle."""
        handle = (
            self._connection.create_message_handle(options)
            if self._connection
            else MessageHandle(None, options)
        )
        number = next(self._numbers)
        self._own[number] = handle
        return number

    def __getitem__(self, number: int) -> MessageHandle:
        """The message handle of that number; MQError 2460 if there is none."""
        handle = self._own.get(number) or self._of_process.get(number)
        if handle is None:
            raise MQError(MQRC.HMSG_ERROR)
        return handle

    def get(self, number: int) -> MessageHandle | None:
        """The message handle of that number, None for 0; MQError 2460 if there is none."""
        return self[number] if number else None

    def delete(self, number: int) -> None:
        """Delete a message handle; MQError 2460 if there is none."""
        self[number].close()
        self._own.pop(number, None)
        self._of_process.pop(number, None)


def create(handles: MessageHandles, options: bytes) -> tuple[int, int, int]:
    """MQCRTMH: the number of the message handle."""
    return handles.add(MQCMHO.read(options)["options"]), 0, 0


def delete(handles: MessageHandles, number: int, options: bytes) -> tuple[int, int, int]:
    """MQDLTMH: the number that the program gets back, which stands for no handle."""
    refuse_if(MQDMHO.read(options)["options"], MQRC.OPTIONS_ERROR)
    handles.delete(number)
    return UNUSABLE_MESSAGE, 0, 0


def set_property(
    handles: MessageHandles,
    number: int,
    options: bytes,
    name: bytes,
    descriptor: bytes,
    type: int,
    value: bytes,
) -> None:
    """MQSETMP: set a property to a value in bytes, in the Encoding and CCSID of the MQSMPO."""
    handle = handles[number]
    fields = MQSMPO.read(options)
    property_fields = MQPD.read(descriptor)
    refuse_if(property_fields["options"], MQRC.OPTIONS_ERROR)
    meant = PropertyDescriptor(
        property_fields["support"], property_fields["context"], property_fields["copy_options"]
    )
    converted = _faultless(
        lambda: property_types.from_bytes(
            type,
            value,
            fields["value_encoding"],
            fields["value_ccsid"],
        ),
    )
    handle.set(_text(name), converted, type=type, options=fields["options"], descriptor=meant)


def inquire_property(
    handles: MessageHandles,
    number: int,
    options: bytes,
    name: bytes,
    descriptor: bytes,
    type: int,
    length: int,
) -> tuple[bytes, bytes, bytes, int, bytes, int, int, int]:
    """MQINQMP: MQIMPO, returned name, MQPD, type, value in at most `length` bytes, and DataLength.

    The name is returned if the MQIMPO has a buffer for it. A value (2469) or name (2465) that is
    too long fails, but what fits of the value, its type and DataLength are returned.
    """
    handle = handles[number]
    fields = MQIMPO.read(options)
    MQPD.version(descriptor)
    refuse_if(length < 0, MQRC.BUFFER_LENGTH_ERROR)
    room = fields["returned_name_buffer_size"]
    ccsid = fields["requested_ccsid"]
    code: tuple[int, int] | None = None
    try:
        inquired = handle.inquire(
            _text(name),
            fields["options"],
            type=type or None,
            buffer_length=length,
            name_length=room or None,
            encoding=fields["requested_encoding"],
            coded_char_set_id=ccsid if ccsid > 0 else 1208,
        )
    except PropertyTooBigError as too_big:
        inquired, code = too_big.found, (int(MQCC.FAILED), int(too_big.reason))
    shown = inquired.name.encode()[:room] if room else b""
    filled = MQIMPO.write(
        options,
        returned_encoding=inquired.encoding,
        returned_ccsid=inquired.coded_char_set_id,
        returned_name_length=len(shown),
        type_string=inquired.type_string,
    )
    about = inquired.descriptor
    described = MQPD.write(
        descriptor,
        support=about.support,
        context=about.context,
        copy_options=about.copy_options,
    )
    completion, reason = code or (inquired.completion, inquired.reason)
    return (
        filled,
        shown,
        described,
        inquired.type,
        inquired.data[:length],
        inquired.data_length,
        completion,
        reason,
    )


def delete_property(
    handles: MessageHandles,
    number: int,
    options: bytes,
    name: bytes,
) -> tuple[int, int]:
    """MQDLTMP; a property that is not there is the warning 2471."""
    handle = handles[number]
    chosen = MQDMPO.read(options)["options"]
    if handle.delete(_text(name), chosen):
        return 0, 0
    return _WARNING, int(MQRC.PROPERTY_NOT_AVAILABLE)


def nul_ended(type: int, value: bytes, length: int) -> bytes:
    """The value in the length that the program gives; -1 stands for a string that a NUL ends.
    MQError 2005.
    """
    if length == _NUL_ENDED and type == STRING:
        return value.partition(b"\0")[0]
    refuse_if(not 0 <= length <= len(value), MQRC.BUFFER_LENGTH_ERROR)
    return value[:length]


def _text(name: bytes) -> str:
    try:
        return bytes(name or b"").decode()
    except UnicodeDecodeError:
        raise MQError(MQRC.PROPERTY_NAME_ERROR) from None


def _faultless(call: Callable[[], property_types.Value]) -> property_types.Value:
    try:
        return call()
    except PropertyFault as fault:
        raise MQError(fault.reason) from None

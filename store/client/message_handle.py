"""A message handle, as a program holds it."""

from __future__ import annotations

from mqsc.store.constants import MQBMHO, MQDMPO, MQIMPO, MQMHBO, MQSMPO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import Message
from mqsc.store.mqi import message_buffers
from mqsc.store.mqi.message_handle import MessageHandleState
from mqsc.store.mqi.property_inquiry import InquiredProperty, Inquiry
from mqsc.store.mqi.state import ConnectionState
from mqsc.store.rules.properties.property_names import shown
from mqsc.store.rules.properties.property_set import DEFAULT_DESCRIPTOR, PropertyDescriptor
from mqsc.store.rules.properties.property_types import Value


class MessageHandle(MessageHandleState):
    """The properties of a message, to be put with it, or received with it by a get.

    It ends with its connection. One made without a connection can be used with every connection of
    the process.

    >>> handle = mqsc.MessageHandle(None)
    >>> handle.set("color", "red")
    >>> handle.values
    {'color': 'red'}
    """

    connection: ConnectionState | None

    def set(
        self,
        name: str,
        value: Value,
        *,
        type: int | None = None,
        options: int = MQSMPO.SET_FIRST,
        descriptor: PropertyDescriptor = DEFAULT_DESCRIPTOR,
    ) -> None:
        """MQSETMP: set a property. Without `type` (MQTYPE) the Python value decides: an int is
        INT32 if it fits.

        MQError 2442 or 2513 for a name that is not allowed, 2471 without a property under the
        cursor, 2473 for a type that does not exist or is not that of an MQMD field, 2482 for a bad
        descriptor. ValueError for a number out of range, TypeError for a value of another kind.

        >>> properties = mqsc.MessageHandle(None)
        >>> properties.set("color", "red")
        """
        with self.call():
            super().set_property(name, value, type, options, descriptor)

    def inquire(
        self,
        name: str,
        options: int = MQIMPO.INQ_FIRST,
        *,
        type: int | None = None,
        buffer_length: int | None = None,
        name_length: int | None = None,
        encoding: int = 546,
        coded_char_set_id: int = 1208,
    ) -> InquiredProperty:
        """MQINQMP: a property by its name, or the next one that a name ending with % means.

        `type` matters with MQIMPO.CONVERT_TYPE, `encoding` and `coded_char_set_id` (the requested
        ones) with CONVERT_VALUE. MQError 2471 when there is no such property, 2470 or 2472 for a
        conversion that is not possible; PropertyTooBigError 2469 or 2465 when `buffer_length` or
        `name_length` bytes are too few.

        >>> red.inquire("color").value
        'red'
        """
        with self.call():
            inquiry = Inquiry(
                options,
                type,
                buffer_length,
                name_length,
                encoding,
                coded_char_set_id,
            )
            return super().inquire_property(name, inquiry)

    def delete(self, name: str = "", options: int = MQDMPO.DEL_FIRST) -> bool:
        """MQDLTMP: delete a property; False if the message has no such property, which is the
        warning 2471.

        >>> red.delete("size")
        False
        """
        with self.call():
            return super().delete_property(name, options)

    def to_buffer(
        self,
        name: str,
        message: Message,
        *,
        options: int = MQMHBO.PROPERTIES_IN_MQRFH2,
        buffer_length: int | None = None,
    ) -> Message:
        """MQMHBUF: the properties that `name` means as an MQRFH2, and the descriptor of that
        buffer.

        The descriptor of `message` says what follows the buffer. MQError 2471 when there is no such
        property; BufferTooShortError (2469), which has the length needed, when `buffer_length` is
        too short.

        >>> red.to_buffer("%", mqsc.Message(b"tea")).descriptor.format
        'MQHRF2'
        """
        with self.call():
            return message_buffers.to_buffer(self, name, message.descriptor, options, buffer_length)

    def from_buffer(self, message: Message, *, options: int = MQBMHO.NONE) -> Message:
        """MQBUFMH: replace what the handle holds by the descriptor and properties of a message.

        Returns the message; with MQBMHO.DELETE_PROPERTIES without its properties.

        >>> properties = mqsc.MessageHandle(None)
        >>> rest = properties.from_buffer(red.to_buffer("%", mqsc.Message(b"")))
        >>> properties.values
        {'color': 'red'}
        """
        with self.call():
            return message_buffers.from_buffer(self, message, options)

    def close(self) -> None:
        """MQDLTMH: delete the handle; MQError 2460 if it was deleted before.

        >>> mqsc.MessageHandle(None).close()
        """
        with self.call():
            self.is_deleted = True
        if self.connection is not None:
            self.connection.message_handles.discard(self)

    @property
    def values(self) -> dict[str, Value]:
        """The values of all properties, by the names that MQINQMP returns.

        >>> red.values
        {'color': 'red'}
        """
        return {shown(name): each.value for name, each in self.properties.items()}

    @property
    def types(self) -> dict[str, int]:
        """The types (MQTYPE) of all properties, by the names that MQINQMP returns.

        >>> red.types["color"] == mqsc.MQTYPE.STRING
        True
        """
        return {shown(name): each.type for name, each in self.properties.items()}

    @property
    def descriptor(self) -> MessageDescriptor:
        """The MQMD in the handle.

        >>> red.descriptor.priority
        -1
        """
        return self.message_descriptor

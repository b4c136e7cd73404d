"""MQMHBUF and MQBUFMH: properties of a message handle as message data, and back (properties §2)."""

from __future__ import annotations

from mqsc.store.argument_checks import bits, must_be
from mqsc.store.constants import MQBMHO, MQMHBO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.headers import mqrfh2
from mqsc.store.headers.layout import NATIVE
from mqsc.store.headers.mqrfh2 import RulesHeader
from mqsc.store.message import Message
from mqsc.store.mqi.message_handle import MessageHandleState
from mqsc.store.rules.properties import message_data, property_names
from mqsc.store.rules.properties.property_set import to_folders

UTF_8 = 1208
_IN_MQRFH2, _DELETE = int(MQMHBO.PROPERTIES_IN_MQRFH2), int(MQMHBO.DELETE_PROPERTIES)
_DELETE_FROM_BUFFER = int(MQBMHO.DELETE_PROPERTIES)


class BufferTooShortError(MQError):
    """2469: the buffer is too short for an MQRFH2 of `data_length` bytes."""

    def __init__(self, data_length: int) -> None:
        super().__init__(MQRC.PROPERTY_VALUE_TOO_BIG)
        self.data_length = data_length


def to_buffer(
    handle: MessageHandleState,
    name: str,
    follows: MessageDescriptor,
    options: int,
    buffer_length: int | None,
) -> Message:
    """An MQRFH2 with the properties that `name` means; MQError 2471 for none,
    BufferTooShortError.
    """
    option_bits = bits(options, "options")
    refuse_if(
        not option_bits & _IN_MQRFH2 or option_bits & ~(_IN_MQRFH2 | _DELETE), MQRC.OPTIONS_ERROR
    )
    refuse_for(property_names.query_fault(must_be(str, name, "the name of a property")), name)
    meant = [each for each in handle.properties.values() if property_names.matches(name, each.name)]
    refuse_if(not meant, MQRC.PROPERTY_NOT_AVAILABLE, name)
    folders = tuple(map(mqrfh2.folder_of, to_folders(meant)))
    header = RulesHeader(follows.encoding, follows.coded_char_set_id, follows.format, folders)
    data = mqrfh2.pack(header, NATIVE, UTF_8)
    if buffer_length is not None and len(data) > buffer_length:
        raise BufferTooShortError(len(data))
    if option_bits & _DELETE:
        for each in meant:
            handle.delete_property(each.name.full, 0)
    described = follows.copy()
    described.encoding = NATIVE
    described.coded_char_set_id = UTF_8
    described.format = mqrfh2.FORMAT
    return Message(data, described)


def from_buffer(handle: MessageHandleState, message: Message, options: int) -> Message:
    """Fill the handle from a message, whose properties are cut out if asked. MQError 2334, 2421,
    2527.
    """
    option_bits = bits(options, "options")
    refuse_if(option_bits & ~_DELETE_FROM_BUFFER, MQRC.OPTIONS_ERROR)
    checked_message = must_be(Message, message, "the message")
    refuse_for(message_data.fault(checked_message.descriptor, checked_message.body))
    carried = message_data.read(checked_message.descriptor, checked_message.body)
    descriptor, body = checked_message.descriptor, checked_message.body
    if carried is not None:
        descriptor, body = message_data.without_properties(descriptor, body, carried)
    handle.fill({} if carried is None else carried.properties, descriptor)
    return (
        Message(body, descriptor.copy()) if option_bits & _DELETE_FROM_BUFFER else checked_message
    )

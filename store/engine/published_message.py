"""A publication as its subscribers get it: its properties, and the form that each of them asks for
(publish-subscribe §5).
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.receivers import Receiver
from mqsc.store.headers import layout, mqrfh2
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_set import Properties
from mqsc.store.rules.selector.conditions import Selector
from mqsc.store.rules.topics import publication


class Publication(Struct, frozen=True):
    """A publication, with everything decided about it but the MsgId of copies, if that is zero."""

    topic: str
    descriptor: MessageDescriptor
    body: bytes
    is_retained: bool = False


class Added(NamedTuple):
    """What is put before data that has no header: the header, and how the MQMD describes it."""

    header: bytes
    format: str
    encoding: int
    coded_char_set_id: int


# By form of the properties, user data, and how the MQMD describes the data.
AddedHeaders = dict[tuple[str, str, str, int, int], Added]
_MOST_HEADERS = 256


class PublishedMessage:
    """The message of a publication, with its properties. Each form of it is made once, for all
    subscriptions that ask for that form.
    """

    def __init__(self, publication: Publication, ccsid: int, headers: AddedHeaders) -> None:
        self.publication = publication
        self._ccsid = ccsid
        self._headers = headers
        self._is_plain = not (
            publication.is_retained or message_data.may_carry(publication.descriptor.format)
        )
        read = None
        if not self._is_plain:
            read = message_data.read(publication.descriptor, publication.body)
        self._by_handle = {} if read is None else read.set_by_handle
        self._properties = {} if read is None else read.properties
        self._format = None if read is None else read.data_format
        self._plain = publication.descriptor, publication.body
        if not self._is_plain:
            self._plain = message_data.without_marked(*self._plain)
        self._forms: dict[tuple[str, str], tuple[MessageDescriptor, bytes]] = {}

    def selects(self, receiver: Receiver) -> bool:
        """Whether the selector of the subscription is true for the publication."""
        return receiver.selector is None or self.outcome(receiver.selector) is True

    def outcome(self, selector: Selector) -> bool | None:
        """The condition of a selector for the publication: true, false, or None if unknown."""
        descriptor = self.publication.descriptor
        if self._format is not None:
            descriptor = descriptor.copy()
            descriptor.format = self._format
        topic = publication.topic_property(self.publication.topic)
        return selector.outcome((descriptor, {**self._properties, topic.name: topic}))

    def to_retain(self) -> tuple[MessageDescriptor, bytes]:
        """The descriptor and the data of the message that is retained, with MQTopicString."""
        topic = publication.topic_property(self.publication.topic)
        properties = {**self._by_handle, topic.name: topic}
        return message_data.with_properties(*self._plain, properties.values(), self._ccsid)

    def formed(self, receiver: Receiver) -> tuple[MessageDescriptor, bytes]:
        """The descriptor and the data in the form that PSPROP of the subscription asks for."""
        key = receiver.property_form, receiver.user_data
        if key not in self._forms:
            self._forms[key] = self._formed(receiver)
        return self._forms[key]

    def _formed(self, receiver: Receiver) -> tuple[MessageDescriptor, bytes]:
        if not self._is_plain:
            return self._with_properties(receiver)
        described, body = self._plain
        key = (
            receiver.property_form,
            receiver.user_data,
            described.format,
            described.encoding,
            described.coded_char_set_id,
        )
        added = self._headers.get(key)
        if added is None:
            whole, data = self._with_properties(receiver)
            header = data[: len(data) - len(body)]
            added = Added(header, whole.format, whole.encoding, whole.coded_char_set_id)
            if len(self._headers) >= _MOST_HEADERS:
                self._headers.clear()
            self._headers[key] = added
        placed = copy(described)
        placed.format, placed.encoding, placed.coded_char_set_id = added[1:]
        return placed, added.header + body

    def _with_properties(self, receiver: Receiver) -> tuple[MessageDescriptor, bytes]:
        descriptor, body = self._plain
        topic, is_retained = self.publication.topic, self.publication.is_retained
        properties: Properties = publication.passed_on(self._by_handle.values())
        # Of one that was retained.
        properties.pop(publication.topic_property(topic).name, None)
        if receiver.property_form == publication.MESSAGE_PROPERTIES:
            properties |= publication.added_properties(receiver, topic, is_retained=is_retained)
        elif receiver.property_form != publication.NO_PROPERTIES:
            folder = publication.publish_folder(topic, is_retained=is_retained)
            descriptor, body = _behind_header(descriptor, body, folder)
        if not properties:
            return descriptor, body
        return message_data.with_properties(descriptor, body, properties.values(), self._ccsid)


def _behind_header(
    descriptor: MessageDescriptor, body: bytes, folder: str
) -> tuple[MessageDescriptor, bytes]:
    """The message behind an MQRFH2 with a folder of data."""
    header = mqrfh2.RulesHeader(
        descriptor.encoding,
        descriptor.coded_char_set_id,
        descriptor.format,
        (mqrfh2.folder_of(folder),),
    )
    placed = descriptor.copy()
    placed.format = mqrfh2.FORMAT
    placed.encoding = layout.NATIVE
    placed.coded_char_set_id = layout.writable(descriptor.coded_char_set_id)
    return placed, mqrfh2.pack(header, placed.encoding, placed.coded_char_set_id) + body

"""Which properties of a message the queue manager copies into its reports (properties §5)."""

from typing import NamedTuple

from mqsc.store.constants import MQCOPY
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_set import Property, is_copied

_REPORT = int(MQCOPY.REPORT)


class Reported(NamedTuple):
    """A message as a report contains it, and the properties to add to the report."""

    descriptor: MessageDescriptor
    body: bytes
    properties: tuple[Property, ...] = ()


def reported(descriptor: MessageDescriptor, body: bytes, *, with_data: bool) -> Reported:
    """The message without those of its properties that are not for reports (MQPD_COPY_REPORT).

    A report without data has the properties alone: it describes the data that follows them.
    """
    carried = message_data.read(descriptor, body)
    if carried is None or not carried.properties:
        return Reported(descriptor, body)
    copied = tuple(each for each in carried.properties.values() if is_copied(each, _REPORT))
    if not with_data:
        return Reported(message_data.describing_data(descriptor, carried), b"", copied)
    if len(copied) == len(carried.properties):
        return Reported(descriptor, body)
    return Reported(*message_data.without_properties(descriptor, body, carried), copied)

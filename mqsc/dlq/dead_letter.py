"""Dead letters with their header unpacked, and the filter that selects some of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.admin.peeking import PeekedMessage
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import layout, mqdlh
from mqsc.store.headers.mqdlh import DeadLetterHeader
from mqsc.store.message import Message
from mqsc.store.rules import message_origin, names


class DeadLetter(NamedTuple):
    """A message of a dead-letter queue; `number` counts from 1 at the head of the queue.

    `header` is None when the data does not begin with a valid MQDLH; `fault` says why. `body` may
    be truncated after the header; `length` is the length of all the data. `expires_at` is in
    microseconds UTC, None for never. `is_locked` by the browse of a program, so that no other finds
    it. `origin` is where a message without an MQDLH was moved from, None when that was not asked or
    has no meaning.
    """

    number: int
    descriptor: MessageDescriptor
    body: bytes
    length: int
    header: DeadLetterHeader | None
    fault: str = ""
    is_expired: bool = False
    expires_at: int | None = None
    is_locked: bool = False
    origin: message_origin.Origin | None = None

    @property
    def destination(self) -> tuple[str, str] | None:
        """The queue and queue manager that the message was meant for, None if unknown: those of its
        MQDLH, else of the queue that it was moved from.
        """
        if self.header is not None:
            return self.header.dest_q_name, self.header.dest_q_mgr_name
        if self.origin is None or self.origin.unknown:
            return None
        return self.origin.queue, self.origin.queue_manager


# Looks up where a message without an MQDLH came from.
FindOrigin = Callable[[MessageDescriptor], message_origin.Origin | None]


def unpack_dead_letter(
    number: int,
    descriptor: MessageDescriptor,
    body: bytes,
    length: int,
) -> DeadLetter:
    """Unpack the header in the encoding and CCSID of the descriptor."""
    try:
        header = mqdlh.unpack_mqdlh(body, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError as fault:
        return DeadLetter(number, descriptor, body, length, None, str(fault))
    return DeadLetter(number, descriptor, body, length, header)


def with_origin(dead_letter: DeadLetter, find_origin: FindOrigin) -> DeadLetter:
    """The message with its origin, if it has no MQDLH."""
    if dead_letter.header is not None:
        return dead_letter
    return dead_letter._replace(origin=find_origin(dead_letter.descriptor))


def dead_letters_on_queue(
    peeked: Iterable[PeekedMessage],
    find_origin: FindOrigin = lambda descriptor: None,
) -> Iterator[DeadLetter]:
    for number, peeked_message in enumerate(peeked, 1):
        dead_letter = unpack_dead_letter(
            number, peeked_message.descriptor, peeked_message.body, peeked_message.length
        )
        if peeked_message.expires_at is not None:
            dead_letter = dead_letter._replace(
                is_expired=peeked_message.is_expired, expires_at=peeked_message.expires_at
            )
        if peeked_message.locked_by is not None:
            dead_letter = dead_letter._replace(is_locked=True)
        yield with_origin(dead_letter, find_origin)


def dead_letters_from_messages(messages: Iterable[Message]) -> Iterator[DeadLetter]:
    for number, message in enumerate(messages, 1):
        yield unpack_dead_letter(number, message.descriptor, message.body, len(message.body))


class DeadLetterFilter(Struct, frozen=True):
    """Selects dead letters; the default selects all.

    `reasons` are MQRC or MQFB numbers of the MQDLH, `destination` is a generic name for its
    DestQName, `older_than` the least time on the queue in microseconds, `msg_id` the 24 bytes of a
    MsgId. A message without a valid MQDLH has no reason, and the queue that it was moved from as
    its destination.
    """

    reasons: frozenset[int] = frozenset()
    destination: str | None = None
    older_than: int | None = None
    msg_id: bytes | None = None

    @property
    def selects_all(self) -> bool:
        return self == DeadLetterFilter()

    def selects(self, dead_letter: DeadLetter, now: int) -> bool:
        """Whether the dead letter is selected at `now` (microseconds UTC)."""
        header = dead_letter.header
        descriptor = dead_letter.descriptor
        destination = dead_letter.destination
        if self.msg_id is not None and descriptor.msg_id != self.msg_id.ljust(24, b"\0"):
            return False
        if self.older_than is not None and now - (descriptor.put_at or now) < self.older_than:
            return False
        if self.reasons and (header is None or header.reason not in self.reasons):
            return False
        return self.destination is None or (
            destination is not None and names.matches(self.destination, destination[0])
        )

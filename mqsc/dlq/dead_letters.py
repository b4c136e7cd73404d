"""Dead letters as people look at them: one by one with their header, and which of them somebody means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mqsc.language.generic_names import matches
from store.admin.peek import PeekedMessage
from store.descriptor import MessageDescriptor
from store.headers import mqdlh
from store.headers.layout import HeaderError
from store.headers.mqdlh import DeadLetterHeader
from store.message import Message


class DeadLetter(NamedTuple):
    """A message of a dead-letter queue, the `number`-th from its head.

    `header` is None when the data does not begin with a valid MQDLH; `fault` says why. `body` may be cut after the
    header, `length` is that of all data. `expires_at` is microseconds UTC, None for never.
    """

    number: int
    descriptor: MessageDescriptor
    body: bytes
    length: int
    header: DeadLetterHeader | None
    fault: str = ""
    is_expired: bool = False
    expires_at: int | None = None


def opened(number: int, descriptor: MessageDescriptor, body: bytes, length: int) -> DeadLetter:
    """The message with its header, as the MQMD says that it is written."""
    try:
        header = mqdlh.unpack(body, descriptor.encoding, descriptor.coded_char_set_id)
    except HeaderError as fault:
        return DeadLetter(number, descriptor, body, length, None, str(fault))
    return DeadLetter(number, descriptor, body, length, header)


def letters_seen(seen: Iterable[PeekedMessage]) -> Iterator[DeadLetter]:
    """The messages of a queue that is looked at."""
    for number, each in enumerate(seen, 1):
        letter = opened(number, each.descriptor, each.body, each.length)
        if each.expires_at is not None:
            letter = letter._replace(is_expired=each.is_expired, expires_at=each.expires_at)
        yield letter


def letters_given(messages: Iterable[Message]) -> Iterator[DeadLetter]:
    """Messages that do not come from a queue."""
    for number, message in enumerate(messages, 1):
        yield opened(number, message.descriptor, message.body, len(message.body))


@dataclass(frozen=True, slots=True)
class Filter:
    """Which letters are meant: all, unless something is said.

    `reasons` are MQRC or MQFB of the MQDLH, `destination` a generic name for its DestQName, `older_than` how long the
    letter must have been on the queue (microseconds), `msg_id` its 24 bytes. A message without a valid MQDLH has no
    reason and no destination.
    """

    reasons: frozenset[int] = frozenset()
    destination: str | None = None
    older_than: int | None = None
    msg_id: bytes | None = None

    @property
    def is_open(self) -> bool:
        """Whether every message is meant."""
        return self == Filter()

    def takes(self, letter: DeadLetter, now: int) -> bool:
        """Whether this letter is meant at `now` (microseconds UTC)."""
        header, descriptor = letter.header, letter.descriptor
        if self.msg_id is not None and descriptor.msg_id != self.msg_id.ljust(24, b"\0"):
            return False
        if self.older_than is not None and now - (descriptor.put_at or now) < self.older_than:
            return False
        if header is None:
            return not self.reasons and self.destination is None
        if self.reasons and header.reason not in self.reasons:
            return False
        return self.destination is None or matches(self.destination, header.dest_q_name)

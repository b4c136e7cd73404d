"""Which messages dmpmqmsg copies: the values of its options -r and -T."""

from __future__ import annotations

import re

from msgspec import Struct

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import MICROSECONDS
from mqsc.store.message_times import put_moment

_RANGE = re.compile(r"(\d{1,9})(?:\.\.(\d{1,9})|#(\d{1,9}))?|#(\d{1,9})", re.ASCII)
_AGE = re.compile(r"(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,9})", re.ASCII)
_MINUTE = 60 * MICROSECONDS


class MessageRange(Struct, frozen=True):
    """Messages by their place in the source, from 1; without `last`, to the end."""

    first: int = 1
    last: int | None = None

    def ends_before(self, place: int) -> bool:
        """Whether neither this message nor any behind it is meant."""
        return self.last is not None and place > self.last

    def has(self, place: int) -> bool:
        return place >= self.first and not self.ends_before(place)


class AgeLimits(Struct, frozen=True):
    """Times since a message was put, in microseconds: at least one, and less than the other."""

    least: int = 0
    most: int | None = None

    def have(self, descriptor: MessageDescriptor, now: int) -> bool:
        """Whether a message is as old; one without a valid time of put has no age."""
        moment = put_moment(descriptor.put_date, descriptor.put_time)
        if moment is None:
            return False
        age = now - moment
        return age >= self.least and (self.most is None or age < self.most)


class MessageSelection(Struct, frozen=True):
    """The messages to copy."""

    range: MessageRange = MessageRange()
    age: AgeLimits | None = None

    def has(self, place: int, descriptor: MessageDescriptor, now: int) -> bool:
        """Whether a message is among them; `now` in microseconds UTC."""
        return self.range.has(place) and (self.age is None or self.age.have(descriptor, now))


def message_range(text: str) -> MessageRange:
    """The range that `x`, `x..y`, `x#y` or `#x` means; ValueError for another text."""
    found = _RANGE.fullmatch(text)
    if found is None:
        raise ValueError(f"-r takes x, x..y, x#y or #x, such as #100, not {text}")
    first, last, count, of_first = (None if each is None else int(each) for each in found.groups())
    if of_first is not None:
        return MessageRange(1, of_first)
    assert first is not None
    if count is not None:
        return MessageRange(first, first + count - 1)
    return MessageRange(first, first if last is None else last)


def age_limits(text: str) -> AgeLimits:
    """The ages that `least`, `least,most` or `,most` means, each as minutes, HH:MM or DD:HH:MM;
    ValueError for another text.
    """
    least, _, most = text.partition(",")
    if not (least or most):
        raise ValueError(_age_fault(text))
    return AgeLimits(_age(least, text) if least else 0, _age(most, text) if most else None)


def _age(part: str, text: str) -> int:
    found = _AGE.fullmatch(part)
    if found is None:
        raise ValueError(_age_fault(text))
    days, hours, minutes = (int(each or 0) for each in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * _MINUTE


def _age_fault(text: str) -> str:
    return f"-T takes minutes, HH:MM or DD:HH:MM, such as 1440 or 1440,2880, not {text}"

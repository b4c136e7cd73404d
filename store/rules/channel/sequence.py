"""Numbers of messages on a channel: SEQWRAP, RESET CHANNEL, and ends that disagree.

See channels Ch3, H26, H27; poison H48; channel-commands L22, L23.
"""

from typing import NamedTuple

NO_RESET = 0


class SequenceRecord(NamedTuple):
    """The numbers that an end keeps: the last message of a committed batch, and a reset not yet
    used, or 0.
    """

    last: int = 0
    reset: int = NO_RESET


class SequenceStart(NamedTuple):
    """How a start compares: the number that the sender will use next, and the one that the
    receiver expects.
    """

    sent: int
    expected: int

    @property
    def agrees(self) -> bool:
        """Whether the channel can start; AMQ9526E if not."""
        return self.sent == self.expected


def following(number: int, wrap: int) -> int:
    """The number after `number`: 1 after SEQWRAP."""
    return 1 if number >= wrap else number + 1


def preceding(number: int, wrap: int) -> int:
    """The number before `number`: the `last` of an end that will use `number` next, 0 before the
    first ever.
    """
    return 0 if number <= 1 else min(number, wrap) - 1


def next_number(record: SequenceRecord, wrap: int) -> int:
    """The number of the next message of that end."""
    return record.reset or following(record.last, wrap)


def start(sender: SequenceRecord, receiver: SequenceRecord, wrap: int) -> SequenceStart:
    """The numbers with which a start begins. A RESET at the sender resets the receiver too, not the
    other way round.

    A receiver that wrapped and a sender that never sent agree, because both go on with 1.
    """
    sent = next_number(sender, wrap)
    return SequenceStart(sent, sent if sender.reset else next_number(receiver, wrap))

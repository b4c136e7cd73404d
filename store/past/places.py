"""A queue in the past: its messages, and the sums of what came to it and went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

# The values of a queue; what came equals what went and `there`. `held` is what open units of work
# have got; `got` is without these.
CAME = ("before", "put", "moved_in", "returned")
WENT = (
    "got",
    "held",
    "withdrawn",
    "expired",
    "discarded",
    "cleared",
    "moved_out",
    "dead_lettered",
    "forwarded",
)

# The owner, a queue manager or a queue-sharing group, and the name.
Queue = tuple[str, str]


class PastMessage(Struct, eq=False):
    """A message: the number of the event of its put, and of the event by which it came to its
    queue.

    `put_by` and `got_by` are the open units of work that put and got it, None for none.
    `is_marked`: the get said that it skips a backout. `is_settled`: the get counts as another end of
    the message, whether or not its unit of work is committed.
    """

    seq: int
    msg_id: bytes
    put_at: int | None
    came: int
    put_by: int | None
    place: Place
    got_by: int | None = None
    backouts: int = 0
    is_marked: bool = False
    is_settled: bool = False

    def is_free(self) -> bool:
        """Whether no unit of work has put or got it."""
        return self.put_by is None and self.got_by is None


class Place(Struct, eq=False):
    """A queue until it is deleted: what came and went, and its messages by MsgId, which several may
    have.

    `unknown` says why the history does not know its messages, if it does not.
    """

    owner: str
    name: str
    unknown: str = ""
    put: int = 0
    got: int = 0
    other: Counter[str] = field(default_factory=Counter)
    messages: dict[bytes, list[PastMessage]] = field(default_factory=dict)
    # Messages that came by MOVE from a queue whose messages are not known.
    guests: int = 0
    # Those that a CLEAR or MOVE takes in several events, the oldest last, and those that such a
    # CLEAR should have taken first: it has an order of its own.
    leaving: list[PastMessage] = field(default_factory=list)
    presumed: dict[bytes, list[PastMessage]] = field(default_factory=dict)
    # How many more went than had come.
    excess: int = 0
    is_gone: bool = False

    def sums(self) -> dict[str, int]:
        """The values of CAME and WENT, where `got` has what is `held`."""
        return {name: self.other[name] for name in (*CAME, *WENT)} | {
            "put": self.put,
            "got": self.got,
        }

    def there(self) -> int:
        """How many messages should be on the queue, without those that open units of work have
        got: CURDEPTH.
        """
        sums = self.sums()
        return sum(sums[name] for name in CAME) - sum(sums[name] for name in WENT) + self.excess

    def is_unused(self) -> bool:
        """Whether nothing came and nothing went, so that all sums are 0."""
        return not (self.put or self.got or self.other or self.excess)

    def is_counted(self) -> bool:
        """Whether it is not known exactly which messages are there, only how many."""
        return bool(self.guests or self.presumed)

    def add(self, message: PastMessage) -> None:
        """A message comes, or comes back."""
        message.place = self
        self.messages.setdefault(message.msg_id, []).append(message)

    def remove(self, message: PastMessage) -> None:
        """A message goes; CLEAR may have removed it before."""
        same = self.messages.get(message.msg_id, ())
        if len(same) == 1 and same[0] is message:
            del self.messages[message.msg_id]
        elif message in same:
            same.remove(message)  # type: ignore[union-attr]

    def hold(self, message: PastMessage, unit: int) -> None:
        """A unit of work gets a message. Of those with its MsgId it is the last then: a free one
        is found at once.
        """
        message.got_by = unit
        same = self.messages[message.msg_id]
        if len(same) > 1:
            same.remove(message)
            same.append(message)

    def give_back(self, messages: Sequence[PastMessage]) -> None:
        """A backout returns messages to where they were, with a higher backout count."""
        for message in messages:
            message.got_by = None
            message.is_marked = False
            message.is_settled = False
            message.backouts += 1
        for msg_id in {message.msg_id for message in messages}:
            self.messages.get(msg_id, []).sort(key=_arrival)

    def in_order(self) -> list[PastMessage]:
        """The messages in the order of their arrival, with those of units of work."""
        found = (each for same in self.messages.values() for each in same)
        return sorted(found, key=_arrival)

    def oldest(self) -> Iterator[PastMessage]:
        """Remove and return the free messages that are there at the first call, the oldest
        first.
        """
        if not self.leaving:
            self.leaving = [each for each in reversed(self.in_order()) if each.is_free()]
        while self.leaving:
            message = self.leaving.pop()
            if message.is_free() and message in self.messages.get(message.msg_id, ()):
                self.remove(message)
                yield message


def _arrival(message: PastMessage) -> tuple[int, int]:
    return message.came, message.seq

"""Triggering of a shared queue: what each member of the group sees, and which of them make the
message (sharing §7).

Each running member decides by itself. The handles of the other members change its criteria, and
the initiation queue decides whether each of those that pass makes a trigger message, or one of
them for all.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from mqsc.store.rules.trigger.facts import EVERY


class GroupInput(NamedTuple):
    """Which input handles are open on a shared queue, as one member sees them: the table's first
    three columns.
    """

    exclusive_anywhere: bool
    own: bool
    elsewhere: bool


def seen_by_each(handles: Sequence[int], *, exclusive: bool) -> list[GroupInput]:
    """What each member sees of the numbers of input handles of all; `exclusive`: one of the
    handles is.
    """
    total = sum(handles)
    return [GroupInput(exclusive, own > 0, total > own) for own in handles]


class Candidate(NamedTuple):
    """A member whose conditions are all met. `trigger_type` is the type in effect there.

    `commands`: it puts the message, commits it or performs the command. `monitors`: its own handles
    on INITQ.
    """

    number: int
    commands: bool
    trigger_type: int
    initq_is_shared: bool
    monitors: int


def makers(candidates: Iterable[Candidate]) -> frozenset[int]:
    """The numbers of the members that make a trigger message.

    Each one with an initiation queue of its own. With a shared one, those that have it open, or the
    one that commands when none has (after O-ALTER); for EVERY only one of them, that one first,
    then the lowest number.
    """
    found = list(candidates)
    own = [each.number for each in found if not each.initq_is_shared]
    sharing = [each for each in found if each.initq_is_shared]
    sharing = [each for each in sharing if each.monitors] or [
        each for each in sharing if each.commands
    ]
    every = sorted(
        (each for each in sharing if each.trigger_type == EVERY),
        key=lambda each: (not each.commands, each),
    )
    return frozenset((*own, *(each.number for each in sharing if each not in every[1:])))


class Committed(NamedTuple):
    """A message that a unit of work put on a shared queue, in the order of the puts; `rank`: its
    effective priority.
    """

    queue: int
    rank: int
    msg_id: bytes
    put_at: int
    offset: int


def without_further_segments(messages: Sequence[Committed]) -> list[Committed]:
    """The messages, with only the first segment of one that the queue manager split: it is one
    event (T52).

    Such segments were put by one call, so they have the same MsgId and time.
    """
    return [
        *messages[:1],
        *(each for before, each in pairwise(messages) if not _continues(before, each)),
    ]


def _continues(before: Committed, message: Committed) -> bool:
    return message.offset > before.offset and (message.msg_id, message.put_at) == (
        before.msg_id,
        before.put_at,
    )

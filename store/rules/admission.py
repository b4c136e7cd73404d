"""Whether a queue admits a message, decided in one place for every message that is put
(mqi-semantics §12).

A put by a program, a message that the queue manager generates (report, trigger message, dead
letter, event) and the previews of puts all use these functions, so that they cannot disagree.
"""

from typing import NamedTuple, Protocol

from mqsc.store.constants import MQQDT, MQRC

MSG_TOO_BIG_FOR_Q = int(MQRC.MSG_TOO_BIG_FOR_Q)
MSG_TOO_BIG_FOR_Q_MGR = int(MQRC.MSG_TOO_BIG_FOR_Q_MGR)
PERSISTENT_NOT_ALLOWED = int(MQRC.PERSISTENT_NOT_ALLOWED)
# A message that is too long may be split into segments.
TOO_LONG = (MSG_TOO_BIG_FOR_Q, MSG_TOO_BIG_FOR_Q_MGR)
WRONG_CF_LEVEL = int(MQRC.WRONG_CF_LEVEL)
PUT_INHIBITED = int(MQRC.PUT_INHIBITED)
Q_FULL = int(MQRC.Q_FULL)


TEMPORARY_DYNAMIC = int(MQQDT.TEMPORARY_DYNAMIC)


class QueueFacts(Protocol):
    """The columns of a local queue that decide which messages it takes; those of a shared
    queue's structure, too.
    """

    definition_type: int
    max_length: int
    structure_longest: int | None
    structure_keeps_persistent: int


class Limits(NamedTuple):
    """The limits for a message that goes to a queue.

    `longest_of_all`: MAXMSGL of the queue manager. `header`: the bytes that the queue manager adds
    in front of the data, 0 for a local destination.
    """

    queue: QueueFacts
    longest_of_all: int
    header: int


def message_fault(limits: Limits, persistence: int, length: int, extension: int = 0) -> int:
    """The reason why no put can place such a message there: 2048, 2030, 2031 or 2366; else 0.

    `length` is that of the application's data. `extension` is the length of the MQMDE that the
    message would need on its way to another queue manager; like the header it counts only there.
    """
    queue = limits.queue
    if persistence and (
        queue.definition_type == TEMPORARY_DYNAMIC or not queue.structure_keeps_persistent
    ):
        return PERSISTENT_NOT_ALLOWED
    added = limits.header + extension if limits.header else 0
    if length + added > queue.max_length:
        return MSG_TOO_BIG_FOR_Q
    if length > limits.longest_of_all:
        return MSG_TOO_BIG_FOR_Q_MGR
    longest = queue.structure_longest
    return WRONG_CF_LEVEL if longest is not None and length + added > longest else 0


def queue_fault(put_enabled: bool, free: int, arriving: int = 1) -> int:
    """The reason why the queue takes no `arriving` messages now: 2051 or 2053; else 0.

    `put_enabled`: no object on the way is PUT(DISABLED). `free`: MAXDEPTH less CURDEPTH.
    """
    if not put_enabled:
        return PUT_INHIBITED
    return Q_FULL if arriving > free else 0


def fault(
    limits: Limits,
    put_enabled: bool,
    free: int,
    persistence: int,
    length: int,
    extension: int = 0,
) -> int:
    """The reason why one message cannot be placed now, in MQ's order: 2048, 2030, 2031, 2366,
    2051, 2053; else 0.
    """
    return message_fault(limits, persistence, length, extension) or queue_fault(put_enabled, free)

"""Whether a queue admits a message, decided in one place for every message that is put (mqi-semantics §12).

A put by a program, a message that the queue manager generates (report, trigger message, dead letter, event) and the
previews that foresee puts all ask here, so that they cannot disagree.
"""

from __future__ import annotations

from typing import NamedTuple

from store.constants import MQRC

MSG_TOO_BIG_FOR_Q, MSG_TOO_BIG_FOR_Q_MGR = int(MQRC.MSG_TOO_BIG_FOR_Q), int(MQRC.MSG_TOO_BIG_FOR_Q_MGR)
PERSISTENT_NOT_ALLOWED = int(MQRC.PERSISTENT_NOT_ALLOWED)
# A message that is too long may be split into segments.
TOO_LONG = (MSG_TOO_BIG_FOR_Q, MSG_TOO_BIG_FOR_Q_MGR)
WRONG_CF_LEVEL, PUT_INHIBITED, Q_FULL = int(MQRC.WRONG_CF_LEVEL), int(MQRC.PUT_INHIBITED), int(MQRC.Q_FULL)


class Limits(NamedTuple):
    """The limits of the queue that a message goes to.

    `temporary`: it takes no persistent messages, because it is a temporary dynamic queue, or a shared one whose
    structure does not keep them. `longest`: MAXMSGL of the queue; `longest_of_all`: that of the queue manager.
    `header`: the bytes that the queue manager adds in front of the data, 0 for a local destination. `in_structure`: the
    longest message that the structure of a shared queue stores.
    """

    temporary: bool
    longest: int
    longest_of_all: int
    header: int
    in_structure: int | None = None


def message_fault(limits: Limits, persistence: int, length: int, extension: int = 0) -> int:
    """The reason why no put can place such a message there: 2048, 2030, 2031 or 2366; else 0.

    `length` is that of the application's data. `extension` is the length of the MQMDE that the message would need on
    its way to another queue manager; like the header it counts only there.
    """
    if persistence and limits.temporary:
        return PERSISTENT_NOT_ALLOWED
    added = limits.header + extension if limits.header else 0
    if length + added > limits.longest:
        return MSG_TOO_BIG_FOR_Q
    if length > limits.longest_of_all:
        return MSG_TOO_BIG_FOR_Q_MGR
    return WRONG_CF_LEVEL if limits.in_structure is not None and length + added > limits.in_structure else 0


def queue_fault(put_enabled: bool, free: int, arriving: int = 1) -> int:
    """The reason why the queue takes no `arriving` messages now: 2051 or 2053; else 0.

    `put_enabled`: no object on the way is PUT(DISABLED). `free`: MAXDEPTH less CURDEPTH.
    """
    if not put_enabled:
        return PUT_INHIBITED
    return Q_FULL if arriving > free else 0


def fault(limits: Limits, put_enabled: bool, free: int, persistence: int, length: int, extension: int = 0) -> int:
    """The reason why one message cannot be placed now, in MQ's order: 2048, 2030, 2031, 2366, 2051, 2053; else 0."""
    return message_fault(limits, persistence, length, extension) or queue_fault(put_enabled, free)

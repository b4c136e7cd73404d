"""Which names queues and queue managers can have."""

from __future__ import annotations

import re

from store.constants import MQRC
from store.rules import sharing_group

UNKNOWN_OBJECT_NAME, UNKNOWN_OBJECT_Q_MGR = int(MQRC.UNKNOWN_OBJECT_NAME), int(MQRC.UNKNOWN_OBJECT_Q_MGR)
REMOTE_Q_NAME_ERROR = int(MQRC.REMOTE_Q_NAME_ERROR)
_NAME = re.compile(r"[A-Za-z0-9./_%]{1,48}\Z")


def is_valid(name: str) -> bool:
    """Whether a queue or a queue manager can have that name: 1 to 48 letters, digits, or any of `. / _ %`."""
    return _NAME.match(name) is not None


def name_fault(name: str, queue_manager: str, own: str) -> int:
    """The reason why MQOPEN and MQPUT1 know no such queue whatever is defined (mqi-semantics §2.2), or 0.

    2086 for an invalid queue manager name, 2184 for a blank queue name on a queue manager other than `own`, 2085 for a
    blank or invalid queue name. 2152 and 2153 belong to distribution lists and never occur.
    """
    if queue_manager and not is_valid(queue_manager) and not sharing_group.is_valid(queue_manager):
        return UNKNOWN_OBJECT_Q_MGR
    if not name and queue_manager not in ("", own):
        return REMOTE_Q_NAME_ERROR
    return 0 if is_valid(name) else UNKNOWN_OBJECT_NAME

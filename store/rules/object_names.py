"""Which names queues and queue managers can have."""

from __future__ import annotations

import re

from store.constants import MQRC

_NAME = re.compile(r"[A-Za-z0-9./_%]{1,48}\Z")


def is_valid(name: str) -> bool:
    """Whether a queue or a queue manager can have that name: 1 to 48 letters, digits, or any of `. / _ %`."""
    return _NAME.match(name) is not None


def name_fault(name: str, queue_manager: str) -> int:
    """2152 or 2153 for the ObjectName or ObjectQMgrName of an MQOPEN or MQPUT1 that nothing can have, else 0."""
    if not is_valid(name):
        return int(MQRC.OBJECT_NAME_ERROR)
    return int(MQRC.OBJECT_Q_MGR_NAME_ERROR) if queue_manager and not is_valid(queue_manager) else 0

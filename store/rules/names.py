"""Names of objects: which are valid, and which a generic name such as `ORDERS*` matches.

Only a trailing asterisk is generic.
"""

import re

from mqsc.store.constants import MQRC
from mqsc.store.rules.group_membership import is_group_name

# Sorts after every name.
LAST = "\U0010ffff"


def is_generic(pattern: str) -> bool:
    """Whether a name is generic."""
    return pattern.endswith("*")


def matches(pattern: str, name: str) -> bool:
    """Whether a generic or exact name matches; case counts."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def prefix_range(pattern: str) -> tuple[str, str]:
    """(low, high) such that `matches` is low <= name < high; a blank `high` means no upper limit.

    SQL compares with this range and not with LIKE, because names may contain its wildcards `_` and
    `%`.
    """
    if not pattern.endswith("*"):
        return pattern, pattern + "\0"
    stem = pattern[:-1]
    return (stem, stem[:-1] + chr(ord(stem[-1]) + 1)) if stem else ("", "")


UNKNOWN_OBJECT_NAME = int(MQRC.UNKNOWN_OBJECT_NAME)
UNKNOWN_OBJECT_Q_MGR = int(MQRC.UNKNOWN_OBJECT_Q_MGR)
REMOTE_Q_NAME_ERROR = int(MQRC.REMOTE_Q_NAME_ERROR)
_OBJECT_NAME = re.compile(r"[A-Za-z0-9./_%]{1,48}\Z")


def is_object_name(name: str) -> bool:
    """Whether a queue or a queue manager can have that name: 1 to 48 letters, digits, or any of
    `. / _ %`.
    """
    return _OBJECT_NAME.match(name) is not None


def name_fault(name: str, queue_manager: str, own: str) -> int:
    """The reason why MQOPEN and MQPUT1 find no such queue, whatever is defined (mqi-semantics
    §2.2), or 0.

    2086 for an invalid queue manager name, 2184 for a blank queue name on a queue manager other
    than `own`, 2085 for a blank or invalid queue name. 2152 and 2153 belong to distribution lists
    and never occur.
    """
    if queue_manager and not is_object_name(queue_manager) and not is_group_name(queue_manager):
        return UNKNOWN_OBJECT_Q_MGR
    if not name and queue_manager not in ("", own):
        return REMOTE_Q_NAME_ERROR
    return 0 if is_object_name(name) else UNKNOWN_OBJECT_NAME

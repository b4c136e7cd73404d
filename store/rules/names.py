"""Names of objects, topics and queue-sharing groups: which are valid, and which a generic name
matches.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.constants import MQRC

# Generic object names: `ORDERS*` matches names that begin with ORDERS; only a trailing asterisk is
# generic.

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


# Which names queues and queue managers can have.

UNKNOWN_OBJECT_NAME, UNKNOWN_OBJECT_Q_MGR = (
    int(MQRC.UNKNOWN_OBJECT_NAME),
    int(MQRC.UNKNOWN_OBJECT_Q_MGR),
)
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


# The topic tree: parents of topic strings, attributes inherited from them, and wildcards.

AS_PARENT = "ASPARENT"


def parents(string: str) -> list[str]:
    """The topic strings above a string, nearest first; the blank string is the root of the tree."""
    parts = string.split("/")
    return ["/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)] + (
        [""] if string else []
    )


def effective_attributes(
    topics: Mapping[str, Mapping[str, Any]],
    string: str,
    words: Iterable[str],
) -> dict[str, Any]:
    """The values of attributes at a topic string: from the nearest topic object whose value is not
    ASPARENT.

    `topics` are the topic objects by topic string; the object at the root has a value for every
    attribute. A blank name (MDURMDL) is inherited too.
    """
    path = [topics[each] for each in (string, *parents(string)) if each in topics]
    return {
        word: next((each[word] for each in path if each[word] not in (AS_PARENT, "")), "")
        for word in words
    }


def covers(pattern: str, string: str) -> bool:
    """Whether a topic string matches: `+` is one level, `#` any number of levels, a final `*`
    any characters.
    """
    if pattern.endswith("*"):
        return string.startswith(pattern[:-1])
    return _levels(pattern.split("/"), string.split("/"))


def _levels(wanted: list[str], levels: list[str]) -> bool:
    """Match level by level; on a mismatch, backtrack to the last `#`."""
    at, level, back, since = 0, 0, -1, 0
    while level < len(levels):
        if at < len(wanted) and wanted[at] == "#":
            back, since = at, level
            at += 1
        elif at < len(wanted) and wanted[at] in ("+", levels[level]):
            at, level = at + 1, level + 1
        elif back >= 0:
            since += 1
            at, level = back + 1, since
        else:
            return False
    return all(each == "#" for each in wanted[at:])


# Who may belong to a queue-sharing group, and which member a connection goes to (sharing §5, §10).

MOST_MEMBERS = 32
_GROUP_NAME = re.compile(r"[A-Z$#@][A-Z0-9$#@]{0,3}\Z")


def is_group_name(name: str) -> bool:
    """Whether a queue-sharing group can have that name: 1 to 4 of A-Z, 0-9, `$ # @`, the first
    not a digit.
    """
    return _GROUP_NAME.match(name) is not None


class Group(NamedTuple):
    """The facts about the store's group that joining depends on; `manual_clock` is None while it
    has no member.
    """

    name: str
    numbers: frozenset[int]
    manual_clock: bool | None


class Joining(NamedTuple):
    """A queue manager that is to join the group `wanted`; `manager_of_that_name`: a queue
    manager has that name.
    """

    queue_manager: str
    wanted: str
    own_group: str
    has_ended: bool
    manual_clock: bool
    manager_of_that_name: bool


def join_refusal(joining: Joining, group: Group | None) -> str:
    """Why the queue manager cannot join, or blank. `group` is the one that the store has, if
    any.
    """
    name, wanted = joining.queue_manager, joining.wanted
    if not is_group_name(wanted):
        return (
            f"{wanted!r} is not a valid name for a group: use 1 to 4 of A-Z, 0-9, $, # and @, the "
            "first not a digit"
        )
    if joining.manager_of_that_name:
        return f"{wanted} is the name of a queue manager"
    if joining.own_group:
        return f"{name} belongs to {joining.own_group} already"
    if group is not None and group.name != wanted:
        return f"the store has the group {group.name}, and can have only one"
    if not joining.has_ended:
        return _not_ended(name)
    if group is None:
        return ""
    if group.manual_clock not in (None, joining.manual_clock):
        kind = "manual clocks" if group.manual_clock else "the system clock"
        return f"the members of {wanted} use {kind}, and {name} does not"
    return f"{wanted} has {MOST_MEMBERS} members" if len(group.numbers) >= MOST_MEMBERS else ""


def _not_ended(name: str) -> str:
    return (
        f"{name} has not ended; end it first with `mqsc qmgr end {name}`, with --immediate if "
        "programs are connected"
    )


def number_for(taken: frozenset[int]) -> int:
    """The lowest number that no member has."""
    return next(number for number in range(1, MOST_MEMBERS + 1) if number not in taken)


def leave_refusal(name: str, group: str, *, has_ended: bool, unit_in_doubt: bool) -> str:
    """Why the queue manager cannot leave its group, or blank. `unit_in_doubt`: one of its units
    on a shared queue.
    """
    if not group:
        return f"{name} does not belong to a group"
    if not has_ended:
        return _not_ended(name)
    return (
        f"{name} has a unit of work in doubt on a shared queue; resolve it first"
        if unit_in_doubt
        else ""
    )


class Member(NamedTuple):
    """A member of a group, as a program that connects to the group sees it."""

    name: str
    number: int
    is_running: bool
    is_quiescing: bool
    connections: int


def member_to_connect_to(members: Sequence[Member]) -> tuple[int, str]:
    """(0, the running member with the fewest connections, then the lowest number), or (2059 or
    2161, blank).
    """
    running = [each for each in members if each.is_running]
    if running:
        return 0, min(running, key=lambda each: (each.connections, each.number)).name
    quiescing = any(each.is_quiescing for each in members)
    return int(MQRC.Q_MGR_QUIESCING if quiescing else MQRC.Q_MGR_NOT_AVAILABLE), ""

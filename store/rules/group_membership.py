"""Who may belong to a queue-sharing group, and which member a connection goes to (sharing §5, §10)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.constants import MQRC

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


def member_to_connect_to(members: Sequence[Member]) -> Member | None:
    """The running member with the fewest connections, then the lowest number; None if none runs."""
    running = [member for member in members if member.is_running]
    return min(running, key=lambda member: (member.connections, member.number), default=None)


def none_runs_reason(members: Sequence[Member]) -> int:
    """Why a program cannot connect to a group of which no member runs: 2161 if one is quiescing,
    else 2059.
    """
    if any(member.is_quiescing for member in members):
        return int(MQRC.Q_MGR_QUIESCING)
    return int(MQRC.Q_MGR_NOT_AVAILABLE)

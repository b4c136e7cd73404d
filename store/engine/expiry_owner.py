"""The member of a queue-sharing group that scans shared queues: found, changed and recorded (sharing
§8).
"""

from __future__ import annotations

from collections.abc import Callable

from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.rules import expiry_scans
from mqsc.store.rules.expiry_scans import Facts, Member, Scan
from mqsc.store.sql import managers
from mqsc.store.sql.managers import ENDED
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries


def settle_expiry_owner(tx: Transaction, call: CallContext, cause: str) -> None:
    """A queue manager was started, ended or altered: choose the owner anew if it must change,
    and record that.
    """
    group = call.qmgr.sharing_group
    if group:
        _decide(tx, call, cause, Facts(managers.expiry_owner(tx, group), _members(tx, group)))


def tick_of_expiry(tx: Transaction, call: CallContext, serves: Callable[[str], bool]) -> bool:
    """A `mqsc serve` of the member is about to scan: whether it owns the shared queues, perhaps by
    taking over now.

    `serves` tells whether a `mqsc serve` runs for a member.
    """
    group, name = call.qmgr.sharing_group, call.qmgr.name
    owner = managers.expiry_owner(tx, group)
    owner_serves = owner == name or (bool(owner) and serves(owner))
    return (
        _decide(tx, call, "takeover", Facts(owner, _members(tx, group), name, owner_serves)) == name
    )


def may_scan(tx: Queries, qmgr: ManagerRow, cause: str) -> bool:
    """Whether the queue manager may now scan the shared queues of its group, for a cause of
    EXPIRE.
    """
    group = qmgr.sharing_group
    others = any(
        each.state != ENDED and each.name != qmgr.name for each in managers.members(tx, group)
    )
    return bool(group) and expiry_scans.may_scan(
        Scan(qmgr.name, cause, managers.expiry_owner(tx, group), others),
    )


def different_intervals(tx: Queries, group: str) -> dict[str, int]:
    """EXPRYINT of the members that have it set, by name, if they do not all have the same; else
    nothing.
    """
    return expiry_scans.different(
        {each.name: each.expiry_interval for each in managers.members(tx, group)},
    )


def _members(tx: Queries, group: str) -> list[Member]:
    return [
        Member(
            each.name,
            each.state != ENDED and each.expiry_interval is not None,
            each.expiry_rank,
        )
        for each in managers.members(tx, group)
    ]


def _decide(tx: Transaction, call: CallContext, cause: str, facts: Facts) -> str:
    verdict = expiry_scans.decide_owner(facts)
    for name, rank in verdict.ranks.items():
        managers.set_columns(tx, name, {"expiry_rank": rank})
    if verdict.owner != facts.owner:
        group = call.qmgr.sharing_group
        managers.set_expiry_owner(tx, group, verdict.owner)
        detail = {"from": facts.owner} if facts.owner else {}
        record_event(
            tx,
            call,
            "OWNER",
            owner=group,
            cause=cause,
            target=verdict.owner or None,
            detail=detail,
        )
    return verdict.owner

"""What each member of a queue-sharing group decides about a put."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin.connection_status import connection_id
from mqsc.store.engine import triggering
from mqsc.store.engine.state import CallContext, StoreState
from mqsc.store.engine.trigger_facts import Named, with_objects
from mqsc.store.rules import trigger
from mqsc.store.rules.trigger.facts import (
    TYPE_NAMES,
    TriggerFacts,
    criteria_of,
    with_effective_type,
)
from mqsc.store.rules.trigger.group_triggering import makers
from mqsc.store.rules.trigger.occasions import TriggerDecision
from mqsc.store.sql import connections
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.owners import owner_of
from mqsc.store.sqlite.queries import Queries


class MemberView(NamedTuple):
    """A running member's row of the table of sharing §7, and what a put now would do there.

    `exclusive_anywhere`, `own_input`, `input_elsewhere`: the handles on the queue. `relaxed`: FIRST
    and TRIGMPRI(0) replace the definition; `trigger_type` and `trigger_priority` are those in
    effect, and `messages` is n(Q) by them. `allowed`: triggering C4 is met. `initq_exists`,
    `initq_is_shared`, `monitors`: the initiation queue that it finds, and its own handles on that.
    `would_trigger`: it would make a trigger message; `obstacles`: the conditions that are not met
    there. Without either another member makes the one message for all.
    """

    member: str
    exclusive_anywhere: bool
    own_input: int
    input_elsewhere: bool
    relaxed: bool
    trigger_type: str
    trigger_priority: int
    allowed: bool
    messages: int
    last_trigger: int | None
    initq_exists: bool
    initq_is_shared: bool
    monitors: int
    would_trigger: bool
    obstacles: tuple[int, ...]


class SharedInputHandle(NamedTuple):
    """An input handle on the shared queue and the program that holds it; `connection` is CONN of
    DISPLAY CONN.

    `process_place` says where `process_id` is valid, blank if it is here. `relaxes`: the members
    whose criteria it relaxes. An exclusive one prevents all members from triggering.
    """

    member: str
    application: str
    user: str
    process_id: int
    process_place: str
    connection: str
    exclusive: bool
    relaxes: tuple[str, ...]


class Deciding(NamedTuple):
    """One member's facts about a put, the objects that it finds, and its decision."""

    call: CallContext
    facts: TriggerFacts
    named: Named | None
    decision: TriggerDecision


def decisions(reading: Queries, call: CallContext, queue: QueueRow, rank: int) -> list[Deciding]:
    """What each running member would decide about a put of effective priority `rank`, by number."""
    deciding_members = []
    for member, facts in triggering.members_facts(reading, call, queue, rank):
        lowest = trigger.occasions.counted_priority(facts)
        facts = facts._replace(
            messages=triggering.committed(reading, queue, lowest, max(1, queue.depth)),
        )
        acting = triggering.as_member(reading, call, member.name)
        facts, named = with_objects(reading, acting, facts)
        deciding_members.append(
            Deciding(acting, facts, named, trigger.occasions.decide(trigger.occasions.PUT, facts)),
        )
    return [_knowing_monitors(each, deciding_members) for each in deciding_members]


def _knowing_monitors(deciding: Deciding, everybody: list[Deciding]) -> Deciding:
    """Complete the facts with the monitors that other members have on a shared initiation queue."""
    facts = deciding.facts
    elsewhere = any(
        each.facts.initq_shared and each.facts.initq_input_handles
        for each in everybody
        if each is not deciding
    )
    return deciding._replace(
        facts=facts._replace(initq_open_elsewhere=facts.initq_shared and elsewhere),
    )


def views(deciding_members: list[Deciding], asking: str) -> tuple[MemberView, ...]:
    """The members' rows; the put is made on the member `asking`."""
    firing = [each for each in deciding_members if each.decision.fires]
    making = makers([triggering.candidate(each.call.qmgr, asking, each.facts) for each in firing])
    return tuple(_view(each, each.call.qmgr.member_number in making) for each in deciding_members)


def _view(deciding: Deciding, makes: bool) -> MemberView:
    facts = deciding.facts
    effective = with_effective_type(facts)
    return MemberView(
        member=facts.queue_manager,
        exclusive_anywhere=facts.exclusive_in_group,
        own_input=facts.input_handles,
        input_elsewhere=facts.shared_input_elsewhere,
        relaxed=criteria_of(facts).relaxed,
        trigger_type=TYPE_NAMES[effective.trigger_type],
        trigger_priority=effective.trigger_priority,
        allowed=effective.trigger_type in criteria_of(facts).allowed,
        messages=facts.messages,
        last_trigger=facts.last_trigger,
        initq_exists=facts.initq_exists,
        initq_is_shared=facts.initq_shared,
        monitors=facts.initq_input_handles,
        would_trigger=makes,
        obstacles=tuple(dict.fromkeys(each.number for each in deciding.decision.obstacles)),
    )


def input_handles(
    store: StoreState,
    reading: Queries,
    queue: QueueRow,
    members: tuple[MemberView, ...],
) -> tuple[SharedInputHandle, ...]:
    """The input handles of all members on the queue, oldest first, and whom each relaxes."""
    relaxed = [each.member for each in members if each.relaxed]
    folder = folder_beside(store.path or "")
    return tuple(
        SharedInputHandle(
            each.qmgr,
            each.application,
            each.user,
            *owner_of(folder, each.file),
            connection_id(each.connection),
            bool(each.exclusive),
            tuple(name for name in relaxed if name != each.qmgr),
        )
        for each in connections.input_handles_on(reading, queue.id)
    )

"""How each member of a queue-sharing group decides whether a shared queue triggers, and whose handles change that."""

from __future__ import annotations

from typing import NamedTuple

from store.admin.connection_status import connection_id
from store.engine import group_triggering
from store.engine.call_context import CallContext
from store.engine.trigger_facts import Named, with_objects
from store.rules.trigger import occasions
from store.rules.trigger.facts import TYPE_NAMES, TriggerFacts, criteria_of, with_effective_type
from store.rules.trigger.group import makers
from store.rules.trigger.occasions import TriggerDecision
from store.sql import connections
from store.sql.rows import QueueRow
from store.sqlite.database import Queries
from store.sqlite.liveness import process_id


class MemberView(NamedTuple):
    """A running member's row of the table of sharing §7, and what a put now would do there.

    `exclusive_anywhere`, `own_input`, `input_elsewhere`: the handles on the queue. `relaxed`: FIRST and TRIGMPRI(0)
    replace the definition; `trigger_type` and `trigger_priority` are those in effect, and `messages` is n(Q) by them.
    `allowed`: triggering C4 is met. `initq_exists`, `initq_is_shared`, `monitors`: the initiation queue that it finds,
    and its own handles on that.
    `would_trigger`: it would make a trigger message; `obstacles`: the conditions that are not met there. Without either
    another member makes the one message for all.
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
    """An input handle on the shared queue and the program that holds it; `connection` is CONN of DISPLAY CONN.

    `relaxes`: the members whose criteria it relaxes. An exclusive one prevents all members from triggering.
    """

    member: str
    application: str
    user: str
    process_id: int
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
    found = []
    for member, facts in group_triggering.members_facts(reading, call, queue, rank):
        lowest = occasions.counted_priority(facts)
        facts = facts._replace(messages=group_triggering.counted(reading, queue, lowest, max(1, queue.depth)))
        acting = group_triggering.as_member(reading, call, member.name)
        facts, named = with_objects(reading, acting, facts)
        found.append(Deciding(acting, facts, named, occasions.decide(occasions.PUT, facts)))
    return [_knowing_monitors(each, found) for each in found]


def _knowing_monitors(deciding: Deciding, everybody: list[Deciding]) -> Deciding:
    """Complete the facts with the monitors that other members have on a shared initiation queue."""
    facts = deciding.facts
    elsewhere = any(
        each.facts.initq_shared and each.facts.initq_input_handles for each in everybody if each is not deciding
    )
    return deciding._replace(facts=facts._replace(initq_open_elsewhere=facts.initq_shared and elsewhere))


def views(found: list[Deciding], asking: str) -> tuple[MemberView, ...]:
    """The members' rows; the put is made on the member `asking`."""
    firing = [each for each in found if each.decision.fires]
    making = makers([group_triggering.candidate(each.call.qmgr, asking, each.facts) for each in firing])
    return tuple(_view(each, each.call.qmgr.member_number in making) for each in found)


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


def input_handles(reading: Queries, queue: QueueRow, members: tuple[MemberView, ...]) -> tuple[SharedInputHandle, ...]:
    """The input handles of all members on the queue, oldest first, and whom each relaxes."""
    relaxed = [each.member for each in members if each.relaxed]
    return tuple(
        SharedInputHandle(
            member=each.qmgr,
            application=each.application,
            user=each.user,
            process_id=process_id(each.file),
            connection=connection_id(each.connection),
            exclusive=bool(each.exclusive),
            relaxes=tuple(name for name in relaxed if name != each.qmgr),
        )
        for each in connections.input_handles_on(reading, queue.id)
    )

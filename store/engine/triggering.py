"""The occasions on which a trigger message may be generated: read the facts, let the rules decide
(triggering §3, §4).

`group_triggering` does the same for shared queues.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.store.engine.effects import ALONE, Deliver, Effect, Placement
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.trigger_facts import Named, counted, own_facts, with_objects
from mqsc.store.engine.trigger_message import message_for, switch_off
from mqsc.store.rules.trigger import group_triggering, occasions
from mqsc.store.rules.trigger.facts import (
    DEPTH,
    TriggerFacts,
    TriggerSettings,
    is_altered,
    with_effective_type,
)
from mqsc.store.rules.trigger.group_triggering import Candidate, GroupInput, seen_by_each
from mqsc.store.rules.trigger.occasions import Firing, Occasion
from mqsc.store.sql import managers, queues, triggers
from mqsc.store.sql.rows import ManagerRow, QueueRow
from mqsc.store.sql.triggers import RunningMember
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries


def arrived(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    puts: Puts,
    how: Placement = ALONE,
) -> list[Effect]:
    """The trigger messages for newly stored messages; `queue` is as it was before.

    Trigger messages made under syncpoint join the unit of work; those of type FIRST and DEPTH
    survive its backout. On a shared queue messages count when their unit commits.
    """
    if queue.structure:
        return [] if how.unit is not None else raised(tx, call, occasions.PUT, queue, puts, how)
    ranks = puts.ranks
    handles, last = queues.input_handles_of(tx, queue.id, call.qmgr.name)
    facts = own_facts(
        call,
        queue,
        input_handles=handles,
        last_trigger=last,
        priority=max(ranks),
        messages=queue.depth,
    )
    if not occasions.may_fire(occasions.PUT, facts):
        return []
    lowest = occasions.counted_priority(facts)
    if lowest > 0:
        # By counting, before the messages just stored, of which `suitable` count.
        suitable = sum(rank >= lowest for rank in ranks)
        wanted = occasions.needs_count(occasions.PUT, facts)
        before = counted(tx, queue, facts, wanted + suitable) - suitable if wanted else 0
        facts = facts._replace(messages=before)
    if len(ranks) == 1 and not occasions.number_is_right(facts):
        return []
    facts, named = with_objects(tx, call, facts, occasions.PUT)
    if named is None:
        return []
    how = replace(how, kept=how.unit is not None and occasions.survives_backout(facts))
    # Any of them can reach the depth.
    fired = occasions.fired_by_puts(facts, ranks if facts.trigger_type == DEPTH else puts.firsts)
    made = [message_for(tx, call, queue, named, occasions.PUT, each, how) for each in fired]
    return _with_depth_off(tx, call, queue, facts, made)


def closed(tx: Transaction, call: CallContext, queue: QueueRow) -> list[Effect]:
    """O-CLOSE: the last input handle of the queue manager was closed; `queue` is as it is after
    that.

    For a shared queue it must be the last one of the group.
    """
    if not queue.structure:
        return _raise(tx, call, occasions.CLOSE, queue)
    return (
        [] if queues.handles_of_all(tx, queue.id)[0] else raised(tx, call, occasions.CLOSE, queue)
    )


def monitor_opened(
    tx: Transaction,
    call: CallContext,
    initiation: QueueRow,
    *,
    first_in_group: bool = True,
) -> list[Effect]:
    """O-OPEN: the first input handle opens the initiation queue; one trigger message for each queue
    that names it.

    With a shared initiation queue, shared queues trigger only if no other member of the group has
    it open.
    """
    effects: list[Effect] = []
    qmgr = call.qmgr
    for queue in triggers.triggering_to(tx, qmgr.name, initiation.name, qmgr.sharing_group):
        if not queue.structure:
            effects += _raise(tx, call, occasions.MONITOR_OPENED, queue, monitors=1)
        elif first_in_group or not initiation.structure:
            effects += raised(tx, call, occasions.MONITOR_OPENED, queue, alone=True)
    return effects


# The columns whose change may be an occasion.
COLUMNS = frozenset(
    "trigger_on trigger_type trigger_priority trigger_depth get_enabled put_enabled".split(),
)


def attributes_changed(
    tx: Transaction,
    call: CallContext,
    before: QueueRow,
    after: QueueRow,
) -> list[Effect]:
    """O-ALTER, O-GET and O-INITQ-PUT: MQSET or a command changed attributes of a queue."""
    effects: list[Effect] = []
    decided = raised if after.structure else _raise
    if is_altered(_settings(before), _settings(after)):
        effects += decided(tx, call, occasions.ALTER, after)
    elif after.get_enabled and not before.get_enabled:
        effects += decided(tx, call, occasions.GET_ENABLED, after)
    if after.put_enabled and not before.put_enabled:
        effects += _initiation_queue_enabled(tx, call, after)
    return effects


def _initiation_queue_enabled(
    tx: Transaction,
    call: CallContext,
    initiation: QueueRow,
) -> list[Effect]:
    """O-INITQ-PUT; every member decides about a shared initiation queue."""
    effects: list[Effect] = []
    is_shared = bool(initiation.structure)
    for acting in everyone(tx, call, initiation) if is_shared else [call]:
        qmgr = acting.qmgr
        for queue in triggers.triggering_to(tx, qmgr.name, initiation.name, qmgr.sharing_group):
            if not queue.structure:
                effects += _raise(tx, acting, occasions.INITQ_ENABLED, queue)
            elif qmgr.name == call.qmgr.name:
                effects += raised(tx, call, occasions.INITQ_ENABLED, queue, alone=not is_shared)
    return effects


def _settings(queue: QueueRow) -> TriggerSettings:
    return TriggerSettings(
        bool(queue.trigger_on),
        queue.trigger_type,
        queue.trigger_priority,
        queue.trigger_depth,
    )


def _raise(
    tx: Transaction,
    call: CallContext,
    occasion: Occasion,
    queue: QueueRow,
    *,
    monitors: int | None = None,
) -> list[Effect]:
    facts = own_facts(
        call,
        queue,
        input_handles=queue.input_handles,
        last_trigger=queue.last_trigger,
    )
    if not occasions.may_fire(occasion, facts):
        return []
    facts = facts._replace(
        messages=counted(tx, queue, facts, occasions.needs_count(occasion, facts)),
    )
    facts, named = with_objects(tx, call, facts, occasion)
    if monitors is not None:
        facts = facts._replace(initq_input_handles=monitors)
    cause = occasions.fires(occasion, facts)
    if not cause or named is None:
        return []
    made = message_for(tx, call, queue, named, occasion, Firing(cause, facts), ALONE)
    return _with_depth_off(tx, call, queue, facts, [made])


def _with_depth_off(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    facts: TriggerFacts,
    messages: list[Deliver],
) -> list[Effect]:
    """The trigger messages; those of TRIGTYPE(DEPTH) switch TRIGGER off."""
    if messages and facts.trigger_type == DEPTH:
        switch_off(tx, call, queue)
    return [*messages]


class Puts(NamedTuple):
    """Effective priorities of messages put on a queue: of all, and of those that are events for
    FIRST and EVERY.

    The latter leave out further segments: a message that the queue manager split is one event
    (triggering T52). `visible`: messages on a shared queue are committed already, so that a count
    includes them.
    """

    ranks: Sequence[int]
    firsts: Sequence[int]
    visible: bool = True


class Decided(NamedTuple):
    """A member that would make trigger messages: the conditions are met there."""

    call: CallContext
    named: Named
    fired: Sequence[Firing]


def committing(tx: Transaction, call: CallContext, unit: int) -> list[Effect]:
    """The trigger messages for what a unit of work put on shared queues; its commit follows."""
    effects: list[Effect] = []
    put = map(group_triggering.Committed._make, triggers.put_in_unit(tx, unit))
    for number, messages in groupby(
        sorted(put, key=lambda each: each.queue),
        key=lambda each: each.queue,
    ):
        queue = queues.by_id(tx, number, call.qmgr.name)
        if queue is not None:
            on_queue = list(messages)
            ranks = [each.rank for each in on_queue]
            firsts = [each.rank for each in group_triggering.without_further_segments(on_queue)]
            effects += raised(tx, call, occasions.PUT, queue, Puts(ranks, firsts, visible=False))
    return effects


def everyone(tx: Queries, call: CallContext, queue: QueueRow) -> list[CallContext]:
    """The running members of the group of a shared queue by number, each as the one that acts."""
    return [
        as_member(tx, call, each.name)
        for each in triggers.running_members(tx, queue.owner, queue.id)
    ]


def members_facts(
    tx: Queries,
    call: CallContext,
    queue: QueueRow,
    priority: int | None = None,
) -> list[tuple[RunningMember, TriggerFacts]]:
    """The running members by number, and the facts that their rows and that of the queue tell.

    `priority` is that of a message that is put.
    """
    common = own_facts(call, queue, input_handles=0, last_trigger=None, priority=priority)
    return [(each, _of_member(_seeing(common, input), each)) for each, input in _members(tx, queue)]


def _members(tx: Queries, queue: QueueRow) -> list[tuple[RunningMember, GroupInput]]:
    """The running members by number, and what each sees of the input handles of all."""
    members = triggers.running_members(tx, queue.owner, queue.id)
    exclusive = any(each.exclusive_handles for each in members)
    return [
        *zip(
            members,
            seen_by_each([each.input_handles for each in members], exclusive=exclusive),
            strict=True,
        ),
    ]


def _seeing(facts: TriggerFacts, input: GroupInput) -> TriggerFacts:
    """The facts shared by all members that see the same handles."""
    exclusive, own, elsewhere = input
    return facts._replace(
        shared=True,
        exclusive_in_group=exclusive,
        input_handles=int(own),
        shared_input_elsewhere=elsewhere,
    )


def _of_member(facts: TriggerFacts, member: RunningMember) -> TriggerFacts:
    return facts._replace(
        queue_manager=member.name,
        trigger_interval=member.trigger_interval,
        input_handles=member.input_handles,
        last_trigger=member.last_trigger,
    )


def as_member(tx: Queries, call: CallContext, name: str) -> CallContext:
    """The same call as if it were made on another member."""
    if name == call.qmgr.name:
        return call
    qmgr = managers.by_name(tx, name)
    assert qmgr is not None
    return replace(call, qmgr=qmgr)


def committed(tx: Queries, queue: QueueRow, lowest: int, most: int) -> int:
    """n(Q) up to `most`: committed messages of that effective priority or higher; `queue` is as
    it is now.
    """
    if lowest <= 0:
        return max(0, queue.depth - triggers.count_uncommitted_puts(tx, queue.id)) if most else 0
    return triggers.count_committed(tx, queue.id, lowest, most) if most else 0


def raised(
    tx: Transaction,
    call: CallContext,
    occasion: Occasion,
    queue: QueueRow,
    puts: Puts | None = None,
    how: Placement = ALONE,
    *,
    alone: bool = False,
) -> list[Effect]:
    """The trigger messages that an event makes on a shared queue; `alone`: it concerns only
    `call`'s member.

    For a put, `queue` is as it was before the messages `puts` were stored, outside a unit of work
    or by its commit.
    """
    priority = None if puts is None else max(puts.ranks)
    common = own_facts(call, queue, input_handles=0, last_trigger=None, priority=priority)
    # Members that see the same handles differ only in their intervals and in the objects that they
    # find.
    alike: dict[GroupInput, TriggerFacts | None] = {}
    decided: list[Decided] = []
    for member, input in _members(tx, queue):
        if alone and member.name != call.qmgr.name:
            continue
        if input not in alike:
            alike[input] = _possible(tx, queue, occasion, _seeing(common, input), puts)
        facts = alike[input]
        found = (
            None if facts is None else _decide(tx, call, occasion, _of_member(facts, member), puts)
        )
        if found is not None:
            decided.append(found)
    if not decided:
        return []
    making = group_triggering.makers(
        [candidate(each.call.qmgr, call.qmgr.name, each.fired[0].facts) for each in decided],
    )
    effects: list[Effect] = []
    types = set()
    for each in decided:
        for firing in each.fired if each.call.qmgr.member_number in making else ():
            types.add(with_effective_type(firing.facts).trigger_type)
            effects.append(message_for(tx, each.call, queue, each.named, occasion, firing, how))
    if DEPTH in types:
        switch_off(tx, call, queue)
    return effects


def _possible(
    tx: Transaction,
    queue: QueueRow,
    occasion: Occasion,
    facts: TriggerFacts,
    puts: Puts | None,
) -> TriggerFacts | None:
    """The facts with n(Q), or None if no member with these facts can make a trigger message."""
    if not occasions.may_fire(occasion, facts):
        return None
    lowest, most = occasions.counted_priority(facts), occasions.needs_count(occasion, facts)
    return facts._replace(messages=_count(tx, queue, lowest, most, puts))


def _decide(
    tx: Transaction,
    call: CallContext,
    occasion: Occasion,
    facts: TriggerFacts,
    puts: Puts | None,
) -> Decided | None:
    """The decision of one member; None if it makes no trigger message."""
    if puts is not None and len(puts.ranks) == 1 and not occasions.number_is_right(facts):
        return None
    acting = as_member(tx, call, facts.queue_manager)
    facts, named = with_objects(tx, acting, facts, occasion)
    if named is None:
        return None
    if puts is None:
        cause = occasions.fires(occasion, facts)
        fired = [Firing(cause, facts)] if cause else []
    else:
        # Any of them can reach the depth.
        events = puts.ranks if with_effective_type(facts).trigger_type == DEPTH else puts.firsts
        fired = occasions.fired_by_puts(facts, events)
    return Decided(acting, named, fired) if fired else None


def candidate(member: ManagerRow, asking: str, facts: TriggerFacts) -> Candidate:
    """A member whose conditions are met, as one of those that may make the trigger message;
    `asking`: for its name.
    """
    type = with_effective_type(facts).trigger_type
    return Candidate(
        member.member_number,
        member.name == asking,
        type,
        facts.initq_shared,
        facts.initq_input_handles,
    )


def _count(tx: Queries, queue: QueueRow, lowest: int, most: int, puts: Puts | None) -> int:
    """n(Q), for puts before the first of them."""
    if puts is None or not puts.visible or not most or lowest <= 0:
        # The depth in the row is the one before the puts.
        return committed(tx, queue, lowest, most)
    suitable = sum(rank >= lowest for rank in puts.ranks)
    return max(0, committed(tx, queue, lowest, most + suitable) - suitable)

"""The occasions on which a trigger message may be generated: read the facts, let the rules decide (triggering §3, §4).

`group_triggering` does the same for shared queues.
"""

from __future__ import annotations

from msgspec.structs import replace

from store.engine import group_triggering
from store.engine.group_triggering import Puts
from store.engine.history import ALONE, Deliver, Effect, Placement
from store.engine.state import CallContext
from store.engine.trigger_facts import counted, message_for, own_facts, switch_off, with_objects
from store.rules.trigger import occasions
from store.rules.trigger.facts import DEPTH, TriggerFacts, TriggerSettings, is_altered
from store.rules.trigger.occasions import Firing, Occasion
from store.sql import queues, triggers
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction


def arrived(tx: Transaction, call: CallContext, queue: QueueRow, puts: Puts, how: Placement = ALONE) -> list[Effect]:
    """The trigger messages for newly stored messages; `queue` is as it was before.

    Trigger messages made under syncpoint join the unit of work; those of type FIRST and DEPTH survive its backout. On a
    shared queue messages count when their unit commits.
    """
    if queue.structure:
        return [] if how.unit is not None else group_triggering.raised(tx, call, occasions.PUT, queue, puts, how)
    ranks = puts.ranks
    handles, last = queues.input_handles_of(tx, queue.id, call.qmgr.name)
    facts = own_facts(call, queue, input_handles=handles, last_trigger=last, priority=max(ranks), messages=queue.depth)
    if not occasions.may_fire(occasions.PUT, facts):
        return []
    lowest = occasions.counted_priority(facts)
    if lowest > 0:
        # By counting, before the messages just stored, of which `suitable` count.
        suitable, wanted = sum(rank >= lowest for rank in ranks), occasions.needs_count(occasions.PUT, facts)
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
    """O-CLOSE: the last input handle of the queue manager was closed; `queue` is as it is after that.

    For a shared queue it must be the last one of the group.
    """
    if not queue.structure:
        return _raise(tx, call, occasions.CLOSE, queue)
    return [] if queues.handles_of_all(tx, queue.id)[0] else group_triggering.raised(tx, call, occasions.CLOSE, queue)


def monitor_opened(
    tx: Transaction, call: CallContext, initiation: QueueRow, *, first_in_group: bool = True
) -> list[Effect]:
    """O-OPEN: the first input handle opens the initiation queue; one trigger message for each queue that names it.

    With a shared initiation queue, shared queues trigger only if nobody else in the group has it open.
    """
    effects: list[Effect] = []
    qmgr = call.qmgr
    for queue in triggers.triggering_to(tx, qmgr.name, initiation.name, qmgr.sharing_group):
        if not queue.structure:
            effects += _raise(tx, call, occasions.MONITOR_OPENED, queue, monitors=1)
        elif first_in_group or not initiation.structure:
            effects += group_triggering.raised(tx, call, occasions.MONITOR_OPENED, queue, alone=True)
    return effects


# The columns whose change may be an occasion.
COLUMNS = frozenset("trigger_on trigger_type trigger_priority trigger_depth get_enabled put_enabled".split())


def attributes_changed(tx: Transaction, call: CallContext, before: QueueRow, after: QueueRow) -> list[Effect]:
    """O-ALTER, O-GET and O-INITQ-PUT: MQSET or a command changed attributes of a queue."""
    effects: list[Effect] = []
    decided = group_triggering.raised if after.structure else _raise
    if is_altered(_settings(before), _settings(after)):
        effects += decided(tx, call, occasions.ALTER, after)
    elif after.get_enabled and not before.get_enabled:
        effects += decided(tx, call, occasions.GET_ENABLED, after)
    if after.put_enabled and not before.put_enabled:
        effects += _initiation_queue_enabled(tx, call, after)
    return effects


def _initiation_queue_enabled(tx: Transaction, call: CallContext, initiation: QueueRow) -> list[Effect]:
    """O-INITQ-PUT; every member decides about a shared initiation queue."""
    effects: list[Effect] = []
    is_shared = bool(initiation.structure)
    for acting in group_triggering.everyone(tx, call, initiation) if is_shared else [call]:
        qmgr = acting.qmgr
        for queue in triggers.triggering_to(tx, qmgr.name, initiation.name, qmgr.sharing_group):
            if not queue.structure:
                effects += _raise(tx, acting, occasions.INITQ_ENABLED, queue)
            elif qmgr.name == call.qmgr.name:
                effects += group_triggering.raised(tx, call, occasions.INITQ_ENABLED, queue, alone=not is_shared)
    return effects


def _settings(queue: QueueRow) -> TriggerSettings:
    return TriggerSettings(bool(queue.trigger_on), queue.trigger_type, queue.trigger_priority, queue.trigger_depth)


def _raise(
    tx: Transaction, call: CallContext, occasion: Occasion, queue: QueueRow, *, monitors: int | None = None
) -> list[Effect]:
    facts = own_facts(call, queue, input_handles=queue.input_handles, last_trigger=queue.last_trigger)
    if not occasions.may_fire(occasion, facts):
        return []
    facts = facts._replace(messages=counted(tx, queue, facts, occasions.needs_count(occasion, facts)))
    facts, named = with_objects(tx, call, facts, occasion)
    if monitors is not None:
        facts = facts._replace(initq_input_handles=monitors)
    cause = occasions.fires(occasion, facts)
    if not cause or named is None:
        return []
    made = message_for(tx, call, queue, named, occasion, Firing(cause, facts), ALONE)
    return _with_depth_off(tx, call, queue, facts, [made])


def _with_depth_off(
    tx: Transaction, call: CallContext, queue: QueueRow, facts: TriggerFacts, messages: list[Deliver]
) -> list[Effect]:
    """The trigger messages; those of TRIGTYPE(DEPTH) switch TRIGGER off."""
    if messages and facts.trigger_type == DEPTH:
        switch_off(tx, call, queue)
    return [*messages]

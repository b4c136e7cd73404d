"""The occasions on which a trigger message may be generated: read the facts, let the rules decide (triggering §3, §4).

`group_triggering` does the same for shared queues.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from store.engine import group_triggering
from store.engine.call_context import CallContext
from store.engine.effects import Deliver, Effect
from store.engine.trigger_effects import message_for, switch_off
from store.engine.trigger_facts import counted, own_facts, with_objects
from store.rules.trigger import occasions
from store.rules.trigger.facts import DEPTH, TriggerFacts, TriggerSettings, is_altered
from store.rules.trigger.occasions import Occasion
from store.sql import queues, triggers
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction


def arrived(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    ranks: Sequence[int],
    firsts: Sequence[int],
    unit: int | None,
    chain: frozenset[str],
    to_dlq: bool,
) -> list[Effect]:
    """The trigger messages for newly stored messages of these effective priorities; `queue` is as it was before.

    `firsts` leaves out further segments: a message that the queue manager split is one event (triggering T52). Trigger
    messages made under syncpoint join the unit of work; those of type FIRST and DEPTH survive its backout. On a shared
    queue messages count when their unit commits.
    """
    if queue.structure:
        return [] if unit is not None else group_triggering.arrived(tx, call, queue, ranks, firsts, chain, to_dlq)
    handles, last = queues.input_handles_of(tx, queue.id, call.qmgr.name)
    facts = own_facts(call, queue, input_handles=handles, last_trigger=last, priority=max(ranks), messages=queue.depth)
    if not occasions.may_fire(occasions.PUT, facts):
        return []
    lowest = occasions.counted_priority(facts)
    if lowest > 0:
        facts = facts._replace(messages=_before(tx, queue, facts, sum(rank >= lowest for rank in ranks)))
    # Any of them can reach the depth.
    events = ranks if facts.trigger_type == DEPTH else firsts
    if len(ranks) == 1 and not occasions.number_is_right(facts):
        return []
    facts, named = with_objects(tx, call, facts, occasions.PUT)
    if named is None:
        return []
    kept = unit is not None and occasions.survives_backout(facts)
    message = partial(message_for, tx, call, queue, named, unit=unit, kept=kept, chain=chain, to_dlq=to_dlq)
    fired = occasions.fired_by_puts(facts, events)
    return _with_depth_off(tx, call, queue, facts, [message(each.facts, occasions.PUT, each.cause) for each in fired])


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
    return _with_depth_off(tx, call, queue, facts, [message_for(tx, call, queue, named, facts, occasion, cause)])


def _before(tx: Transaction, queue: QueueRow, facts: TriggerFacts, suitable: int) -> int:
    """n(Q) by counting, before the messages just stored, of which `suitable` count."""
    wanted = occasions.needs_count(occasions.PUT, facts)
    return counted(tx, queue, facts, wanted + suitable) - suitable if wanted else 0


def _with_depth_off(
    tx: Transaction, call: CallContext, queue: QueueRow, facts: TriggerFacts, messages: list[Deliver]
) -> list[Effect]:
    """The trigger messages; those of TRIGTYPE(DEPTH) switch TRIGGER off."""
    if messages and facts.trigger_type == DEPTH:
        switch_off(tx, call, queue)
    return [*messages]

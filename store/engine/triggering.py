"""The occasions on which a trigger message may be generated: read the facts, let the rules decide (triggering §3, §4).

The initiation queue and the process are read only when every other condition is met.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from store.catalog import KINDS
from store.catalog.types import Number
from store.engine.call_context import CallContext
from store.engine.effects import TRIGGER, Deliver, Effect
from store.rules.trigger import occasions
from store.rules.trigger.facts import (
    DEPTH,
    TYPE_NAMES,
    TriggerFacts,
    TriggerSettings,
    is_altered,
    with_effective_type,
)
from store.rules.trigger.message import NO_PROCESS, Process, trigger_message
from store.rules.trigger.occasions import Occasion, TriggerDecision
from store.sql import history, messages, objects, queues
from store.sql.queues import InitiationQueue
from store.sql.rows import QueueRow
from store.sqlite.database import Queries, Transaction

_APPLTYPE = KINDS["PROCESS"].attributes["APPLTYPE"].type


class Named(NamedTuple):
    """The objects that a queue names: its initiation queue and its process."""

    initiation: InitiationQueue
    process: Process


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

    `firsts` leaves out further segments: a message that the queue manager split is one event (T52). Trigger messages
    made under syncpoint join the unit of work; those of type FIRST and DEPTH survive its backout.
    """
    handles, last = queues.input_handles_of(tx, queue.id, call.qmgr.name)
    facts = own_facts(call, queue, input_handles=handles, last_trigger=last, priority=max(ranks), messages=queue.depth)
    if not occasions.may_fire(occasions.PUT, facts):
        return []
    lowest = occasions.counted_priority(facts)
    if lowest > 0:
        facts = facts._replace(messages=_before(tx, queue, facts, sum(rank >= lowest for rank in ranks)))
    # Any of them can reach the depth.
    events = ranks if with_effective_type(facts).trigger_type == DEPTH else firsts
    if len(ranks) == 1 and not occasions.number_is_right(facts):
        return []
    facts, named = with_objects(tx, call, facts, occasions.PUT)
    if named is None:
        return []
    kept = unit is not None and occasions.survives_backout(facts)
    message = partial(_message, tx, call, queue, named, unit=unit, kept=kept, chain=chain, to_dlq=to_dlq)
    return [message(each.facts, occasions.PUT, each.cause) for each in occasions.fired_by_puts(facts, events)]


def closed(tx: Transaction, call: CallContext, queue: QueueRow) -> list[Effect]:
    """O-CLOSE: the last input handle was closed; `queue` is as it is after that."""
    return _raise(tx, call, occasions.CLOSE, queue)


def monitor_opened(tx: Transaction, call: CallContext, initiation: QueueRow) -> list[Effect]:
    """O-OPEN: the first input handle opens the initiation queue; one trigger message for each queue that names it."""
    effects: list[Effect] = []
    for queue in queues.triggering_to(tx, call.qmgr.name, initiation.name):
        effects += _raise(tx, call, occasions.MONITOR_OPENED, queue, monitors=1)
    return effects


# The columns whose change may be an occasion.
COLUMNS = ("trigger_on", "trigger_type", "trigger_priority", "trigger_depth", "get_enabled", "put_enabled")


def attributes_changed(tx: Transaction, call: CallContext, before: QueueRow, after: QueueRow) -> list[Effect]:
    """O-ALTER, O-GET and O-INITQ-PUT: MQSET or a command changed attributes of a queue."""
    effects: list[Effect] = []
    if is_altered(_settings(before), _settings(after)):
        effects += _raise(tx, call, occasions.ALTER, after)
    elif after.get_enabled and not before.get_enabled:
        effects += _raise(tx, call, occasions.GET_ENABLED, after)
    if after.put_enabled and not before.put_enabled:
        for queue in queues.triggering_to(tx, call.qmgr.name, after.name):
            effects += _raise(tx, call, occasions.INITQ_ENABLED, queue)
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
    return [_message(tx, call, queue, named, facts, occasion, cause)]


def own_facts(
    call: CallContext,
    queue: QueueRow,
    *,
    input_handles: int,
    last_trigger: int | None,
    priority: int | None = None,
    messages: int = 0,
) -> TriggerFacts:
    """What the row of the queue itself says; counts and the objects it names are still to be read.

    `messages` is n(Q), where no count is needed to know it.
    """
    return TriggerFacts(
        queue.name,
        bool(queue.trigger_on),
        queue.trigger_type,
        queue.trigger_priority,
        queue.trigger_depth,
        queue.process,
        queue.initiation_queue,
        bool(queue.get_enabled),
        bool(queue.is_transmission),
        bool(queue.fifo),
        queue.default_priority,
        input_handles,
        priority,
        last_trigger,
        call.qmgr.trigger_interval,
        call.now,
        call.qmgr.name,
        messages,
    )


def with_objects(
    tx: Queries, call: CallContext, facts: TriggerFacts, occasion: Occasion | None = None
) -> tuple[TriggerFacts, Named | None]:
    """The facts completed with INITQ and PROCESS, and those objects when there is an initiation queue.

    PROCESS is not read when the initiation queue already prevents the occasion.
    """
    initiation = queues.initiation_queue(tx, call.qmgr.name, facts.initq) if facts.initq else None
    if initiation is not None:
        facts = facts._replace(
            initq_exists=True,
            initq_get_enabled=bool(initiation.get_enabled),
            initq_put_enabled=bool(initiation.put_enabled),
            initq_is_transmission=bool(initiation.is_transmission),
            initq_deleted=bool(initiation.logically_deleted),
            initq_input_handles=initiation.input_handles,
        )
    if occasion is not None and not occasions.initiation_queue_allows(occasion, facts):
        return facts, None
    process = _process(tx, call, facts.process)
    facts = facts._replace(process_exists=process is not None and bool(process.name))
    return facts, None if initiation is None else Named(initiation, process or NO_PROCESS)


def _process(tx: Queries, call: CallContext, name: str) -> Process | None:
    if not name:
        return NO_PROCESS
    found = objects.by_name(tx, call.qmgr.name, "process", name)
    if found is None:
        return None
    said = found.attributes
    number = _APPLTYPE.number_of(said["APPLTYPE"]) if isinstance(_APPLTYPE, Number) else 0
    return Process(name, number, str(said["APPLICID"]), str(said["ENVRDATA"]), str(said["USERDATA"]))


def counted(tx: Queries, queue: QueueRow, facts: TriggerFacts, most: int) -> int:
    """n(Q) up to `most`: messages of at least TRIGMPRI, including uncommitted puts, excluding uncommitted gets."""
    lowest = occasions.counted_priority(facts)
    if lowest <= 0:
        return queue.depth
    return messages.count_of_rank(tx, queue.id, lowest, most) if most else 0


def _before(tx: Transaction, queue: QueueRow, facts: TriggerFacts, suitable: int) -> int:
    """n(Q) by counting, before the messages just stored, of which `suitable` count."""
    wanted = occasions.needs_count(occasions.PUT, facts)
    return counted(tx, queue, facts, wanted + suitable) - suitable if wanted else 0


def _message(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    named: Named,
    facts: TriggerFacts,
    occasion: Occasion,
    cause: str,
    *,
    unit: int | None = None,
    kept: bool = False,
    chain: frozenset[str] = frozenset(),
    to_dlq: bool = True,
) -> Deliver:
    """A trigger message for the queue; TRIGTYPE(DEPTH) switches TRIGGER off even if the unit of work is backed out."""
    queues.record_trigger(tx, queue.id, call.qmgr.name, call.now, queue.depth, by_close=cause == "close")
    if with_effective_type(facts).trigger_type == DEPTH:
        switch_off(tx, call, queue)
    descriptor, body = trigger_message(
        queue.name,
        queue.trigger_data,
        named.process,
        priority=named.initiation.default_priority,
        queue_manager=call.qmgr.name,
        msg_id=call.new_identifier(),
        coded_char_set_id=call.qmgr.ccsid,
        now=call.now,
    )
    decision = occasions.decide(occasion, facts)
    repeats = queues.trigger_repeats(tx, queue.id, call.qmgr.name) if cause == "close" else 0
    return Deliver(
        TRIGGER,
        named.initiation.name,
        "",
        descriptor,
        body,
        cause=cause,
        about=queue.name,
        unit=unit,
        kept=kept,
        dead_letter=to_dlq,
        rule=f"C{decision.decisive}",
        detail=_detail(named, facts, decision, repeats),
        chain=chain | {queue.name},
    )


def _detail(named: Named, facts: TriggerFacts, decision: TriggerDecision, repeats: int) -> dict[str, object]:
    """The detail that the history records for a trigger message."""
    conditions = [f"C{each.number} {each.reason}" for each in decision.results if each.met]
    detail: dict[str, object] = {"process": named.process.name, "type": TYPE_NAMES[facts.trigger_type]}
    return {**detail, "conditions": conditions, **({"loop": loop_note(repeats)} if repeats > 1 else {})}


def loop_note(repeats: int) -> str:
    """The note on a server that leaves messages and is started again and again (C12 note a)."""
    return f"{repeats} trigger messages in a row at a close, without the depth falling"


def switch_off(tx: Transaction, call: CallContext, queue: QueueRow) -> None:
    """Switch TRIGGER off, as a trigger message of type DEPTH does."""
    queues.set_columns(tx, queue.id, {"trigger_on": 0})
    definition = objects.by_name(tx, queue.owner, "queue", queue.name)
    if definition is not None:
        objects.replace_attributes(
            tx, definition.id, {**definition.attributes, "TRIGGER": "NOTRIGGER"}, definition.altered_at
        )
    detail = json.dumps({"TRIGGER": ["TRIGGER", "NOTRIGGER"]})
    history.append(tx, call.event("SET", cause="depth", queue=queue.name, target="QLOCAL", detail=detail))

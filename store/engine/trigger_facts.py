"""The facts that triggering is decided on, and the trigger message of a queue that triggers.

The initiation queue and the process are read only when all other conditions are met.
"""

from typing import NamedTuple

from mqsc.store.catalog import KINDS
from mqsc.store.catalog.types import Number
from mqsc.store.engine.effects import TRIGGER, Deliver, Placement
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.rules.trigger import facts as rules, occasions, trigger_message
from mqsc.store.rules.trigger.occasions import Firing, Occasion, TriggerDecision
from mqsc.store.sql import objects, queues, triggers
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sql.triggers import InitiationQueue
from mqsc.store.sqlite.database import Queries, Transaction

_APPLTYPE = KINDS["PROCESS"].attributes["APPLTYPE"].type


class Named(NamedTuple):
    """The objects that a queue names: its initiation queue and its process."""

    initiation: InitiationQueue
    process: trigger_message.ProcessDefinition


def own_facts(
    call: CallContext,
    queue: QueueRow,
    *,
    input_handles: int,
    last_trigger: int | None,
    priority: int | None = None,
    messages: int = 0,
) -> rules.TriggerFacts:
    """The facts in the row of the queue itself; counts and the objects it names are still to be
    read.

    `messages` is n(Q), where no count is needed to know it.
    """
    return rules.TriggerFacts(
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
    tx: Queries,
    call: CallContext,
    facts: rules.TriggerFacts,
    occasion: Occasion | None = None,
) -> tuple[rules.TriggerFacts, Named | None]:
    """The facts completed with INITQ and PROCESS, and those objects when there is an initiation
    queue.

    PROCESS is not read when the initiation queue already prevents the occasion.
    """
    qmgr = call.qmgr
    initiation = (
        triggers.initiation_queue(tx, qmgr.name, facts.initq, qmgr.sharing_group)
        if facts.initq
        else None
    )
    if initiation is not None:
        facts = facts._replace(
            initq_exists=True,
            initq_get_enabled=bool(initiation.get_enabled),
            initq_put_enabled=bool(initiation.put_enabled),
            initq_is_transmission=bool(initiation.is_transmission),
            initq_deleted=bool(initiation.logically_deleted),
            initq_input_handles=initiation.input_handles,
            initq_shared=initiation.owner != qmgr.name,
        )
    if occasion is not None and not occasions.initiation_queue_allows(occasion, facts):
        return facts, None
    process = _process(tx, call, facts.process)
    facts = facts._replace(process_exists=process is not None and bool(process.name))
    return facts, None if initiation is None else Named(
        initiation, process or trigger_message.NO_PROCESS
    )


def _process(tx: Queries, call: CallContext, name: str) -> trigger_message.ProcessDefinition | None:
    if not name:
        return trigger_message.NO_PROCESS
    found = objects.by_name(tx, call.qmgr.name, "process", name)
    if found is None:
        return None
    said = found.attributes
    number = _APPLTYPE.number_of(said["APPLTYPE"]) if isinstance(_APPLTYPE, Number) else 0
    return trigger_message.ProcessDefinition(
        name,
        number,
        str(said["APPLICID"]),
        str(said["ENVRDATA"]),
        str(said["USERDATA"]),
    )


def counted(tx: Queries, queue: QueueRow, facts: rules.TriggerFacts, most: int) -> int:
    """n(Q) up to `most`: messages of at least TRIGMPRI, including uncommitted puts, excluding
    uncommitted gets.
    """
    lowest = occasions.counted_priority(facts)
    if lowest <= 0:
        return queue.depth
    return triggers.count_of_rank(tx, queue.id, lowest, most) if most else 0


# When a queue triggers: the trigger message as an effect, the time of the trigger, and TRIGGER off
# for DEPTH.


def message_for(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    named: Named,
    occasion: Occasion,
    fired: Firing,
    how: Placement,
) -> Deliver:
    """A trigger message for the queue from `call`'s queue manager, whose TRIGINT starts now.

    For TRIGTYPE(DEPTH) the caller switches TRIGGER off, even if the unit of work is backed out.
    """
    cause, facts = fired
    triggers.record(
        tx,
        queue.id,
        call.qmgr.name,
        call.now,
        queue.depth,
        by_close=int(cause == "close"),
    )
    descriptor, body = trigger_message.trigger_message(
        queue.name,
        queue.trigger_data,
        named.process,
        call.maker(),
        priority=named.initiation.default_priority,
    )
    decision = occasions.decide(occasion, facts)
    repeats = triggers.repeats(tx, queue.id, call.qmgr.name) if cause == "close" else 0
    return Deliver(
        TRIGGER,
        named.initiation.name,
        "",
        descriptor,
        body,
        cause=cause,
        about=queue.name,
        unit=how.unit,
        kept=how.kept,
        dead_letter=how.dead_letter_triggers,
        rule=f"C{decision.decisive}",
        detail=_detail(named, facts, decision, repeats),
        chain=how.chain | {queue.name},
        acting=call,
        owner=queue.owner,
    )


def _detail(
    named: Named,
    facts: rules.TriggerFacts,
    decision: TriggerDecision,
    repeats: int,
) -> dict[str, object]:
    """The detail that the history records for a trigger message."""
    conditions = [f"C{each.number} {each.reason}" for each in decision.results if each.met]
    loop = {"loop": loop_note(repeats)} if repeats > 1 else {}
    type = rules.TYPE_NAMES[rules.with_effective_type(facts).trigger_type]
    return {"process": named.process.name, "type": type, "conditions": conditions, **loop}


def loop_note(repeats: int) -> str:
    """The note on a server that leaves messages and is started again and again (triggering C12,
    note a).
    """
    return f"{repeats} trigger messages in a row at a close, without the depth falling"


def switch_off(tx: Transaction, call: CallContext, queue: QueueRow) -> None:
    """Switch TRIGGER off, as a trigger message of type DEPTH does."""
    queues.set_columns(tx, queue.id, {"trigger_on": 0})
    definition = objects.by_name(tx, queue.owner, "queue", queue.name)
    if definition is not None:
        after = {**definition.attributes, "TRIGGER": "NOTRIGGER"}
        objects.replace_attributes(tx, definition.id, after, definition.altered_at)
    detail = {"TRIGGER": ["TRIGGER", "NOTRIGGER"]}
    record_event(
        tx,
        call,
        "SET",
        owner=queue.owner,
        cause="depth",
        queue=queue.name,
        target="QLOCAL",
        detail=detail,
    )

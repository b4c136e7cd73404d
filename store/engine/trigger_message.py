"""When a queue triggers: the trigger message as an effect, the time of the trigger, and TRIGGER off
for DEPTH.
"""

from mqsc.store.engine.effects import TRIGGER, Deliver, Placement
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.trigger_facts import Named
from mqsc.store.rules.trigger import facts as rules, occasions, trigger_message
from mqsc.store.rules.trigger.occasions import Firing, Occasion, TriggerDecision
from mqsc.store.sql import objects, queues, triggers
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction


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

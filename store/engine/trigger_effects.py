"""What follows when a queue triggers: the trigger message as an effect, the time of it, and TRIGGER off for DEPTH."""

from __future__ import annotations

import json

from store.engine.call_context import CallContext
from store.engine.effects import TRIGGER, Deliver, Placement
from store.engine.history import on_object_of
from store.engine.trigger_facts import Named
from store.rules.trigger import occasions
from store.rules.trigger.facts import TYPE_NAMES, TriggerFacts, with_effective_type
from store.rules.trigger.message import trigger_message
from store.rules.trigger.occasions import Firing, Occasion, TriggerDecision
from store.sql import history, objects, queues, triggers
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction


def message_for(
    tx: Transaction, call: CallContext, queue: QueueRow, named: Named, occasion: Occasion, fired: Firing, how: Placement
) -> Deliver:
    """A trigger message for the queue from `call`'s queue manager, whose TRIGINT starts now.

    For TRIGTYPE(DEPTH) the caller switches TRIGGER off, even if the unit of work is backed out.
    """
    cause, facts = fired
    triggers.record(tx, queue.id, call.qmgr.name, call.now, queue.depth, by_close=cause == "close")
    descriptor, body = trigger_message(
        queue.name, queue.trigger_data, named.process, call.maker(), priority=named.initiation.default_priority
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


def _detail(named: Named, facts: TriggerFacts, decision: TriggerDecision, repeats: int) -> dict[str, object]:
    """The detail that the history records for a trigger message."""
    conditions = [f"C{each.number} {each.reason}" for each in decision.results if each.met]
    loop = {"loop": loop_note(repeats)} if repeats > 1 else {}
    type = TYPE_NAMES[with_effective_type(facts).trigger_type]
    return {"process": named.process.name, "type": type, "conditions": conditions, **loop}


def loop_note(repeats: int) -> str:
    """The note on a server that leaves messages and is started again and again (triggering C12, note a)."""
    return f"{repeats} trigger messages in a row at a close, without the depth falling"


def switch_off(tx: Transaction, call: CallContext, queue: QueueRow) -> None:
    """Switch TRIGGER off, as a trigger message of type DEPTH does."""
    queues.set_columns(tx, queue.id, {"trigger_on": 0})
    definition = objects.by_name(tx, queue.owner, "queue", queue.name)
    if definition is not None:
        after = {**definition.attributes, "TRIGGER": "NOTRIGGER"}
        objects.replace_attributes(tx, definition.id, after, definition.altered_at)
    detail = json.dumps({"TRIGGER": ["TRIGGER", "NOTRIGGER"]})
    event = call.event("SET", cause="depth", queue=queue.name, target="QLOCAL", detail=detail)
    history.append(tx, on_object_of(call, queue.owner, event))

"""The facts that triggering is decided on.

The initiation queue and the process are read only when all other conditions are met.
"""

from typing import NamedTuple

from mqsc.store.catalog import KINDS
from mqsc.store.catalog.types import Number
from mqsc.store.engine.state import CallContext
from mqsc.store.rules.trigger import facts as rules, occasions, trigger_message
from mqsc.store.rules.trigger.occasions import Occasion
from mqsc.store.sql import objects, triggers
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sql.triggers import InitiationQueue
from mqsc.store.sqlite.queries import Queries

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
    if initiation is None:
        return facts, None
    return facts, Named(initiation, process or trigger_message.NO_PROCESS)


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

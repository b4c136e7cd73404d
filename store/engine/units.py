"""Ends of units of work."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.store.engine import depth, retained, triggering
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import record_event
from mqsc.store.engine.retained import RETAINED_QUEUE
from mqsc.store.engine.state import CallContext
from mqsc.store.rules.message_trace import SKIPPED
from mqsc.store.sql import history, messages, queues, units_of_work
from mqsc.store.sqlite.database import Transaction

# Keys among the names of queues, none of which has a blank: of the message that a consumer could
# not move, and of a queue that no longer exists.
KEPT = "kept message"
DELETED = "deleted queue"


def commit_unit(
    tx: Transaction,
    call: CallContext,
    unit: int,
    *,
    recorded: bool,
    on_shared: bool,
    retains: bool = False,
) -> None:
    """Make the messages that `unit` put available, and remove those that it got.

    `on_shared`: it may have put messages on shared queues, which trigger now. `retains`: it may
    have retained publications, which replace earlier ones now.
    """
    effects = triggering.committing(tx, call, unit) if on_shared else []
    held = units_of_work.numbers_held(tx, unit, RETAINED_QUEUE) if retains else []
    units_of_work.commit(tx, unit)
    if recorded:
        history.append(tx, call.event("COMMIT", unit=unit))
    if held:
        effects += retained.settle(tx, call, held)
    if effects:
        deliver(tx, call, effects)


def back_out(
    tx: Transaction,
    call: CallContext,
    unit: int,
    cause: str,
    *,
    skipping: int = 0,
    carried_to: int = 0,
    kept: Mapping[str, object] | None = None,
) -> None:
    """Remove the messages that `unit` put, and return those that it got, their backout count raised
    by one.

    Trigger messages of type FIRST and DEPTH that the unit caused become available. The message
    `skipping` (marked with MQGMO_MARK_SKIP_BACKOUT) stays got and belongs to the unit `carried_to`
    afterwards. Depths may rise above MAXDEPTH, as on MQ (mqi-semantics §7). `kept` describes the
    message because of which a consumer backs out.
    """
    shares = units_of_work.shares(tx, unit)
    names = {share.queue: queues.name_of(tx, share.queue) or DELETED for share in shares}
    retains = RETAINED_QUEUE in names.values()
    held = units_of_work.numbers_held(tx, unit, RETAINED_QUEUE) if retains else []
    units_of_work.back_out(tx, unit, skipping)
    spared = messages.by_id(tx, skipping) if skipping else None
    if spared is not None and spared.unit != unit:
        # The message was deleted with its dynamic queue, and another message has its number now.
        spared = None
    counts: dict[str, Mapping[str, object]] = {}
    effects: list[Effect] = []
    for share in shares:
        returned = share.gets - (spared is not None and spared.queue == share.queue)
        effects += depth.backed_out(tx, call, share.queue, returned, share.puts)
        counts[names[share.queue]] = {"puts": share.puts, "gets": returned}
    if spared is not None:
        units_of_work.move_message(tx, spared.id, unit, carried_to)
        counts[SKIPPED] = {"msg_id": spared.msg_id.hex(), "unit": carried_to}
    if kept is not None:
        counts[KEPT] = kept
    if shares:
        record_event(tx, call, "BACKOUT", cause=cause, unit=unit, detail=counts)
    if held:
        effects += retained.settle(tx, call, held)
    deliver(tx, call, effects)

"""The sequence number that RESET CHANNEL has set for the next start of a channel."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.store.catalog import KINDS, Stored
from mqsc.store.engine import definitions
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.rules.channel.sequence import NO_RESET
from mqsc.store.sql import objects
from mqsc.store.sqlite.database import Transaction

CHANNEL = KINDS["CHANNEL"]
RESET, NO = "RESETSEQ", "NO"


def pending_reset(definition: Mapping[str, Stored]) -> int:
    """The number that the next start uses, or 0."""
    found = definition[RESET]
    return NO_RESET if found == NO else int(str(found))


def reset_used(qmgr: QueueManagerState, name: str) -> None:
    """Note that a start has used the number: RESETSEQ is NO again."""
    with qmgr.transaction() as (tx, call):
        set_reset(tx, call, name, NO)


def set_reset(tx: Transaction, call: CallContext, name: str, value: str) -> None:
    """Set RESETSEQ of a channel to a number, or to NO."""
    existing = definitions.find(tx, call.qmgr.name, CHANNEL, name)
    before = definitions.complete(CHANNEL, existing.attributes)
    objects.replace_attributes(tx, existing.id, {**before, RESET: value}, existing.altered_at)
    detail = {RESET: [before[RESET], value]}
    record_event(tx, call, "SET", cause="reset", queue=name, target=CHANNEL.keyword, detail=detail)

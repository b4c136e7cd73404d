"""The sequence number that RESET CHANNEL has set for the next start of a channel."""

from __future__ import annotations

import json
from collections.abc import Mapping

from store.catalog import KINDS, Stored
from store.engine.definitions import complete, find
from store.engine.state import QueueManagerState
from store.rules.channel.sequence import NO_RESET
from store.sql import history, objects

CHANNEL = KINDS["CHANNEL"]
RESET, NO = "RESETSEQ", "NO"


def pending_reset(definition: Mapping[str, Stored]) -> int:
    """The number that the next start uses, or 0."""
    found = definition[RESET]
    return NO_RESET if found == NO else int(str(found))


def reset_used(qmgr: QueueManagerState, name: str) -> None:
    """A start has used the number: RESETSEQ is NO again."""
    with qmgr.transaction() as (tx, call):
        existing = find(tx, qmgr.name, CHANNEL, name)
        before = complete(CHANNEL, existing.attributes)
        objects.replace_attributes(tx, existing.id, {**before, RESET: NO}, existing.altered_at)
        detail = json.dumps({RESET: [before[RESET], NO]})
        history.append(tx, call.event("SET", cause="reset", queue=name, target=CHANNEL.keyword, detail=detail))

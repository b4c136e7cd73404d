"""The refusals that the history has."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules import wanted_authorities
from mqsc.store.sql import history


class RecordedRefusal(NamedTuple):
    """A refusal in the history, with its detail, and how many equal ones there were, itself
    included.
    """

    event: history.RefusalRow
    detail: dict[str, Any]
    times: int = 1

    @property
    def wanted(self) -> tuple[wanted_authorities.Wanted, ...]:
        """What was asked for."""
        return tuple(map(wanted_authorities.Wanted.of_history_text, self.detail.get("asked", ())))

    @property
    def missing(self) -> tuple[wanted_authorities.Wanted, ...]:
        """What of that was not granted."""
        return tuple(map(wanted_authorities.Wanted.of_history_text, self.detail.get("missing", ())))


def refused(
    qmgr: QueueManagerState,
    since: int = 0,
    user: str | None = None,
    number: int | None = None,
) -> list[RecordedRefusal]:
    """The refusals since a time (microseconds UTC), equal ones as one, the last first; or that
    with an event number.
    """
    with qmgr.reading(running=False) as (reading, _):
        rows = history.refusals(reading, qmgr.name, since, 100_000)
    refusals: dict[tuple[Any, ...], RecordedRefusal] = {}
    for row in rows:
        detail = json.loads(row.detail or "{}")
        times = int(detail.pop("repeated", 1))
        if user not in (None, row.user) or number not in (None, row.seq):
            continue
        key = row.cause, row.user, row.application, row.queue, json.dumps(detail, sort_keys=True)
        known = refusals.get(key)
        refusals[key] = (
            RecordedRefusal(row, detail, times)
            if known is None
            else known._replace(times=known.times + times)
        )
    return list(refusals.values())

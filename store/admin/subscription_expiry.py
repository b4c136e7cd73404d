"""Subscriptions whose time is over are removed by the scan for expired messages."""

from __future__ import annotations

from mqsc.store.engine import subscription_end
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.sql import subscriptions


def end_expired_subscriptions(qmgr: QueueManagerState, *, running: bool = True) -> int:
    """Remove the expired subscriptions with their managed queues; how many."""
    expired = qmgr.store.read(subscriptions.expired, qmgr.name, qmgr.now())
    for each in expired:
        with qmgr.transaction(durable=True, running=running) as (tx, call):
            # A program may have altered it since.
            row = subscriptions.by_id(tx, each.id)
            if row is not None and row.expires_at is not None and row.expires_at <= call.now:
                subscription_end.end(tx, call, row, "expiry")
    return len(expired)

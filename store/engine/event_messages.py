"""Event messages as effects: outside the unit of work, and lost if their queue does not take them (events R1, R2)."""

from __future__ import annotations

from store.catalog import KINDS
from store.engine import name_resolution
from store.engine.call_context import CallContext
from store.engine.effects import EVENT, Deliver, Effect
from store.rules.event_message import EVENT_QUEUES, EVENTS, EventPart, Facts, event_message, event_parameters
from store.sql import objects
from store.sqlite.database import Queries, Transaction

_QMGR = KINDS["QMGR"]


def is_enabled(call: CallContext, reason: int) -> bool:
    """Whether the queue manager raises the event of that reason, if a column of its row says so."""
    column = EVENTS[reason].enabled_by if reason in EVENTS else ""
    return bool(column and getattr(call.qmgr, column))


def switch(tx: Queries, name: str, keyword: str) -> str:
    """The value of an event attribute of a queue manager that has no column, such as STRSTPEV."""
    stored = objects.attribute(tx, name, _QMGR.namespace, name, keyword)
    return str(_QMGR.attributes[keyword].default if stored is None else stored)


def event(
    tx: Transaction, call: CallContext, reason: int, facts: Facts, about: str, *, correl_id: bytes = bytes(24)
) -> list[Effect]:
    """The message about an event of EVENTS; `about` is the queue or the object concerned."""
    part = EventPart(EVENTS[reason].category, reason, event_parameters(reason, facts), correl_id)
    return message(tx, call, part, about)


def message(tx: Transaction, call: CallContext, part: EventPart, about: str) -> list[Effect]:
    """The event message; none when its queue cannot be found, which does not fail the call that caused it."""
    name = EVENT_QUEUES[part.category]
    _, destination = name_resolution.destination(tx, call.qmgr, name, "")
    if destination is None:
        return []
    opened = destination.opened
    descriptor, body = event_message(
        part, call.maker(), priority=opened.default_priority, persistence=opened.default_persistence
    )
    return [Deliver(EVENT, name, "", descriptor, body, cause="", about=about, dead_letter=False)]

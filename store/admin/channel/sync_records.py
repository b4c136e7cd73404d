"""The synchronization records of channels: last batch, batch in doubt."""

import json
import re
from typing import Any, NamedTuple

from mqsc.store.engine import delivery, depth
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.headers import mqxqh
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.rules.names import is_object_name
from mqsc.store.sql import channels, messages, queues, rows, units_of_work
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

QUEUE = "SYSTEM.CHANNEL.SYNCQ"
_ROLES = ("sender", "receiver")
# Blank after a RESET before the first batch.
_LUWID = re.compile(r"([0-9A-F]{16})?\Z")
_NUMBERS = range(1_000_000_000)


class SavedRecord(NamedTuple):
    """How far one end of a channel has come: the LUWID and the sequence number of its last batch.

    `state` is that of the message: a unit of work that has put it, or got it to replace it, is not
    committed.
    """

    id: int
    state: int
    channel: str
    partner: str
    role: str
    luwid: str
    sequence: int
    partner_created_at: int | None = None

    @property
    def identity(self) -> PartnerIdentity:
        """The queue manager at the other end."""
        return PartnerIdentity(self.partner, self.partner_created_at)


def saved_records(tx: Queries, qmgr: str) -> list[SavedRecord]:
    """The records of all channels, oldest first; other messages on the queue are ignored."""
    queue = queues.by_name(tx, qmgr, QUEUE)
    found = sorted(channels.synchronization_messages(tx, queue.id)) if queue is not None else []
    records = (_record(id, state, body) for id, state, body in found)
    return [each for each in records if each is not None]


def _record(id: int, state: int, body: bytes) -> SavedRecord | None:
    try:
        values: Any = json.loads(body)
        channel, partner, role, luwid = (
            str(values[word]) for word in ("channel", "partner", "role", "luwid")
        )
        sequence = int(values["sequence"])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    valid = (
        is_object_name(channel)
        and is_object_name(partner)
        and role in _ROLES
        and _LUWID.match(luwid)
    )
    if not valid or sequence not in _NUMBERS:
        return None
    created_at = values.get("partner_created_at")
    created_at = created_at if isinstance(created_at, int) else None
    return SavedRecord(id, state, channel, partner, role, luwid, sequence, created_at)


def messages_in_doubt(tx: Queries, qmgr: str, unit: units_of_work.UnitInDoubt) -> int:
    """How many messages a batch in doubt has, not counting the synchronization record that it
    replaces.
    """
    replaced = [each for each in saved_records(tx, qmgr) if each.state == rows.MessageState.GOT]
    return unit.gets - sum(each.channel == unit.name for each in replaced)


def bytes_in_doubt(tx: Queries, qmgr: str, unit: units_of_work.UnitInDoubt) -> int:
    """How many bytes of message data a batch in doubt has."""
    records = queues.by_name(tx, qmgr, QUEUE)
    return units_of_work.got_data(tx, unit.unit, mqxqh.LENGTH, 0 if records is None else records.id)


def record_in_doubt(tx: Queries, qmgr: str, unit: units_of_work.UnitInDoubt) -> SavedRecord | None:
    """The record of a batch in doubt, which the unit of work has put; None if there is none."""
    records = (
        each
        for each in saved_records(tx, qmgr)
        if (each.channel, each.luwid) == (unit.name, unit.luwid)
    )
    return next((each for each in records if each.role == "sender"), None)


def partner_in_doubt(tx: Queries, qmgr: str, unit: units_of_work.UnitInDoubt) -> PartnerIdentity:
    """The queue manager that a batch in doubt was sent to; its name is blank if no record says
    it.
    """
    record = record_in_doubt(tx, qmgr, unit)
    return PartnerIdentity("") if record is None else record.identity


def caller_of_last(tx: Queries, qmgr: str, channel: str, caller: str) -> PartnerIdentity:
    """The queue manager that sent the last batch of a channel, of those called `caller`; blank
    before the first.
    """
    wanted = (channel, "receiver", caller)
    records = (
        each
        for each in saved_records(tx, qmgr)
        if (each.channel, each.role, each.partner) == wanted
    )
    return next(
        (each.identity for each in records if each.state != rows.MessageState.PUT),
        PartnerIdentity(""),
    )


def forget_records(tx: Transaction, call: CallContext, channel: str) -> None:
    """Remove the records of a channel that is deleted."""
    queue = queues.by_name(tx, call.qmgr.name, QUEUE)
    found = saved_records(tx, call.qmgr.name)
    gone = [
        each.id
        for each in found
        if each.channel == channel and each.state == rows.MessageState.AVAILABLE
    ]
    if queue is None or not gone:
        return
    messages.remove_all(tx, gone)
    delivery.deliver(tx, call, depth.removed(tx, call, queue.id, len(gone)))
    detail = {"messages": len(gone)}
    record_event(tx, call, "CLEAR", cause="channel", queue=QUEUE, target=queue.type, detail=detail)

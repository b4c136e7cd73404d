"""The status of channels that are not inactive."""

from __future__ import annotations

from store.sql.clauses import OF_QUEUE, ONE, READY, in_state, literal
from store.sql.file_format import MessageState
from store.sql.rows import ChannelStatusRow
from store.sql.tables import channel_status, message
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, func, insert, literal_column, select
from store.sqlite.statement import Statement

_s = channel_status.c
_ONE = (_s.qmgr == bindparam("qmgr"), _s.channel == bindparam("channel"), _s.partner == bindparam("partner"))

_OF_MANAGER = Statement(select(channel_status).where(_s.qmgr == bindparam("qmgr")).order_by(_s.channel, _s.partner))
_OF_CHANNEL = Statement(select(channel_status).where(*_ONE[:2]).order_by(_s.partner))
_OF_PROCESS = Statement(select(_s.channel).where(_s.process == bindparam("process")).distinct())
_INSTANCE = Statement(select(channel_status).where(*_ONE))
_REQUESTED = Statement(select(_s.requested, _s.requested_status).where(*_ONE))
_WRITE = Statement(
    insert(channel_status)
    .prefix_with("OR REPLACE")
    .values({name: bindparam(name) for name in ChannelStatusRow._fields})
)
_DROP = Statement(delete(channel_status).where(*_ONE))
_DROP_IN_STATUS = Statement(
    delete(channel_status).where(_s.qmgr == bindparam("qmgr"), _s.status == bindparam("status"))
)
_DROP_CHANNEL = Statement(delete(channel_status).where(*_ONE[:2]))

# A synchronization record is shorter; anything else on the queue may be long.
_LONGEST = 4096
_OF_RECORD = select(message.c.id, message.c.state, message.c.body).where(
    OF_QUEUE, message.c.length <= literal(_LONGEST)
)
_AVAILABLE_RECORDS = Statement(_OF_RECORD.where(in_state(MessageState.AVAILABLE)))
_UNCOMMITTED_RECORDS = Statement(_OF_RECORD.where(message.c.unit.is_not(None)))

# An MQTM begins with its structure identifier.
_IS_TRIGGER_MESSAGE = func.substr(message.c.body, ONE, literal(4)) == literal_column("x'544D2020'")
_ON_INITIATION_QUEUE = select(message.c.id).where(OF_QUEUE, READY)
_TRIGGER_MESSAGE = Statement(_ON_INITIATION_QUEUE.where(_IS_TRIGGER_MESSAGE).limit(ONE))
_OTHER_MESSAGE = Statement(_ON_INITIATION_QUEUE.where(~_IS_TRIGGER_MESSAGE).limit(ONE))


def of_queue_manager(tx: Queries, qmgr: str) -> list[ChannelStatusRow]:
    """Return the instances of all channels, by channel and partner."""
    return [ChannelStatusRow._make(row) for row in tx.all(_OF_MANAGER, {"qmgr": qmgr})]


def of_channel(tx: Queries, qmgr: str, channel: str) -> list[ChannelStatusRow]:
    """Return the instances of a channel, by partner."""
    return [ChannelStatusRow._make(row) for row in tx.all(_OF_CHANNEL, {"qmgr": qmgr, "channel": channel})]


def of_process(tx: Queries, process: int) -> set[str]:
    """Return the channels that a process runs, of all queue managers."""
    return {row[0] for row in tx.all(_OF_PROCESS, {"process": process})}


def instance(tx: Queries, qmgr: str, channel: str, partner: str) -> ChannelStatusRow | None:
    """Return one instance of a channel, or None when it is inactive."""
    row = tx.one(_INSTANCE, {"qmgr": qmgr, "channel": channel, "partner": partner})
    return None if row is None else ChannelStatusRow._make(row)


def requested(tx: Queries, qmgr: str, channel: str, partner: str) -> tuple[str, str]:
    """Return what a command asked of the instance, and the status after a stop; blanks for nothing."""
    row = tx.one(_REQUESTED, {"qmgr": qmgr, "channel": channel, "partner": partner})
    return ("", "") if row is None else (row[0], row[1])


def write(tx: Transaction, row: ChannelStatusRow) -> None:
    """Store an instance, in place of the row that it had."""
    tx.run(_WRITE, row._asdict())


def drop(tx: Transaction, qmgr: str, channel: str, partner: str) -> None:
    """Remove an instance: it is inactive."""
    tx.run(_DROP, {"qmgr": qmgr, "channel": channel, "partner": partner})


def drop_channel(tx: Transaction, qmgr: str, channel: str) -> None:
    """Remove every instance of a channel."""
    tx.run(_DROP_CHANNEL, {"qmgr": qmgr, "channel": channel})


def drop_in_status(tx: Transaction, qmgr: str, status: int) -> None:
    """Remove the instances that have this status."""
    tx.run(_DROP_IN_STATUS, {"qmgr": qmgr, "status": status})


def synchronization_messages(tx: Queries, queue: int) -> list[tuple[int, int, bytes]]:
    """Return (id, state, body) of the short messages on the queue of synchronization records, oldest first."""
    statements = (_AVAILABLE_RECORDS, _UNCOMMITTED_RECORDS)
    found = (row for statement in statements for row in tx.all(statement, {"queue": queue}))
    return sorted((row[0], row[1], bytes(row[2])) for row in found)


def has_trigger_message(tx: Queries, queue: int) -> bool:
    """Return whether a committed message of the queue begins as a trigger message does."""
    return tx.one(_TRIGGER_MESSAGE, {"queue": queue}) is not None


def has_other_message(tx: Queries, queue: int) -> bool:
    """Return whether a committed message of the queue begins in another way."""
    return tx.one(_OTHER_MESSAGE, {"queue": queue}) is not None

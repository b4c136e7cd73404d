"""Browse cursors, locks and marks (mqi-semantics §4.1)."""

from __future__ import annotations

from store.descriptor import MessageDescriptor
from store.engine import depth
from store.engine.call_context import CallContext
from store.message import Message
from store.mqi.revalidate import call_context
from store.mqi.state import Cursor, HandleState
from store.rules import getting
from store.sql import messages
from store.sql.rows import StoredMessage
from store.sqlite.database import Transaction

NO_MSG_LOCKED = 2209
WARNING = 1
# MARKINT(NOLIMIT): later than any time.
FOR_GOOD = 1 << 62


def lock(tx: Transaction, handle: HandleState, found: StoredMessage, asked: int) -> None:
    """A browse found a message, even one too long: release the previous lock, and lock `found` if asked."""
    if handle.holds_lock:
        _release(tx, handle)
    if asked & getting.LOCK:
        messages.lock(tx, found.id, handle.number)


def _release(tx: Transaction, handle: HandleState) -> bool:
    assert handle.destination is not None
    return depth.unlocked(tx, handle.destination.queue.id, handle.number)


def mark(tx: Transaction, call: CallContext, found: StoredMessage, asked: int) -> None:
    """A browse returns `found`: mark or unmark it for all handles that browse co-operatively."""
    if asked & getting.MARK_BROWSE_CO_OP:
        interval = call.qmgr.mark_interval
        messages.mark(tx, found.id, FOR_GOOD if interval < 0 else call.now + interval * 1000)
    if asked & getting.UNMARK_BROWSE_CO_OP:
        messages.mark(tx, found.id, None)


def moved(handle: HandleState, found: StoredMessage, asked: int) -> None:
    """A browse returned `found`: move the cursor there, and mark or unmark it for the handle."""

    if asked & getting.MARK_BROWSE_HANDLE:
        handle.marked.add(found.sequence)
    if asked & getting.UNMARK_BROWSE_HANDLE:
        handle.marked.discard(found.sequence)
    handle.cursor = Cursor(found.id, found.rank, found.sequence)


def unlock(handle: HandleState) -> Message:
    """MQGMO_UNLOCK: an empty message; with the warning 2209 when nothing was locked."""
    connection = handle.connection
    with Transaction(connection.store.database, durable=False) as tx:
        call_context(tx, connection)
        released = _release(tx, handle)
    handle.holds_lock = False
    empty = Message(b"", MessageDescriptor())
    if not released:
        empty.completion, empty.reason = WARNING, NO_MSG_LOCKED
    return empty

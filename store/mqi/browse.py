"""Browse cursors, locks and marks (mqi-semantics §4.1)."""

from __future__ import annotations

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import depth
from mqsc.store.engine.state import CallContext
from mqsc.store.message import Message
from mqsc.store.mqi.state import Cursor, HandleState, call_context
from mqsc.store.rules import getting
from mqsc.store.sql import messages
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Transaction

NO_MSG_LOCKED = 2209
WARNING = 1
# MARKINT(NOLIMIT): later than any time.
FOR_GOOD = 1 << 62


def lock(
    tx: Transaction, handle: HandleState, stored_message: StoredMessage, option_bits: int
) -> None:
    """A browse returns the message: release the previous lock, and lock the message with
    MQGMO_LOCK.
    """
    if handle.holds_lock:
        release(tx, handle)
    if option_bits & getting.LOCK:
        messages.lock(tx, stored_message.id, handle.number)


def release(tx: Transaction, handle: HandleState) -> bool:
    """Release the lock that the handle holds; whether it held one."""
    assert handle.destination is not None
    return depth.unlocked(tx, handle.destination.queue.id, handle.number)


def mark(
    tx: Transaction, call: CallContext, stored_message: StoredMessage, option_bits: int
) -> None:
    """A browse returns the message: mark or unmark it for all co-operating handles."""
    if option_bits & getting.MARK_BROWSE_CO_OP:
        interval = call.qmgr.mark_interval
        messages.mark(
            tx, stored_message.id, FOR_GOOD if interval < 0 else call.now + interval * 1000
        )
    if option_bits & getting.UNMARK_BROWSE_CO_OP:
        messages.mark(tx, stored_message.id, None)


def moved(handle: HandleState, stored_message: StoredMessage, option_bits: int) -> None:
    """A browse returned the message: move the cursor to it, and mark or unmark it."""
    if option_bits & getting.MARK_BROWSE_HANDLE:
        handle.marked.add(stored_message.sequence)
    if option_bits & getting.UNMARK_BROWSE_HANDLE:
        handle.marked.discard(stored_message.sequence)
    handle.cursor = Cursor(stored_message.id, stored_message.rank, stored_message.sequence)


def unlock(handle: HandleState) -> Message:
    """MQGMO_UNLOCK: an empty message; with the warning 2209 when nothing was locked."""
    connection = handle.connection
    with Transaction(connection.store.database, durable=False) as tx:
        call_context(tx, connection)
        released = release(tx, handle)
    handle.holds_lock = False
    empty = Message(b"", MessageDescriptor())
    if not released:
        empty.completion, empty.reason = WARNING, NO_MSG_LOCKED
    return empty

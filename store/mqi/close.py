"""MQCLOSE."""

from __future__ import annotations

from store.constants import MQCO, MQRC
from store.engine import closing
from store.engine.deliver import deliver
from store.engine.effects import Effect
from store.error import MQError
from store.mqi.grouping import left_incomplete
from store.mqi.revalidate import call_context
from store.mqi.state import HandleState
from store.sql import connections, queues, units_of_work
from store.sql.rows import TEMPORARY_DYNAMIC, QueueRow
from store.sqlite.database import Transaction

DELETE, DELETE_PURGE, QUIESCE = int(MQCO.DELETE), int(MQCO.DELETE_PURGE), int(MQCO.QUIESCE)
PERMANENT_DYNAMIC, SHARED_DYNAMIC = 2, 4


def close(handle: HandleState, options: int) -> int:
    """Close a handle; with MQCO_DELETE or DELETE_PURGE delete its dynamic queue (mqi-semantics §2.4).

    Returns the reason of a warning: 2241 or 2242 inside a message group in logical order, else 0.
    """
    if not handle.is_open:
        raise MQError(MQRC.HOBJ_ERROR)
    # There is no read-ahead.
    options &= ~QUIESCE
    if options not in (0, DELETE, DELETE_PURGE):
        raise MQError(MQRC.OPTIONS_ERROR, handle.name)
    connection = handle.connection
    with Transaction(connection.store.database, durable=False) as tx:
        call = call_context(tx, connection)
        effects: list[Effect] = []
        opened = handle.destination
        queue = queues.by_id(tx, opened.queue.id, call.qmgr.name) if opened else None
        fault = _deletion_fault(tx, handle, queue, options) if options else 0
        if fault:
            raise MQError(fault, handle.name)
        row = connections.handle_by_id(tx, handle.number)
        if row is not None:
            effects = closing.close(tx, call, row)
        if options and queue is not None and queues.by_id(tx, queue.id, call.qmgr.name) is not None:
            closing.delete_dynamic(tx, call, queue)
            effects = []
        deliver(tx, call, effects)
    handle.is_open = False
    handle.cursor = handle.saved_context = None
    connection.handles.pop(handle.number, None)
    return left_incomplete(handle)


def _deletion_fault(tx: Transaction, handle: HandleState, queue: QueueRow | None, options: int) -> int:
    """2045 for a queue that this handle cannot delete, 2055 for one that has messages, else 0.

    Only the handle that created a temporary dynamic queue can delete it.
    """
    opened = handle.destination
    if queue is None or opened is None or opened.resolved_through:
        return MQRC.OPTION_NOT_VALID_FOR_TYPE
    if queue.definition_type == TEMPORARY_DYNAMIC:
        return 0 if queue.creator == handle.number else MQRC.OPTION_NOT_VALID_FOR_TYPE
    if queue.definition_type not in (PERMANENT_DYNAMIC, SHARED_DYNAMIC):
        return MQRC.OPTION_NOT_VALID_FOR_TYPE
    if queue.logically_deleted:
        return 0
    has_messages = units_of_work.uncommitted_on_queue(tx, queue.id) or (options == DELETE and queue.depth)
    return MQRC.Q_NOT_EMPTY if has_messages else 0

"""MQOPEN and MQCLOSE."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.constants import MQCO, MQOT, MQRC
from mqsc.store.engine import (
    authorization,
    closing,
    dynamic_queues,
    name_resolution,
    queue_events,
    triggering,
)
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import record_event
from mqsc.store.engine.name_resolution import Destination, Unresolved
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_for, refuse_if, required
from mqsc.store.mqi import open_topic
from mqsc.store.mqi.group_position import left_incomplete
from mqsc.store.mqi.handles import (
    QUEUE_TYPE,
    OpenRequest,
    check_authority,
    check_user,
    handle_columns,
    recorded,
)
from mqsc.store.mqi.open_topic import OpenedTopic
from mqsc.store.mqi.selection_strings import HandleSelector
from mqsc.store.mqi.state import (
    ConnectionState,
    HandleState,
    Opened,
    call_context,
    refuse_while_quiescing,
    transaction,
)
from mqsc.store.rules import opening, sharing
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.names import UNKNOWN_OBJECT_Q_MGR, name_fault
from mqsc.store.rules.topics import subscribing
from mqsc.store.rules.wanted_authorities import Wanted, authorities_to_open
from mqsc.store.sql import connections, objects, queues, subscriptions, units_of_work
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC, QueueRow
from mqsc.store.sqlite.database import Transaction

# The namespaces of the object types other than queues, which can only be inquired.
_NAMESPACES = {
    int(MQOT.NAMELIST): "namelist",
    int(MQOT.PROCESS): "process",
    int(MQOT.Q_MGR): "qmgr",
}
_NOT_A_QUEUE = int(MQRC.ALIAS_BASE_Q_TYPE_ERROR)
# How long an open waits for another process to recover a dead one, whose handle may be in the way.
RECOVERY_PATIENCE_SECONDS = 2.0


def open_object(connection: ConnectionState, request: OpenRequest) -> Opened:
    """Open an object. The order of checks is that of mqi-semantics §12."""
    with recorded(connection):
        return _open_object(connection, request)


def _open_object(connection: ConnectionState, request: OpenRequest) -> Opened:
    name, options = request.name, request.options
    refuse_if(opening.option_conflict(options), MQRC.OPTIONS_ERROR, name)
    check_user(request.alternate_user)
    selector = None
    if request.selection:
        if request.object_type != QUEUE_TYPE or not options & (opening.INPUT | opening.BROWSE):
            raise MQError(MQRC.SELECTOR_INVALID_FOR_TYPE, name)
        selector = HandleSelector(request.selection, name)
    if request.object_type == open_topic.TOPIC_TYPE:
        return open_topic.open_topic(connection, request)
    if request.object_type != QUEUE_TYPE:
        return _open_definition(connection, request)
    check_names(connection, name, request.queue_manager)
    looked_again = False
    while True:
        with Transaction(connection.store.database, durable=False) as tx:
            call = call_context(tx, connection)
            opened = _open_queue(tx, connection, call, request)
        if isinstance(opened, Unresolved):
            raise MQError(opened.reason, name)
        if opened is not None:
            user = request.alternate_user if options & opening.ALTERNATE_USER_AUTHORITY else ""
            return opened._replace(alternate_user=user, selector=selector)
        # Another process may have recovered the one whose handle was in the way, or be about to.
        refuse_if(
            not recover(connection.store, RECOVERY_PATIENCE_SECONDS) and looked_again,
            MQRC.OBJECT_IN_USE,
            name,
        )
        looked_again = True


def check_names(connection: ConnectionState, name: str, queue_manager: str) -> None:
    """MQError 2085, 2086 or 2184 for a name that no queue, or queue manager, can have; 2085 and
    2184 are events.
    """
    fault = name_fault(name, queue_manager, connection.qmgr.name)
    if not fault:
        return
    with transaction(connection) as (tx, call):
        raise_event(tx, call, name, queue_manager, Unresolved(fault))
    raise MQError(fault, queue_manager if fault == UNKNOWN_OBJECT_Q_MGR else name)


def raise_event(
    tx: Transaction,
    call: CallContext,
    name: str,
    queue_manager: str,
    failure: Unresolved,
) -> None:
    """Put the event message about a name that does not resolve, in this transaction, which the
    failing call commits.
    """
    deliver(tx, call, queue_events.unresolved(tx, call, name, queue_manager, failure))


def _open_queue(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: OpenRequest,
) -> Opened | Unresolved | None:
    """What was opened, or None when other handles prevent it: recover dead processes before
    answering 2042.
    """
    name, options, queue_manager, _ = request[:4]
    created = _create_from_model(tx, connection, call, request)
    name = created or name
    destination = _destination(tx, call, name, queue_manager, options)
    if isinstance(destination, Unresolved) and destination.reason == _NOT_A_QUEUE:
        topic = open_topic.topic_of_alias(tx, call, name, options)
        if isinstance(topic, OpenedTopic):
            return open_topic.register(tx, connection, call, request, topic)
        destination = topic or destination
    if isinstance(destination, Unresolved):
        raise_event(tx, call, name, queue_manager, destination)
        return destination
    if connection.authority_user is not None and not created:
        authorities = authorization.authorities_to_open_queue(
            tx, call.qmgr, (name, queue_manager), options, destination
        )
        check_authority(
            tx, connection, call, request, authorities, is_dynamic=destination.is_dynamic
        )
    refuse_while_quiescing(call, options & opening.FAIL_IF_QUIESCING)
    queue = destination.queue
    if queue.structure:
        refuse_for(sharing.open_fault(queue.structure_level, queue.index_type), name)
    held = 0
    by_default, shareable = bool(queue.default_exclusive), bool(queue.shareable)
    use = opening.handle_use(options, default_exclusive=by_default, shareable=shareable)
    if use.input:
        exclusive = bool(use.exclusive)
        held, held_exclusively, _ = queues.handles_of_all(tx, queue.id)
        if opening.input_conflicts(
            exclusive=exclusive,
            input_handles=held,
            exclusive_handles=held_exclusively,
        ):
            return None
    return opened_queue(
        tx, connection, call, request, OpenedQueue(name, destination, use, held, bool(created))
    )


class OpenedQueue(NamedTuple):
    """A queue that may be opened: the name, what it resolved to, for what, how many handles for
    input all queue managers have, and whether it was created for this.
    """

    name: str
    destination: Destination
    use: opening.HandleUse
    held: int = 0
    is_created: bool = False


def opened_queue(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: OpenRequest,
    opened: OpenedQueue,
) -> Opened:
    """Register the handle; the first one for input may trigger."""
    name, destination, use, held, created = opened
    queue, options = destination.queue, request.options
    columns = handle_columns(tx, connection, call, request) | {
        "object_name": name,
        "object_type": destination.opened.type,
        **use._asdict(),
        "queue": queue.id,
    }
    queues.count_handles(
        tx,
        queue.id,
        call.qmgr.name,
        use.input,
        use.exclusive,
        use.output,
    )
    number = connections.open_handle(
        tx, columns, [each.id for each in destination.resolved_through]
    )
    if created:
        dynamic_queues.dynamic_queues_created_by(tx, name, call, number)
    detail = {"handle": number, "options": options}
    record_event(tx, call, "OPEN", owner=queue.owner, queue=queue.name, detail=detail)
    if options & opening.INPUT and queue.input_handles == 0:
        deliver(tx, call, triggering.monitor_opened(tx, call, queue, first_in_group=held == 0))
    return Opened(number, name, options, destination, created=created)


def _create_from_model(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: OpenRequest,
) -> str:
    """The name of the dynamic queue that the open of a model queue creates; blank for an open of
    anything else.
    """
    is_here = request.queue_manager in ("", call.qmgr.name, call.qmgr.sharing_group)
    if request.dynamic_name is None or not is_here:
        return ""
    model = queues.by_name(tx, call.qmgr.name, request.name)
    if model is None or model.type != "QMODEL":
        return ""
    authorities = authorization.authorities_to_open_model(model, request.options)
    check_authority(tx, connection, call, request, authorities)
    created = dynamic_queues.create_dynamic_queue(tx, call, model, request.dynamic_name)
    if connection.authority_user is not None:
        is_other = request.options & opening.ALTERNATE_USER_AUTHORITY
        creator = request.alternate_user if is_other else connection.authority_user
        authorization.grant_all(tx, connection.store, call, creator, "QUEUE", created)
    return created


def _destination(
    tx: Transaction,
    call: CallContext,
    name: str,
    queue_manager: str,
    options: int,
) -> Destination | Unresolved:
    """What the name resolves to; an open for inquire or set alone stays at the object named."""
    reads = options & (opening.INPUT | opening.BROWSE | opening.SAVE_ALL_CONTEXT)
    elsewhere = not name_resolution.is_local(tx, call.qmgr, name, queue_manager)
    if not options & opening.OUTPUT and not reads and not elsewhere:
        found = name_resolution.named(tx, call.qmgr, name)
        if isinstance(found, Unresolved):
            return found
        refuse_if(found.logically_deleted, MQRC.Q_DELETED, name)
        return Destination((), found)
    destination = name_resolution.resolve(tx, call.qmgr, name, queue_manager)
    if isinstance(destination, Unresolved):
        return destination
    # A remote queue has attributes only if a local definition names it.
    if destination.is_remote and (
        reads or (elsewhere and options & (opening.INQUIRE | opening.SET))
    ):
        raise MQError(MQRC.OPTION_NOT_VALID_FOR_TYPE, name)
    return destination


def _open_definition(connection: ConnectionState, request: OpenRequest) -> Opened:
    """Open a process, namelist or the queue manager itself: local ones only, and only to
    inquire.
    """
    name, options, queue_manager = request[:3]
    namespace = required(_NAMESPACES.get(request.object_type), MQRC.OBJECT_TYPE_ERROR, name)
    if options & (opening.INPUT | opening.BROWSE | opening.OUTPUT | opening.SET):
        raise MQError(MQRC.OPTION_NOT_VALID_FOR_TYPE, name)
    with transaction(connection) as (tx, call):
        refuse_if(queue_manager not in ("", call.qmgr.name), UNKNOWN_OBJECT_Q_MGR, queue_manager)
        if namespace == "qmgr" and not name:
            name = call.qmgr.name
        number = 0
        if objects.by_name(tx, call.qmgr.name, namespace, name) is not None:
            authorities = authorities_to_open(
                namespace.upper(), SELF if namespace == "qmgr" else name, options
            )
            check_authority(tx, connection, call, request, authorities)
            refuse_while_quiescing(call, options & opening.FAIL_IF_QUIESCING)
            unused = dict.fromkeys(("input", "exclusive", "output", "browse"), 0)
            about = {"object_name": name, "object_type": namespace.upper(), "queue": None}
            number = connections.open_handle(
                tx,
                {**handle_columns(tx, connection, call, request), **about, **unused},
                (),
            )
        elif namespace == "process":
            deliver(tx, call, queue_events.unknown_process(tx, call, name))
    refuse_if(not number, MQRC.UNKNOWN_OBJECT_NAME, name)
    return Opened(number, name, options, None, namespace)


DELETE = int(MQCO.DELETE)
DELETE_PURGE = int(MQCO.DELETE_PURGE)
QUIESCE = int(MQCO.QUIESCE)
OF_SUBSCRIPTIONS = subscribing.KEEP_SUB | subscribing.REMOVE_SUB
PERMANENT_DYNAMIC, SHARED_DYNAMIC = 2, 4


def close(handle: HandleState, options: int) -> int:
    """Close a handle; with MQCO_DELETE or DELETE_PURGE delete its dynamic queue (mqi-semantics
    §2.4).

    Returns the reason of a warning: 2241 or 2242 inside a message group in logical order, else 0.
    """
    refuse_if(not handle.is_open, MQRC.HOBJ_ERROR)
    with recorded(handle.connection):
        return _close(handle, options)


def _close(handle: HandleState, options: int) -> int:
    # There is no read-ahead.
    options &= ~QUIESCE
    if handle.namespace == "subscription":
        return _close_subscription(handle, options)
    others = options & ~OF_SUBSCRIPTIONS
    refuse_if(others not in (0, DELETE, DELETE_PURGE), MQRC.OPTIONS_ERROR, handle.name)
    refuse_if(others != options, MQRC.OPTION_NOT_VALID_FOR_TYPE, handle.name)
    connection = handle.connection
    with Transaction(connection.store.database, durable=False) as tx:
        call = call_context(tx, connection)
        effects: list[Effect] = []
        opened = handle.destination
        queue = queues.by_id(tx, opened.queue.id, call.qmgr.name) if opened else None
        fault = _deletion_fault(tx, handle, queue, options) if options else 0
        if (
            options
            and queue is not None
            and fault != MQRC.OPTION_NOT_VALID_FOR_TYPE
            and not handle.created
        ):
            request = OpenRequest(handle.name, options, call="MQCLOSE")
            authorities = (Wanted("QUEUE", queue.name, "DLT"),)
            check_authority(tx, connection, call, request, authorities, is_dynamic=True)
        refuse_for(fault, handle.name)
        row = connections.handle_by_id(tx, handle.number)
        if row is not None:
            effects = closing.close(tx, call, row, deletes=bool(options))
        deliver(tx, call, effects)
    handle.is_open = False
    handle.cursor = handle.saved_context = None
    connection.handles.pop(handle.number, None)
    return left_incomplete(handle)


def _close_subscription(handle: HandleState, options: int) -> int:
    """MQCLOSE of a subscription: 2045 or 2046 for the options (publish-subscribe §3.4)."""
    connection = handle.connection
    with Transaction(connection.store.database, durable=True) as tx:
        call = call_context(tx, connection)
        subscription = subscriptions.of_handle(tx, handle.number)
        if subscription is not None:
            is_durable = bool(subscription.durable)
            refuse_for(subscribing.closing_fault(options, is_durable=is_durable), handle.name)
        row = connections.handle_by_id(tx, handle.number)
        if row is not None:
            closing.close(tx, call, row, deletes=bool(options & subscribing.REMOVE_SUB))
    handle.is_open = False
    connection.handles.pop(handle.number, None)
    return 0


def _deletion_fault(
    tx: Transaction,
    handle: HandleState,
    queue: QueueRow | None,
    options: int,
) -> int:
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
    has_messages = units_of_work.uncommitted_on_queue(tx, queue.id) or (
        options == DELETE and queue.depth
    )
    return MQRC.Q_NOT_EMPTY if has_messages else 0

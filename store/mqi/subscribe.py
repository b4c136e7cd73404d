"""MQSUB and MQSUBRQ (publish-subscribe §3)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from mqsc.store.constants import MQRC, MQSR
from mqsc.store.descriptor import NO_ID, NO_TOKEN
from mqsc.store.engine import (
    name_resolution,
    retained_copies,
    subscription_end,
    subscription_making,
    topic_tree,
)
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.name_resolution import Destination, Unresolved
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.selectors import selector_of
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.subscription_end import SUBSCRIPTION_HANDLE
from mqsc.store.engine.topic_tree import TopicSettings
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.mqi.handles import OpenRequest, check_user, handle_columns, recorded
from mqsc.store.mqi.open import RECOVERY_PATIENCE_SECONDS, OpenedQueue, opened_queue
from mqsc.store.mqi.open_topic import OpenedTopic, check_enabled, check_topic_authority
from mqsc.store.mqi.state import (
    ConnectionState,
    HandleState,
    Opened,
    call_context,
    refuse_while_quiescing,
)
from mqsc.store.rules import opening
from mqsc.store.rules.expiry import is_expired
from mqsc.store.rules.topics import subscribing, wildcards
from mqsc.store.rules.topics.subscribing import Action
from mqsc.store.rules.topics.topic_strings import is_given
from mqsc.store.rules.topics.wildcards import TopicPattern
from mqsc.store.sql import connections, queues, subscriptions
from mqsc.store.sql.rows import SubscriptionRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

_LONGEST_SELECTION = 10_240
_REQUESTED = int(MQSR.ACTION_PUBLICATION)
_DEFAULT = "SYSTEM.DEFAULT.SUB"
# A program that is dead may have the subscription open, or messages that take up room.
_OF_OTHERS = (MQRC.SUBSCRIPTION_IN_USE, MQRC.RETAINED_NOT_DELIVERED)
Made = TypeVar("Made")
# What a subscription with these options changes must be on disk: others end with their program.
_OUTLASTING = subscribing.DURABLE | subscribing.RESUME | subscribing.ALTER
_UNUSED = dict.fromkeys(("input", "exclusive", "output", "browse"), 0)


class SubscriptionRequest(SubscriptionDescriptor, eq=False):
    """What an MQSD asks for, checked; `queue` is the handle of the queue that the program
    provides.
    """

    queue: HandleState | None = None

    @property
    def names_topic(self) -> bool:
        return bool(self.object_name) or is_given(self.object_string)

    def has(self, option: int) -> bool:
        """Whether an MQSO option is given."""
        return bool(self.options & option)


class Subscribed(NamedTuple):
    """What MQSUB opened: the subscription, and its queue where the queue manager opened that."""

    subscription: Opened
    queue: Opened | None
    row: SubscriptionRow


def subscribe(connection: ConnectionState, request: SubscriptionRequest) -> Subscribed:
    """Make, resume or alter a subscription; errors as publish-subscribe §3.1 lists them."""
    refuse_for(
        subscribing.request_fault(
            subscribing.RequestedSubscription(
                request.options,
                request.name,
                request.expiry,
                request.priority,
                request.level,
                request.user_data,
            )
        ),
        request.name[:48],
    )
    check_user(request.alternate_user)
    if request.has(subscribing.CREATE | subscribing.ALTER):
        _check_selection(request)
    return _despite_dead_programs(connection, partial(_subscribe, connection, request))


def _despite_dead_programs(connection: ConnectionState, call: Callable[[], Made]) -> Made:
    """Call once more after dead programs were recovered, if one may be why the call was refused."""
    try:
        with recorded(connection):
            return call()
    except MQError as refusal:
        if refusal.reason not in _OF_OTHERS:
            raise
        if not recover(connection.store, RECOVERY_PATIENCE_SECONDS):
            raise
    with recorded(connection):
        return call()


def _check_selection(request: SubscriptionRequest) -> None:
    """MQError 2519 for a selection string that is too long; SelectorError 2459 for a wrong one."""
    if not request.selection:
        return
    refuse_if(len(request.selection) > _LONGEST_SELECTION, MQRC.SELECTION_STRING_ERROR)
    selector_of(request.selection, request.name[:48])


def _subscribe(connection: ConnectionState, request: SubscriptionRequest) -> Subscribed:
    outlasts = request.has(_OUTLASTING) or not request.has(subscribing.MANAGED)
    with Transaction(connection.store.database, durable=outlasts) as tx:
        call = call_context(tx, connection)
        check_enabled(tx, call, request.name[:48])
        refuse_while_quiescing(call, request.has(subscribing.FAIL_IF_QUIESCING))
        existing = _existing(tx, call, request)
        action = subscribing.action_of(request.options, is_known=existing is not None)
        if not isinstance(action, Action):
            raise MQError(action, request.name[:48])
        if existing is None:
            return _make(tx, connection, call, request)
        return _resume(tx, connection, call, request, existing, action)


def _existing(
    tx: Transaction, call: CallContext, request: SubscriptionRequest
) -> SubscriptionRow | None:
    """The subscription of that name. One that has expired is no longer there for CREATE; MQError
    2523 for others, and for the default object.
    """
    if not request.name:
        return None
    refuse_if(request.name == _DEFAULT, MQRC.INVALID_SUBSCRIPTION, request.name)
    found = subscriptions.by_name(tx, call.qmgr.name, request.name)
    if found is None or not is_expired(found.expires_at, call.now):
        return found
    refuse_if(not request.has(subscribing.CREATE), MQRC.INVALID_SUBSCRIPTION, request.name[:48])
    subscription_end.end(tx, call, found, "expiry")
    return None


def _make(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: SubscriptionRequest,
) -> Subscribed:
    is_durable = request.has(subscribing.DURABLE)
    settings = _checked_topic(tx, connection, call, request)
    is_managed = request.has(subscribing.MANAGED)
    if is_managed:
        names = subscription_making.managed_queue(tx, call, settings, is_durable=is_durable), ""
    else:
        names = _provided(tx, call, request, is_durable=is_durable)
    columns = {
        **_alterable(call, connection, request),
        "name": request.name,
        "topic_object": request.object_name,
        "topic_string": settings.string,
        "by_character": int(request.has(subscribing.BY_CHARACTER)),
        "level": request.level,
        "durable": int(is_durable),
        "managed": int(is_managed),
        "destination": names[0],
        "destination_manager": names[1],
        "selector": request.selection,
        "expiry": request.expiry,
        "grouped": int(request.has(subscribing.GROUP)),
        "property_form": "MSGPROP",
        "accounting": _hexadecimal(request.accounting_token, NO_TOKEN),
        "appl_identity_data": request.appl_identity_data,
    }
    if "correlation" not in columns:
        columns["correlation"] = subscription_making.generated_correlation(call)
    row = subscription_making.make(tx, call, columns, "create")
    if not request.has(subscribing.NEW_ONLY | subscribing.ON_REQUEST):
        _, effects = retained_copies.put_retained(tx, call, row)
        deliver(tx, call, effects)
    return _opened(tx, connection, call, request, row)


def _checked_topic(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: SubscriptionRequest,
) -> TopicSettings:
    """The topic of a new subscription, for which it is allowed."""
    string = topic_tree.string_of(tx, call, request.object_name, request.object_string)
    by_character = request.has(subscribing.BY_CHARACTER)
    refuse_for(wildcards.fault(string, by_character=by_character), request.object_name)
    # A wildcard subscription belongs to the node that its literal levels name.
    node = TopicPattern(string, by_character=by_character).levels
    settings = topic_tree.settings(tx, call, node)
    topic = OpenedTopic(request.object_name, node)
    check_topic_authority(tx, connection, call, _as_open(request), topic, "SUB")
    is_disabled = settings.attributes["SUB"] == topic_tree.DISABLED
    refuse_if(is_disabled, MQRC.SUB_INHIBITED, request.object_name)
    is_not_durable = settings.attributes["DURSUB"] == topic_tree.NOT_ALLOWED
    refuse_if(
        is_not_durable and request.has(subscribing.DURABLE),
        MQRC.DURABILITY_NOT_ALLOWED,
        request.object_name,
    )
    return TopicSettings(string, settings.attributes, settings.objects, settings.block)


def _as_open(request: SubscriptionRequest) -> OpenRequest:
    """The call as checks of authority take it."""
    is_other = request.has(subscribing.ALTERNATE_USER)
    options = opening.ALTERNATE_USER_AUTHORITY if is_other else 0
    return OpenRequest(
        request.object_name, options, alternate_user=request.alternate_user, call="MQSUB"
    )


def _provided(
    tx: Transaction, call: CallContext, request: SubscriptionRequest, *, is_durable: bool
) -> tuple[str, str]:
    """The queue and queue manager that the program provides, as they resolve.

    MQError 2019 unless the handle is open for input or browse, 2522 for a temporary dynamic queue
    of a durable subscription.
    """
    handle = request.queue
    usable = (
        handle is not None
        and handle.is_open
        and handle.destination is not None
        and handle.options & (opening.INPUT | opening.BROWSE)
    )
    if not usable or handle is None or handle.destination is None:
        raise MQError(MQRC.HOBJ_ERROR, request.name[:48])
    destination = handle.destination
    name = destination.queue.name
    subscription_making.check_destination(tx, call, name, is_durable=is_durable)
    return name, "" if destination.queue.owner == call.qmgr.name else destination.queue.owner


def _alterable(
    call: CallContext, connection: ConnectionState, request: SubscriptionRequest
) -> dict[str, Any]:
    """The columns that MQSUB sets for a new subscription and an altered one alike."""
    columns: dict[str, Any] = {
        "request_only": int(request.has(subscribing.ON_REQUEST)),
        "user": _user(call, request),
        "any_user": int(request.has(subscribing.ANY_USER)),
        "user_data": request.user_data,
        "priority": request.priority,
        "resumed_at": call.now,
    }
    if request.has(subscribing.SET_CORREL_ID):
        columns["correlation"] = _hexadecimal(request.correl_id, NO_ID)
    return columns


def _user(call: CallContext, request: SubscriptionRequest) -> str:
    return request.alternate_user if request.has(subscribing.ALTERNATE_USER) else call.user


def _hexadecimal(value: bytes, nothing: bytes) -> str:
    """As a row has it: blank for zeros."""
    padded = value.ljust(len(nothing), b"\0")
    return "" if padded == nothing else padded.hex().upper()


def _resume(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: SubscriptionRequest,
    existing: SubscriptionRow,
    action: Action,
) -> Subscribed:
    """Open a subscription again, changed to the MQSD by ALTER.

    MQError 2429 while it is open, 2434 for the subscription of another user.
    """
    name = request.name[:48]
    refuse_if(existing.handle, MQRC.SUBSCRIPTION_IN_USE, name)
    user = _user(call, request)
    is_other = user != existing.user
    refuse_if(is_other and not existing.any_user, MQRC.IDENTITY_MISMATCH, name)
    topic = OpenedTopic(existing.topic_object, existing.topic_string)
    check_topic_authority(tx, connection, call, _as_open(request), topic, "RESUME")
    columns: dict[str, Any] = {"resumed_at": call.now}
    if is_other:
        columns["user"] = user
    if action is Action.ALTER:
        columns |= _alteration(tx, call, connection, request, existing)
    row = subscription_making.change(tx, call, existing, columns, action.value)
    return _opened(tx, connection, call, request, row)


def _alteration(
    tx: Transaction,
    call: CallContext,
    connection: ConnectionState,
    request: SubscriptionRequest,
    existing: SubscriptionRow,
) -> dict[str, Any]:
    """The columns that ALTER changes; MQError for what it cannot change."""
    string = None
    if request.names_topic:
        string = topic_tree.string_of(tx, call, request.object_name, request.object_string)
    wanted = subscribing.Alteration(request.options, string, request.level, request.selection)
    refuse_for(subscribing.alteration_fault(existing, wanted), request.name[:48])
    columns = _alterable(call, connection, request)
    columns |= {"expiry": request.expiry, "altered_at": call.now}
    if request.has(subscribing.SET_IDENTITY_CONTEXT):
        columns["accounting"] = _hexadecimal(request.accounting_token, NO_TOKEN)
        columns["appl_identity_data"] = request.appl_identity_data
    if existing.grouped:
        columns.pop("correlation", None)
    if not request.has(subscribing.ANY_USER | subscribing.FIXED_USER):
        del columns["any_user"]
    if request.queue is not None and not existing.managed:
        names = _provided(tx, call, request, is_durable=bool(existing.durable))
        columns["destination"], columns["destination_manager"] = names
    return columns


def _opened(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: SubscriptionRequest,
    row: SubscriptionRow,
) -> Subscribed:
    """Open the handles of a subscription: its own, and that of its queue unless the program has
    one.
    """
    queue = None
    if row.managed:
        queue = _opened_managed(tx, connection, call, row)
    elif request.queue is None:
        queue = _opened_destination(tx, connection, call, row)
    as_open = OpenRequest(row.name[:48], 0)
    about = {"object_name": row.name[:48], "object_type": SUBSCRIPTION_HANDLE, "queue": None}
    columns = {**handle_columns(tx, connection, call, as_open), **_UNUSED, **about}
    number = connections.open_handle(tx, columns, ())
    subscriptions.set_columns(tx, row.id, {"connection": connection.number, "handle": number})
    subscription_end.changed(tx, call)
    opened = Opened(number, row.name, request.options, None, "subscription")
    return Subscribed(opened, queue, row)


def _opened_managed(
    tx: Transaction, connection: ConnectionState, call: CallContext, row: SubscriptionRow
) -> Opened:
    """The handle for the messages of a managed queue: shared, unless only this program may have
    it.
    """
    queue = queues.by_name(tx, call.qmgr.name, row.destination)
    if queue is None or queue.logically_deleted:
        raise MQError(MQRC.INVALID_DESTINATION, row.destination)
    options = opening.INPUT_SHARED if row.durable else opening.INPUT_EXCLUSIVE
    return _opened_for_input(tx, connection, call, row, Destination((), queue), options)


def _opened_destination(
    tx: Transaction, connection: ConnectionState, call: CallContext, row: SubscriptionRow
) -> Opened:
    """The handle for the messages of a provided queue that a RESUME names no handle for."""
    names = row.destination, row.destination_manager
    found = name_resolution.resolve(tx, call.qmgr, *names)
    if isinstance(found, Unresolved) or found.is_remote:
        raise MQError(MQRC.INVALID_DESTINATION, row.destination)
    return _opened_for_input(tx, connection, call, row, found, opening.INPUT_AS_Q_DEF)


def _opened_for_input(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    row: SubscriptionRow,
    destination: Destination,
    options: int,
) -> Opened:
    queue = destination.queue
    use = opening.handle_use(
        options, default_exclusive=bool(queue.default_exclusive), shareable=bool(queue.shareable)
    )
    held, exclusively, _ = queues.handles_of_all(tx, queue.id)
    conflicts = opening.input_conflicts(
        exclusive=bool(use.exclusive), input_handles=held, exclusive_handles=exclusively
    )
    refuse_if(conflicts, MQRC.OBJECT_IN_USE, queue.name)
    request = OpenRequest(row.destination, options, call="MQSUB")
    opened = OpenedQueue(row.destination, destination, use, held)
    return opened_queue(tx, connection, call, request, opened)


def request_publications(handle: HandleState, action: int, options: int) -> int:
    """MQSUBRQ: put the retained publications of a subscription on its queue; how many.

    MQError 2019 for another handle, 2535 for another action, 2046 for unknown options, 2523 for an
    expired subscription, 2437 when there is none, 2525 and 2526 as for a new subscription.
    """
    refuse_if(not handle.is_open or handle.namespace != "subscription", MQRC.HOBJ_ERROR)
    refuse_if(action != _REQUESTED, MQRC.ACTION_ERROR, handle.name)
    refuse_if(options & ~subscribing.FAIL_IF_QUIESCING, MQRC.OPTIONS_ERROR, handle.name)
    return _despite_dead_programs(handle.connection, partial(_request, handle, options))


def _request(handle: HandleState, options: int) -> int:
    connection = handle.connection
    with Transaction(connection.store.database, durable=True) as tx:
        call = call_context(tx, connection, fail_if_quiescing=options)
        check_enabled(tx, call, handle.name[:48])
        row = subscriptions.of_handle(tx, handle.number)
        if row is None or is_expired(row.expires_at, call.now):
            raise MQError(MQRC.INVALID_SUBSCRIPTION, handle.name[:48])
        count, effects = retained_copies.put_retained(tx, call, row)
        refuse_if(not count, MQRC.NO_RETAINED_MSG, handle.name[:48])
        deliver(tx, call, effects)
    return count


def options_of(row: SubscriptionRow) -> int:
    """The MQSO options of a subscription, as RESUME returns them."""
    given = (
        (row.durable, subscribing.DURABLE),
        (row.managed, subscribing.MANAGED),
        (row.grouped, subscribing.GROUP),
        (row.request_only, subscribing.ON_REQUEST),
        (row.any_user, subscribing.ANY_USER),
        (not row.any_user, subscribing.FIXED_USER),
        (row.by_character, subscribing.BY_CHARACTER),
        (not row.by_character, subscribing.BY_LEVEL),
    )
    return sum(option for has_it, option in given if has_it)

"""Subscriptions end, or their handles close (publish-subscribe §3.3, §3.4)."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.store.catalog import KINDS
from mqsc.store.engine import definitions
from mqsc.store.engine.history import record_event
from mqsc.store.engine.queue_removal import delete_dynamic
from mqsc.store.engine.state import CallContext
from mqsc.store.sql import managers, objects, queues, subscriptions
from mqsc.store.sql.rows import HandleRow, SubscriptionRow
from mqsc.store.sqlite.database import Transaction

_SUB = KINDS["SUB"]
_USUAL_LEVEL = 1
# The types of handles besides those of queues and definitions.
TOPIC_HANDLE, SUBSCRIPTION_HANDLE = "TOPIC", "SUB"
# The causes of UNSUBSCRIBE by what closes the handle of a subscription.
_CAUSES = {"close": "close", "restart": "restart"}


def close(
    tx: Transaction, call: CallContext, handle: HandleRow, cause: str, *, removes: bool
) -> None:
    """A handle that is not on a queue was closed: a non-durable subscription ends with it, and with
    `removes` a durable one.
    """
    if handle.object_type == TOPIC_HANDLE:
        subscriptions.remove_publisher(tx, handle.id)
    if handle.object_type != SUBSCRIPTION_HANDLE:
        return
    subscription = subscriptions.of_handle(tx, handle.id)
    if subscription is None:
        return
    if removes or not subscription.durable:
        end(tx, call, subscription, _CAUSES.get(cause, "disconnect"))
    else:
        subscriptions.set_columns(tx, subscription.id, {"connection": 0, "handle": 0})


def end(tx: Transaction, call: CallContext, subscription: SubscriptionRow, cause: str) -> None:
    """Remove a subscription, its managed queue with all messages, and the definition of an
    administrative one.
    """
    subscriptions.remove(tx, subscription.id)
    if subscription.is_administrative:
        _remove_definition(tx, call, subscription.name)
    record(tx, call, "UNSUBSCRIBE", subscription, cause)
    if subscription.managed:
        queue = queues.by_name(tx, subscription.qmgr, subscription.destination)
        if queue is not None:
            delete_dynamic(tx, call, queue)
    changed(tx, call)


def _remove_definition(tx: Transaction, call: CallContext, name: str) -> None:
    """Remove the definition of a subscription that ends by itself; a command has removed it."""
    definition = objects.by_name(tx, call.qmgr.name, _SUB.namespace, name)
    if definition is None:
        return
    objects.remove(tx, definition.id)
    attributes = definitions.complete(_SUB, definition.attributes)
    was = definitions.beside_defaults(_SUB, attributes)
    about = definitions.Defined(_SUB.keyword, name, call.qmgr.name, definition.disposition)
    changes = {word: (value, None) for word, value in was.items()}
    definitions.record(tx, call, "DELETE", about, changes)


def record(
    tx: Transaction,
    call: CallContext,
    kind: str,
    subscription: SubscriptionRow,
    cause: str,
    before: Mapping[str, object] | None = None,
) -> None:
    """Record that a subscription was made, changed (SUBSCRIBE) or removed (UNSUBSCRIBE); `before`
    are the columns that were changed, as they were.
    """
    changes: dict[str, object] = {"before": before} if before else {}
    record_event(
        tx,
        call,
        kind,
        cause=cause,
        queue=subscription.destination or None,
        target=subscription.topic_string,
        detail={**_described(subscription), **changes},
    )


def _described(subscription: SubscriptionRow) -> dict[str, object]:
    said = {
        "name": subscription.name,
        "subid": subscription.identifier,
        "scheme": "CHAR" if subscription.by_character else "TOPIC",
        "selector": subscription.selector,
        "durable": subscription.durable,
        "user": subscription.user,
        "managed": subscription.managed,
        "administrative": subscription.is_administrative,
        "request_only": subscription.request_only,
        "grouped": subscription.grouped,
    }
    given: dict[str, object] = {word: value for word, value in said.items() if value not in ("", 0)}
    if subscription.level != _USUAL_LEVEL:
        given["level"] = subscription.level
    return given


def changed(tx: Transaction, call: CallContext) -> None:
    """What connections remember of subscriptions and topics is out of date."""
    managers.set_columns(tx, call.qmgr.name, {})

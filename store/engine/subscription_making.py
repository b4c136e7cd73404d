"""Making and changing subscriptions: their rows, and their managed queues
(publish-subscribe §3.1, §3.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc.store.constants import MQRC
from mqsc.store.engine import dynamic_queues
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.subscription_end import changed, record
from mqsc.store.engine.topic_tree import TopicSettings
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.expiry import expires_at
from mqsc.store.rules.topics.wildcards import TopicPattern
from mqsc.store.sql import objects, queues, subscriptions
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC, SubscriptionRow
from mqsc.store.sqlite.database import Transaction

# Columns that every change sets, so that they say nothing about it.
_TIMES = ("altered_at", "resumed_at")
MANAGED_DURABLE, MANAGED_NON_DURABLE = "SYSTEM.MANAGED.DURABLE.*", "SYSTEM.MANAGED.NDURABLE.*"


def new_identifier(call: CallContext) -> str:
    """The identifier of a new subscription, hexadecimal."""
    return call.new_identifier().hex().upper()


def generated_correlation(call: CallContext) -> str:
    """The CorrelId of copies for a subscription that sets none, hexadecimal."""
    return (b"AMQX" + call.new_identifier()[4:]).hex().upper()


def managed_queue(
    tx: Transaction, call: CallContext, settings: TopicSettings, *, is_durable: bool
) -> str:
    """Create a queue for a managed subscription from the model of the topic; its name.

    MQError 2522 without that model, or with a temporary one for a durable subscription.
    """
    name = str(settings.attributes["MDURMDL" if is_durable else "MNDURMDL"])
    model = queues.by_name(tx, call.qmgr.name, name)
    if model is None or model.type != "QMODEL":
        raise MQError(MQRC.INVALID_DESTINATION, name)
    definition = objects.by_name(tx, call.qmgr.name, "queue", name)
    kind = definition.attributes.get("DEFTYPE") if definition is not None else ""
    refuse_if(is_durable and kind == "TEMPDYN", MQRC.INVALID_DESTINATION, name)
    wanted = MANAGED_DURABLE if is_durable else MANAGED_NON_DURABLE
    return dynamic_queues.create_dynamic_queue(tx, call, model, wanted)


def check_destination(tx: Transaction, call: CallContext, name: str, *, is_durable: bool) -> None:
    """MQError 2522 for a durable subscription on a temporary dynamic queue."""
    queue = queues.by_name(tx, call.qmgr.name, name)
    refuse_if(
        is_durable and queue is not None and queue.definition_type == TEMPORARY_DYNAMIC,
        MQRC.INVALID_DESTINATION,
        name,
    )


def check_group(tx: Transaction, row: Mapping[str, Any]) -> None:
    """MQError 2514 for a second subscription of a group to the same topic."""
    if not row["grouped"]:
        return
    others = subscriptions.of_queue(tx, row["qmgr"], row["destination"])
    is_duplicate = any(
        each.grouped
        and each.topic_string == row["topic_string"]
        and each.correlation == row["correlation"]
        for each in others
    )
    refuse_if(is_duplicate, MQRC.DUPLICATE_GROUP_SUB, row["name"])


def make(
    tx: Transaction, call: CallContext, columns: Mapping[str, Any], cause: str
) -> SubscriptionRow:
    """Store a subscription, and record it."""
    pattern = TopicPattern(columns["topic_string"], by_character=bool(columns["by_character"]))
    expiry = columns.get("expiry", -1)
    row = {
        "qmgr": call.qmgr.name,
        "identifier": new_identifier(call),
        "bucket": pattern.bucket,
        "expires_at": expires_at(expiry, call.now),
        "created_at": call.now,
        "altered_at": call.now,
        **columns,
    }
    check_group(tx, {"grouped": 0, **row})
    number = subscriptions.add(tx, row)
    made = subscriptions.by_id(tx, number)
    assert made is not None
    record(tx, call, "SUBSCRIBE", made, cause)
    changed(tx, call)
    return made


def change(
    tx: Transaction,
    call: CallContext,
    subscription: SubscriptionRow,
    columns: Mapping[str, Any],
    cause: str,
) -> SubscriptionRow:
    """Give a subscription other columns, and record it; its time starts anew if `expiry` is among
    them.
    """
    changes = dict(columns)
    if "expiry" in columns:
        changes["expires_at"] = expires_at(columns["expiry"], call.now)
    subscriptions.set_columns(tx, subscription.id, changes)
    row = subscriptions.by_id(tx, subscription.id)
    assert row is not None
    was = {column: getattr(subscription, column) for column in columns if column not in _TIMES}
    before = {column: value for column, value in was.items() if value != getattr(row, column)}
    record(tx, call, "SUBSCRIBE", row, cause, before)
    changed(tx, call)
    return row

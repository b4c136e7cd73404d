"""A subscription that a program has open, and the descriptor by which it subscribed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mqsc.store.argument_checks import bits, checked_name, must_be
from mqsc.store.constants import MQSR
from mqsc.store.descriptor import ID_LENGTH, NO_ID, NO_TOKEN, TOKEN_LENGTH, padded
from mqsc.store.mqi.open import close
from mqsc.store.mqi.state import ConnectionState, HandleState
from mqsc.store.mqi.subscribe import (
    Subscribed,
    SubscriptionRequest,
    options_of,
    request_publications,
)
from mqsc.store.sql.rows import SubscriptionRow

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.object_handle import ObjectHandle


class SubscriptionDescriptor(Struct, eq=False):
    """The MQSD: MQSO options, the topic as a topic object, a topic string or both, and what the
    subscription is to be. `expiry` is in tenths of a second; with `priority` -3 copies have that of
    the publication, with -1 that of the queue.

    >>> mqsc.SubscriptionDescriptor(mqsc.MQSO.CREATE, object_string="prices/#").level
    1
    """

    options: int = 0
    object_name: str = ""
    object_string: str = ""
    name: str = ""
    alternate_user: str = ""
    expiry: int = -1
    user_data: str = ""
    correl_id: bytes = NO_ID
    priority: int = -3
    accounting_token: bytes = NO_TOKEN
    appl_identity_data: str = ""
    selection: str = ""
    level: int = 1


def request_of(
    descriptor: SubscriptionDescriptor, queue: HandleState | None
) -> SubscriptionRequest:
    """A descriptor with its values checked; TypeError or ValueError for one that does not fit."""
    texts = ("object_string", "name", "user_data", "selection", "appl_identity_data")
    checked = {field: must_be(str, getattr(descriptor, field), field) for field in texts}
    return SubscriptionRequest(
        bits(descriptor.options, "options"),
        checked["name"],
        checked_name(descriptor.object_name, "object_name"),
        checked["object_string"],
        checked_name(descriptor.alternate_user, "alternate_user"),
        must_be(int, descriptor.expiry, "expiry"),
        checked["user_data"],
        padded(descriptor.correl_id, ID_LENGTH, "correl_id"),
        must_be(int, descriptor.priority, "priority"),
        padded(descriptor.accounting_token, TOKEN_LENGTH, "accounting_token"),
        checked["appl_identity_data"],
        checked["selection"],
        must_be(int, descriptor.level, "level"),
        queue,
    )


def descriptor_of(row: SubscriptionRow, options: int) -> SubscriptionDescriptor:
    """The descriptor of a subscription, with the actions among `options` and its own options."""
    actions = options & 7
    return SubscriptionDescriptor(
        actions | options_of(row),
        row.topic_object,
        row.topic_string,
        row.name,
        "",
        row.expiry,
        row.user_data,
        bytes.fromhex(row.correlation) or NO_ID,
        row.priority,
        bytes.fromhex(row.accounting) or NO_TOKEN,
        row.appl_identity_data,
        row.selector,
        row.level,
    )


class Subscription(HandleState):
    """A subscription, open until close() or the end of its connection.

    `queue` is the handle of the queue that gets the publications, and `descriptor` the MQSD with
    what the subscription is; its `object_string` is the full topic string.

    >>> subscribe = mqsc.MQSO.CREATE | mqsc.MQSO.MANAGED
    >>> descriptor = mqsc.SubscriptionDescriptor(subscribe, object_string="prices/tea")
    >>> subscription = connection.subscribe(descriptor)
    >>> placed = connection.put1(
    ...     "", mqsc.Message(b"3.20"), object_type=mqsc.MQOT.TOPIC, object_string="prices/tea"
    ... )
    >>> subscription.queue.get().body
    b'3.20'
    """

    connection: Connection

    def __init__(
        self, connection: ConnectionState, subscribed: Subscribed, queue: ObjectHandle | None
    ) -> None:
        super().__init__(connection, subscribed.subscription)
        self.queue = queue
        self.descriptor = descriptor_of(subscribed.row, subscribed.subscription.options)

    def request(self, action: int = MQSR.ACTION_PUBLICATION, options: int = 0) -> int:
        """MQSUBRQ: put the retained publications that match on the queue; how many (NumPubs).
        MQError 2437 for none.

        >>> subscribe = mqsc.MQSO.CREATE | mqsc.MQSO.MANAGED
        >>> descriptor = mqsc.SubscriptionDescriptor(subscribe, object_string="prices/tea")
        >>> connection.subscribe(descriptor).request()
        Traceback (most recent call last):
        mqsc.MQError: 2437 ...
        """
        return self.connection.reserved_call(
            lambda: request_publications(self, bits(action, "action"), bits(options, "options"))
        )

    def close(self, options: int = 0) -> int:
        """MQCLOSE: a non-durable subscription ends, a durable one is kept unless MQCO.REMOVE_SUB
        says otherwise. The handle of the queue stays open.

        >>> subscribe = mqsc.MQSO.CREATE | mqsc.MQSO.MANAGED
        >>> descriptor = mqsc.SubscriptionDescriptor(subscribe, object_string="prices/tea")
        >>> connection.subscribe(descriptor).close()
        0
        """
        return self.connection.reserved_call(lambda: close(self, bits(options, "options")))

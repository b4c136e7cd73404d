"""A subscription that a program has open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.store.argument_checks import bits, checked_name, must_be
from mqsc.store.constants import MQSO, MQSR
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
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.object_handle import ObjectHandle


_ACTIONS = int(MQSO.ALTER | MQSO.CREATE | MQSO.RESUME)


def request_of(
    descriptor: SubscriptionDescriptor, queue: HandleState | None
) -> SubscriptionRequest:
    """A descriptor with its values checked; TypeError or ValueError for one that does not fit."""
    texts = ("object_string", "name", "user_data", "selection", "appl_identity_data")
    checked = {field: must_be(str, getattr(descriptor, field), field) for field in texts}
    return SubscriptionRequest(
        **checked,
        options=bits(descriptor.options, "options"),
        object_name=checked_name(descriptor.object_name, "object_name"),
        alternate_user=checked_name(descriptor.alternate_user, "alternate_user"),
        expiry=must_be(int, descriptor.expiry, "expiry"),
        correl_id=padded(descriptor.correl_id, ID_LENGTH, "correl_id"),
        priority=must_be(int, descriptor.priority, "priority"),
        accounting_token=padded(descriptor.accounting_token, TOKEN_LENGTH, "accounting_token"),
        level=must_be(int, descriptor.level, "level"),
        queue=queue,
    )


def descriptor_of(row: SubscriptionRow, options: int) -> SubscriptionDescriptor:
    """The descriptor of a subscription, with the actions among `options` and its own options."""
    actions = options & _ACTIONS
    return SubscriptionDescriptor(
        options=actions | options_of(row),
        object_name=row.topic_object,
        object_string=row.topic_string,
        name=row.name,
        expiry=row.expiry,
        user_data=row.user_data,
        correl_id=bytes.fromhex(row.correlation) or NO_ID,
        priority=row.priority,
        accounting_token=bytes.fromhex(row.accounting) or NO_TOKEN,
        appl_identity_data=row.appl_identity_data,
        selection=row.selector,
        level=row.level,
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

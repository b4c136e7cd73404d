"""The subscriptions that publications may reach, as publications need them."""

from __future__ import annotations

from msgspec import Struct

from mqsc.store.engine.selectors import selector_of
from mqsc.store.rules.selector.conditions import Selector
from mqsc.store.rules.topics import publication
from mqsc.store.rules.topics.wildcards import TopicPattern
from mqsc.store.sql.rows import SubscriptionRow


class Receiver(Struct):
    """A subscription: its columns, with its texts as a pattern, a selector and identifiers."""

    id: int
    # The name, or the identifier of one without a name.
    name: str
    level: int
    durable: int
    request_only: int
    expires_at: int | None
    grouped: int
    destination: str
    destination_manager: str
    connection: int
    user: str
    priority: int
    appl_identity_data: str
    user_data: str
    property_form: str
    # None for that of the publisher.
    correl_id: bytes | None
    accounting_token: bytes | None
    pattern: TopicPattern
    selector: Selector | None


def receiver_of(row: SubscriptionRow) -> Receiver:
    """The subscription in a row of the table."""
    selector = selector_of(row.selector, row.name[:48]) if row.selector else None
    return Receiver(
        id=row.id,
        name=row.name or row.identifier,
        level=row.level,
        durable=row.durable,
        request_only=row.request_only,
        expires_at=row.expires_at,
        grouped=row.grouped,
        destination=row.destination,
        destination_manager=row.destination_manager,
        connection=row.connection,
        user=row.user,
        priority=row.priority,
        appl_identity_data=row.appl_identity_data,
        user_data=row.user_data,
        property_form=row.property_form or publication.MESSAGE_PROPERTIES,
        correl_id=bytes.fromhex(row.correlation) or None,
        accounting_token=bytes.fromhex(row.accounting) or None,
        pattern=pattern_of(row),
        selector=selector,
    )


def pattern_of(row: SubscriptionRow) -> TopicPattern:
    """The topic string of a subscription as a pattern."""
    return TopicPattern(row.topic_string, by_character=bool(row.by_character))

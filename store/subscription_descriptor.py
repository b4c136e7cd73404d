"""The descriptor by which programs subscribe."""

from __future__ import annotations

from msgspec import Struct

from mqsc.store.descriptor import NO_ID, NO_TOKEN


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

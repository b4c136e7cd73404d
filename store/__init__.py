"""The queue manager: objects, messages, units of work and their history in one SQLite file.

Each name is loaded when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module

# Not from typing, whose import takes longer than this one.
TYPE_CHECKING = False

# For type checkers; `as` makes a name public for them.
if TYPE_CHECKING:
    from typing import Any

    from mqsc.store.client.callback_registration import CallbackContext as CallbackContext
    from mqsc.store.client.connection import Connection as Connection
    from mqsc.store.client.consumer import Consumer as Consumer
    from mqsc.store.client.message_handle import MessageHandle as MessageHandle
    from mqsc.store.client.object_handle import ObjectHandle as ObjectHandle
    from mqsc.store.client.queue_manager import QueueManager as QueueManager
    from mqsc.store.client.store import Store as Store, open_store as open_store
    from mqsc.store.client.subscription import Subscription as Subscription
    from mqsc.store.descriptor import MessageDescriptor as MessageDescriptor
    from mqsc.store.environment import Environment as Environment
    from mqsc.store.error import (
        MQError as MQError,
        SelectorError as SelectorError,
        SharingGroupError as SharingGroupError,
        StoreError as StoreError,
        UserAccountError as UserAccountError,
    )
    from mqsc.store.message import (
        GetMessageOptions as GetMessageOptions,
        Message as Message,
        PutMessageOptions as PutMessageOptions,
    )
    from mqsc.store.mqi.property_inquiry import (
        InquiredProperty as InquiredProperty,
        PropertyTooBigError as PropertyTooBigError,
    )
    from mqsc.store.rules.properties.property_set import PropertyDescriptor as PropertyDescriptor
    from mqsc.store.subscription_descriptor import SubscriptionDescriptor as SubscriptionDescriptor

_NAMES = {
    ".client.callback_registration": "CallbackContext",
    ".client.connection": "Connection",
    ".client.consumer": "Consumer",
    ".client.message_handle": "MessageHandle",
    ".client.object_handle": "ObjectHandle",
    ".client.queue_manager": "QueueManager",
    ".client.store": "Store open_store",
    ".client.subscription": "Subscription",
    ".descriptor": "MessageDescriptor",
    ".environment": "Environment",
    ".error": "MQError SelectorError SharingGroupError StoreError UserAccountError",
    ".message": "GetMessageOptions Message PutMessageOptions",
    ".mqi.message_handle": "InquiredProperty PropertyTooBigError",
    ".rules.properties.property_set": "PropertyDescriptor",
    ".subscription_descriptor": "SubscriptionDescriptor",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

# Hidden from type checkers, so that they report a name that does not exist.
if not TYPE_CHECKING:
    __all__ = sorted(_HOMES)

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = load(_HOMES[name], name)
        return value

    def load(module: str, name: str) -> Any:
        """A name of a module, which may be relative, imported now; MQError 2195 if the
        interpreter is ending.
        """
        try:
            return getattr(import_module(module, __name__), name)
        except ImportError as failure:
            # Importing `store.error` sets this name. Without it no program can know MQError.
            if "error" not in globals():
                raise
            raise error.at_exit(failure) from None  # noqa: F821


def __dir__() -> list[str]:
    return sorted(_HOMES)

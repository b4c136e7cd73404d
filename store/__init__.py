"""The queue manager: objects, messages, units of work and their history in one SQLite file.

Each name is loaded when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle, QueueManager, Store
    from store.client.consumer import Consumer
    from store.client.message_handle import MessageHandle
    from store.client.open_store import open_store
    from store.descriptor import MessageDescriptor
    from store.environment import Environment
    from store.error import MQError, SelectorError, SharingGroupError, StoreError
    from store.message import GetMessageOptions, Message, PutMessageOptions
    from store.mqi.inquired_property import InquiredProperty, PropertyTooBigError
    from store.rules.properties.property_set import PropertyDescriptor

_HOMES = {
    "Connection": "store.client.api",
    "Consumer": "store.client.consumer",
    "Environment": "store.environment",
    "GetMessageOptions": "store.message",
    "InquiredProperty": "store.mqi.inquired_property",
    "MQError": "store.error",
    "Message": "store.message",
    "MessageDescriptor": "store.descriptor",
    "MessageHandle": "store.client.message_handle",
    "ObjectHandle": "store.client.api",
    "PropertyDescriptor": "store.rules.properties.property_set",
    "PropertyTooBigError": "store.mqi.inquired_property",
    "PutMessageOptions": "store.message",
    "QueueManager": "store.client.api",
    "SelectorError": "store.error",
    "SharingGroupError": "store.error",
    "Store": "store.client.api",
    "StoreError": "store.error",
    "open_store": "store.client.open_store",
}

__all__ = [
    "Connection",
    "Consumer",
    "Environment",
    "GetMessageOptions",
    "InquiredProperty",
    "MQError",
    "Message",
    "MessageDescriptor",
    "MessageHandle",
    "ObjectHandle",
    "PropertyDescriptor",
    "PropertyTooBigError",
    "PutMessageOptions",
    "QueueManager",
    "SelectorError",
    "SharingGroupError",
    "Store",
    "StoreError",
    "open_store",
]

# Hidden from type checkers, so that they report a name that does not exist.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'store' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

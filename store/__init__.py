"""The queue manager: objects, messages, units of work and their history in one SQLite file.

Names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.client.api import Store
    from store.client.open_store import open_store
    from store.descriptor import MessageDescriptor
    from store.environment import Environment
    from store.error import MQError, StoreError
    from store.message import GetMessageOptions, Message, PutMessageOptions

_HOMES = {
    "Environment": "store.environment",
    "GetMessageOptions": "store.message",
    "MQError": "store.error",
    "Message": "store.message",
    "MessageDescriptor": "store.descriptor",
    "PutMessageOptions": "store.message",
    "Store": "store.client.api",
    "StoreError": "store.error",
    "open_store": "store.client.open_store",
}

__all__ = [
    "Environment",
    "GetMessageOptions",
    "MQError",
    "Message",
    "MessageDescriptor",
    "PutMessageOptions",
    "Store",
    "StoreError",
    "open_store",
]


def __getattr__(name: str) -> Any:
    """The public names, from the modules that hold them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'store' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)

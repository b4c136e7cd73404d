"""MQSC commands in, replies out.

    import mqsc
    store = mqsc.open_store("sqlite:///orders.db")
    replies = mqsc.run(store.create_queue_manager("QM1"), "DEFINE QLOCAL(ORDERS) MAXDEPTH(10)")

The names are loaded when they are first used: `mqsc --help` must not wait for the database and grammar libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mqsc.reply import CommandError, Reply
    from mqsc.script import replies, run
    from store import open_store

__version__ = "0.1.0"
__all__ = ["CommandError", "Reply", "__version__", "open_store", "replies", "run"]

_HOMES = {
    "CommandError": "mqsc.reply",
    "Reply": "mqsc.reply",
    "open_store": "store",
    "replies": "mqsc.script",
    "run": "mqsc.script",
}


def __getattr__(name: str) -> Any:
    """The public name `name`, loaded from the module it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module 'mqsc' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value

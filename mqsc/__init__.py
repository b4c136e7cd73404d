"""A queue manager in one SQLite file, administered in MQSC: everything that a program needs.

    import mqsc
    store = mqsc.open_store("sqlite:///orders.db")
    replies = mqsc.run(store.create_queue_manager("QM1"), "DEFINE QLOCAL(ORDERS) MAXDEPTH(10)")

Each name is loaded when it is first used, so that `mqsc --help` does not wait for the database and grammar libraries.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mqsc.reply import CommandError, Reply
    from mqsc.script import replies, run
    from store import (
        Connection,
        Consumer,
        Environment,
        GetMessageOptions,
        InquiredProperty,
        Message,
        MessageDescriptor,
        MessageHandle,
        MQError,
        ObjectHandle,
        PropertyDescriptor,
        PropertyTooBigError,
        PutMessageOptions,
        QueueManager,
        SelectorError,
        SharingGroupError,
        Store,
        StoreError,
        open_store,
    )
    from store.constants import (
        MQACTP,
        MQAT,
        MQCA,
        MQCC,
        MQCI,
        MQCO,
        MQCOPY,
        MQDMPO,
        MQEI,
        MQENC,
        MQFB,
        MQFMT,
        MQGI,
        MQGMO,
        MQIA,
        MQIMPO,
        MQMF,
        MQMI,
        MQMO,
        MQMT,
        MQOL,
        MQOO,
        MQOT,
        MQPD,
        MQPER,
        MQPMO,
        MQPRI,
        MQRC,
        MQRCCF,
        MQRO,
        MQSMPO,
        MQTYPE,
        MQWI,
    )

__version__ = "0.1.0"
__all__ = [
    "MQACTP",
    "MQAT",
    "MQCA",
    "MQCC",
    "MQCI",
    "MQCO",
    "MQCOPY",
    "MQDMPO",
    "MQEI",
    "MQENC",
    "MQFB",
    "MQFMT",
    "MQGI",
    "MQGMO",
    "MQIA",
    "MQIMPO",
    "MQMF",
    "MQMI",
    "MQMO",
    "MQMT",
    "MQOL",
    "MQOO",
    "MQOT",
    "MQPD",
    "MQPER",
    "MQPMO",
    "MQPRI",
    "MQRC",
    "MQRCCF",
    "MQRO",
    "MQSMPO",
    "MQTYPE",
    "MQWI",
    "CommandError",
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
    "Reply",
    "SelectorError",
    "SharingGroupError",
    "Store",
    "StoreError",
    "__version__",
    "open_store",
    "replies",
    "run",
]

_OWN = {"CommandError": "mqsc.reply", "Reply": "mqsc.reply", "replies": "mqsc.script", "run": "mqsc.script"}


def refuse_hidden(package: str) -> None:
    """Raise an ImportError when Python finds another module of the name before our package."""
    loaded = sys.modules.get(package)
    found = PathFinder.find_spec(package) if loaded is None else loaded.__spec__
    file = None if found is None else found.origin
    if file is not None and os.path.dirname(os.path.dirname(file)) != os.path.dirname(os.path.dirname(__file__)):
        raise ImportError(
            f"mqsc needs its own package {package!r}, but Python finds {file} first: "
            "rename that file or folder, or start the program elsewhere",
            name=package,
            path=file,
        )


# Nothing works without these two; `reports` is looked for when a report is made.
refuse_hidden("store")
refuse_hidden("grammar")

from store.client.command_server import register  # noqa: E402 - only after the check above

register("mqsc.pcf.command_server", "answer_commands")

# Hidden from type checkers, so that they report a name that does not exist.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'mqsc' has no attribute {name!r}")
        home = _OWN.get(name) or ("store.constants" if name.startswith("MQ") and name.isupper() else "store")
        value = globals()[name] = getattr(import_module(home), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""A queue manager in one SQLite file, administered in MQSC: everything that a program needs.

    import mqsc
    with mqsc.connect("shop.db", create=True) as qmgr, qmgr.queue("ORDERS") as orders:
        qmgr.run("DEFINE QLOCAL(ORDERS) REPLACE")
        orders.put("one espresso machine", priority=5, color="red")
        print(orders.get().text)

See help(mqsc.Session) and help(mqsc.Queue); `mqsc.aconnect` is the same for asyncio and trio. `mqsc.open_store` leads
to the calls of the MQI, and `mqsc.constants` has all of its constants.

Each name is loaded when it is first used, so that `mqsc --help` does not wait for the database and grammar libraries.
"""

from __future__ import annotations

from importlib import import_module

import store
from store.client.command_server import register

# Not from typing, whose import takes as long as all the rest of this one.
TYPE_CHECKING = False

# For type checkers; `as` makes a name public for them.
if TYPE_CHECKING:
    from typing import Any

    from mqsc import constants as constants
    from mqsc.interface.asynchronous import AsyncQueue as AsyncQueue
    from mqsc.interface.asynchronous import AsyncSession as AsyncSession
    from mqsc.interface.asynchronous import AsyncUnit as AsyncUnit
    from mqsc.interface.asynchronous import aconnect as aconnect
    from mqsc.interface.connecting import connect as connect
    from mqsc.interface.errors import BackedOut as BackedOut
    from mqsc.interface.errors import CallFailed as CallFailed
    from mqsc.interface.errors import Inhibited as Inhibited
    from mqsc.interface.errors import InUse as InUse
    from mqsc.interface.errors import MessageTooBig as MessageTooBig
    from mqsc.interface.errors import NoMessage as NoMessage
    from mqsc.interface.errors import NoReply as NoReply
    from mqsc.interface.errors import NotAuthorized as NotAuthorized
    from mqsc.interface.errors import NotConnected as NotConnected
    from mqsc.interface.errors import NotFound as NotFound
    from mqsc.interface.errors import QueueFull as QueueFull
    from mqsc.interface.errors import UnitInProgress as UnitInProgress
    from mqsc.interface.messages import ReceivedMessage as ReceivedMessage
    from mqsc.interface.session import Queue as Queue
    from mqsc.interface.session import Session as Session
    from mqsc.interface.session import Unit as Unit
    from mqsc.language.reply import CommandError as CommandError
    from mqsc.language.reply import Reply as Reply
    from mqsc.script import replies as replies
    from mqsc.script import run as run
    from store import *
    from store.constants import *
    from store.rules.properties import property_types as property_types

__version__ = "0.1.0"

_MODULES = {"constants": "mqsc.constants", "property_types": f"{store.__name__}.rules.properties.property_types"}
_NAMES_OF = {
    "mqsc.interface.asynchronous": "AsyncQueue AsyncSession AsyncUnit aconnect",
    "mqsc.interface.connecting": "connect",
    "mqsc.interface.errors": """
        BackedOut CallFailed InUse Inhibited MessageTooBig NoMessage NoReply NotAuthorized NotConnected NotFound
        QueueFull UnitInProgress
    """,
    "mqsc.interface.messages": "ReceivedMessage",
    "mqsc.interface.session": "Queue Session Unit",
    "mqsc.language.reply": "CommandError Reply",
    "mqsc.script": "replies run",
}
_OWN = {name: module for module, names in _NAMES_OF.items() for name in names.split()}
# The families of constants that programs need most; `mqsc.constants` has all of them.
_CONSTANTS = """
    MQACTP MQAT MQCA MQCBCT MQCBDO MQCBT MQCC MQCI MQCO MQCOPY MQDMPO MQEI MQENC MQFB MQFMT MQGI MQGMO MQIA MQIMPO
    MQMF MQMI MQMO MQMT MQOL MQOO MQOP MQOT MQPD MQPER MQPMO MQPRI MQRC MQRCCF MQRO MQSMPO MQTYPE MQWI
"""
_NAMES = sorted(["__version__", *_MODULES, *_OWN, *dir(store), *_CONSTANTS.split()])

register("mqsc.pcf.command_server", "answer_commands")

# Hidden from type checkers, so that they report a name that does not exist.
if not TYPE_CHECKING:
    __all__ = _NAMES

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return import_module(_MODULES[name])
        if name in _OWN or name in dir(store):
            home = _OWN.get(name, store.__name__)
        elif name.startswith("MQ") and name in store.load(".constants", "families")():
            home = ".constants"
        else:
            raise AttributeError(f"module 'mqsc' has no attribute {name!r}")
        value = globals()[name] = store.load(home, name)
        return value


def __dir__() -> list[str]:
    return _NAMES

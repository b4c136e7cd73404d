"""A queue manager in one SQLite file, administered in MQSC: everything that a program needs.

    import mqsc
    with mqsc.connect("shop.db", create=True) as qmgr, qmgr.queue("ORDERS") as orders:
        qmgr.run("DEFINE QLOCAL(ORDERS) REPLACE")
        orders.put("one espresso machine", priority=5, color="red")
        print(orders.get().text)

See help(mqsc.Session) and help(mqsc.Queue); `mqsc.aconnect` is the same for asyncio and trio.
`mqsc.open_store` leads to the calls of the MQI, and `mqsc.constants` has all of its constants.

Each name is loaded when it is first used, so that `mqsc --help` does not wait for the database and
grammar libraries.
"""

from __future__ import annotations

from importlib import import_module

from mqsc import store
from mqsc.store.client.command_server import register
from mqsc.version import __version__ as __version__

# Not from typing, whose import takes as long as all the rest of this one.
TYPE_CHECKING = False

# For type checkers; `as` makes a name public for them.
if TYPE_CHECKING:
    from typing import Any

    from mqsc import constants as constants
    from mqsc.interface.asynchronous import AsyncSession as AsyncSession, aconnect as aconnect
    from mqsc.interface.asynchronous_queue import AsyncQueue as AsyncQueue
    from mqsc.interface.asynchronous_topic import AsyncTopic as AsyncTopic
    from mqsc.interface.asynchronous_unit import AsyncUnit as AsyncUnit
    from mqsc.interface.commands import Command as Command, commands as commands
    from mqsc.interface.connecting import connect as connect
    from mqsc.interface.errors import (
        BackedOut as BackedOut,
        CallFailed as CallFailed,
        Inhibited as Inhibited,
        InUse as InUse,
        MessageTooBig as MessageTooBig,
        NoMessage as NoMessage,
        NoReply as NoReply,
        NotAuthorized as NotAuthorized,
        NotConnected as NotConnected,
        NotFound as NotFound,
        QueueFull as QueueFull,
        UnitInProgress as UnitInProgress,
    )
    from mqsc.interface.messages import ReceivedMessage as ReceivedMessage
    from mqsc.interface.queue import Queue as Queue
    from mqsc.interface.session import Session as Session
    from mqsc.interface.topic import Topic as Topic
    from mqsc.interface.unit import Unit as Unit
    from mqsc.language.reply import CommandError as CommandError, Reply as Reply
    from mqsc.script import replies as replies, run as run, run_one as run_one
    from mqsc.store import *
    from mqsc.store.constants import *
    from mqsc.store.rules.properties import property_types as property_types

_MODULES = {
    "constants": "mqsc.constants",
    "property_types": f"{store.__name__}.rules.properties.property_types",
}
_NAMES_OF = {
    "mqsc.interface.asynchronous": "AsyncSession aconnect",
    "mqsc.interface.asynchronous_queue": "AsyncQueue",
    "mqsc.interface.asynchronous_topic": "AsyncTopic",
    "mqsc.interface.asynchronous_unit": "AsyncUnit",
    "mqsc.interface.commands": "Command commands",
    "mqsc.interface.connecting": "connect",
    "mqsc.interface.errors": """
        BackedOut CallFailed InUse Inhibited MessageTooBig NoMessage NoReply NotAuthorized
        NotConnected NotFound QueueFull UnitInProgress
    """,
    "mqsc.interface.messages": "ReceivedMessage",
    "mqsc.interface.queue": "Queue",
    "mqsc.interface.session": "Session",
    "mqsc.interface.topic": "Topic",
    "mqsc.interface.unit": "Unit",
    "mqsc.language.reply": "CommandError Reply",
    "mqsc.script": "replies run run_one",
}
_OWN = {name: module for module, names in _NAMES_OF.items() for name in names.split()}
# The families of constants that programs need most; `mqsc.constants` has all of them.
_CONSTANTS = """
    MQACTP MQAT MQCA MQCBCT MQCBDO MQCBT MQCC MQCI MQCO MQCOPY MQDMPO MQEI MQENC MQFB MQFMT
    MQGI MQGMO MQIA MQIMPO MQMF MQMI MQMO MQMT MQOL MQOO MQOP MQOT MQPD MQPER MQPMO MQPRI MQRC
    MQRCCF MQRO MQSMPO MQSO MQSR MQTYPE MQWI
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
            module_name = _OWN.get(name, store.__name__)
        elif name.startswith("MQ") and name in store.load(".constants", "families")():
            module_name = ".constants"
        else:
            raise AttributeError(f"module 'mqsc' has no attribute {name!r}")
        public_value = globals()[name] = store.load(module_name, name)
        return public_value


def __dir__() -> list[str]:
    return _NAMES

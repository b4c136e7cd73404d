"""A queue manager in one SQLite file, administered in MQSC: everything that a program needs.

    import mqsc
    store = mqsc.open_store("sqlite:///orders.db")
    replies = mqsc.run(store.create_queue_manager("QM1"), "DEFINE QLOCAL(ORDERS) MAXDEPTH(10)")

Each name is loaded when it is first used, so that `mqsc --help` does not wait for the database and grammar libraries.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

# For type checkers; `as` makes a name public for them.
if TYPE_CHECKING:
    from mqsc.reply import CommandError as CommandError
    from mqsc.reply import Reply as Reply
    from mqsc.script import replies as replies
    from mqsc.script import run as run
    from store import *
    from store.constants import *

__version__ = "0.1.0"

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

import store  # noqa: E402 - only after the check above
from store import constants  # noqa: E402
from store.client.command_server import register  # noqa: E402

register("mqsc.pcf.command_server", "answer_commands")

# The families of constants that programs need most; the module has all of them.
_CONSTANTS = """
    MQACTP MQAT MQCA MQCC MQCI MQCO MQCOPY MQDMPO MQEI MQENC MQFB MQFMT MQGI MQGMO MQIA MQIMPO MQMF MQMI MQMO MQMT MQOL
    MQOO MQOT MQPD MQPER MQPMO MQPRI MQRC MQRCCF MQRO MQSMPO MQTYPE MQWI
"""
_NAMES = sorted(["__version__", *_OWN, *dir(store), *_CONSTANTS.split()])

# Hidden from type checkers, so that they report a name that does not exist.
if not TYPE_CHECKING:
    __all__ = _NAMES

    def __getattr__(name: str) -> Any:
        home = _OWN.get(name) or ("store.constants" if name in constants.families() else "store")
        if home == "store" and name not in _NAMES:
            raise AttributeError(f"module 'mqsc' has no attribute {name!r}")
        value = globals()[name] = store.load(home, name)
        return value


def __dir__() -> list[str]:
    return _NAMES

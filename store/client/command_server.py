"""The command server of a program: the store keeps the commands, and another package performs them.

`register` names the function that performs the commands on SYSTEM.ADMIN.COMMAND.QUEUE. It is
imported when there is a command to perform, and called by every program that puts or commits one,
after that call.
"""

from __future__ import annotations

import sys
from importlib import import_module

# Not from typing, whose import takes longer than that of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from mqsc.store.engine.state import QueueManagerState

_registered: list[tuple[str, str]] = []


def register(module: str, function: str) -> None:
    """Let `function` of `module` perform the commands; it gets the queue manager, and raises
    nothing.
    """
    _registered[:] = [(module, function)]


def answer_commands(qmgr: QueueManagerState) -> None:
    """Perform the commands that wait on the queue. A program that has no command server or ends
    leaves them waiting.
    """
    # Inside a larger transaction their effects could be undone; at interpreter exit, modules can no
    # longer be loaded.
    if (
        not _registered
        or qmgr.store.database.enclosing_connection is not None
        or sys.is_finalizing()
    ):
        return
    ((module, function),) = _registered
    getattr(import_module(module), function)(qmgr)

"""Questions before a typed command that removes messages. Scripts are never asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Request
from store.admin.inquiring import inquire
from store.catalog import kinds_of
from store.error import MQError, StoreError

if TYPE_CHECKING:
    from store.client.api import QueueManager


def removes_messages(request: Request) -> bool:
    """Whether the request would remove the messages of a queue."""
    clears = (request.verb, request.noun) == ("CLEAR", "QLOCAL")
    return clears or (request.verb == "DELETE" and request.options.get("PURGE") == "PURGE")


def question(request: Request, depth: int) -> str | None:
    """What to ask before a request on a queue with so many messages; None if there is nothing to lose."""
    if not depth or not removes_messages(request):
        return None
    messages, them = ("1 message", "it") if depth == 1 else (f"{depth} messages", "them")
    how = f"Delete the queue with {them}" if request.verb == "DELETE" else f"Remove {them}"
    return f"{request.name} has {messages}. {how}? [y/N] "


def depth_of(qmgr: QueueManager, name: str) -> int:
    """The depth of a local queue; 0 if there is none, or if the queue manager does not run."""
    try:
        row = next(iter(inquire(qmgr, kinds_of("QLOCAL"), name)), None)
    except (MQError, StoreError):
        # The command itself reports why.
        return 0
    return int(row["CURDEPTH"]) if row and row["QUEUE"] == name else 0

"""The question before a command that removes the messages of a queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqsc.language.request import Request
from mqsc.language.variables import substitute
from mqsc.script import commands_in, read_request
from mqsc.scripts.run import RunOptions
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import kinds_of
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError, StoreError


def removes_messages(request: Request) -> bool:
    """Whether the request would remove the messages of a queue."""
    clears = (request.verb, request.noun) == ("CLEAR", "QLOCAL")
    return clears or (request.verb == "DELETE" and request.options.get("PURGE") == "PURGE")


def question(request: Request, depth: int) -> str | None:
    """What to ask before a request on a queue with so many messages; None if there is nothing to
    lose.
    """
    if not depth or not removes_messages(request):
        return None
    messages, them = ("1 message", "it") if depth == 1 else (f"{depth} messages", "them")
    how = f"Delete the queue with {them}" if request.verb == "DELETE" else f"Remove {them}"
    return f"{request.name} has {messages}. {how}?"


def depth_of(qmgr: QueueManager, name: str) -> int:
    """The depth of a local queue; 0 if there is none, or if the queue manager does not run."""
    try:
        row = next(iter(inquire(qmgr, kinds_of("QLOCAL"), name)), None)
    except (MQError, StoreError):
        # The command itself reports why.
        return 0
    return int(row["CURDEPTH"]) if row and row["QUEUE"] == name else 0


def removals_in(texts: Iterable[str], options: RunOptions) -> list[Request]:
    """The commands in MQSC texts that remove messages."""
    requests = (request for text in texts for request in _requests_in(text, options))
    return [each for each in requests if removes_messages(each)]


def _requests_in(text: str, options: RunOptions) -> Iterator[Request]:
    for line in commands_in(text.split("\n")):
        try:
            request = read_request(
                line if options.values is None else substitute(line, options.values),
            )
        except KeyError:
            # A variable without a value, which the run reports.
            continue
        if isinstance(request, Request):
            yield request

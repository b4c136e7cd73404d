"""How events that put or remove a message are called in the report message-lifetimes."""

from __future__ import annotations

from collections.abc import Mapping

# How a message comes or leaves outside a unit of work. A message that a channel carried has no time
# of a put, and was on no queue.
ENDINGS: Mapping[str, str] = {
    "PUT": "put",
    "GET": "got",
    "EXPIRE": "expired",
    "DISCARD": "dropped",
}
# What a get turns into if its unit of work also recorded what became of the message.
OUTCOMES: Mapping[str, str] = {
    "REQUEUE": "requeued",
    "FORWARD": "forwarded",
    "DEAD_LETTER": "dead-lettered",
    "DISCARD": "discarded",
    "EXPIRE": "expired",
}
# What becomes of the messages on a queue that a command empties. Their events say how many these
# were, but not which.
EMPTYING: Mapping[str, str] = {"CLEAR": "cleared", "MOVE": "moved"}
# How they come to the target of MOVE QLOCAL.
MOVED_IN = "moved in"

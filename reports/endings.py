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

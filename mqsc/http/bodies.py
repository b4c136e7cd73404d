"""The bodies of requests, with limits of size and time (rest §6)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from starlette.requests import Request
from starlette.types import Receive

from mqsc.http.errors import RestError

MEBIBYTE = 1 << 20
# Room for a command around the longest message.
DEFAULT_MOST = 4 * MEBIBYTE + 1024
_SECONDS = 30.0
CLOSE = (("Connection", "close"),)
# In the scope of a request: its body was refused, and the client may still be sending it.
UNREAD = "mqsc.unread"
# How much of such a body is read, and how long, so that the client gets to read the answer: on a
# closed connection it would not.
_MOST_PARTS_DROPPED = 64
_DROPPING_SECONDS = 1.0


async def read_body(request: Request, headers: Mapping[str, str], most: int) -> bytes:
    """The body of a request; RestError 413 for one of more than `most` bytes, 408 for one that
    does not arrive in 30 s. After either, the connection is closed.
    """
    length = headers.get("content-length", "0")
    if length.isdigit() and int(length) > most:
        request.scope[UNREAD] = True
        raise _too_large(most)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_SECONDS):
            while True:
                event = await request.receive()
                if event["type"] == "http.disconnect":
                    raise RestError(408, "MQSC0605E", "the client has gone", headers=CLOSE)
                part = event.get("body", b"")
                size += len(part)
                has_more = event.get("more_body", False)
                if size > most:
                    request.scope[UNREAD] = has_more
                    raise _too_large(most)
                parts.append(part)
                if not has_more:
                    return b"".join(parts)
    except TimeoutError:
        detail = f"the body did not arrive in {_SECONDS:g} s"
        raise RestError(408, "MQSC0605E", detail, headers=CLOSE) from None


def _too_large(most: int) -> RestError:
    return RestError(413, "MQSC0601E", f"it has more than {most} bytes", headers=CLOSE)


async def drop_rest(receive: Receive) -> None:
    """Read and drop what a client still sends, for a moment."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DROPPING_SECONDS):
            for _ in range(_MOST_PARTS_DROPPED):
                event = await receive()
                if event["type"] == "http.disconnect" or not event.get("more_body", False):
                    return

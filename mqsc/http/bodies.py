"""The bodies of requests, with limits of size and time (rest §6)."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from mqsc.http.errors import RestError

MEBIBYTE = 1 << 20
# Room for a command around the longest message.
DEFAULT_MOST = 4 * MEBIBYTE + 1024
_SECONDS = 30.0
CLOSE = (("Connection", "close"),)


async def read_body(request: Request, most: int) -> bytes:
    """The body of a request; RestError 413 for one of more than `most` bytes, 408 for one that
    does not arrive in 30 s. After either, the connection is closed.
    """
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > most:
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
                if size > most:
                    raise _too_large(most)
                parts.append(part)
                if not event.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        detail = f"the body did not arrive in {_SECONDS:g} s"
        raise RestError(408, "MQSC0605E", detail, headers=CLOSE) from None


def _too_large(most: int) -> RestError:
    return RestError(413, "MQSC0601E", f"it has more than {most} bytes", headers=CLOSE)

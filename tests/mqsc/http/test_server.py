"""The server itself: how it ends."""

from __future__ import annotations

import asyncio
import threading

from mqsc.http.errors import busy
from mqsc.http.server import until_set
from mqsc.store.error import StoreError


def test_a_busy_server_can_be_stopped() -> None:
    """What cannot be tidied up for the moment does not keep it from seeing that it is to stop."""
    stopping = threading.Event()
    failures = [StoreError("the store is locked"), busy("too many requests are in work")]

    async def tidy_up() -> None:
        failure = failures.pop()
        if not failures:
            stopping.set()
        raise failure

    asyncio.run(asyncio.wait_for(until_set(stopping, tidy_up), 60))
    assert failures == []

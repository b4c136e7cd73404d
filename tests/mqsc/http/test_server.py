"""The server itself: its connections, and how it ends."""

from __future__ import annotations

import asyncio
import socket
import threading

from mqsc.http.errors import busy
from mqsc.http.server import Listening, opened_listener, until_set
from mqsc.store.error import StoreError


def test_answers_do_not_wait_to_be_acknowledged() -> None:
    """An answer is sent in two parts, and Nagle's algorithm would hold back the second."""

    async def option_of_a_connection() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            served: socket.socket = writer.get_extra_info("socket")
            found.set_result(served.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = opened_listener(Listening("127.0.0.1", 0))
        async with await asyncio.start_server(connected, sock=listener):
            _, client = await asyncio.open_connection(*listener.getsockname())
            client.close()
            return await found

    assert asyncio.run(option_of_a_connection())


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

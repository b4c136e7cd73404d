"""The baseline of the benchmark of REST: the same stack, Starlette on uvicorn with threads, whose
handlers make the same calls of a store without logins, checks or IBM's contract.

python -m tests.benchmarks.bare_rest STORE
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import mqsc
from mqsc.language.request import Request as Command
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQPMO
from mqsc.store.message import Message, PutMessageOptions
from mqsc.verbs import perform_request

THREADS = 16
MESSAGE, DISPLAY = "/message", "/display"


def application(qmgr: QueueManager, queue: str) -> Starlette:
    """An application with a put and a DISPLAY of one queue."""
    pool = ThreadPoolExecutor(THREADS)
    idle: SimpleQueue[Connection] = SimpleQueue()
    for _ in range(THREADS):
        idle.put(qmgr.connect())

    def put(body: bytes) -> bytes:
        connection = idle.get()
        placed = connection.put1(queue, Message(body), PutMessageOptions(MQPMO.NO_SYNCPOINT))
        idle.put(connection)
        return placed.msg_id

    def display() -> bytes:
        command = Command("DISPLAY", "QLOCAL", (KINDS["QLOCAL"],), queue, requested=("CURDEPTH",))
        return msgspec.json.encode([*perform_request(qmgr, command).rows])

    async def in_thread(function: Callable[[], bytes]) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(pool, function)

    async def on_message(request: Request) -> Response:
        body = await request.body()
        identifier = await in_thread(lambda: put(body))
        return Response(status_code=201, headers={"ibm-mq-md-messageId": identifier.hex()})

    async def on_display(request: Request) -> Response:
        await request.body()
        return Response(await in_thread(display), media_type="application/json")

    return Starlette(
        routes=[
            Route(MESSAGE, on_message, methods=["POST"]),
            Route(DISPLAY, on_display, methods=["POST"]),
        ],
    )


def serve(url: str, queue: str) -> None:
    """Serve the store's default queue manager; the port is printed."""
    with mqsc.open_store(url) as store:
        # With the protocol, so that asyncio switches TCP_NODELAY on.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.bind(("127.0.0.1", 0))
        listener.listen(1024)
        config = uvicorn.Config(
            application(store.queue_manager(), queue),
            http="h11",
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            timeout_keep_alive=600,
        )
        print(listener.getsockname()[1], flush=True)
        asyncio.run(uvicorn.Server(config).serve([listener]))


if __name__ == "__main__":
    serve(*sys.argv[1:])

"""The threads in which the store is called: the event loop itself never calls it (rest §7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from mqsc.http.errors import busy

Result = TypeVar("Result")
_THREADS = 16
_WAITING_THREADS = 200
_PASSWORD_THREADS = 2
_LONGEST_QUEUE = 256
# Writers take turns in SQLite anyway; with this limit they leave threads to readers.
_WRITERS = 4
_MOST_LINES = 1000


class Workers:
    """Threads for calls, for gets that wait, and for passwords, whose check takes long."""

    def __init__(self) -> None:
        self._calls = ThreadPoolExecutor(_THREADS, "http-call")
        self._waits = ThreadPoolExecutor(_WAITING_THREADS, "http-wait")
        self._passwords = ThreadPoolExecutor(_PASSWORD_THREADS, "http-password")
        self._writers = asyncio.Semaphore(_WRITERS)
        self._queued = 0
        self._waiting = 0
        self._lines = ThreadPoolExecutor(1, "http-log")
        self._waiting_lines = 0

    async def call(self, function: Callable[[], Result], *, writes: bool = False) -> Result:
        """Call the function in a thread; RestError 503 if too many calls are queued."""
        if self._queued >= _LONGEST_QUEUE + _THREADS:
            raise busy("too many requests are in work")
        self._queued += 1
        try:
            if writes:
                async with self._writers:
                    return await self._run(self._calls, function)
            return await self._run(self._calls, function)
        finally:
            self._queued -= 1

    async def wait(self, function: Callable[[], Result]) -> Result:
        """The same for a get that waits for a message."""
        if self._waiting >= _WAITING_THREADS:
            raise busy("too many requests wait for messages")
        self._waiting += 1
        try:
            return await self._run(self._waits, function)
        finally:
            self._waiting -= 1

    async def check_password(self, function: Callable[[], Result]) -> Result:
        """The same for the check of a password."""
        if self._queued >= _LONGEST_QUEUE + _THREADS:
            raise busy("too many passwords are being checked")
        self._queued += 1
        try:
            return await self._run(self._passwords, function)
        finally:
            self._queued -= 1

    def log(self, log: Callable[[str], None], line: str) -> None:
        """Let a thread write a line, because output may block. Beyond 1000 lines that wait, a line
        is left out.
        """
        if self._waiting_lines < _MOST_LINES:
            self._waiting_lines += 1
            self._lines.submit(log, line).add_done_callback(self._count_line)

    def _count_line(self, _: object) -> None:
        self._waiting_lines -= 1

    async def _run(self, pool: ThreadPoolExecutor, function: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(pool, function)

    def close(self) -> None:
        """Wait for the calls under way; the others are not made."""
        for pool in (self._calls, self._waits, self._passwords):
            pool.shutdown(wait=True, cancel_futures=True)
        self._lines.shutdown(wait=True)

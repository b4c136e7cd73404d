"""The server of `mqsc serve --http`: its socket, TLS, and its end (rest §7)."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from stat import S_IROTH

import uvicorn
from msgspec import Struct

from mqsc.http.application import LOCAL_NAMES, Application
from mqsc.http.bodies import DEFAULT_MOST as DEFAULT_MOST
from mqsc.http.callers import Callers
from mqsc.http.connections import Connections
from mqsc.http.contract import BASE as BASE
from mqsc.http.errors import RestError
from mqsc.http.exchange import Service
from mqsc.http.exposition import Exposition
from mqsc.http.openapi import described
from mqsc.http.protocol import LimitedProtocol
from mqsc.http.traffic import Traffic
from mqsc.http.workers import Workers
from mqsc.store.admin.user_accounts import users
from mqsc.store.client.store import Store
from mqsc.store.error import MQError, StoreError

_LONGEST_HEADERS = 64 << 10
_KEEP_ALIVE_SECONDS = 60
# How long running requests may take after the server was asked to stop.
GRACE_SECONDS = 10
_LOOK_SECONDS = 1.0
_BACKLOG = 1024


class ListeningError(Exception):
    """The server cannot listen as it is asked to; the text says why."""


class Listening(Struct, frozen=True):
    """Where and how the server listens: address and port (0: any that is free), the files of the
    certificate and its key, further names of the server, whether requests need no login, and the
    longest body.
    """

    address: str
    port: int
    certificate: str | None = None
    key: str | None = None
    hosts: tuple[str, ...] = ()
    open_to_all: bool = False
    most_bytes: int = DEFAULT_MOST

    @property
    def is_local(self) -> bool:
        return self.address in LOCAL_NAMES


def check(listening: Listening, store: Store) -> None:
    """ListeningError if others could use the server who must not."""
    if listening.is_local:
        return
    if listening.open_to_all:
        raise ListeningError(f"--no-auth is for this machine alone and not for {listening.address}")
    if not users(store):
        raise ListeningError(
            f"{listening.address} can be reached from other machines, and the store has no users; "
            "add one with `mqsc user add`",
        )
    if listening.certificate is None:
        raise ListeningError(
            f"{listening.address} can be reached from other machines; passwords need TLS there: "
            "--tls-cert FILE --tls-key FILE",
        )


@contextmanager
def served(store: Store, listening: Listening, log: Callable[[str], None]) -> Iterator[str]:
    """Answer requests during the block, in threads of their own; yields the URL.

    ListeningError if that is refused or impossible. At the end of the block running requests are
    given some seconds, and waits for messages end at once.
    """
    check(listening, store)
    context = _tls(listening)
    listener = opened_listener(listening)
    port = listener.getsockname()[1]
    scheme = "http" if context is None else "https"
    host = f"[{listening.address}]" if ":" in listening.address else listening.address
    server = _Server(store, listening, log, context)
    thread = threading.Thread(target=server.run, args=(listener,), name="http")
    thread.start()
    try:
        server.has_started.wait()
        yield f"{scheme}://{host}:{port}"
    finally:
        server.stop()
        thread.join()


class _Server:
    """The event loop with the server of uvicorn, in a thread of its own."""

    def __init__(
        self,
        store: Store,
        listening: Listening,
        log: Callable[[str], None],
        context: ssl.SSLContext | None,
    ) -> None:
        self._store = store
        self._listening = listening
        self._log = log
        self._context = context
        self._stopping = threading.Event()
        self.has_started = threading.Event()

    def run(self, listener: socket.socket) -> None:
        """Answer requests until `stop` is called."""
        try:
            asyncio.run(self._serve(listener))
        finally:
            self.has_started.set()
            listener.close()

    def stop(self) -> None:
        """Let `run` end, from another thread."""
        self._stopping.set()

    async def _serve(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._log_error)
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        workers = Workers()
        connections = Connections(self._store)
        traffic = Traffic()
        service = Service(
            self._store,
            workers,
            Callers(self._store, workers, open_to_all=self._listening.open_to_all),
            connections,
            self._listening.most_bytes,
            partial(workers.log, self._log),
            asyncio.Event(),
            Exposition(self._store, [traffic]).text,
            described(),
        )
        application = Application(service, self._hosts(), traffic)
        server = uvicorn.Server(self._config(application))
        upkeep = asyncio.create_task(self._end_when_asked(service, server))
        try:
            self.has_started.set()
            await server.serve(sockets=[listener])
        finally:
            upkeep.cancel()
            workers.close()
            connections.close()

    def _hosts(self) -> Sequence[str]:
        return (self._listening.address, *self._listening.hosts)

    def _config(self, application: Application) -> uvicorn.Config:
        config = uvicorn.Config(
            application,
            http=LimitedProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=_BACKLOG,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
            h11_max_incomplete_event_size=_LONGEST_HEADERS,
        )
        config.load()
        config.ssl = self._context
        return config

    async def _end_when_asked(self, service: Service, server: uvicorn.Server) -> None:
        """End unused connections from time to time, and everything when the server is to stop."""
        end_unused = partial(service.workers.call, service.connections.end_unused)
        await until_set(self._stopping, end_unused)
        service.is_stopping.set()
        server.should_exit = True

    def _log_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """An error in no request: such as of TLS, when a client ends the handshake."""
        error = context.get("exception")
        if not isinstance(error, (OSError, asyncio.CancelledError)):
            self._log(f"error of the HTTP server: {type(error).__name__}")


async def until_set(event: threading.Event, upkeep: Callable[[], Awaitable[None]]) -> None:
    """Return when another thread has set the event. `upkeep` is called each second until then; what
    it cannot do while the server or the store is busy, it does the next time.
    """
    loop = asyncio.get_running_loop()
    while not await loop.run_in_executor(None, event.wait, _LOOK_SECONDS):
        with suppress(StoreError, MQError, RestError):
            await upkeep()


def opened_listener(listening: Listening) -> socket.socket:
    """A socket that listens there; ListeningError if that is impossible."""
    family = socket.AF_INET6 if ":" in listening.address else socket.AF_INET
    # Only if the protocol is named does asyncio switch TCP_NODELAY on for the connections. Without
    # it the body of an answer may wait 40 ms for the client to acknowledge the headers.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((listening.address, listening.port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        where = f"HTTP on {listening.address} port {listening.port}"
        raise ListeningError(f"{where}: {error.strerror or error}") from error
    return listener


def _tls(listening: Listening) -> ssl.SSLContext | None:
    """The certificate and its key; ListeningError if they cannot be used, or if others may read
    the key.
    """
    if listening.certificate is None or listening.key is None:
        if listening.certificate != listening.key:
            raise ListeningError("--tls-cert and --tls-key are given together")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        if Path(listening.key).stat().st_mode & S_IROTH:
            raise ListeningError(f"other users may read the key: chmod o-r {listening.key}")
        # Without a question for the password of a key.
        context.load_cert_chain(listening.certificate, listening.key, password=lambda: "")
    except (OSError, ValueError) as error:
        why = "not a certificate and its key" if isinstance(error, ssl.SSLError) else error
        files = f"{listening.certificate}, {listening.key}"
        raise ListeningError(f"{files}: {why}") from error
    return context

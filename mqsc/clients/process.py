"""The connections and handles of a program that `mqsc client` runs."""

import atexit
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from mqsc.clients import connection_settings
from mqsc.clients.connection_settings import ClientSettings, SettingError
from mqsc.clients.properties import MessageHandles
from mqsc.console.options import Choices
from mqsc.console.stopped_waits import tell_once
from mqsc.store.client.connection import Connection
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.client.subscription import Subscription
from mqsc.store.constants import MQHC, MQHO, MQRC
from mqsc.store.environment import Environment
from mqsc.store.error import MQError, StoreError, refuse_if

_LOG = logging.getLogger("mqsc.clients")
# The first handle of a connection; 0 and 1 look like no handle, or like a flag.
_FIRST_OBJECT = 2
SHARE_NONE = "none"
SHARE_BLOCK = "block"
SHARE_NO_BLOCK = "no block"


class CallsOfThread(threading.local):
    """How many calls this thread is in, one inside the other, and the calls that it makes after
    them.
    """

    def __init__(self) -> None:
        self.under_way = 0
        self.put_off: list[Callable[[], object]] = []


class LinkedConnection(Struct, eq=False):
    """A connection by its number: who may use it, and its object and message handles by theirs."""

    number: int
    connection: Connection
    sharing: str
    messages: MessageHandles
    calls: CallsOfThread
    # Connected as a client, through a channel, where MQBEGIN is not available.
    client: bool
    # Given to callbacks as it is.
    connection_area: int = 0
    # The thread that is in a callback.
    callback_thread: int | None = None
    objects: dict[int, ObjectHandle] = field(default_factory=dict)
    # Their numbers are counted together with those of objects.
    subscriptions: dict[int, Subscription] = field(default_factory=dict)
    # Names of queues that do not exist, as the person who runs the program was told.
    explained: set[str] = field(default_factory=set)
    is_over: bool = False
    last_object: int = _FIRST_OBJECT - 1
    thread: int = field(default_factory=threading.get_ident)
    # A thread that interrupts its own call, in a signal handler, must not wait for itself.
    calling: threading.RLock = field(default_factory=threading.RLock)

    def enter(self) -> None:
        """Begin a call. MQError 2018 for a thread that may not use the connection, 2219 while
        another one does.

        With MQCNO_HANDLE_SHARE_BLOCK it waits for the other one instead.
        """
        self.check_thread()
        if not self.calling.acquire(self.sharing != SHARE_NO_BLOCK):
            raise MQError(MQRC.CALL_IN_PROGRESS)
        if self.is_over:
            self.calling.release()
            raise MQError(MQRC.HCONN_ERROR)

    def check_thread(self) -> None:
        """MQError 2018 for a thread that may not use the connection; a callback may always."""
        is_foreign = self.sharing == SHARE_NONE and threading.get_ident() != self.thread
        if is_foreign and not self._is_callback_thread():
            raise MQError(MQRC.HCONN_ERROR)
        # The thread that holds the lock may not exist in a forked process.
        if self.connection.is_inherited:
            raise MQError(MQRC.HCONN_ERROR)

    def _is_callback_thread(self) -> bool:
        callbacks = self.connection.callbacks
        return callbacks is not None and callbacks.is_own_thread

    @contextmanager
    def in_callback(self) -> Iterator[None]:
        """While a function of the program runs. Its calls do not count as calls inside the one
        that got the message.
        """
        outside, self.calls.under_way = self.calls.under_way, 0
        before, self.callback_thread = self.callback_thread, threading.get_ident()
        try:
            yield
        finally:
            self.callback_thread = before
            self.calls.under_way = max(outside, 1)

    def add(self, handle: ObjectHandle | Subscription) -> int:
        """The number of a new handle."""
        self.last_object += 1
        if isinstance(handle, Subscription):
            self.subscriptions[self.last_object] = handle
        else:
            self.objects[self.last_object] = handle
        return self.last_object

    def object(self, number: int) -> ObjectHandle:
        """The object handle of that number; MQError 2019 if there is none."""
        handle = self.objects.get(number) if isinstance(number, int) else None
        if handle is None:
            raise MQError(MQRC.HOBJ_ERROR)
        return handle


class ClientProcess:
    """The store that the calls of a process use, and the connections that it has open."""

    def __init__(self, url: str = "", environment: Environment[Any] | None = None) -> None:
        """Without a URL: the store named by MQSC_STORE when the first connection is made, else
        the default one.
        """
        self._url = url
        self._environment = environment
        self._stores: dict[str, Store] = {}
        self._connections: dict[int, LinkedConnection] = {}
        self._last_connection = int(MQHC.DEF_HCONN)
        self.calls = CallsOfThread()
        self._message_numbers = count(1)
        self._messages: dict[int, MessageHandle] = {}
        self._changing = threading.Lock()

    def queue_manager(self, name: str) -> QueueManager:
        """The queue manager of that name; for a blank one that of MQSC_QMGR, or the default.
        MQError 2058, 2059.
        """
        try:
            return self._store().queue_manager(name or Choices().qmgr_name() or "")
        except StoreError as error:
            # The program gets only the reason code that there is no queue manager.
            _LOG.error("%s", error)
            raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, str(error)) from error
        except MQError as error:
            if error.reason == MQRC.Q_MGR_NAME_ERROR and name:
                self._explain_unknown(name)
            raise

    def settings(self) -> ClientSettings:
        """The hosts, channels and queue managers that programs find. MQError 2059 if they cannot
        be read.
        """
        try:
            return connection_settings.from_text(os.environ.get(connection_settings.VARIABLE, ""))
        except SettingError as error:
            _LOG.error("%s", error)
            raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, str(error)) from error

    def _explain_unknown(self, name: str) -> None:
        """Say on stderr which queue managers there are, if `mqsc client` or pytest runs the program
        on a store.
        """
        from mqsc.console.terminal import notice

        if connection_settings.VARIABLE in os.environ:
            existing = [row.name for row in self._store().queue_managers()]
            sentence = connection_settings.unknown_name(self.settings(), name, existing)
            notice(f"mqsc: {int(MQRC.Q_MGR_NAME_ERROR)}: {sentence}")

    def _store(self) -> Store:
        url = self._url or Choices().store_url()
        with self._changing:
            if url not in self._stores:
                # Registered late, so that it runs early: before Python ends the threads of a store.
                if not self._stores:
                    atexit.register(self.close)
                self._stores[url] = open_store(url, self._environment, create=False)
                self._stores[url].on_stopped_clock = tell_once
            return self._stores[url]

    def add(self, connection: Connection, sharing: str, *, client: bool = False) -> int:
        """The number of a new connection."""
        with self._changing:
            self._last_connection += 1
            number = self._last_connection
            messages = MessageHandles(connection, self._message_numbers, self._messages)
            linked = LinkedConnection(
                number,
                connection,
                sharing,
                messages,
                self.calls,
                client=client,
            )
            self._connections[number] = linked
        return number

    def messages(self) -> MessageHandles:
        """Message handles that belong to no connection; MQError 2018 while the process has none."""
        refuse_if(not self._connections, MQRC.HCONN_ERROR)
        return MessageHandles(None, self._message_numbers, self._messages)

    def linked(self, number: int) -> LinkedConnection:
        """The connection of that number; MQError 2018 if there is none."""
        linked = self._connections.get(number) if isinstance(number, int) else None
        if linked is None:
            raise MQError(MQRC.HCONN_ERROR)
        return linked

    def connections(self) -> list[LinkedConnection]:
        """The connections that are open."""
        return list(self._connections.values())

    def remove(self, linked: LinkedConnection) -> None:
        """Forget a connection that has ended; threads that wait for it find it gone."""
        linked.is_over = True
        linked.objects.clear()
        linked.subscriptions.clear()
        self._connections.pop(linked.number, None)

    def close(self) -> None:
        """Close the stores, unless connections are open: the end of the process is an abend for
        those.

        Finalizers of the program may still disconnect them.
        """
        if not self._connections:
            while self._stores:
                # The program has ended, and may have deleted its store.
                with suppress(StoreError, MQError, OSError):
                    self._stores.popitem()[1].close()


def program_name() -> str:
    """The name of the running program, for connections that give none; of `python -m PACKAGE`
    that of the package.
    """
    path = Path(sys.argv[0] if getattr(sys, "argv", None) else "")
    script = path.parent.name if path.name == "__main__.py" else path.name
    return (
        script if script not in ("", "-c", "-m") else os.path.basename(sys.executable) or "python"
    )


UNUSABLE_CONNECTION, UNUSABLE_OBJECT = int(MQHC.UNUSABLE_HCONN), int(MQHO.UNUSABLE_HOBJ)

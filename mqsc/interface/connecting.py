"""Connects sessions. Sessions of this process with the same file share its store, so that one
watcher serves all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from os import PathLike

from mqsc.console.stopped_waits import tell_once
from mqsc.interface import errors
from mqsc.interface.session import Session, nothing
from mqsc.store.argument_checks import must_be
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.client.store_url import path_of
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MissingStoreError, MQError, StoreError

_FIRST_QUEUE_MANAGER = "QM1"
_sharing = threading.Lock()
# The stores that sessions have open, by path, with the number of these sessions.
_shared: dict[str, tuple[Store, int]] = {}
# No thread of the parent holds it in a child.
os.register_at_fork(
    before=_sharing.acquire,
    after_in_parent=_sharing.release,
    after_in_child=_sharing.release,
)


def connect(
    store: str | PathLike[str] | Store | None = None,
    *,
    qmgr: str = "",
    create: bool = False,
    application: str = "",
    user: str = "",
    password: str | None = None,
) -> Session:
    """Connect to a queue manager: that of this name, or the default one of the store.

    `store` is a path, a URL or a Store; without it, it is that of the command line (MQSC_STORE, the
    settings, or the user's). With `create`, a missing store, or queue manager (QM1 if none is
    named), is created. StoreError when the store cannot be used; NotFound, NotConnected or
    NotAuthorized when the queue manager cannot; ValueError for a name that none can have.

    >>> with mqsc.connect("new.db", create=True) as qmgr:
    ...     qmgr.run("DEFINE QLOCAL(ORDERS)")[0].message_id
    'AMQ8006I'
    """
    opened, release = _opened(store, create)
    opened.on_stopped_clock = tell_once
    try:
        manager = _manager(opened, must_be(str, qmgr, "qmgr"), create)
        connector = partial(manager.connect, application, user, password=password)
        return Session(connector, release)
    except MQError as error:
        release()
        raise _unknown(error, qmgr, [row.name for row in opened.queue_managers()]) from None
    except BaseException:
        release()
        raise


def _unknown(error: MQError, name: str, known: list[str]) -> MQError:
    """The error of a queue manager that cannot be had, with what could be."""
    explained = errors.explained(error, lambda: known)
    if isinstance(explained, errors.NotFound) and not name:
        default = f"there is no default queue manager; name one with qmgr: {', '.join(known)}"
        explained.sentence = (
            default if known else "the store holds no queue manager; create=True makes one"
        )
    return explained


def _opened(
    store: str | PathLike[str] | Store | None,
    create: bool,
) -> tuple[Store, Callable[[], object]]:
    """The store, and what is to be called when the session ends."""
    if isinstance(store, Store):
        return store, nothing
    path = path_of(_place() if store is None else must_be(str, os.fspath(store), "store"))
    if path is None:
        opened = open_store("sqlite://")
        return opened, opened.close
    with _sharing:
        if path in _shared:
            shared_store, sessions = _shared[path]
        else:
            shared_store, sessions = _open(path, create), 0
        _shared[path] = shared_store, sessions + 1
    return shared_store, partial(_release, path)


def _place() -> str:
    from mqsc.console.choices import Choices

    return Choices().store_url()


def _open(path: str, create: bool) -> Store:
    try:
        return open_store(path, create=create)
    except MissingStoreError as error:
        raise StoreError(f"{error}; create=True makes one") from None


def _release(path: str) -> None:
    with _sharing:
        store, sessions = _shared.pop(path)
        if sessions > 1:
            _shared[path] = store, sessions - 1
            return
    store.close()


def _manager(store: Store, name: str, create: bool) -> QueueManager:
    try:
        return store.queue_manager(name)
    except MQError as error:
        if (
            not create
            or error.reason != MQRC.Q_MGR_NAME_ERROR
            or (not name and store.queue_managers())
        ):
            raise
    try:
        return store.create_queue_manager(name or _FIRST_QUEUE_MANAGER)
    except MQError as error:
        if error.reason == MQRCCF.OBJECT_ALREADY_EXISTS:
            # Another program was faster.
            return store.queue_manager(name)
        if error.reason != MQRC.Q_MGR_NAME_ERROR:
            raise
        from mqsc.console.target import not_created

        raise ValueError(str(not_created(error, name))) from None

"""Signal handlers wait until a call has ended, so that exceptions they raise leave no lock or
transaction behind.

Python runs a signal's handler in the main thread between any two instructions, for example on entry
to the `__exit__` that would roll back. No `try` can cover that. So the handlers that the program
has installed are wrapped: during a call the wrapper only notes the signal, and the handler runs
when the call ends, or while it waits.

`signal.signal` and `signal.getsignal` are replaced too: handlers installed later are wrapped as
well, and programs never see the wrappers. Nothing is changed before the first call.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import Any

from mqsc.store.sqlite.patience import hurry

Handler = Callable[[int, FrameType | None], Any]

_get_ident = threading.get_ident


class _MainThread:
    """The state of the main thread, the only one in which handlers run."""

    __slots__ = ("depth", "identifier", "interruptible_depth", "pending", "waits_for_store", "wake")

    def __init__(self) -> None:
        # The main thread's identifier once its handlers are wrapped, until then None.
        self.identifier: int | None = None
        # How many calls and transactions the main thread is inside of.
        self.depth = 0
        # Handlers run when a call ends that leaves this depth: above zero inside a
        # one_transaction() block.
        self.interruptible_depth = 0
        # Handlers to run, by signal.
        self.pending: dict[int, Handler] = {}
        # Whether a handler runs while the main thread waits for a store that another program holds.
        self.waits_for_store = False
        # Ends the wait of the main thread, if it waits.
        self.wake: Callable[[], object] | None = None


main_thread = _MainThread()


# Raising the counter is one instruction that no handler can interrupt, and nothing is held before
# it.
def enter() -> None:
    """From here on handlers wait; leave() must follow."""
    if _get_ident() == main_thread.identifier:
        main_thread.depth += 1
    elif main_thread.identifier is None and threading.current_thread() is threading.main_thread():
        _wrap_handlers()
        main_thread.depth += 1


def leave() -> None:
    """End what enter() began. Nothing may be held any more: a handler that runs now may raise."""
    if _get_ident() == main_thread.identifier:
        main_thread.depth -= 1
        if main_thread.pending and main_thread.depth <= main_thread.interruptible_depth:
            _run_pending()


def leave_later() -> None:
    """End what enter() began, where no handler may raise; the next call runs those that wait."""
    if main_thread.depth and _get_ident() == main_thread.identifier:
        main_thread.depth -= 1


def run_pending_handlers() -> None:
    """Run the handlers that wait, inside a call that can be interrupted here, because it is only
    waiting.
    """
    if main_thread.pending and _get_ident() == main_thread.identifier:
        _run_pending()


def run_handlers_while_held() -> None:
    """The same where the call waits because another program holds the store.

    An exception of a handler ends the call. What the program does then, such as a disconnect, does
    not wait long.
    """
    if main_thread.pending and _get_ident() == main_thread.identifier:
        main_thread.waits_for_store = True
        try:
            _run_pending()
        except BaseException:
            hurry()
            raise
        finally:
            main_thread.waits_for_store = False


def waits_for_store() -> bool:
    """Whether the handler that asks has interrupted a call that waits because another program
    holds the store.
    """
    return main_thread.waits_for_store


class Uninterrupted:
    """A block in which handlers wait."""

    def __enter__(self) -> None:
        enter()

    def __exit__(self, *_: object) -> None:
        leave()


class Interruptible:
    """Inside a call: a block in which handlers wait only until the next call or transaction in
    it ends.
    """

    def __enter__(self) -> None:
        self._is_main = _get_ident() == main_thread.identifier
        if self._is_main:
            self._before = main_thread.interruptible_depth
            main_thread.interruptible_depth = main_thread.depth

    def __exit__(self, *_: object) -> None:
        if self._is_main:
            main_thread.interruptible_depth = self._before


class Waiting:
    """Inside a call: a block in which the main thread waits, and in which a signal calls `wake`."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake

    def __enter__(self) -> None:
        if _get_ident() == main_thread.identifier:
            main_thread.wake = self._wake
            if main_thread.pending:
                self._wake()

    def __exit__(self, *_: object) -> None:
        if _get_ident() == main_thread.identifier:
            main_thread.wake = None


class _DeferringHandler:
    """The handler of a program, which waits while the main thread is in a call."""

    __slots__ = ("handler",)

    def __init__(self, handler: Handler) -> None:
        self.handler = handler

    def __call__(self, number: int, frame: FrameType | None) -> Any:
        if not main_thread.depth:
            return self.handler(number, frame)
        main_thread.pending[number] = self.handler
        if main_thread.wake is not None:
            main_thread.wake()
        return None


def _run_pending() -> None:
    number = next(iter(main_thread.pending))
    try:
        main_thread.pending.pop(number)(number, sys._getframe(1))
    finally:
        if main_thread.pending:
            _run_pending()


def _wrapped(handler: Any) -> Any:
    """Wrap a handler written in Python; SIG_DFL and SIG_IGN stay as they are."""
    return (
        _DeferringHandler(handler)
        if callable(handler) and not isinstance(handler, _DeferringHandler)
        else handler
    )


def _unwrapped(handler: Any) -> Any:
    return handler.handler if isinstance(handler, _DeferringHandler) else handler


def _wrap_handlers() -> None:
    set_handler, get_handler = signal.signal, signal.getsignal

    @wraps(set_handler)
    def deferring_signal(signalnum: int, handler: Any) -> Any:
        return _unwrapped(set_handler(signalnum, _wrapped(handler)))

    @wraps(get_handler)
    def unwrapping_getsignal(signalnum: int) -> Any:
        return _unwrapped(get_handler(signalnum))

    for number in signal.valid_signals():
        handler = get_handler(number)
        if callable(handler):
            set_handler(number, _wrapped(handler))
    signal.signal, signal.getsignal = deferring_signal, unwrapping_getsignal
    main_thread.identifier = _get_ident()


def _after_fork_in_child() -> None:
    """Only the thread that forked exists in the child, where it is the main thread."""
    if main_thread.identifier is None:
        return
    if main_thread.identifier != _get_ident():
        main_thread.identifier = _get_ident()
        main_thread.depth = 0
        main_thread.interruptible_depth = 0
    main_thread.pending.clear()
    main_thread.wake = None


os.register_at_fork(after_in_child=_after_fork_in_child)

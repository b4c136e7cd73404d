"""A get that waits in a task of asyncio or trio, and the watch for changes of the store."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import anyio
from anyio.lowlevel import RunVar

from mqsc.interface import errors
from mqsc.interface.messages import ReceivedMessage
from mqsc.interface.queue import Queue
from mqsc.interface.session import Session
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQRC
from mqsc.store.engine.change_watch import LOOK_SECONDS, ChangeWatch, Sleeper
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi.get_wait import GetWait
from mqsc.store.mqi.state import HandleState

# A look costs more than that of a thread. It is only for what other programs do: tasks of the same
# loop say so.
_LOOK_SECONDS = 2 * LOOK_SECONDS


class _AsyncSleeper(Sleeper):
    """A task that waits."""

    def __init__(self, concerns: Callable[[], bool]) -> None:
        super().__init__(concerns)
        self.event = anyio.Event()

    def wake(self) -> None:
        """Wake the task; only from a task of the same event loop."""
        self.event.set()


class _AsyncWatch(ChangeWatch):
    """The waiting tasks of one store and one event loop. As with threads, the first that waits
    is the watcher.
    """

    async def wait(self, sleeper: _AsyncSleeper, seconds: float) -> bool:
        """`pause` for a task; end() must follow the last one."""
        sleeper.event = anyio.Event()
        if self.is_watcher(sleeper):
            with anyio.move_on_after(min(seconds, _LOOK_SECONDS)):
                await sleeper.event.wait()
            return self.look(sleeper)
        if self.has_changed(sleeper):
            return True
        with anyio.move_on_after(seconds):
            await sleeper.event.wait()
        return self.has_changed(sleeper)

    def wake_watcher(self) -> None:
        """Have the watcher look now: a task of this event loop has changed the store."""
        if self._watcher is not None:
            self._watcher.wake()


_watches: RunVar[WeakKeyDictionary[object, _AsyncWatch]] = RunVar("mqsc watches")
_NO_WATCHES: WeakKeyDictionary[object, _AsyncWatch] = WeakKeyDictionary()


def noticed(session: Session) -> None:
    """Let tasks that wait notice what a call may have put, without waiting for the next look."""
    watch = _watches.get(_NO_WATCHES).get(session.connection.store)
    if watch is not None:
        watch.wake_watcher()


def _watch_of(handle: HandleState) -> _AsyncWatch:
    store = handle.connection.store
    watches = _watches.get(None)
    if watches is None:
        _watches.set(watches := WeakKeyDictionary())
    if store not in watches:
        watches[store] = store.new_watch(_AsyncWatch)
    return watches[store]


async def received(
    queue: Queue,
    handle: ObjectHandle,
    options: GetMessageOptions,
) -> ReceivedMessage:
    """The message that a get with these options finds; NoMessage if none comes in time."""
    return queue._received(await waited(handle, options, lambda: handle.get(options)), options)


async def waited(
    handle: HandleState,
    options: GetMessageOptions,
    take: Callable[[], Message | None],
) -> Message:
    """The message that `take` gets without waiting, as soon as there is one; MQError 2033 when
    the time is up.
    """
    message = _taken(take)
    if message is not None:
        return message
    if options.wait_interval:
        wait, database = GetWait(handle, options), handle.connection.store.database
        wait.sleeper = sleeper = _AsyncSleeper(wait.is_concerned)
        watch = _watch_of(handle)
        goes_on = True
        while goes_on:
            # Read before looking, so that a message that arrives in between is noticed.
            seen = database.data_version()
            message = _taken(take)
            if message is not None:
                return message
            goes_on = await _goes_on(wait, sleeper, watch, seen)
    raise errors.NoMessage(MQRC.NO_MSG_AVAILABLE, handle.name)


def _taken(take: Callable[[], Message | None]) -> Message | None:
    try:
        return take()
    except MQError as error:
        if error.reason != MQRC.NO_MSG_AVAILABLE:
            raise
        return None


async def _goes_on(wait: GetWait, sleeper: _AsyncSleeper, watch: _AsyncWatch, seen: int) -> bool:
    """Wait until there is a reason to look again (True), or time is up (False)."""
    wait.prepare(seen)
    try:
        while (outcome := wait.outcome()) is None:
            if await watch.wait(sleeper, wait.longest_pause(seen)):
                return True
        return outcome
    finally:
        watch.end(sleeper)

"""Running a channel from either end until the run ends, waking runs that wait, and PING CHANNEL."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Event

from mqsc.channels.attempt import RunSettings, send
from mqsc.channels.binding import definition_of
from mqsc.channels.end import RECEIVER, ChannelEnd, start_figures, text
from mqsc.channels.link import (
    ChannelEndedError,
    Ending,
    Partner,
    Run,
    Wait,
    found_partner,
    unreachable,
)
from mqsc.store.admin.channel import commands, faults, status
from mqsc.store.catalog import Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCHS, MQRC, MQRCCF
from mqsc.store.engine import queue_events
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.error import MQError, StoreError, refuse_if
from mqsc.store.rules.channel.agreement import may_call
from mqsc.store.rules.channel.command_refusals import RUN_HERE
from mqsc.store.sqlite.stamps import Stamp, settled_stamp

# A run that waits looks often while messages come, then leaves it to the watch.
BUSY_SECONDS, BUSY_LOOKS = 0.005, 20
# Never set: a run that knows of the stop, and waits to complete a batch, must not be resumed again
# and again.
_NEVER = Event()


def drive(run: Run, store: Store, stop: Event, watch: StoreWatch | None = None) -> Ending:
    """Resume the run whenever a store has changed, its deadline has come, or `stop` is set. `store`
    is that of the run.

    When `stop` is set, the run decides when it ends. Runs in other threads may have the same
    `watch`.
    """
    watch = watch or StoreWatch()
    stores: tuple[Store, ...] = (store,)
    try:
        while True:
            # Before the run looks, so that a change in between is noticed.
            seen = {store: store.database.data_version() for store in stores}
            knows_of_stop = stop.is_set()
            wait = next(run)
            if {*wait.stores, *wait.rarely} == {*stores}:
                often, rarely = (
                    [(each, seen[each]) for each in some] for some in (wait.stores, wait.rarely)
                )
                _sleep(watch, wait, often, rarely, _NEVER if knows_of_stop else stop)
            stores = (*wait.stores, *wait.rarely)
    except StopIteration as ended:
        ending: Ending = ended.value
        return ending


def _sleep(watch: StoreWatch, wait: Wait, often: Seen, rarely: Seen, stop: Event) -> None:
    left = _seconds_left(wait)
    for _ in range(BUSY_LOOKS):
        if (left is not None and left <= 0) or any(
            store.database.data_version() != seen for store, seen in often
        ):
            return
        pause = BUSY_SECONDS if left is None else min(left, BUSY_SECONDS)
        # Not stop.wait, which takes half as much again of the processor.
        wait.qmgr.store.environment.clock.pause(pause)
        if stop.is_set():
            return
        left = None if left is None else left - pause
    watch.wait(StoreWait(often, stop, left, rarely))


def _seconds_left(wait: Wait) -> float | None:
    """Seconds of real time until the deadline; None for a manual clock, whose moves change the
    store.
    """
    if wait.until is None or wait.qmgr.row().clock_at is not None:
        return None
    return (wait.until - wait.qmgr.waiting_time()) / MICROSECONDS


# Runs a channel, whichever end it is, until the run ends.


def run_channel(qmgr: QueueManager, name: str, settings: RunSettings) -> Run:
    """Run a channel until it ends.

    MQError when the run does not begin: 4032 for a channel that does not exist, 4041 for a type
    that cannot be started, 4031 (ChannelInUseError) while another program runs it, 2059 unless the
    queue manager runs.
    """
    definition = _startable(qmgr, name)
    if definition["CHLTYPE"] == REQUESTER:
        return (yield from request(qmgr, name, definition, settings))
    return (yield from send(qmgr, name, definition, settings))


def _startable(qmgr: QueueManager, name: str) -> Mapping[str, Stored]:
    refuse_if(not qmgr.is_running, MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)
    definition = definition_of(qmgr, name)
    refuse_if(not definition, MQRCCF.CHANNEL_NOT_FOUND, name)
    type = definition["CHLTYPE"]
    refuse_if(
        type not in RUN_HERE or (type == "SVR" and not definition["CONNAME"]),
        MQRCCF.WRONG_CHANNEL_TYPE,
        name,
    )
    return definition


# PING CHANNEL: find the partner and look at its end of the channel, without a trace at either end.


def ping(qmgr: QueueManager, name: str) -> str:
    """Why the partner does not answer: the message with its id; blank when it answers.

    MQError 2059, 4032 when the channel is missing, 4041 for a type that makes no calls, 4031 while
    it is active.
    """
    definition = commands.check_ping(qmgr, name)
    if faults.is_down(qmgr, name):
        return unreachable(str(definition["CONNAME"]))
    try:
        with found_partner(qmgr, str(definition["CONNAME"])) as partner:
            return answer_of(
                partner.qmgr,
                name,
                str(definition["CHLTYPE"]),
                qmgr.name,
                partner.address,
            )
    except ChannelEndedError as error:
        return error.sender
    except (MQError, StoreError) as error:
        return text("AMQ9202E", partner=definition["CONNAME"], detail=str(error).rstrip("."))


def answer_of(partner: QueueManager, name: str, type: str, caller: str, address: str) -> str:
    """Why a partner that was found refuses a call from that type of channel; blank when it does
    not.
    """
    if not partner.is_running:
        return text("AMQ9524E", name=name, partner=partner.name)
    called = definition_of(partner, name)
    if not called:
        # A start of the channel may define the receiver.
        defines = partner.store.read(queue_events.switch, partner.name, "CHAD") == "ENABLED"
        return "" if defines else text("AMQ9520E", name=name)
    if not may_call(type, str(called["CHLTYPE"])):
        return text(
            "AMQ9547E",
            name=name,
            detail=f"{type} here, {called['CHLTYPE']} at the partner",
        )
    own = [
        instance for instance in status.instances(partner, name) if instance.partner in ("", caller)
    ]
    if any(each.status == MQCHS.STOPPED for each in own):
        return text("AMQ9558E", name=name, partner=address)
    return ""


# A requester: a server sends on its connection, a sender calls back by its own CONNAME.

REQUESTER = "RQSTR"
_CALLED_BACK = ("SVR", "SDR")


def request(
    qmgr: QueueManager,
    name: str,
    definition: Mapping[str, Stored],
    settings: RunSettings,
) -> Run:
    """Run a requester: a server sends on its connection, a sender calls back by its own CONNAME."""
    end = ChannelEnd(qmgr, name, RECEIVER, definition, settings.report)
    end.claim(MQCHS.REQUESTING, start_figures(end, "CHLTYPE", "CONNAME"))
    starting = text("AMQ9002I", name=name)
    try:
        end.report(starting)
        end.record("starting", starting)
        with found_partner(qmgr, str(definition["CONNAME"])) as partner:
            sender = _startable_partner(partner, name)
            end.forget()
            called_by = qmgr if sender["CHLTYPE"] == "SVR" else None
            return (yield from send(partner.qmgr, name, sender, settings, called_by))
    except (ChannelEndedError, MQError, StoreError) as error:
        address = definition["CONNAME"]
        unavailable = text("AMQ9202E", partner=address, detail=str(error).rstrip("."))
        message = error.sender if isinstance(error, ChannelEndedError) else unavailable
        end.report(message)
        end.report(text("AMQ9999E", name=name, partner=address))
        end.record("failed", message)
        return Ending(MQCHS.INACTIVE, message, failed=True)
    finally:
        with suppress(MQError, StoreError):
            end.forget()
        end.let_go()


def _startable_partner(partner: Partner, name: str) -> Mapping[str, Stored]:
    if not partner.qmgr.is_running:
        raise ChannelEndedError(text("AMQ9524E", name=name, partner=partner.qmgr.name))
    definition = definition_of(partner.qmgr, name)
    if not definition:
        raise ChannelEndedError(text("AMQ9520E", name=name))
    if definition["CHLTYPE"] not in _CALLED_BACK:
        raise ChannelEndedError(
            text(
                "AMQ9547E",
                name=name,
                detail=f"{REQUESTER} here, {definition['CHLTYPE']} at the partner",
            ),
        )
    return definition


# Threads that wait for stores to change: one of them watches for all, so that ten idle channels
# cost little more.
#
# The first that waits is the watcher. When its wait is over, another becomes the watcher.

# So rarely that it costs little, so often that a message still crosses an idle channel within 50
# ms.
LOOK_SECONDS = 0.035
# Some stores are looked at only about once a second: every so many looks.
RARELY = 28
Seen = Sequence[tuple["Store", int]]


class StoreWait:
    """One wait: until one of `seen`, or some time later of `rarely`, has another version, or `stop`
    is set.

    `seconds` of real time are its limit, None for no limit.
    """

    def __init__(self, seen: Seen, stop: Event, seconds: float | None, rarely: Seen = ()) -> None:
        self.seen = seen
        self.rarely = rarely
        self.stop = stop
        self.is_over = False
        self._until = None if seconds is None else elapsed_real_seconds() + seconds
        # Locked while nobody has woken the thread. A plain lock costs less than an Event.
        self._awake = threading.Lock()
        self._awake.acquire()

    @property
    def left(self) -> float | None:
        """Seconds until the limit; None for no limit."""
        return None if self._until is None else self._until - elapsed_real_seconds()

    def sleep(self) -> None:
        """Sleep until wake(), at most until the limit."""
        left = self.left
        if left is None:
            self._awake.acquire()
        elif left > 0:
            self._awake.acquire(timeout=min(left, threading.TIMEOUT_MAX))

    def wake(self) -> None:
        """End the sleep, from any thread."""
        with suppress(RuntimeError):  # woken before
            self._awake.release()


class StoreWatch:
    """The waits of the threads of this process."""

    def __init__(self) -> None:
        # Held during a look, so that no thread closes a store during it.
        self._lock = threading.Lock()
        self._waits: dict[StoreWait, None] = {}
        self._watcher: StoreWait | None = None
        self._known: dict[Store, tuple[Stamp, int]] = {}
        self._looks = 0

    def wait(self, waits: StoreWait) -> None:
        """Wait in the calling thread."""
        with self._lock:
            self._waits[waits] = None
            self._watcher = self._watcher or waits
        try:
            while not waits.is_over and ((left := waits.left) is None or left > 0):
                if self._watcher is waits:
                    clock = waits.seen[0][0].environment.clock
                    clock.pause(LOOK_SECONDS if left is None else min(left, LOOK_SECONDS))
                    self._look()
                else:
                    waits.sleep()
        finally:
            self._end(waits)

    def _end(self, waits: StoreWait) -> None:
        with self._lock:
            del self._waits[waits]
            if self._watcher is waits:
                self._watcher = next(iter(self._waits), None)
                if self._watcher is not None:
                    self._watcher.wake()

    def _look(self) -> None:
        """Wake the threads whose stores have changed."""
        with self._lock:
            self._looks += 1
            versions: dict[Store, int | None] = {}
            for wait in self._waits:
                looked_at = [*wait.seen, *wait.rarely] if self._looks % RARELY == 0 else wait.seen
                if wait.stop.is_set() or any(
                    self._version(store, versions) != seen for store, seen in looked_at
                ):
                    wait.is_over = True
                    wait.wake()
            self._known = {
                store: known for store, known in self._known.items() if store in versions
            }

    def _version(self, store: Store, versions: dict[Store, int | None]) -> int | None:
        """The version of a store, asked once a look; None if it cannot be said: its thread finds
        out why.
        """
        if store not in versions:
            # Before the store is asked, so that a write in between changes it.
            stamp = settled_stamp(store.path)
            known = self._known.get(store)
            if stamp is not None and known is not None and known[0] == stamp:
                versions[store] = known[1]
                return known[1]
            try:
                version = versions[store] = store.database.data_version()
            except (MQError, StoreError):
                versions[store] = None
            else:
                self._known.pop(store, None)
                if stamp is not None:
                    self._known[store] = (stamp, version)
        return versions[store]

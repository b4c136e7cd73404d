"""The channel initiators of a queue manager, as `runmqchi` and `mqsc serve` run them."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event

from mqsc.agents.channel_initiator import APPLICATION, ChannelInitiator
from mqsc.agents.channel_threads import ChannelThreads
from mqsc.agents.trigger_monitor import QUEUE_MANAGER_ENDED
from mqsc.channels.store_watch import StoreWait, StoreWatch
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel import starts
from mqsc.store.admin.channel.starts import InitiationQueues
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError, StoreError

# A program that was killed changes nothing in the store, and the cheap check of a change does not
# notice new initiation queues.
LOOK_SECONDS = 1.0
# The queue manager is gone, or not there yet.
_AWAY = QUEUE_MANAGER_ENDED | {MQRC.Q_MGR_NAME_ERROR}
_NOT_TRIGGER_MESSAGES = 0
Report = Callable[[str], None]


class ChannelService:
    """Runs the channels of a queue manager in threads of this program until `stop` is set.

    `report` is called from any of the threads, with every message of the channels and everything
    that is in the way. The services of several queue managers may have the same `watch`.
    """

    def __init__(self, qmgr: QueueManager, report: Report, stop: Event, watch: StoreWatch) -> None:
        self._qmgr = qmgr
        self._report = report
        self._stop = stop
        self._watch = watch
        self._threads = ChannelThreads(qmgr, report, stop, watch)
        self._refused: dict[str, int] = {}

    def opened(self, connection: Connection, queue: str) -> ChannelInitiator:
        """An initiator that reads the queue; MQError when it cannot."""
        return ChannelInitiator(connection, queue, self._threads.start, self._report)

    def run_one(self, initiator: ChannelInitiator) -> None:
        """Let the initiator look until the queue manager ends, or `stop` is set; MQError when a
        call fails.
        """
        try:
            self._look([initiator], lambda: False)
        except MQError as error:
            if error.reason not in QUEUE_MANAGER_ENDED:
                raise
        finally:
            self._stop.set()
            self._threads.join()

    def run_all(self) -> None:
        """Read the initiation queues of all channels, whenever the queue manager runs."""
        while not self._stop.is_set():
            try:
                if self._qmgr.is_running:
                    with self._qmgr.connect(APPLICATION) as connection:
                        self._attend(connection)
            except MQError as error:
                if error.reason not in _AWAY:
                    self._refuse("", int(error.reason), error_text(error))
            except StoreError as error:
                self._report(f"{self._qmgr.name}: the channel initiator ends: {error}")
                break
            self._stop.wait(LOOK_SECONDS)
        self._threads.join()

    def _attend(self, connection: Connection) -> None:
        opened: dict[str, ChannelInitiator] = {}
        while not self._stop.is_set():
            queues = starts.initiation_queues(self._qmgr)
            known = {"", *queues.read, *queues.left}
            self._refused = {
                name: reason for name, reason in self._refused.items() if name in known
            }
            for name in {*opened} - {*queues.read}:
                opened.pop(name).close()
            for name in queues.read:
                if name not in opened:
                    self._open(connection, name, opened)
            for name in queues.left:
                self._refuse(
                    name,
                    _NOT_TRIGGER_MESSAGES,
                    "it has messages that are not trigger messages",
                )
            self._look([*opened.values()], partial(self._queues_have_changed, queues))

    def _queues_have_changed(self, queues: InitiationQueues) -> bool:
        refused = {*self._refused} - {*queues.left}
        return bool(refused) or starts.initiation_queues(self._qmgr) != queues

    def _open(self, connection: Connection, name: str, opened: dict[str, ChannelInitiator]) -> None:
        try:
            opened[name] = self.opened(connection, name)
        except MQError as error:
            if error.reason in _AWAY:
                raise
            self._refuse(name, int(error.reason), error_text(error))
            return
        self._refused.pop(name, None)
        self._refused.pop("", None)

    def _refuse(self, name: str, reason: int, why: str) -> None:
        """Report, once, why channels are not started."""
        if self._refused.get(name) != reason:
            self._refused[name] = reason
            of_queue = f" of {name}" if name else ""
            self._report(f"{self._qmgr.name}: channels{of_queue} are not started here: {why}")

    def _look(self, initiators: Sequence[ChannelInitiator], changed: Callable[[], bool]) -> None:
        """Let the initiators look whenever a change of the store concerns them, a retry is due,
        or a second has passed, until `changed` or `stop`.
        """
        store = self._qmgr.store
        queues = [initiator.name for initiator in initiators]
        while not self._stop.is_set():
            seen = store.database.data_version()
            concerns = partial(starts.may_be_due, self._qmgr, queues, self._qmgr.row().run)
            retries = [at for initiator in initiators if (at := initiator.look()) is not None]
            seconds = self._seconds_until(min(retries, default=None))
            wait = StoreWait([(store, seen)], self._stop, seconds, concerns=concerns)
            self._watch.wait(wait)
            if changed():
                return

    def _seconds_until(self, retry_at: int | None) -> float:
        """Seconds of real time until a retry is due, at most LOOK_SECONDS."""
        if retry_at is None or self._qmgr.row().clock_at is not None:
            return LOOK_SECONDS
        return min(LOOK_SECONDS, (retry_at - self._qmgr.now()) / MICROSECONDS)

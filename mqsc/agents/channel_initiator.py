"""The channel initiator, and the threads in which channels run.

It is an ordinary MQI program. Its decisions are one step, `look`, so that tests need no thread.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread

from mqsc.agents.trigger_monitor import QUEUE_MANAGER_ENDED
from mqsc.channels.attempt import RunSettings
from mqsc.channels.driver import StoreWait, StoreWatch, drive, run_channel
from mqsc.channels.end import text
from mqsc.console.text.messages import get_or_none
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel import commands, starts, status
from mqsc.store.admin.channel.starts import InitiationQueues
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS, MQGMO, MQOO, MQRC
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.error import ChannelInUseError, MQError, StoreError
from mqsc.store.headers import layout, mqtm
from mqsc.store.headers.mqtm import TriggerMessage
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.rules.channel import triggered_start
from mqsc.store.sqlite.database import Reading

APPLICATION = "runmqchi"
DEFAULT_QUEUE = status.INITIATION_QUEUE
_FIRST, _NEXT, _GET = (
    GetMessageOptions(int(each | MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING))
    for each in (MQGMO.BROWSE_FIRST, MQGMO.BROWSE_NEXT, MQGMO.MSG_UNDER_CURSOR)
)


class ChannelInitiator:
    """An initiator with its initiation queue open; opening it can itself cause trigger messages
    (occasion O-OPEN).

    `start` is called with the channels to start, also with one that it has not got to start yet.
    """

    def __init__(
        self,
        connection: Connection,
        queue: str,
        start: Callable[[str], None],
        report: Callable[[str], None],
    ) -> None:
        """Raises MQError: 2085 when there is no such queue, 2042 when another initiator reads
        it, 2092 for an XMITQ.
        """
        self._qmgr = connection.qmgr
        self._name = queue
        self._start = start
        self._report = report
        with Reading(connection.qmgr.store.database) as reading:
            if commands.usage_of(reading, connection.qmgr.name, queue) == "XMITQ":
                # Nobody could send its messages while it is open here.
                raise MQError(MQRC.XMIT_Q_USAGE_ERROR, queue)
        self._queue = connection.open(
            queue,
            MQOO.INPUT_EXCLUSIVE | MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING,
            dynamic_name=None,
        )
        self._leaves_some = False

    def close(self) -> None:
        """Close the initiation queue, so that another initiator can read it."""
        self._queue.close()

    def look(self) -> int | None:
        """Start the channels that are due; return when the next retry is due (microseconds UTC),
        None for no retry.

        MQError when a call fails: 2016 when gets are inhibited, 2009 or 2161 when the queue manager
        ends.
        """
        while (message := self._next()) is not None:
            self._obey(message)
        due = starts.due(self._qmgr, self._name)
        for name in due.channels:
            self._start(name)
        return due.next_retry

    def _next(self) -> TriggerMessage | None:
        """Get the next trigger message. All other messages are left on the queue."""
        browsed = get_or_none(self._queue, _FIRST)
        if browsed is None:
            self._leaves_some = False
        while browsed is not None:
            message = _trigger_message(browsed)
            if message is not None:
                return None if get_or_none(self._queue, _GET) is None else message
            self._leave()
            # An application may have put many.
            if not starts.has_trigger_message(self._qmgr, self._name):
                return None
            browsed = get_or_none(self._queue, _NEXT)
        return None

    def _leave(self) -> None:
        if not self._leaves_some:
            self._leaves_some = True
            self._say(f"{self._name} has messages that are not trigger messages; they stay there")

    def _obey(self, message: TriggerMessage) -> None:
        """Start the channel of a trigger message. A message that starts no channel is dropped,
        as in IBM MQ.
        """
        queue, data, user_data = (
            _text(each) for each in (message.q_name, message.trigger_data, message.user_data)
        )
        name = starts.triggered(self._qmgr, queue, data, user_data)
        if not name:
            self._say(f"AMQ9519E: No channel has XMITQ({queue}); the trigger message was dropped")
        elif not starts.is_startable(self._qmgr, name):
            self._say(f"{text('AMQ9519E', name=name)} The trigger message of {queue} was dropped")
        elif triggered_start.starts(self._status(name)):
            self._say(f"{queue} triggers channel {name}")
            self._start(name)

    def _status(self, name: str) -> MQCHS:
        statuses = (
            instance.status
            for instance in status.instances(self._qmgr, name)
            if not instance.partner
        )
        return next(statuses, MQCHS.INACTIVE)

    def _say(self, sentence: str) -> None:
        self._report(f"{self._qmgr.name}: {sentence}")


def _trigger_message(message: Message) -> TriggerMessage | None:
    descriptor = message.descriptor
    try:
        return mqtm.unpack_mqtm(message.body, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError:
        return None


def _text(field: str) -> str:
    """A text field ends at a NUL, as everywhere in MQ."""
    return field.partition("\0")[0].strip()


# The channel initiators of a queue manager, as `runmqchi` and `mqsc serve` run them.

# A program that was killed changes nothing in the store.
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
        """Let the initiators look whenever the store changes or a retry is due, until `changed`
        or `stop`.
        """
        database = self._qmgr.store.database
        while not self._stop.is_set():
            seen = database.data_version()
            retries = [at for initiator in initiators if (at := initiator.look()) is not None]
            self._pause(seen, min(retries, default=None))
            if changed():
                return

    def _pause(self, seen: int, retry_at: int | None) -> None:
        seconds = LOOK_SECONDS
        if retry_at is not None and self._qmgr.row().clock_at is None:
            seconds = min(seconds, (retry_at - self._qmgr.now()) / MICROSECONDS)
        self._watch.wait(StoreWait([(self._qmgr.store, seen)], self._stop, seconds))


# Channels that run in threads of this program, one thread for each.

# How long the channels may take to complete their batches when the program ends, and then to give
# them up.
PATIENCE_SECONDS = 5.0


class ChannelThreads:
    """The channels of one queue manager that this program runs. `stop` ends all of them, after
    their batches.

    `report` is called from the threads, with every message of the channels.
    """

    def __init__(
        self,
        qmgr: QueueManager,
        report: Callable[[str], None],
        stop: Event,
        watch: StoreWatch,
    ) -> None:
        self._qmgr = qmgr
        self._report = report
        self._stop = stop
        self._watch = watch
        self._lock = Lock()
        self._threads: dict[str, Thread] = {}

    def start(self, name: str) -> None:
        """Run the channel, unless it runs already."""
        with self._lock:
            if name in self._threads or self._stop.is_set():
                return
            thread = Thread(target=self._run, args=(name,), name=f"channel {name}", daemon=True)
            self._threads[name] = thread
        thread.start()

    @property
    def running(self) -> list[str]:
        with self._lock:
            return sorted(self._threads)

    def join(self) -> None:
        """Wait for all channels to end; those that take long are asked to end at once."""
        if not self._ended_within(PATIENCE_SECONDS):
            for name in self.running:
                with suppress(MQError, StoreError):
                    status.change(self._qmgr, name, "", requested=("FORCE", status.INACTIVE))
            self._ended_within(PATIENCE_SECONDS)

    def _ended_within(self, seconds: float) -> bool:
        until = elapsed_real_seconds() + seconds
        with self._lock:
            threads = [*self._threads.values()]
        for thread in threads:
            thread.join(max(0.0, until - elapsed_real_seconds()))
        return not self.running

    def _run(self, name: str) -> None:
        qmgr = self._qmgr
        try:
            settings = RunSettings(report=self._report, stop=self._stop.is_set)
            drive(run_channel(qmgr, name, settings), qmgr.store, self._stop, self._watch)
        except ChannelInUseError:
            # Another program was faster.
            pass
        except (MQError, StoreError) as error:
            self._report(f"{qmgr.name}: channel {name} could not be started: {error_text(error)}")
            # No other program would try the start again.
            with suppress(MQError, StoreError):
                status.forget(qmgr, name, "")
        finally:
            with self._lock:
                del self._threads[name]

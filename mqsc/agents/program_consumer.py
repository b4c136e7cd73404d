"""A consumer that runs a program for each message."""

import select
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

from msgspec import Struct

from mqsc.agents.message_programs import CannotStartError, MessagePrograms, ProgramFailedError
from mqsc.agents.trigger_monitor import environment_of
from mqsc.console.getting import AS_PUT
from mqsc.store.client.connection import Connection
from mqsc.store.client.consumer import Consumer
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.message import Message

# How often a consumer that is to end is woken: it may be about to wait.
WAKE_SECONDS = 0.05
Reporter = Callable[[str], None]


class ConsumerSettings(Struct, frozen=True):
    """What to run for the messages of `queue`; `timeout` is in seconds of real time, `wait` in
    milliseconds.

    `limit` is the most messages in all, `batch` the most in a unit of work, `concurrency` the
    number of consumers.
    """

    queue: str
    words: Sequence[str]
    timeout: float | None = None
    limit: int | None = None
    wait: int = 0
    batch: int = 1
    concurrency: int = 1
    shell: bool = False
    selector: str = ""


class ClosedOutputError(Exception):
    """Nobody reads the output of the programs, which therefore fail."""


class ProgramConsumers:
    """Consumers of a queue, all open, and how many messages were processed, backed out, moved and
    discarded.

    `report` is called with a sentence about each message that is backed out, from any thread.
    """

    def __init__(self, qmgr: QueueManager, settings: ConsumerSettings, report: Reporter) -> None:
        """Raises MQError when the queue cannot be opened."""
        self.counts: Counter[str] = Counter()
        self._report = report
        self._lock = Lock()
        self._fault: BaseException | None = None
        self._members: list[tuple[Connection, Consumer]] = []
        # The handles that receive the properties of the message at hand.
        self._properties: dict[Consumer, MessageHandle] = {}
        common: dict[str, Any] = {
            "wait": settings.wait,
            "batch": settings.batch,
            "selection": settings.selector,
        }
        common["property_control"] = AS_PUT
        try:
            for limit in _shares(settings.limit, settings.concurrency):
                connection = qmgr.connect("mqsc consume")
                properties = connection.create_message_handle()
                consumer = connection.consumer(
                    settings.queue,
                    limit=limit,
                    message_handle=properties,
                    **common,
                )
                self._members.append((connection, consumer))
                self._properties[consumer] = properties
        except BaseException:
            self.close()
            raise
        self._programs = MessagePrograms(
            settings.words,
            environment_of(self._members[0][0]),
            timeout=settings.timeout,
            shell=settings.shell,
        )

    def run(self, stop: Event, stop_now: Event) -> None:
        """Process messages until all consumers have ended.

        `stop` ends them after the programs that are running, `stop_now` ends those, too. Raises the
        first exception that ended a consumer: MQError (2362 for a message that is kept),
        CannotStartError, ClosedOutputError.
        """
        threads = [
            Thread(target=self._consume, args=(*member, stop), daemon=True)
            for member in self._members
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(WAKE_SECONDS)
                if stop_now.is_set():
                    self._programs.end_all()
                if stop.is_set() or self._fault is not None:
                    self._stop_consumers()
        for _, consumer in self._members:
            self.counts["processed"] += consumer.committed
            for action, number in consumer.moved.items():
                self.counts[action.value] += number
        if self._fault is not None:
            raise self._fault

    def _stop_consumers(self) -> None:
        for _, consumer in self._members:
            consumer.stop()

    def _consume(self, connection: Connection, consumer: Consumer, stop: Event) -> None:
        def deliver(message: Message) -> None:
            try:
                self._programs.process(message, consumer.queue, self._properties[consumer])
            except CannotStartError:
                # Before the message goes back, so that the others do not get it and raise its count
                # once more.
                self._stop_consumers()
                raise
            finally:
                # The main thread notices only after a while; until then another program would
                # start.
                if stop.is_set():
                    consumer.stop()

        try:
            consumer.listen(deliver, self._failed)
            connection.disconnect()
        except BaseException as fault:
            with self._lock:
                self._fault = self._fault or fault
            with suppress(Exception):
                connection.abend()

    def _failed(self, message: Message, error: Exception) -> None:
        """Report a program that failed; anything else ends the consumer."""
        with self._lock:
            self.counts["failed"] += 1
        if not isinstance(error, ProgramFailedError):
            raise error
        self._report(f"message {message.descriptor.msg_id.hex().upper()} was backed out: {error}")
        if _stdout_is_closed():
            raise ClosedOutputError

    def close(self) -> None:
        """End the connections that are left."""
        for connection, _ in self._members:
            if connection.is_connected:
                with suppress(Exception):
                    connection.abend()


def _shares(limit: int | None, concurrency: int) -> list[int | None]:
    """The limit of each consumer. They add up, so that none gets a message that it would have to
    return.
    """
    if limit is None:
        return [None] * concurrency
    share, rest = divmod(limit, concurrency)
    return [share + (number < rest) for number in range(min(limit, concurrency))]


def _stdout_is_closed() -> bool:
    """Whether nobody reads standard output any more: SIGPIPE then ends programs that write
    there.
    """
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)
    except (OSError, ValueError):
        return False
    return any(event & select.POLLERR for _, event in poll.poll(0))

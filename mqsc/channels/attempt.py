"""One attempt to run a channel, and its settings."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct

from mqsc.channels import binding, run_failures
from mqsc.channels.end import SENDER, ChannelEnd, Reporter, start_figures, text
from mqsc.channels.end_of_run import Endings, retry_attributes
from mqsc.channels.link import Link, StepHook
from mqsc.channels.partner import Partner, found_partner
from mqsc.channels.receiver import Receiver
from mqsc.channels.run_failures import ChannelEndedError, StoppedError
from mqsc.channels.sender import Sender, SenderSettings
from mqsc.channels.steps import Run, Wait
from mqsc.channels.sync_record import SyncRecords
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel import commands, run_events
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS, MQOO, MQRC, MQRCCF
from mqsc.store.engine import channel_event, queue_events
from mqsc.store.engine.definitions import Attributes
from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.channel.averages import is_monitored
from mqsc.store.rules.channel.retries import RetriesLeft, all_retries

# A run that ends gives up its status before it closes the transmission queue: the next one waits so
# long for that.
HANDOVER_SECONDS = 0.25


def _opened(connection: Connection, queue: str, options: int) -> ObjectHandle:
    deadline = elapsed_real_seconds() + HANDOVER_SECONDS
    while True:
        try:
            return connection.open(queue, options, dynamic_name=None)
        except MQError as error:
            if error.reason != MQRC.OBJECT_IN_USE or elapsed_real_seconds() >= deadline:
                raise
        pause_a_moment()


def send(
    qmgr: QueueManager,
    name: str,
    definition: Attributes,
    settings: RunSettings,
    caller: QueueManager | None = None,
) -> Run:
    """Run a sending end. `caller` is the queue manager of a requester that waits for the
    messages of a server.
    """
    end = ChannelEnd(qmgr, name, SENDER, definition, settings.report)
    end.stop_requested = settings.stop
    words = ("CHLTYPE", "CONNAME", "XMITQ", "BATCHSZ", "HBINT", "NPMSPEED")
    instance = end.claim(MQCHS.BINDING, start_figures(end, *words, SUBSTATE="NETCONNECT"))
    every, figures = all_retries(retry_attributes(definition)), instance.figures
    # Those that earlier attempts have left.
    retries = RetriesLeft(
        int(figures.get("SHORTRTS", every.short)),
        int(figures.get("LONGRTS", every.long)),
    )
    attempt = _Attempt(end, settings, retries, caller)
    starting = text("AMQ9002I", name=name)
    try:
        end.report(starting)
        end.record("starting", starting)
        return (yield from attempt.run())
    except BaseException:
        # The program ends, or has an error: no program runs the channel any more.
        with suppress(MQError, StoreError):
            end.forget()
        raise
    finally:
        attempt.let_go()


class _Attempt:
    """One attempt to run a sending end, and its end."""

    def __init__(
        self,
        end: ChannelEnd,
        settings: RunSettings,
        retries: RetriesLeft,
        caller: QueueManager | None,
    ) -> None:
        self._end = end
        self._settings = settings
        self._caller = caller
        self._endings = Endings(end, retries)

    def run(self) -> Run:
        """Run the channel, and change the status of both ends when it has ended."""
        end, left = self._end, self._endings.retries
        end.show(MQCHS.BINDING, SHORTRTS=left.short, LONGRTS=left.long)
        try:
            with binding.connected(end.qmgr) as connection:
                end.connection = connection
                try:
                    message = yield from self._session(connection)
                except (StoppedError, ChannelEndedError, MQError, StoreError) as error:
                    # Before the transmission queue is closed, because that may cause a trigger,
                    # which an active channel would ignore.
                    with suppress(MQError, StoreError):
                        connection.back()
                    return self._endings.broken(error)
                return self._endings.ended(message)
        except (MQError, StoreError) as error:
            return self._endings.broken(error)

    def let_go(self) -> None:
        """Note that this process no longer runs the two ends."""
        for end in (self._end, self._endings.receiver_end):
            if end is not None:
                end.let_go()

    @contextmanager
    def _partner(self) -> Iterator[Partner]:
        if self._caller is not None:
            yield Partner(self._caller, f"local({self._caller.name})")
            return
        with found_partner(self._end.qmgr, self._endings.address) as partner:
            yield partner

    def _session(self, connection: Connection) -> Generator[Wait, None, str]:
        """Bind the two ends and send; the message about the normal end."""
        queue = self._transmission_queue(connection)
        with self._partner() as partner:
            self._endings.address = partner.address
            try:
                return (yield from self._conversation(connection, queue, partner))
            except (StoppedError, ChannelEndedError, MQError, StoreError) as error:
                # Before the partner's store is closed.
                self._endings.receiver_failed(error)
                raise

    def _conversation(
        self,
        connection: Connection,
        queue: ObjectHandle,
        partner: Partner,
    ) -> Generator[Wait, None, str]:
        end = self._end
        link = Link(end, partner.address, partner.qmgr.store, self._settings.hook)
        with binding.called_end(end, partner, self._settings.report) as self._endings.receiver_end:
            with binding.receiver_of(self._endings.receiver_end, link, end) as receiver:
                self._endings.sender = self._bound(connection, queue, link, receiver)
                message = yield from self._endings.sender.run()
            self._endings.receiver_ended(message)
        return message

    def _bound(
        self,
        connection: Connection,
        queue: ObjectHandle,
        link: Link,
        receiver: Receiver,
    ) -> Sender:
        """The sending end, when both ends have agreed and a batch in doubt is resolved."""
        end, other = self._end, receiver.end
        agreement = binding.agreed(end, other)
        binding.resynchronize(end, connection, receiver)
        records = SyncRecords(connection, end, other.identity)
        record = binding.begin_numbers(end, connection, records, receiver)
        ccsid = binding.partner_ccsid(end.definition, other.qmgr)
        retries = all_retries(retry_attributes(end.definition))
        until_empty, monitored = self._settings.until_empty, self._is_monitored()
        settings = SenderSettings(
            agreement,
            until_empty,
            ccsid,
            monitored,
            retries,
            self._conversion_failed,
        )
        sender = Sender(end, connection, queue, link, receiver, records, record, settings)
        binding.show_bound(end, other.qmgr.name, agreement, record, link, sender.luwid)
        binding.show_bound(other, end.qmgr.name, agreement, receiver.record, link, sender.luwid)
        self._endings.is_bound = True
        for each in (end, other):
            run_events.raise_event(each.qmgr, channel_event.started, self._endings.event_end(each))
        return sender

    def _transmission_queue(self, connection: Connection) -> ObjectHandle:
        """The queue, open for the channel only; ChannelEndedError when it cannot be, or has
        another USAGE or type.
        """
        options = MQOO.INPUT_EXCLUSIVE | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
        qmgr, name = self._end.qmgr, self._end.queue
        usage = qmgr.store.read(commands.usage_of, qmgr.name, name)
        if usage not in ("", "XMITQ"):
            # Messages of applications have no transmission header, so the channel would dead-letter
            # them.
            failed = text("AMQ9531E", detail=f"{name} has USAGE({usage})")
            raise ChannelEndedError(failed, reason=int(MQRCCF.NOT_XMIT_Q))
        try:
            return _opened(connection, self._end.queue, options)
        except MQError as error:
            if error.reason in run_failures.QUEUE_MANAGER_ENDS:
                raise
            detail = error_text(error).rstrip(".")
            failed = text("AMQ9509E", object=self._end.queue, detail=detail)
            raise ChannelEndedError(failed, reason=int(error.reason)) from error

    def _is_monitored(self) -> bool:
        qmgr = self._end.qmgr
        of_manager = qmgr.store.read(queue_events.switch, qmgr.name, "MONCHL")
        return is_monitored(str(self._end.definition["MONCHL"]), of_manager)

    def _conversion_failed(self, reason: int, format: str) -> None:
        about = self._endings.event_end(self._end), reason, format
        run_events.raise_event(self._end.qmgr, channel_event.conversion_failed, *about)


class RunSettings(Struct, frozen=True):
    """How a channel is run.

    `until_empty`: end when the transmission queue is empty. `report` is called with every message
    of either end; `hook` at every step of a batch. `stop` says whether the program is to end: the
    channel then ends after its batch.
    """

    until_empty: bool = False
    report: Reporter = lambda message: None
    hook: StepHook = lambda step, number: None
    stop: Callable[[], bool] = lambda: False

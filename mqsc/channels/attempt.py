"""One attempt to run a channel, its settings, and its end: the messages, events and status of
both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress

from msgspec import Struct

from mqsc.channels import binding, link
from mqsc.channels.end import SENDER, ChannelEnd, Reporter, start_figures, text
from mqsc.channels.link import (
    ChannelEndedError,
    Link,
    Partner,
    Run,
    StepHook,
    StoppedError,
    Wait,
    found_partner,
)
from mqsc.channels.receiver import Receiver
from mqsc.channels.sender import Sender, SenderSettings
from mqsc.channels.sync_record import SyncRecords
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel import commands, run_events, status
from mqsc.store.catalog import Stored
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS, MQOO, MQRC, MQRCCF, MQRQ
from mqsc.store.engine import channel_event, queue_events
from mqsc.store.engine.channel_event import Cause, EventEnd
from mqsc.store.engine.definitions import Attributes
from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.channel.averages import is_monitored
from mqsc.store.rules.channel.retries import RetriesLeft, RetryAttributes, all_retries, next_retry
from mqsc.store.sqlite.database import Reading

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
            if error.reason in link.QUEUE_MANAGER_ENDS:
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


# The end of a run.

Failure = link.StoppedError | link.ChannelEndedError | MQError | StoreError
_RETRY_WORDS = ("SHORTRTY", "SHORTTMR", "LONGRTY", "LONGTMR")


def retry_attributes(definition: Mapping[str, Stored]) -> RetryAttributes:
    return RetryAttributes(*(int(str(definition[word])) for word in _RETRY_WORDS))


class Endings:
    """The endings of one attempt, which says here how far it came.

    `address` is that of the partner, `receiver_end` and `sender` what the attempt has made so far.
    `retries` are those that earlier attempts have left.
    """

    def __init__(self, end: ChannelEnd, retries: RetriesLeft) -> None:
        self._end = end
        self.retries = retries
        self.address = str(end.definition["CONNAME"])
        self.receiver_end: ChannelEnd | None = None
        self.sender: Sender | None = None
        self.is_bound = False

    def broken(self, error: Failure) -> link.Ending:
        """The sending end has ended because of an error, or of a stop that does not wait."""
        end = self._end
        if isinstance(error, link.StoppedError):
            return self._stopped(text("AMQ9528W", name=end.channel), at_once=True)
        return self._failed(_as_ended(end, error))

    def event_end(self, end: ChannelEnd) -> EventEnd:
        if end is self._end:
            return EventEnd(end.channel, self.address, end.queue)
        return EventEnd(end.channel, f"local({self._end.qmgr.name})")

    def _raise_stopped(self, end: ChannelEnd, qualifier: MQRQ, message: str = "") -> None:
        """The event about the end of an instance that had one about its start."""
        if self.is_bound:
            number = int(message[3:7]) if message else 0
            with suppress(MQError, StoreError):
                run_events.raise_event(
                    end.qmgr,
                    channel_event.stopped,
                    self.event_end(end),
                    qualifier,
                    Cause(number),
                )

    def receiver_ended(self, message: str) -> None:
        """The receiving end has ended normally."""
        end = self.receiver_end
        assert end is not None
        if message.startswith("AMQ9545I"):
            end.report(message)
        self._ended_normally(end)

    def _ended_normally(self, end: ChannelEnd) -> str:
        normal = text("AMQ9001I", name=end.channel)
        end.report(normal)
        end.record("ended", normal)
        self._raise_stopped(end, MQRQ.CHANNEL_STOPPED_OK)
        end.forget()
        return normal

    def receiver_failed(self, failure: Failure) -> None:
        """The receiving end has ended because of an error, or a command at either end."""
        end = self.receiver_end
        if end is None:
            return
        # A sender that is stopped does not say why.
        broken = link.LinkBrokenError(self.address, self._end.qmgr.name)
        error = broken if isinstance(failure, link.StoppedError) else _as_ended(self._end, failure)
        is_stop = isinstance(error, link.PartnerStoppedError)
        own = text("AMQ9528W", name=end.channel) if is_stop else error.receiver
        own = own or text("AMQ9208E", partner=self._end.qmgr.name)
        end.report(own)
        end.report(text("AMQ9999E", name=end.channel, partner=self._end.qmgr.name))
        with suppress(MQError, StoreError):
            end.record("stopped" if is_stop else "failed", own, reason=error.reason)
            if is_stop and end.status_after_stop() == MQCHS.STOPPED:
                end.show(MQCHS.STOPPED, SUBSTATE="", MCASTAT="NOT RUNNING", STOPREQ="NO")
            else:
                end.forget()
            self._raise_stopped(
                end,
                MQRQ.CHANNEL_STOPPED_DISABLED if is_stop else MQRQ.CHANNEL_STOPPED_ERROR,
                own,
            )

    def ended(self, message: str) -> link.Ending:
        """The sending end has ended normally, or because of a stop."""
        end = self._end
        if message.startswith("AMQ9528W"):
            return self._stopped(message, at_once=False)
        if message:
            end.report(message)
        normal = self._ended_normally(end)
        return link.Ending(MQCHS.INACTIVE, message or normal, failed=False)

    def _stopped(self, message: str, *, at_once: bool) -> link.Ending:
        end = self._end
        end.report(message)
        end.report(
            text("AMQ9999E" if at_once else "AMQ9001I", name=end.channel, partner=self.address),
        )
        self._note_doubt(message)
        end.record("stopped", message)
        self._raise_stopped(end, MQRQ.CHANNEL_STOPPED_DISABLED, message)
        status = end.status_after_stop()
        self._leave(status)
        return link.Ending(status, message, failed=False)

    def _quiesced(self, error: link.OwnManagerEndsError) -> link.Ending:
        """The queue manager of the sending end is ending: that is not a failure, and nothing is
        retried.
        """
        end = self._end
        end.report(error.sender)
        end.report(text("AMQ9001I", name=end.channel))
        with suppress(MQError, StoreError):
            self._note_doubt(error.sender)
            end.record("ended", error.sender, reason=error.reason)
            self._raise_stopped(end, MQRQ.CHANNEL_STOPPED_OK)
            end.forget()
        return link.Ending(MQCHS.INACTIVE, error.sender, failed=False)

    def _failed(self, error: link.ChannelEndedError) -> link.Ending:
        """The sending end has failed: it is retried if an initiator can do that, and retries are
        left.
        """
        if isinstance(error, link.OwnManagerEndsError):
            return self._quiesced(error)
        end, message = self._end, error.sender
        end.report(message)
        end.report(text("AMQ9999E", name=end.channel, partner=self.address))
        with suppress(MQError, StoreError):
            self._note_doubt(message)
        status, retry_at = self._status_after_failure()
        cause = {MQCHS.RETRYING: "retry", MQCHS.STOPPED: "stopped"}.get(status, "failed")
        detail = {} if retry_at is None else {"retry_at": retry_at, "attempt": self._failures()}
        with suppress(MQError, StoreError):
            end.record(cause, message, reason=error.reason, **detail)
            self._raise_stopped(
                end,
                MQRQ.CHANNEL_STOPPED_RETRY
                if status == MQCHS.RETRYING
                else MQRQ.CHANNEL_STOPPED_ERROR,
                message,
            )
            self._leave(status, retry_at)
        return link.Ending(status, message, failed=True, retry_at=retry_at)

    def _failures(self) -> int:
        """How many attempts have failed in a row."""
        return sum(all_retries(retry_attributes(self._end.definition))) - sum(self.retries)

    def _status_after_failure(self) -> tuple[MQCHS, int | None]:
        end = self._end
        if self.sender is not None and self.sender.got_through:
            self.retries = all_retries(retry_attributes(end.definition))
        with suppress(MQError, StoreError):
            if end.requested():
                return end.status_after_stop(), None
            with Reading(end.qmgr.store.database) as reading:
                initq = status.initiation_queue(reading, end.qmgr.name, end.queue)
                is_read = status.is_read(reading, end.qmgr.name, initq)
            if is_read:
                retry = next_retry(retry_attributes(end.definition), self.retries, end.qmgr.now())
                if retry is None:
                    return MQCHS.STOPPED, None
                self.retries = retry.left
                return MQCHS.RETRYING, retry.at
        return MQCHS.INACTIVE, None

    def _note_doubt(self, message: str) -> None:
        sender = self.sender
        if sender is not None:
            sender.interrupted()
            if sender.in_doubt:
                self._end.record("in-doubt", message, luwid=sender.in_doubt)

    def _leave(self, status: MQCHS, retry_at: int | None = None) -> None:
        """Give the sending end the status that it has from now on."""
        end = self._end
        if status == MQCHS.INACTIVE:
            end.forget()
            return
        left = {"SHORTRTS": self.retries.short, "LONGRTS": self.retries.long}
        figures: dict[str, int | str] = {
            "SUBSTATE": "",
            "MCASTAT": "NOT RUNNING",
            "STOPREQ": "NO",
            **left,
        }
        end.show(status, retry_at, **figures)


def _as_ended(
    end: ChannelEnd,
    error: link.ChannelEndedError | MQError | StoreError,
) -> link.ChannelEndedError:
    """The end of the channel; that of a call which failed at the sending end where no other
    message fits.
    """
    if isinstance(error, link.ChannelEndedError):
        return error
    if isinstance(error, MQError) and error.reason in link.QUEUE_MANAGER_ENDS:
        return link.OwnManagerEndsError(
            text("AMQ9542W", name=end.qmgr.name),
            reason=int(error.reason),
        )
    detail = error_text(error).rstrip(".")
    reason = int(error.reason) if isinstance(error, MQError) else 0
    name = (error.object_name if isinstance(error, MQError) else "") or end.queue
    return link.ChannelEndedError(text("AMQ9510E", object=name, detail=detail), reason=reason)

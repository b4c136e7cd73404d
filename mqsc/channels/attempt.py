"""One attempt to run a sending end: what happens from its start, and what its end means for its status."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mqsc.channels.batch import SenderSettings
from mqsc.channels.binding import (
    Call,
    agreed,
    begin_numbers,
    called_end,
    connected,
    receiver_of,
    resynchronize,
    show_bound,
)
from mqsc.channels.end import SENDER, ChannelEnd, start_figures
from mqsc.channels.faults import (
    ChannelEndedError,
    LinkBrokenError,
    OwnManagerEndsError,
    PartnerStoppedError,
    StoppedError,
)
from mqsc.channels.link import Link
from mqsc.channels.partner import Partner, found_partner
from mqsc.channels.receiver import Receiver
from mqsc.channels.sender import Sender
from mqsc.channels.settings import RunSettings
from mqsc.channels.sync_record import SyncRecords
from mqsc.channels.texts import text
from mqsc.channels.undeliverable import QUEUE_MANAGER_ENDS
from mqsc.channels.waits import Ending, Run, Wait
from mqsc.console.reason_text import error_text
from store.admin import channel_events, channel_status
from store.catalog import Stored
from store.constants import MQCHS, MQOO, MQRQ
from store.engine import event_messages
from store.engine.channel_event_messages import Cause
from store.engine.channel_event_messages import ChannelEnd as EventEnd
from store.error import MQError, StoreError
from store.rules.channel.averages import is_monitored
from store.rules.channel.retry import RetriesLeft, RetryAttributes, all_retries, next_retry
from store.sqlite.database import Reading

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle, QueueManager

_Failure = StoppedError | ChannelEndedError | MQError | StoreError
_RETRY_WORDS = ("SHORTRTY", "SHORTTMR", "LONGRTY", "LONGTMR")
_OK, _ERROR, _RETRY, _STOPPED = (
    MQRQ.CHANNEL_STOPPED_OK,
    MQRQ.CHANNEL_STOPPED_ERROR,
    MQRQ.CHANNEL_STOPPED_RETRY,
    MQRQ.CHANNEL_STOPPED_DISABLED,
)


def send(
    qmgr: QueueManager,
    name: str,
    definition: Mapping[str, Stored],
    settings: RunSettings,
    caller: QueueManager | None = None,
) -> Run:
    """Run a sending end. `caller` is the queue manager of a requester that waits for the messages of a server."""
    end = ChannelEnd(qmgr, name, SENDER, definition, settings.report)
    end.stop_requested = settings.stop
    instance = end.claim(MQCHS.BINDING, _figures(end))
    retries = _retries_left(definition, instance.figures)
    attempt = _Attempt(end, settings, retries, caller)
    starting = text("AMQ9002I", name=name)
    try:
        end.report(starting)
        end.record("starting", starting)
        return (yield from attempt.run())
    except BaseException:
        # The program ends, or has an error: nobody runs the channel any more.
        with suppress(MQError, StoreError):
            channel_status.forget(qmgr, name, "")
        raise
    finally:
        attempt.let_go()


def _figures(end: ChannelEnd) -> dict[str, int | str]:
    words = ("CHLTYPE", "CONNAME", "XMITQ", "BATCHSZ", "HBINT", "NPMSPEED")
    own = {word: end.definition[word] for word in words}
    return {
        **start_figures(end.qmgr.now()),
        **{word: value if isinstance(value, int) else str(value) for word, value in own.items()},
        "SUBSTATE": "NETCONNECT",
    }


def _retries_left(definition: Mapping[str, Stored], figures: Mapping[str, int | str]) -> RetriesLeft:
    """The retries that earlier attempts have left."""
    every = all_retries(_retry_attributes(definition))
    return RetriesLeft(int(figures.get("SHORTRTS", every.short)), int(figures.get("LONGRTS", every.long)))


def _retry_attributes(definition: Mapping[str, Stored]) -> RetryAttributes:
    return RetryAttributes(*(int(str(definition[word])) for word in _RETRY_WORDS))


class _Attempt:
    """One attempt to run a sending end, and its end."""

    def __init__(
        self, end: ChannelEnd, settings: RunSettings, retries: RetriesLeft, caller: QueueManager | None
    ) -> None:
        self._end = end
        self._settings = settings
        self._retries = retries
        self._caller = caller
        self._receiver_end: ChannelEnd | None = None
        self._sender: Sender | None = None
        self._address = str(end.definition["CONNAME"])
        self._is_bound = False

    def run(self) -> Run:
        """Run the channel, and change the status of both ends when it has ended."""
        end = self._end
        end.show(MQCHS.BINDING, SHORTRTS=self._retries.short, LONGRTS=self._retries.long)
        try:
            with connected(end.qmgr) as connection:
                try:
                    message = yield from self._session(connection)
                except (StoppedError, ChannelEndedError, MQError, StoreError) as error:
                    # Before the transmission queue is closed, because that may cause a trigger, which an active channel
                    # would ignore.
                    with suppress(MQError, StoreError):
                        connection.back()
                    return self._broken(error)
                return self._ended(message)
        except (MQError, StoreError) as error:
            return self._failed(_unexpected(end, error))

    def let_go(self) -> None:
        """This process does not run the two ends any more."""
        for end in (self._end, self._receiver_end):
            if end is not None:
                end.let_go()

    def _broken(self, error: _Failure) -> Ending:
        """Both ends have ended because of an error, or of a stop that does not wait."""
        end = self._end
        if isinstance(error, StoppedError):
            return self._stopped(text("AMQ9528W", name=end.channel), at_once=True)
        return self._failed(error if isinstance(error, ChannelEndedError) else _unexpected(end, error))

    @contextmanager
    def _partner(self) -> Iterator[Partner]:
        if self._caller is not None:
            yield Partner(self._caller, f"local({self._caller.name})")
            return
        with found_partner(self._end.qmgr, self._address) as partner:
            yield partner

    def _session(self, connection: Connection) -> Generator[Wait, None, str]:
        """Bind the two ends and send; the message about the normal end."""
        queue = self._transmission_queue(connection)
        with self._partner() as partner:
            self._address = partner.address
            try:
                return (yield from self._conversation(connection, queue, partner))
            except (StoppedError, ChannelEndedError, MQError, StoreError) as error:
                # Before the partner's store is closed.
                self._receiver_failed(self._as_seen_there(error))
                raise

    def _conversation(
        self, connection: Connection, queue: ObjectHandle, partner: Partner
    ) -> Generator[Wait, None, str]:
        end = self._end
        call = Call(end, partner.qmgr, partner.address, self._settings.report)
        with called_end(call) as self._receiver_end:
            link = Link(end, partner.address, partner.qmgr.store, self._settings.hook)
            with receiver_of(self._receiver_end, link) as receiver:
                self._sender = self._bound(connection, queue, link, receiver)
                message = yield from self._sender.run()
            self._receiver_ended(message)
        return message

    def _as_seen_there(self, error: _Failure) -> ChannelEndedError:
        """The failure as the end of the receiving end: a sender that is stopped does not say why."""
        if isinstance(error, StoppedError):
            return LinkBrokenError(self._address, self._end.qmgr.name)
        return error if isinstance(error, ChannelEndedError) else _unexpected(self._end, error)

    def _bound(self, connection: Connection, queue: ObjectHandle, link: Link, receiver: Receiver) -> Sender:
        """The sending end, when both ends have agreed and a batch in doubt is resolved."""
        end, other = self._end, receiver.end
        agreement = agreed(end, other)
        resynchronize(end, connection, receiver)
        records = SyncRecords(connection, end, other.qmgr.name)
        record = begin_numbers(end, connection, records, receiver)
        converts = end.definition["CONVERT"] == "YES"
        settings = SenderSettings(
            agreement,
            self._settings.until_empty,
            other.qmgr.row().ccsid if converts else 0,
            self._is_monitored(),
            all_retries(_retry_attributes(end.definition)),
            self._conversion_failed,
        )
        sender = Sender(end, connection, queue, link, receiver, records, record, settings)
        show_bound(end, other.qmgr.name, agreement, record, link, sender.luwid)
        show_bound(other, end.qmgr.name, agreement, receiver.record, link, sender.luwid)
        self._is_bound = True
        for each in (end, other):
            channel_events.channel_started(each.qmgr, self._event_end(each))
        return sender

    def _transmission_queue(self, connection: Connection) -> ObjectHandle:
        options = MQOO.INPUT_EXCLUSIVE | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
        try:
            return connection.open(self._end.queue, options)
        except MQError as error:
            if error.reason in QUEUE_MANAGER_ENDS:
                raise
            detail = error_text(error).rstrip(".")
            failed = text("AMQ9509E", object=self._end.queue, detail=detail)
            raise ChannelEndedError(failed, reason=int(error.reason)) from error

    def _is_monitored(self) -> bool:
        qmgr = self._end.qmgr
        with Reading(qmgr.store.database) as reading:
            of_manager = event_messages.switch(reading, qmgr.name, "MONCHL")
        return is_monitored(str(self._end.definition["MONCHL"]), of_manager)

    def _conversion_failed(self, reason: int, format: str) -> None:
        channel_events.conversion_failed(self._end.qmgr, self._event_end(self._end), reason, format)

    def _event_end(self, end: ChannelEnd) -> EventEnd:
        if end is self._end:
            return EventEnd(end.channel, self._address, end.queue)
        return EventEnd(end.channel, f"local({self._end.qmgr.name})")

    def _raise_stopped(self, end: ChannelEnd, qualifier: MQRQ, message: str = "") -> None:
        """The event about the end of an instance that had one about its start."""
        if self._is_bound:
            number = int(message[3:7]) if message else 0
            with suppress(MQError, StoreError):
                cause = Cause(number)
                channel_events.channel_stopped(end.qmgr, self._event_end(end), qualifier, cause)

    def _receiver_ended(self, message: str) -> None:
        """The receiving end has ended normally."""
        end = self._receiver_end
        assert end is not None
        if message.startswith("AMQ9545I"):
            end.report(message)
        normal = text("AMQ9001I", name=end.channel)
        end.report(normal)
        end.record("ended", normal)
        self._raise_stopped(end, _OK)
        channel_status.forget(end.qmgr, end.channel, end.key)

    def _receiver_failed(self, error: ChannelEndedError) -> None:
        """The receiving end has ended because of an error, or a command at either end."""
        end = self._receiver_end
        if end is None:
            return
        asked = isinstance(error, PartnerStoppedError)
        own = text("AMQ9528W", name=end.channel) if asked else error.receiver
        own = own or text("AMQ9208E", partner=self._end.qmgr.name)
        end.report(own)
        end.report(text("AMQ9999E", name=end.channel, partner=self._end.qmgr.name))
        with suppress(MQError, StoreError):
            end.record("stopped" if asked else "failed", own, reason=error.reason)
            if asked and end.status_after_stop() == MQCHS.STOPPED:
                end.show(MQCHS.STOPPED, SUBSTATE="", MCASTAT="NOT RUNNING", STOPREQ="NO")
            else:
                channel_status.forget(end.qmgr, end.channel, end.key)
            self._raise_stopped(end, _STOPPED if asked else _ERROR, own)

    def _ended(self, message: str) -> Ending:
        """The sending end has ended normally, or because of a stop."""
        end = self._end
        if message.startswith("AMQ9528W"):
            return self._stopped(message, at_once=False)
        if message:
            end.report(message)
        normal = text("AMQ9001I", name=end.channel)
        end.report(normal)
        end.record("ended", normal)
        self._raise_stopped(end, _OK)
        channel_status.forget(end.qmgr, end.channel, "")
        return Ending(MQCHS.INACTIVE, message or normal, failed=False)

    def _stopped(self, message: str, *, at_once: bool) -> Ending:
        end = self._end
        end.report(message)
        last = (
            text("AMQ9999E", name=end.channel, partner=self._address) if at_once else text("AMQ9001I", name=end.channel)
        )
        end.report(last)
        self._note_doubt(message)
        end.record("stopped", message)
        self._raise_stopped(end, _STOPPED, message)
        status = end.status_after_stop()
        self._leave(status)
        return Ending(status, message, failed=False)

    def _quiesced(self, error: OwnManagerEndsError) -> Ending:
        """The queue manager of the sending end is ending: that is no failure, and nothing is retried."""
        end = self._end
        end.report(error.sender)
        end.report(text("AMQ9001I", name=end.channel))
        with suppress(MQError, StoreError):
            self._note_doubt(error.sender)
            end.record("ended", error.sender, reason=error.reason)
            self._raise_stopped(end, _OK)
            channel_status.forget(end.qmgr, end.channel, "")
        return Ending(MQCHS.INACTIVE, error.sender, failed=False)

    def _failed(self, error: ChannelEndedError) -> Ending:
        """The sending end has failed: it is retried if an initiator can do that, and retries are left."""
        if isinstance(error, OwnManagerEndsError):
            return self._quiesced(error)
        end, message = self._end, error.sender
        end.report(message)
        end.report(text("AMQ9999E", name=end.channel, partner=self._address))
        with suppress(MQError, StoreError):
            self._note_doubt(message)
        status, retry_at = self._status_after_failure()
        cause = {MQCHS.RETRYING: "retry", MQCHS.STOPPED: "stopped"}.get(status, "failed")
        detail = {} if retry_at is None else {"retry_at": retry_at}
        with suppress(MQError, StoreError):
            end.record(cause, message, reason=error.reason, **detail)
            self._raise_stopped(end, _RETRY if status == MQCHS.RETRYING else _ERROR, message)
            self._leave(status, retry_at)
        return Ending(status, message, failed=True, retry_at=retry_at)

    def _status_after_failure(self) -> tuple[MQCHS, int | None]:
        end = self._end
        if self._sender is not None and self._sender.got_through:
            self._retries = all_retries(_retry_attributes(end.definition))
        with suppress(MQError, StoreError):
            if end.requested():
                return end.status_after_stop(), None
            with Reading(end.qmgr.store.database) as reading:
                initq = channel_status.initiation_queue(reading, end.qmgr.name, end.queue)
                is_read = channel_status.is_read(reading, end.qmgr.name, initq)
            if is_read:
                retry = next_retry(_retry_attributes(end.definition), self._retries, end.qmgr.now())
                if retry is None:
                    return MQCHS.STOPPED, None
                self._retries = retry.left
                return MQCHS.RETRYING, retry.at
        return MQCHS.INACTIVE, None

    def _note_doubt(self, message: str) -> None:
        sender = self._sender
        if sender is not None:
            sender.interrupted()
            if sender.in_doubt:
                self._end.record("in-doubt", message, luwid=sender.in_doubt)

    def _leave(self, status: MQCHS, retry_at: int | None = None) -> None:
        """Give the sending end the status that it has from now on."""
        end = self._end
        if status == MQCHS.INACTIVE:
            channel_status.forget(end.qmgr, end.channel, "")
            return
        left = {"SHORTRTS": self._retries.short, "LONGRTS": self._retries.long}
        figures: dict[str, int | str] = {"SUBSTATE": "", "MCASTAT": "NOT RUNNING", "STOPREQ": "NO", **left}
        if retry_at is None:
            end.show(status, **figures)
        else:
            end.wait_for_retry(retry_at, **figures)


def _unexpected(end: ChannelEnd, error: MQError | StoreError) -> ChannelEndedError:
    """A call that failed at the sending end where no other message fits."""
    if isinstance(error, MQError) and error.reason in QUEUE_MANAGER_ENDS:
        return OwnManagerEndsError(text("AMQ9542W", name=end.qmgr.name), reason=int(error.reason))
    detail = (error_text(error) if isinstance(error, MQError) else str(error)).rstrip(".")
    reason = int(error.reason) if isinstance(error, MQError) else 0
    return ChannelEndedError(text("AMQ9510E", object=end.queue, detail=detail), reason=reason)

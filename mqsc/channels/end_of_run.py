"""The end of a run: what the status, the events and the next start make of how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from mqsc.channels import run_failures, steps
from mqsc.channels.end import ChannelEnd, text
from mqsc.channels.sender import Sender
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel import run_events, status
from mqsc.store.catalog import Stored
from mqsc.store.constants import MQCHS, MQRQ
from mqsc.store.engine import channel_event
from mqsc.store.engine.channel_event import Cause, EventEnd
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.channel.retries import RetriesLeft, RetryAttributes, all_retries, next_retry
from mqsc.store.sqlite.database import Reading

Failure = run_failures.StoppedError | run_failures.ChannelEndedError | MQError | StoreError
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

    def broken(self, error: Failure) -> steps.Ending:
        """The sending end has ended because of an error, or of a stop that does not wait."""
        end = self._end
        if isinstance(error, run_failures.StoppedError):
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
        broken = run_failures.LinkBrokenError(self.address, self._end.qmgr.name)
        error = (
            broken
            if isinstance(failure, run_failures.StoppedError)
            else _as_ended(self._end, failure)
        )
        is_stop = isinstance(error, run_failures.PartnerStoppedError)
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

    def ended(self, message: str) -> steps.Ending:
        """The sending end has ended normally, or because of a stop."""
        end = self._end
        if message.startswith("AMQ9528W"):
            return self._stopped(message, at_once=False)
        if message:
            end.report(message)
        normal = self._ended_normally(end)
        return steps.Ending(MQCHS.INACTIVE, message or normal, failed=False)

    def _stopped(self, message: str, *, at_once: bool) -> steps.Ending:
        end = self._end
        end.report(message)
        end.report(
            text("AMQ9999E" if at_once else "AMQ9001I", name=end.channel, partner=self.address),
        )
        self._note_doubt(message)
        end.record("stopped", message)
        self._raise_stopped(end, MQRQ.CHANNEL_STOPPED_DISABLED, message)
        next_status = end.status_after_stop()
        self._leave(next_status)
        return steps.Ending(next_status, message, failed=False)

    def _quiesced(self, error: run_failures.OwnManagerEndsError) -> steps.Ending:
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
        return steps.Ending(MQCHS.INACTIVE, error.sender, failed=False)

    def _failed(self, error: run_failures.ChannelEndedError) -> steps.Ending:
        """The sending end has failed: it is retried if an initiator can do that, and retries are
        left.
        """
        if isinstance(error, run_failures.OwnManagerEndsError):
            return self._quiesced(error)
        end, message = self._end, error.sender
        end.report(message)
        end.report(text("AMQ9999E", name=end.channel, partner=self.address))
        with suppress(MQError, StoreError):
            self._note_doubt(message)
        next_status, retry_at = self._status_after_failure()
        cause = {MQCHS.RETRYING: "retry", MQCHS.STOPPED: "stopped"}.get(next_status, "failed")
        detail = {} if retry_at is None else {"retry_at": retry_at, "attempt": self._failures()}
        with suppress(MQError, StoreError):
            end.record(cause, message, detail, reason=error.reason)
            self._raise_stopped(
                end,
                MQRQ.CHANNEL_STOPPED_RETRY
                if next_status == MQCHS.RETRYING
                else MQRQ.CHANNEL_STOPPED_ERROR,
                message,
            )
            self._leave(next_status, retry_at)
        return steps.Ending(next_status, message, failed=True, retry_at=retry_at)

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
                batch = {"luwid": sender.in_doubt, "sequence": sender.sequence}
                self._end.record("in-doubt", message, batch)

    def _leave(self, next_status: MQCHS, retry_at: int | None = None) -> None:
        """Give the sending end the status that it has from now on."""
        end = self._end
        if next_status == MQCHS.INACTIVE:
            end.forget()
            return
        left = {"SHORTRTS": self.retries.short, "LONGRTS": self.retries.long}
        figures: dict[str, int | str] = {
            "SUBSTATE": "",
            "MCASTAT": "NOT RUNNING",
            "STOPREQ": "NO",
            **left,
        }
        end.show(next_status, retry_at, **figures)


def _as_ended(
    end: ChannelEnd,
    error: run_failures.ChannelEndedError | MQError | StoreError,
) -> run_failures.ChannelEndedError:
    """The end of the channel; that of a call which failed at the sending end where no other
    message fits.
    """
    if isinstance(error, run_failures.ChannelEndedError):
        return error
    if isinstance(error, MQError) and error.reason in run_failures.QUEUE_MANAGER_ENDS:
        return run_failures.OwnManagerEndsError(
            text("AMQ9542W", name=end.qmgr.name),
            reason=int(error.reason),
        )
    detail = error_text(error).rstrip(".")
    reason = int(error.reason) if isinstance(error, MQError) else 0
    name = (error.object_name if isinstance(error, MQError) else "") or end.queue
    return run_failures.ChannelEndedError(
        text("AMQ9510E", object=name, detail=detail), reason=reason
    )

"""The sending end of a channel, and its batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from typing import NamedTuple

from msgspec import Struct

from mqsc.channels import link, receiver, run_failures, steps, undeliverable
from mqsc.channels.end import STOPS_AT_ONCE, ChannelEnd, last_message, text
from mqsc.channels.outgoing import SendingEnd, outgoing
from mqsc.channels.sync_record import SyncRecord, SyncRecords
from mqsc.channels.undeliverable import Note, UndeliverableMessages
from mqsc.console.getting import get_or_none
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQCHS, MQGMO, MQRC
from mqsc.store.engine.channel_event import ChannelEvent
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.error import MQError
from mqsc.store.headers import mqxqh
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi import backed_out_message
from mqsc.store.rules.channel.agreement import Agreement
from mqsc.store.rules.channel.averages import LONG, averages
from mqsc.store.rules.channel.batch_end import BatchLimits, BatchSoFar, ends, is_full, waits_until
from mqsc.store.rules.channel.batch_identifier import batch_identifier, start_after
from mqsc.store.rules.channel.retries import RetriesLeft
from mqsc.store.rules.channel.sequence import following


class Sender(Struct, eq=False, dict=True):
    """The sending end of a bound channel, with the transmission queue open."""

    end: ChannelEnd
    _connection: Connection
    _queue: ObjectHandle
    _link: link.Link
    _receiver: receiver.Receiver
    _records: SyncRecords
    _record: SyncRecord
    _settings: SenderSettings

    def __post_init__(self) -> None:
        end, settings = self.end, self._settings
        self._limits = BatchLimits(
            settings.agreement.batch_size,
            end.number("BATCHLIM"),
            end.number("BATCHINT"),
        )
        self._sending = SendingEnd(
            end.queue,
            end.qmgr.name,
            settings.ccsid,
            settings.agreement.max_length,
        )
        self._sequence = self._record.sequence
        self._started_at = start_after(
            end.qmgr.now(),
            self._record.luwid,
            self._receiver.record.luwid,
        )
        self._batches = self._messages = 0
        self.in_doubt = ""
        self._looked_at = 0.0
        self._open: Batch | None = None
        self.got_through = False
        self._queue_times: deque[int] = deque(maxlen=LONG)
        self._batch_sizes: deque[int] = deque(maxlen=LONG)
        self._net_times: deque[int] = deque(maxlen=LONG)
        unit_option = MQGMO.SYNCPOINT_IF_PERSISTENT if settings.agreement.fast else MQGMO.SYNCPOINT
        self._get_options = GetMessageOptions(int(unit_option | MQGMO.FAIL_IF_QUIESCING))
        self._undeliverable = UndeliverableMessages(
            self._connection,
            end,
            self._link,
            self._note,
            end.queue,
        )

    @property
    def luwid(self) -> str:
        """The LUWID of the next batch, or of the one that is open."""
        return batch_identifier(self._started_at, self._batches)

    @property
    def sequence(self) -> int:
        """The sequence number of the last message that was sent."""
        return self._sequence

    def run(self) -> Generator[steps.Wait, None, str]:
        """Send until the channel ends normally; the message about it, blank for a stop or an empty
        queue.

        StoppedError when it is stopped at once, ChannelEndedError, MQError or StoreError when it
        fails.
        """
        active_at = flow_at = self.end.qmgr.waiting_time()
        while True:
            if self.end.requested():
                self._obey()
                return text("AMQ9528W", name=self.end.channel)
            # A fast message that was got would be lost.
            self._receiver.obey(*STOPS_AT_ONCE)
            message = self._get()
            if message is not None:
                yield from self._batch(message)
                self._receiver.obey_between_batches()
                active_at = flow_at = self.end.qmgr.waiting_time()
                continue
            if self._settings.until_empty:
                return ""
            self._receiver.close_destinations()
            now = self.end.qmgr.waiting_time()
            disconnect_at, beat_at = self._deadlines(active_at, flow_at)
            if disconnect_at is not None and now >= disconnect_at:
                return text("AMQ9545I", name=self.end.channel)
            if beat_at is not None and now >= beat_at:
                self._heartbeat()
                flow_at = now
                continue
            deadlines = [each for each in (disconnect_at, beat_at) if each is not None]
            yield self._link.wait(self.end.qmgr, min(deadlines, default=None))

    def _deadlines(self, active_at: int, flow_at: int) -> tuple[int | None, int | None]:
        """When the disconnect interval is over, and when the next heartbeat is due; None for
        never.
        """
        interval, beat = self.end.number("DISCINT"), self._settings.agreement.heartbeat
        disconnect_at = active_at + interval * MICROSECONDS if interval else None
        return disconnect_at, flow_at + beat * MICROSECONDS if beat else None

    def _heartbeat(self) -> None:
        self._link.forward(link.FLOW_BYTES)
        self._receiver.heartbeat()
        self.end.refresh(**self._link.sender)

    def _obey(self) -> None:
        """StoppedError when a stop that does not wait for the end of the batch was requested."""
        self._looked_at = elapsed_real_seconds()
        if self.end.requested() in STOPS_AT_ONCE:
            raise run_failures.StoppedError

    def _obey_now(self) -> None:
        """Obey the stops of both ends that do not wait: before a get, because a fast message
        that was got is lost.
        """
        if elapsed_real_seconds() - self._looked_at >= receiver.LOOK_SECONDS:
            self._obey()
        self._receiver.obey_now()

    def _get(self) -> Message | None:
        """The next message of the transmission queue (`Step.S1`)."""
        try:
            return get_or_none(self._queue, self._get_options)
        except MQError as error:
            if error.reason != MQRC.GET_INHIBITED:
                raise
            failed = text("AMQ9549E", object=self.end.queue)
            raise run_failures.ChannelEndedError(failed, reason=int(error.reason)) from error

    def _batch(self, first: Message) -> steps.Steps:
        """Send a batch that begins with a message, and complete it."""
        batch = self._open = Batch(self.end.qmgr.waiting_time())
        self._link.load_faults()
        self.end.show(MQCHS.RUNNING, SUBSTATE="SEND", CURLUWID=self.luwid)
        message: Message | None = first
        try:
            while message is not None:
                yield from self._move(message, batch)
                self.end.refresh(CURMSGS=batch.messages, CURSEQNO=self._sequence)
                message = (
                    None if is_full(self._limits, batch.so_far) else (yield from self._next(batch))
                )
            self._obey()
            yield from self._complete(batch)
        finally:
            self._receiver.end_batch()
            self._undeliverable.end_batch()

    def _next(self, batch: Batch) -> Generator[steps.Wait, None, Message | None]:
        """The next message of the batch; waits for it while BATCHINT lasts."""
        yield from self._link.delayed()
        self._obey_now()
        while (message := self._get()) is None:
            qmgr = self.end.qmgr
            over = not batch.messages or ends(
                self._limits,
                batch.so_far,
                qmgr.waiting_time(),
                queue_is_empty=True,
            )
            if over or self.end.requested():
                return None
            yield self._link.wait(qmgr, waits_until(self._limits, batch.so_far))
        return message

    def _move(self, message: Message, batch: Batch) -> steps.Steps:
        """Send one message, or deal with it here when it cannot be sent."""
        outer, number = message.descriptor, batch.messages + 1
        self._link.step(link.Step.S1, number)
        fast = self._settings.agreement.fast and not outer.persistence
        if self._settings.monitored:
            self._queue_times.append(max(0, self.end.qmgr.now() - (outer.put_at or 0)))
        outgoing_message = outgoing(self._sending, outer, message.body, len(message.body))
        sent = outgoing_message.carried
        transfer = link.Transfer(
            number,
            fast,
            sent.remote_q_name,
            sent.remote_q_mgr_name,
            sent.descriptor,
            sent.body,
            outgoing_message.reason,
        )
        if outgoing_message.reason:
            batch.refused += 1
            if outgoing_message.is_unconvertible:
                self._settings.conversion_failed(outgoing_message.reason, sent.descriptor.format)
            self._undeliverable.settle(transfer)
            return
        if not fast:
            self._sequence = following(self._sequence, self._settings.agreement.sequence_wrap)
            batch.numbered += 1
        batch.messages = number
        batch.fast += fast
        batch.bytes += len(sent.body)
        self._link.forward(link.MESSAGE_BYTES + len(message.body) - mqxqh.LENGTH)
        self._link.step(link.Step.S2, number)
        for wait in self._receiver.receive(transfer):
            yield wait
            self._obey()

    def _note(self, transfer: link.Transfer, note: Note) -> None:
        """Have the history record it when the message leaves the transmission queue."""
        if transfer.fast:
            undeliverable.write_note(self.end, note, queue=self.end.queue)
            return
        columns = note.columns
        outcome = MessageOutcome(
            note.kind,
            "channel",
            columns.get("target"),
            columns.get("reason"),
            detail=columns.get("detail"),
        )
        backed_out_message.note(self._queue, outcome)

    def _complete(self, batch: Batch) -> steps.Steps:
        """End the batch: confirmed by the receiver before it is committed here (`Step.S3` to
        `Step.S5`).
        """
        if not batch.messages:
            # Every message has been dealt with at this end.
            self._connection.commit()
            return
        self._link.step(link.Step.S3, 0)
        luwid = self.luwid
        if not batch.numbered:
            asked_at = self.end.qmgr.now()
            message = self._confirmed(luwid, numbered=False)
            self._answered(asked_at)
            self._connection.commit(noted=[self._event(batch, luwid, message)])
        else:
            yield from self._confirm(batch, luwid)
        self._show_batch(batch, luwid)

    def _confirm(self, batch: Batch, luwid: str) -> steps.Steps:
        self._prepare(batch, luwid)
        asked_at = self.end.qmgr.now()
        yield from self._link.delayed()
        self._obey()
        message = self._confirmed(luwid, numbered=True)
        yield from self._link.delayed()
        self._answered(asked_at)
        self._obey()
        self._link.step(link.Step.S5_BEFORE, 0)
        self._connection.resolve(
            self.end.channel,
            luwid,
            commit=True,
            noted=[self._event(batch, luwid, message)],
        )
        self.in_doubt = ""
        self._link.step(link.Step.S5_AFTER, 0)

    def _confirmed(self, luwid: str, *, numbered: bool) -> str:
        """Have the receiver commit the batch; the message about dead letters at either end,
        blank for none.
        """
        there = ""
        if self._receiver.confirm(luwid, self._sequence, numbered=numbered):
            there = undeliverable.dead_lettered(self.end.channel, undeliverable.AT_PARTNER)
            self.end.report(there)
        return self._undeliverable.message or there

    def _answered(self, asked_at: int) -> None:
        """Note that the receiver has confirmed a batch; without a network, most of the time is
        its commit.
        """
        if self._settings.monitored:
            self._net_times.append(max(0, self.end.qmgr.now() - asked_at))

    def _prepare(self, batch: Batch, luwid: str) -> None:
        self.end.show(
            SUBSTATE="ENDBATCH",
            CURMSGS=batch.messages,
            CURSEQNO=self._sequence,
            CURLUWID=luwid,
        )
        self._link.step(link.Step.S4_BEFORE, 0)
        self._records.replace(SyncRecord(luwid, self._sequence), self.end.qmgr.now())
        self._connection.prepare(self.end.channel, luwid)
        self.in_doubt = luwid
        self._link.step(link.Step.S4_AFTER, 0)

    def _event(self, batch: Batch, luwid: str, message: str) -> ChannelEvent:
        detail = {
            "luwid": luwid,
            "sequence": self._sequence,
            "messages": batch.messages,
            "bytes": batch.bytes,
            "fast": batch.fast,
        }
        return self.end.event("batch", message, detail)

    def _show_batch(self, batch: Batch, luwid: str) -> None:
        self._open = None
        self._batches += 1
        self._messages += batch.messages
        self._batch_sizes.append(batch.messages)
        figures: dict[str, int | str] = {}
        if batch.numbered:
            figures |= {"LSTSEQNO": self._sequence, "LSTLUWID": luwid}
        if self._settings.monitored:
            measured = {
                "XQTIME": self._queue_times,
                "XBATCHSZ": self._batch_sizes,
                "NETTIME": self._net_times,
            }
            figures |= {word: averages([*each]) for word, each in measured.items()}
        if not self.got_through:
            self.got_through = True
            figures |= {
                "SHORTRTS": self._settings.retries.short,
                "LONGRTS": self._settings.retries.long,
            }
        figures |= {**last_message(self.end.qmgr.now()), **self._link.sender}
        figures |= {
            "CURMSGS": 0,
            "CURSEQNO": self._sequence,
            "BATCHES": self._batches,
            "MSGS": self._messages,
        }
        self.end.show(MQCHS.RUNNING, **figures, SUBSTATE="MQGET", CURLUWID=self.luwid)

    def interrupted(self) -> None:
        """Keep what DISPLAY CHSTATUS shows of the batch that could not be completed."""
        if self._open is not None:
            self.end.set(CURSEQNO=self._sequence, CURMSGS=self._open.messages)


class SenderSettings(NamedTuple):
    """The settings of a run, and the values that the two ends agreed on.

    `ccsid` is that of the partner if CONVERT(YES), else 0. `monitored`: MONCHL is not OFF.
    `conversion_failed` reports a message that could not be converted, by the reason and its format.
    """

    agreement: Agreement
    until_empty: bool
    ccsid: int
    monitored: bool
    retries: RetriesLeft
    conversion_failed: Callable[[int, str], None]


class Batch:
    """The open batch: the numbers of messages sent, of numbered and of fast ones, and the bytes of
    data.

    `refused` counts the messages that this end could not send; they take part in the unit of work.
    """

    def __init__(self, began: int) -> None:
        self.began = began
        self.messages = self.numbered = self.fast = self.bytes = self.refused = 0

    @property
    def so_far(self) -> BatchSoFar:
        return BatchSoFar(self.messages + self.refused, self.bytes, self.began)

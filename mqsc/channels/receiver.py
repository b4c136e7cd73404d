"""The receiving end: it puts what the sender sends, and commits a batch when the sender says so."""

from collections.abc import Callable

from mqsc.channels import link, run_failures, steps, undeliverable
from mqsc.channels.end import STOPS_AT_ONCE, ChannelEnd, last_message, milliseconds, text
from mqsc.channels.sync_record import SyncRecord, SyncRecords
from mqsc.console.text.reasons import error_text
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQCHS, MQOO, MQPMO, MQRC
from mqsc.store.environment import elapsed_real_seconds
from mqsc.store.error import MQError, NotAuthorizedError, StoreError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.message_times import put_moment
from mqsc.store.mqi.client_channel import check_connect
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.rules.channel.undeliverable import Action
from mqsc.store.rules.expiry import UNLIMITED, elapsed_tenths

OPEN_OPTIONS = MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
# Queue, queue manager and, with PUTAUT(CTX), the user of the message.
Destination = tuple[str, str, str | None]
_OF_CONTEXT = ("CTX", "ALTMCA")
# Destinations that stay open during a batch.
MOST_HANDLES = 50
# Such a handle is opened once more: its queue was deleted or redefined.
STALE = frozenset({MQRC.OBJECT_CHANGED, MQRC.Q_DELETED, MQRC.HOBJ_ERROR})
MILLISECOND = 1000
# How often a batch looks for a STOP, besides where it begins and ends.
LOOK_SECONDS = 0.02


class Receiver:
    """The receiving end of a bound channel, with a connection of its own.

    `program_ends` says whether the program that runs both ends is asked to end: then no put is
    waited for.
    """

    def __init__(
        self,
        end: ChannelEnd,
        connection: Connection,
        own_link: link.Link,
        caller: PartnerIdentity,
        program_ends: Callable[[], bool],
    ) -> None:
        self.end = end
        self._program_ends = program_ends
        self._connection = connection
        self._link = own_link
        self._records = SyncRecords(connection, end, caller)
        self.record = self._records.read()
        # From here on: the queue of the records is not asked.
        self._asks = bool(end.user)
        self._with_user = end.definition.get("PUTAUT") in _OF_CONTEXT
        if end.user or self._with_user:
            # Without MCAUSER, the user who runs the channel names that of the message.
            connection.authority_user = end.user or connection.user
            connection.authority_facts = {"channel": end.channel}
        self._undeliverable = undeliverable.UndeliverableMessages(
            connection,
            end,
            own_link,
            self._note,
        )
        self._handles: dict[Destination, ObjectHandle] = {}
        self._notes: list[undeliverable.Note] = []
        self._looked_at = 0.0
        self._batches = self._messages = 0
        self._begin_batch()

    def _begin_batch(self) -> None:
        self._received = self._bytes = self._fast = self._waited = self._longest = 0
        self._last_put = 0

    def receive(self, transfer: link.Transfer) -> steps.Steps:
        """Put a message (`Step.R1`), or deal with one that cannot be put."""
        if not self._received:
            self.end.show(MQCHS.RUNNING, SUBSTATE="RECEIVE")
        self.obey_now()
        if self._asks:
            self._check_connect()
        reason = self._put(transfer)
        if reason:
            yield from self._refused(transfer, reason)
        self._received += 1
        self._fast += transfer.fast
        self._bytes += len(transfer.body)
        self._link.step(link.Step.R1, transfer.number)
        self.end.refresh(CURMSGS=self._received)

    def _check_connect(self) -> None:
        """Ask, with the first message, whether the user of the channel may connect."""
        self._asks = False
        try:
            check_connect(self._connection, self.end.user)
        except NotAuthorizedError as error:
            name, partner = self.end.channel, self.end.qmgr.name
            failed = text("AMQ9558E", name=name, partner=partner)
            raise run_failures.ChannelEndedError(
                failed,
                text("AMQ9557E", name=self.end.user),
                int(error.reason),
            ) from error

    def _put(self, transfer: link.Transfer) -> int:
        """Put the message on its queue: 0, or the reason why not."""
        options = MQPMO.SET_ALL_CONTEXT | (MQPMO.NO_SYNCPOINT if transfer.fast else MQPMO.SYNCPOINT)
        other = transfer.descriptor.user_identifier if self._with_user else None
        key = (transfer.queue, transfer.queue_manager, other)
        for is_last in (False, True):
            try:
                handle = self._handles.get(key) or self._opened(key)
                placed = handle.put(
                    Message(transfer.body, transfer.descriptor),
                    PutMessageOptions(int(options)),
                )
            except MQError as error:
                if error.reason in run_failures.QUEUE_MANAGER_ENDS:
                    raise self.ends(error) from error
                if is_last or error.reason not in STALE or self._handles.pop(key, None) is None:
                    return int(error.reason)
            except StoreError as error:
                raise run_failures.ChannelEndedError(
                    text("AMQ9506E"),
                    _cannot_put(transfer.queue, str(error)),
                ) from error
            else:
                sent = transfer.descriptor
                self._arrived(placed.put_at or 0, put_moment(sent.put_date, sent.put_time))
                return 0
        raise AssertionError("the second attempt returns")

    def _opened(self, key: Destination) -> ObjectHandle:
        if len(self._handles) >= MOST_HANDLES:
            self.close_destinations()
        queue, queue_manager, user = key
        options = OPEN_OPTIONS if user is None else OPEN_OPTIONS | MQOO.ALTERNATE_USER_AUTHORITY
        handle = self._connection.open(
            queue,
            options,
            queue_manager=queue_manager,
            dynamic_name=None,
            alternate_user=user or "",
        )
        self._handles[key] = handle
        return handle

    def _arrived(self, at: int, put_at: int | None) -> None:
        self._last_put = at
        waited = 0 if put_at is None else milliseconds(at - put_at)
        self._waited += waited
        self._longest = max(self._longest, waited)

    def _refused(self, transfer: link.Transfer, reason: int) -> steps.Steps:
        """Try the put again as MRRTY and MRTMR say, then dispose of the message."""
        qmgr = self.end.qmgr
        began, retries = qmgr.now(), self.end.number("MRRTY")
        while True:
            refused = transfer._replace(reason=reason)
            left = transfer.descriptor.expiry
            expired = left != UNLIMITED and elapsed_tenths(began, qmgr.now()) >= left
            action = self._undeliverable.decide(refused, retries, expired=expired)
            if action is not Action.RETRY:
                break
            retries -= 1
            yield from self._pause(transfer)
            if self._program_ends():
                if not transfer.fast:
                    # It stays on the transmission queue.
                    raise run_failures.StoppedError
                # A fast message cannot go back there: the next attempt to put it is the last.
                retries = 0
            waited = transfer
            if left != UNLIMITED:
                again = transfer.descriptor.copy()
                again.expiry = left - elapsed_tenths(began, qmgr.now())
                if again.expiry <= 0:
                    continue
                waited = transfer._replace(descriptor=again)
            reason = self._put(waited)
            if not reason:
                self.end.show(MQCHS.RUNNING, SUBSTATE="RECEIVE")
                return
        self.end.show(MQCHS.RUNNING, SUBSTATE="RECEIVE")
        if action is Action.EXPIRE:
            self._undeliverable.expire(refused)
        else:
            self._undeliverable.settle(refused)

    def _pause(self, transfer: link.Transfer) -> steps.Steps:
        qmgr = self.end.qmgr
        self.end.show(MQCHS.PAUSED, SUBSTATE="MQPUT")
        self._link.step(link.Step.RETRY_WAIT, transfer.number)
        until = qmgr.waiting_time() + self.end.number("MRTMR") * MILLISECOND
        while qmgr.waiting_time() < until and not self._program_ends():
            yield self._link.wait(qmgr, until, both=True)
            self.obey(*STOPS_AT_ONCE)

    def _note(self, transfer: link.Transfer, note: undeliverable.Note) -> None:
        """Have the history record it when the message is committed; a fast message is committed
        already.
        """
        if transfer.fast:
            undeliverable.write_note(self.end, note)
        else:
            self._notes.append(
                undeliverable.Note(
                    note.kind,
                    {**note.columns, "unit": self._connection.unit.number or None},
                ),
            )

    def confirm(self, luwid: str, sequence: int, *, numbered: bool) -> bool:
        """Commit the batch (`Step.R2`), with its record if it had numbered messages; whether it
        had dead letters.
        """
        self.obey(*STOPS_AT_ONCE)
        self._link.step(link.Step.R2_BEFORE, 0)
        now = self.end.qmgr.now()
        try:
            if numbered:
                self._records.replace(SyncRecord(luwid, sequence), now)
            self._commit(luwid, sequence)
        except (MQError, StoreError) as error:
            raise self.ends(error) from error
        if numbered:
            self.record = SyncRecord(luwid, sequence)
        self._link.step(link.Step.R2_AFTER, 0)
        self._link.reply(link.FLOW_BYTES)
        self._show_batch(luwid, sequence, numbered=numbered)
        dead_lettered = self._undeliverable.dead_lettered
        self.end_batch()
        self._begin_batch()
        return dead_lettered

    def _commit(self, luwid: str, sequence: int) -> None:
        detail = {
            "luwid": luwid,
            "sequence": sequence,
            "messages": self._received,
            "bytes": self._bytes,
            "fast": self._fast,
            "waited_ms": self._waited,
            "longest_ms": self._longest,
        }
        batch = self.end.event("batch", self._undeliverable.message, detail)
        if not self._notes:
            self._connection.commit(noted=[batch])
            return
        with self.end.qmgr.store.database.one_transaction():
            for note in self._notes:
                undeliverable.write_note(self.end, note)
            self._connection.commit(noted=[batch])
        self._notes = []

    def _show_batch(self, luwid: str, sequence: int, *, numbered: bool) -> None:
        self._batches += 1
        self._messages += self._received
        done: dict[str, int | str] = (
            {"LSTSEQNO": sequence, "CURSEQNO": sequence, "LSTLUWID": luwid} if numbered else {}
        )
        last, received = last_message(self._last_put or self.end.qmgr.now()), self._link.receiver
        counts = {"CURMSGS": 0, "BATCHES": self._batches, "MSGS": self._messages}
        self.end.show(MQCHS.RUNNING, **done, **last, **received, **counts)

    def end_batch(self) -> None:
        """Report what was discarded, whether the batch was committed or failed."""
        self._undeliverable.end_batch()

    def use_number(self, sequence: int) -> None:
        """Keep a record with this number as the last one, which is the first record or follows a
        RESET CHANNEL.
        """
        self._records.replace(SyncRecord(self.record.luwid, sequence), self.end.qmgr.now())
        self._connection.commit()
        self.record = SyncRecord(self.record.luwid, sequence)

    def obey(self, *modes: str) -> None:
        """PartnerStoppedError when a stop in one of the modes was requested at this end."""
        self._looked_at = elapsed_real_seconds()
        if self.end.requested() in modes:
            raise run_failures.PartnerStoppedError(
                text("AMQ9558E", name=self.end.channel, partner=self.end.qmgr.name),
            )

    def obey_now(self) -> None:
        """Obey a stop that does not wait for the end of a batch, unless one was looked for just
        before.
        """
        if elapsed_real_seconds() - self._looked_at >= LOOK_SECONDS:
            self.obey(*STOPS_AT_ONCE)

    def obey_between_batches(self) -> None:
        """As `obey`, for every mode: at the end of a batch and at a heartbeat."""
        self.obey("QUIESCE", *STOPS_AT_ONCE)

    def heartbeat(self) -> None:
        """Answer a heartbeat."""
        self.obey_between_batches()
        self._link.reply(link.FLOW_BYTES)

    def close_destinations(self) -> None:
        """Close the queues that messages were put on."""
        handles, self._handles = self._handles, {}
        for handle in handles.values():
            handle.close()

    def ends(self, error: MQError | StoreError) -> run_failures.ChannelEndedError:
        """The failure of a call as the end of the channel."""
        reason = int(error.reason) if isinstance(error, MQError) else 0
        if reason in run_failures.QUEUE_MANAGER_ENDS:
            name = self.end.qmgr.name
            failed = text("AMQ9524E", name=self.end.channel, partner=name)
            return run_failures.ChannelEndedError(failed, text("AMQ9542W", name=name), reason)
        return run_failures.ChannelEndedError(
            text("AMQ9506E"),
            _cannot_put("SYSTEM.CHANNEL.SYNCQ", error_text(error)),
            reason,
        )


def _cannot_put(queue: str, detail: str) -> str:
    return text("AMQ9511E", object=queue, detail=detail.rstrip("."))

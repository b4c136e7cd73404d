"""Messages that an end of a channel cannot deliver (channels Ch4)."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.channels.end import SENDER, ChannelEnd, text
from mqsc.channels.link import Link, Step, Transfer
from mqsc.channels.run_failures import QUEUE_MANAGER_ENDS, ChannelEndedError
from mqsc.console.text.reasons import name_of_code, reason_text
from mqsc.store.admin.history import record
from mqsc.store.admin.put_preview import leads_to
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQPMO
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi.backed_out_message import put_expiration_report, put_report_of_channel
from mqsc.store.rules.channel.undeliverable import (
    NOT_NAMED,
    Action,
    UndeliverableFacts,
    decide,
    reports_exception,
)
from mqsc.store.rules.dead_letter import DeliveryFailure, dead_letter, put_by_program
from mqsc.store.rules.poison_message import LEADS_BACK

CAUSE = "channel"
NO_COLUMNS: Mapping[str, Any] = {}
# Where the dead-letter queue is, in the message about it that each end reports once a batch
# (channel-commands §7).
HERE, AT_PARTNER = 1, 2


class Settlement(NamedTuple):
    """The outcome for a message that an end cannot deliver, after its last retry.

    `target` is DEADQ, blank for none, and `dead_letter` the outcome of a put there, 0 if it worked
    or was not tried. `reports`: with an exception report.
    """

    action: Action
    target: str
    dead_letter: int
    reports: bool


def settlement(
    qmgr: QueueManager,
    facts: UndeliverableFacts,
    reply_to: str,
    put: Callable[[str], int],
    *,
    transmission_queue: str = "",
) -> Settlement:
    """Decide what becomes of the message. `put` puts it on a dead-letter queue, or foresees that
    put: 0 or the MQRC.

    A dead-letter queue that leads to `transmission_queue` is not used.
    """
    action = decide(facts)
    outcome = 0
    target = qmgr.row().dead_letter_queue
    if action is Action.DEAD_LETTER:
        if not target:
            outcome = NOT_NAMED
        elif transmission_queue and leads_to(qmgr, target) == transmission_queue:
            outcome = LEADS_BACK
        else:
            outcome = put(target)
        action = decide(facts._replace(dead_letter=outcome))
    return Settlement(
        action,
        target,
        outcome,
        reports_exception(action, facts.report) and bool(reply_to),
    )


class Note(NamedTuple):
    """An event of the history about a message: the kind, and its columns."""

    kind: str
    columns: dict[str, Any]


def note_of(
    kind: str,
    connection: Connection,
    transfer: Transfer,
    detail: Mapping[str, Any],
    outcome: Mapping[str, Any] = NO_COLUMNS,
) -> Note:
    """The outcome of the message, as an event of the history; `outcome` are further columns of
    it.
    """
    d = transfer.descriptor
    about = {
        "queue": transfer.queue,
        "msg_id": d.msg_id,
        "correl_id": d.correl_id if any(d.correl_id) else None,
    }
    data = {"priority": d.priority, "persistence": d.persistence, "length": len(transfer.body)}
    put = {"put_application": d.put_appl_name, "put_user": d.user_identifier}
    by = {
        "connection": connection.number,
        "application": connection.application,
        "user": connection.user,
    }
    return Note(kind, {**about, **data, **put, **by, **outcome, "detail": detail})


def write_note(end: ChannelEnd, note: Note, queue: str | None = None) -> None:
    """Append the event to the history, as one about `queue` if that is another one."""
    about = {} if queue is None else {"queue": queue}
    record(end.qmgr, note.kind, CAUSE, **{**note.columns, **about})


class UndeliverableMessages(Struct):
    """Undeliverable messages of one end. `note` gets the event that is recorded when the message's
    unit commits.

    `transmission_queue` is the queue that a dead-letter queue must not lead to.
    """

    connection: Connection
    end: ChannelEnd
    link: Link
    note: Callable[[Transfer, Note], None]
    transmission_queue: str = ""
    dead_lettered: bool = False
    dropped: Counter[int] = field(default_factory=Counter)

    def end_batch(self) -> None:
        """Report the fast messages that were discarded; forget them, and the dead letters."""
        self.dead_lettered = False
        if self.dropped:
            dropped = self.dropped.items()
            counts = (
                f"{number} for {reason} {' '.join(name_of_code(reason))}"
                for reason, number in dropped
            )
            self.end.report(text("MQSC0048W", name=self.end.channel, detail=", ".join(counts)))
            self.dropped.clear()

    @property
    def message(self) -> str:
        """The message AMQ9544E if a message of this batch was dead-lettered here, else blank."""
        return dead_lettered(self.end.channel, HERE) if self.dead_lettered else ""

    def decide(self, transfer: Transfer, retries: int, *, expired: bool) -> Action:
        """What to do with the message, before anything was tried."""
        return decide(self._facts(transfer, retries)._replace(expired=expired))

    def settle(self, transfer: Transfer) -> None:
        """Dead-letter or discard the message, with its report; ChannelEndedError when neither is
        possible.
        """
        settled = settlement(
            self.end.qmgr,
            self._facts(transfer, 0),
            transfer.descriptor.reply_to_q,
            lambda target: self._dead_letter(transfer, target),
            transmission_queue=self.transmission_queue,
        )
        if settled.action is Action.END:
            raise self._ended(transfer)
        if settled.action is Action.DEAD_LETTER:
            if not self.dead_lettered:
                self.dead_lettered = True
                self.end.report(self.message)
            twin = {"put_event": self.connection.dead_letter_event}
            put_on = {"target": settled.target, "reason": transfer.reason}
            self.note(transfer, note_of("DEAD_LETTER", self.connection, transfer, twin, put_on))
        else:
            detail = {
                "destination": transfer.queue,
                "destination_queue_manager": transfer.queue_manager,
            }
            self.note(
                transfer,
                note_of(
                    "DISCARD",
                    self.connection,
                    transfer,
                    detail,
                    {"reason": transfer.reason},
                ),
            )
            self.dropped[transfer.reason] += settled.action is Action.DROP
        if settled.reports:
            message = Message(transfer.body, transfer.descriptor)
            put_report_of_channel(
                self.connection,
                transfer.queue,
                message,
                transfer.reason,
                syncpoint=not transfer.fast,
            )

    def expire(self, transfer: Transfer) -> None:
        """Discard a message whose Expiry ran out on the way, with the report that it asked for."""
        message = Message(transfer.body, transfer.descriptor)
        reported = put_expiration_report(
            self.connection,
            transfer.queue,
            message,
            syncpoint=not transfer.fast,
        )
        detail = {"report": "plain"} if reported else {}
        self.note(transfer, note_of("EXPIRE", self.connection, transfer, detail))

    def _facts(self, transfer: Transfer, retries: int) -> UndeliverableFacts:
        use = self.end.definition["USEDLQ"] == "YES"
        return UndeliverableFacts(
            transfer.reason, retries, transfer.descriptor.report, transfer.fast, use
        )

    def _dead_letter(self, transfer: Transfer, target: str) -> int:
        """Put the message on the dead-letter queue: 0, or the reason why that failed."""
        self.link.step(Step.DEAD_LETTER, transfer.number)
        connection, qmgr = self.connection, self.end.qmgr
        failure = DeliveryFailure(transfer.reason, transfer.queue, transfer.queue_manager)
        put = put_by_program(connection.application, qmgr.now(), qmgr.row().ccsid)
        descriptor, body = dead_letter(transfer.descriptor, transfer.body, failure, put)
        in_unit = MQPMO.NO_SYNCPOINT if transfer.fast else MQPMO.SYNCPOINT
        options = MQPMO.SET_ALL_CONTEXT | MQPMO.FAIL_IF_QUIESCING | in_unit
        # The get of a message at the sending end is counted already (MAXUMSGS).
        counted = bool(self.transmission_queue) and not transfer.fast
        connection.unit.count -= counted
        try:
            connection.put1(target, Message(body, descriptor), PutMessageOptions(int(options)))
        except MQError as refused:
            connection.unit.count += counted
            if refused.reason in QUEUE_MANAGER_ENDS:
                raise
            return int(refused.reason)
        return 0

    def _ended(self, transfer: Transfer) -> ChannelEndedError:
        failed = text(
            "AMQ9511E", object=transfer.queue, detail=reason_text(transfer.reason).rstrip(".")
        )
        if self.end.role == SENDER:
            return ChannelEndedError(sender=failed, reason=transfer.reason)
        return ChannelEndedError(text("AMQ9506E"), failed, transfer.reason)


def dead_lettered(channel: str, location: int) -> str:
    """The message about messages on a dead-letter queue."""
    return text("AMQ9544E", name=channel, location=location)

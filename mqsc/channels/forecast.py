"""A forecast for a channel: the state of its partner, and the outcome of its next message;
changes nothing.
"""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.channels.binding import (
    definition_of,
    disagreement,
    numbers_differ,
    offer,
    partner_ccsid,
    why_unknown,
)
from mqsc.channels.link import unreachable
from mqsc.channels.outgoing import Outgoing, SendingEnd, outgoing
from mqsc.channels.partner import Partner, found_partner
from mqsc.channels.ping import answer_of
from mqsc.channels.run_failures import ChannelEndedError
from mqsc.channels.undeliverable import settlement
from mqsc.store.admin.channel.display import RECEIVER, SENDER
from mqsc.store.admin.channel.explanation import ChannelFacts
from mqsc.store.admin.channel.faults import is_down
from mqsc.store.admin.channel.sequence_reset import pending_reset
from mqsc.store.admin.channel.sync_records import SavedRecord, saved_records
from mqsc.store.admin.peeking import PAGE, PeekedMessage, peek
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQFB, MQRC
from mqsc.store.engine.definitions import Attributes
from mqsc.store.error import MQError, StoreError
from mqsc.store.headers import mqdlh
from mqsc.store.rules.channel.agreement import Agreement, agree, in_common
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.rules.channel.sequence import SequenceRecord, start
from mqsc.store.rules.channel.undeliverable import Action, UndeliverableFacts, decide
from mqsc.store.rules.expiry import elapsed_tenths
from mqsc.store.rules.transmission_expiry import transmission_aged
from mqsc.store.sql.rows import MessageState

# Enough data of a message for its transmission header and extension.
_HEAD = 4096
# The outcomes of a put that puts the message: success, and a warning.
_PUT = frozenset({0, int(MQRC.PRIORITY_EXCEEDS_MAXIMUM)})


class Destiny(NamedTuple):
    """What would become of a message.

    `where`: the end that decides. `reason` is why it could not be delivered, 0 if it could: it
    would then arrive on `target`. Otherwise `action` is what that end does at last, after `retries`
    further attempts; `dead_letter` is the outcome of a put to the dead-letter queue `target`, as in
    `undeliverable`. `reports`: with an exception report.
    """

    where: str
    reason: int
    target: str
    action: Action | None = None
    retries: int = 0
    dead_letter: int = 0
    reports: bool = False


class NextMessage(NamedTuple):
    """The next message that the channel would send. `destiny`: None when the partner cannot be
    asked.

    `expired`: how many messages before it have expired, and would be discarded. `fast`: it would be
    sent outside the batch. The names are blank for a message without a valid transmission header.
    """

    msg_id: bytes
    queue: str
    queue_manager: str
    length: int
    persistent: bool
    fast: bool
    expired: int
    destiny: Destiny | None


class PartnerFacts(Struct, frozen=True):
    """The other end: `refusal` is the message with which a start would fail now, blank if it would
    be bound.

    `name` is blank when the queue manager could not be found. `luwid` and `sequence` are those of
    its record of the channel: the last batch that it has committed, blank and 0 before there was
    one, None when it could not be asked. `strange` says of batches in doubt, by LUWID, why this
    queue manager cannot tell what became of them.
    """

    name: str
    refusal: str
    luwid: str | None = None
    sequence: int = 0
    strange: Mapping[str, str] = field(default_factory=dict)


class Forecast(NamedTuple):
    """The partner, and the next message on the transmission queue, None for an empty one."""

    partner: PartnerFacts
    next: NextMessage | None


def forecast(qmgr: QueueManager, facts: ChannelFacts) -> Forecast:
    """The forecast for a sending end, as things are now."""
    address = str(facts.definition["CONNAME"])
    try:
        with found_partner(qmgr, address) as partner:
            return _forecast(qmgr, facts, partner)
    except ChannelEndedError as error:
        unknown = PartnerFacts("", error.sender)
    except (MQError, StoreError) as error:
        unknown = PartnerFacts("", str(error).rstrip("."))
    own = offer(qmgr, facts.definition)
    return Forecast(unknown, _next(_Course(qmgr, facts.definition, in_common(own, own)), facts))


def _forecast(qmgr: QueueManager, facts: ChannelFacts, partner: Partner) -> Forecast:
    name, other = facts.name, partner.qmgr
    receiver = definition_of(other, name)
    own = offer(qmgr, facts.definition)
    there = offer(other, receiver) if receiver else own
    differ = agree(own, there)
    partner_record = _record(other, name, qmgr.name)
    luwid, sequence = (partner_record.luwid, partner_record.sequence) if partner_record else ("", 0)
    refusal = answer_of(other, name, facts.type, qmgr.name, partner.address)
    if is_down(qmgr, name):
        refusal = unreachable(partner.address)
    if not refusal and receiver:
        refusal = (
            disagreement(differ, own, there)
            if isinstance(differ, str)
            else _numbers(facts, receiver, sequence)
        )
    at_partner = PartnerFacts(
        other.name,
        refusal,
        luwid,
        sequence,
        _strange(qmgr, facts, other, partner_record),
    )
    ccsid = partner_ccsid(facts.definition, other)
    course = _Course(qmgr, facts.definition, in_common(own, there), ccsid, other, receiver)
    return Forecast(at_partner, _next(course, facts))


def _strange(
    qmgr: QueueManager,
    facts: ChannelFacts,
    partner: QueueManager,
    record: SavedRecord | None,
) -> Mapping[str, str]:
    own, other = (PartnerIdentity(each.name, each.row().created_at) for each in (qmgr, partner))
    caller = record.identity if record is not None else PartnerIdentity("")
    kept = record is not None
    reasons = {
        each.luwid: why_unknown(each.partner, other, caller, own, is_kept=kept)
        for each in facts.doubt
    }
    return {luwid: reason for luwid, reason in reasons.items() if reason}


def _numbers(facts: ChannelFacts, receiver: Attributes, last: int) -> str:
    """Why the two ends would not agree on numbers, `last` being that of the receiver; blank if
    they would.
    """
    if facts.doubt:
        return ""
    sender = SequenceRecord(facts.sequence or 0, pending_reset(facts.definition))
    sequence_start = start(
        sender,
        SequenceRecord(last, pending_reset(receiver)),
        int(str(facts.definition["SEQWRAP"])),
    )
    return "" if sequence_start.agrees else numbers_differ(facts.name, sequence_start)


def _record(partner: QueueManager, channel: str, caller: str) -> SavedRecord | None:
    records = partner.store.read(saved_records, partner.name)
    mine = (
        record
        for record in records
        if (record.channel, record.role, record.partner) == (channel, RECEIVER, caller)
    )
    return next((each for each in mine if each.state != MessageState.PUT), None)


class _Course(Struct, frozen=True):
    """Both ends as the next message meets them: their definitions, and what they agree on.

    `ccsid` is as in `sender.SendingEnd`. `partner` is None when no queue manager was found; without
    a definition at the partner, `receiver` is empty.
    """

    qmgr: QueueManager
    sender: Attributes
    agreement: Agreement
    ccsid: int = 0
    partner: QueueManager | None = None
    receiver: Attributes = field(default_factory=dict)


def _next(course: _Course, facts: ChannelFacts) -> NextMessage | None:
    if facts.queue is None:
        return None
    expired = 0
    # A message can only be converted as a whole.
    most, at_once = (None, 1) if course.ccsid else (_HEAD, PAGE)
    for message in peek(course.qmgr, facts.queue.name, most, at_once=at_once):
        # The channel does not find a message that the browse of a program has locked.
        if message.locked_by is not None:
            continue
        if message.is_expired:
            expired += 1
            continue
        return _foreseen(course, facts.queue.name, message, expired)
    return None


def _foreseen(course: _Course, queue: str, message: PeekedMessage, expired: int) -> NextMessage:
    qmgr, outer = course.qmgr, message.descriptor
    fast = course.agreement.fast and not outer.persistence
    sending = SendingEnd(queue, qmgr.name, course.ccsid, course.agreement.max_length)
    body = transmission_aged(
        message.body,
        elapsed_tenths(outer.put_at or 0, qmgr.now()),
        outer.encoding,
    )
    outgoing_message = outgoing(sending, outer, body, message.length)
    sent = outgoing_message.carried
    queue_names = (
        ("", "")
        if outgoing_message.reason == MQFB.XMIT_Q_MSG_ERROR
        else (sent.remote_q_name, sent.remote_q_mgr_name)
    )
    destiny: Destiny | None = None
    if outgoing_message.reason:
        destiny = _settled(
            qmgr, SENDER, course.sender, outgoing_message, fast=fast, transmission_queue=queue
        )
    elif course.partner is not None and course.partner.is_running and course.receiver:
        destiny = _arrival(course.partner, course.receiver, outgoing_message, fast=fast)
    persistent = bool(outer.persistence)
    return NextMessage(
        sent.descriptor.msg_id,
        *queue_names,
        outgoing_message.length,
        persistent,
        fast,
        expired,
        destiny,
    )


def _arrival(
    partner: QueueManager,
    receiver: Attributes,
    outgoing_message: Outgoing,
    *,
    fast: bool,
) -> Destiny:
    """What the receiving end does with a message."""
    sent = outgoing_message.carried
    if not sent.descriptor.expiry:
        return Destiny(RECEIVER, int(MQRC.EXPIRY_ERROR), "", Action.EXPIRE)
    outlook = PutPreview(partner).put(
        sent.remote_q_name,
        sent.remote_q_mgr_name,
        sent.descriptor,
        outgoing_message.length,
    )
    if outlook.reason in _PUT:
        return Destiny(RECEIVER, 0, outlook.queue)
    return _settled(
        partner, RECEIVER, receiver, outgoing_message._replace(reason=outlook.reason), fast=fast
    )


def _settled(
    qmgr: QueueManager,
    where: str,
    definition: Attributes,
    outgoing_message: Outgoing,
    *,
    fast: bool,
    transmission_queue: str = "",
) -> Destiny:
    descriptor = outgoing_message.carried.descriptor
    most = int(str(definition["MRRTY"])) if where == RECEIVER else 0
    facts = UndeliverableFacts(
        outgoing_message.reason,
        most,
        descriptor.report,
        fast,
        definition["USEDLQ"] == "YES",
    )
    retries = most if decide(facts) is Action.RETRY else 0

    def put(target: str) -> int:
        reason = (
            PutPreview(qmgr)
            .put(target, "", descriptor, outgoing_message.length + mqdlh.MQDLH_LENGTH)
            .reason
        )
        return 0 if reason in _PUT else reason

    settled = settlement(
        qmgr,
        facts._replace(retries=0),
        descriptor.reply_to_q,
        put,
        transmission_queue=transmission_queue,
    )
    return Destiny(
        where,
        outgoing_message.reason,
        settled.target,
        settled.action,
        retries,
        settled.dead_letter,
        settled.reports,
    )

"""What a channel would find at its partner, and what would become of its next message; nothing changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from mqsc.channels.binding import batch_of_another, definition_of
from mqsc.channels.faults import ChannelEndedError
from mqsc.channels.link import unreachable
from mqsc.channels.partner import Partner, found_partner
from mqsc.channels.ping import answer_of
from mqsc.channels.texts import text
from store.admin.channel_explanation import ChannelFacts
from store.admin.channel_faults import is_down
from store.admin.channel_numbers import pending_reset
from store.admin.peek import PeekedMessage, peek
from store.admin.put_preview import PutPreview, leads_to
from store.admin.sync_records import SavedRecord, saved_records
from store.catalog import Stored
from store.constants import MQFB, MQRC
from store.descriptor import MessageDescriptor
from store.error import MQError, StoreError
from store.headers import mqdlh, mqxqh
from store.rules import putting
from store.rules.channel.partner_identity import PartnerIdentity
from store.rules.channel.sequence import SequenceRecord, start
from store.rules.channel.undeliverable import NOT_NAMED, Action, UndeliverableFacts, decide, reports_exception
from store.rules.poison import LEADS_BACK
from store.rules.report_message import sent_message
from store.sql.file_format import MessageState
from store.sqlite.database import Reading

if TYPE_CHECKING:
    from store.client.api import QueueManager

# Enough data of a message for its transmission header and extension.
_HEAD = 4096
SENDER, RECEIVER = "sender", "receiver"
# The outcomes of a put that puts the message: success, and a warning.
_PUT = frozenset({0, int(MQRC.PRIORITY_EXCEEDS_MAXIMUM)})


class Destiny(NamedTuple):
    """What would become of a message.

    `where`: the end that decides. `reason` is why it could not be delivered, 0 if it could: it would then arrive on
    `target`. Otherwise `action` is what that end does at last, after `retries` further attempts; `dead_letter` is the
    outcome of a put to the dead-letter queue `target`, as in `undeliverable`. `reports`: with an exception report.
    """

    where: str
    reason: int
    target: str
    action: Action | None = None
    retries: int = 0
    dead_letter: int = 0
    reports: bool = False


class NextMessage(NamedTuple):
    """The next message that the channel would send. `destiny`: None when the partner cannot be asked.

    `expired`: how many messages before it have expired, and would be discarded. `fast`: it would be sent outside the
    batch. The names are blank for a message without a valid transmission header.
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
    """The other end: `refusal` is the message with which a start would fail now, blank if it would be bound.

    `name` is blank when the queue manager could not be found. `luwid` and `sequence` are those of its record of the
    channel: the last batch that it has committed, blank and 0 before there was one, None when it could not be asked.
    `strange` says of batches in doubt, by LUWID, why this queue manager cannot tell what became of them.
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
    """What a sending end would meet now."""
    address = str(facts.definition["CONNAME"])
    try:
        with found_partner(qmgr, address) as partner:
            return _forecast(qmgr, facts, partner)
    except ChannelEndedError as error:
        unknown = PartnerFacts("", error.sender)
    except (MQError, StoreError) as error:
        unknown = PartnerFacts("", str(error).rstrip("."))
    return Forecast(unknown, _next(qmgr, facts, None, {}))


def _forecast(qmgr: QueueManager, facts: ChannelFacts, partner: Partner) -> Forecast:
    name, other = facts.name, partner.qmgr
    refusal = answer_of(other, name, facts.type, qmgr.name, partner.address)
    if is_down(qmgr, name):
        refusal = unreachable(partner.address)
    found = _record(other, name, qmgr.name)
    receiver = definition_of(other, name)
    luwid, sequence = (found.luwid, found.sequence) if found else ("", 0)
    refusal = refusal or _numbers_differ(facts, receiver, sequence)
    strange = _strange(qmgr, facts, other, found)
    at_partner = PartnerFacts(other.name, refusal, luwid, sequence, strange)
    return Forecast(at_partner, _next(qmgr, facts, other if other.is_running and receiver else None, receiver))


def _strange(
    qmgr: QueueManager, facts: ChannelFacts, partner: QueueManager, record: SavedRecord | None
) -> Mapping[str, str]:
    own, other = (PartnerIdentity(each.name, each.row().created_at) for each in (qmgr, partner))
    caller = record.identity if record is not None else PartnerIdentity("")
    reasons = {each.luwid: batch_of_another(each.partner, other, caller, own) for each in facts.doubt}
    return {luwid: reason for luwid, reason in reasons.items() if reason}


def _numbers_differ(facts: ChannelFacts, receiver: Mapping[str, Stored], last: int) -> str:
    """Why the two ends could not agree on numbers, `last` being that of the receiver; blank if they could."""
    if not receiver or facts.doubt:
        return ""
    own, other = (int(str(each["SEQWRAP"])) for each in (facts.definition, receiver))
    if own != other:
        return text("AMQ9505E", own=own, other=other)
    sender = SequenceRecord(facts.sequence or 0, pending_reset(facts.definition))
    found = start(sender, SequenceRecord(last, pending_reset(receiver)), own)
    return "" if found.agrees else text("AMQ9526E", name=facts.name, sent=found.sent, expected=found.expected)


def _record(partner: QueueManager, channel: str, caller: str) -> SavedRecord | None:
    with Reading(partner.store.database) as reading:
        records = saved_records(reading, partner.name)
    mine = (each for each in records if (each.channel, each.role, each.partner) == (channel, RECEIVER, caller))
    return next((each for each in mine if each.state != MessageState.PUT), None)


def _next(
    qmgr: QueueManager, facts: ChannelFacts, partner: QueueManager | None, receiver: Mapping[str, Stored]
) -> NextMessage | None:
    if facts.queue is None:
        return None
    expired = 0
    for message in peek(qmgr, facts.queue.name, _HEAD):
        if message.is_expired:
            expired += 1
            continue
        return _foreseen(qmgr, facts, message, expired, partner, receiver)
    return None


def _foreseen(
    qmgr: QueueManager,
    facts: ChannelFacts,
    message: PeekedMessage,
    expired: int,
    partner: QueueManager | None,
    receiver: Mapping[str, Stored],
) -> NextMessage:
    outer = message.descriptor
    fast = not outer.persistence and all(
        each.get("NPMSPEED") == "FAST" for each in (facts.definition, receiver or facts.definition)
    )
    sent = sent_message(outer, message.body)
    if isinstance(sent, mqxqh.NotCarried) or putting.descriptor_fault(sent.descriptor, transmission=True):
        destiny = _undelivered(qmgr, facts, outer, message.length, int(MQFB.XMIT_Q_MSG_ERROR), fast=fast)
        return NextMessage(outer.msg_id, "", "", message.length, bool(outer.persistence), fast, expired, destiny)
    descriptor, length = sent.descriptor, message.length - mqxqh.LENGTH
    descriptor.expiry = outer.expiry
    destiny_there: Destiny | None = None
    limit = min(int(str(each["MAXMSGL"])) for each in (facts.definition, receiver or facts.definition))
    if length > limit:
        reason = int(MQRC.MSG_TOO_BIG_FOR_CHANNEL)
        destiny_there = _undelivered(qmgr, facts, descriptor, length, reason, fast=fast)
    elif partner is not None:
        destiny_there = _arrival(
            partner, receiver, sent.remote_q_name, sent.remote_q_mgr_name, descriptor, length, fast=fast
        )
    return NextMessage(
        descriptor.msg_id,
        sent.remote_q_name,
        sent.remote_q_mgr_name,
        length,
        bool(outer.persistence),
        fast,
        expired,
        destiny_there,
    )


def _undelivered(
    qmgr: QueueManager, facts: ChannelFacts, descriptor: MessageDescriptor, length: int, reason: int, *, fast: bool
) -> Destiny:
    """What the sending end does with a message that it cannot send."""
    found = UndeliverableFacts(reason, 0, descriptor.report, fast, facts.definition["USEDLQ"] == "YES")
    queue = "" if facts.queue is None else facts.queue.name
    return _settled(qmgr, SENDER, found, descriptor, length, transmission_queue=queue)


def _arrival(
    partner: QueueManager,
    receiver: Mapping[str, Stored],
    queue: str,
    queue_manager: str,
    descriptor: MessageDescriptor,
    length: int,
    *,
    fast: bool,
) -> Destiny:
    """What the receiving end does with a message."""
    outlook = PutPreview(partner).put(queue, queue_manager, descriptor, length)
    if outlook.reason in _PUT:
        return Destiny(RECEIVER, 0, outlook.queue)
    retries = int(str(receiver["MRRTY"]))
    found = UndeliverableFacts(outlook.reason, retries, descriptor.report, fast, receiver["USEDLQ"] == "YES")
    tried = retries if decide(found) is Action.RETRY else 0
    return _settled(partner, RECEIVER, found._replace(retries=0), descriptor, length)._replace(retries=tried)


def _settled(
    qmgr: QueueManager,
    where: str,
    found: UndeliverableFacts,
    descriptor: MessageDescriptor,
    length: int,
    *,
    transmission_queue: str = "",
) -> Destiny:
    action, target, outcome = decide(found), qmgr.row().dead_letter_queue, 0
    if action is Action.DEAD_LETTER:
        outcome = _dead_letter(qmgr, target, descriptor, length, transmission_queue)
        action = decide(found._replace(dead_letter=outcome))
    reports = reports_exception(action, descriptor.report) and bool(descriptor.reply_to_q)
    return Destiny(where, found.reason, target, action, 0, outcome, reports)


def _dead_letter(
    qmgr: QueueManager, target: str, descriptor: MessageDescriptor, length: int, transmission_queue: str
) -> int:
    if not target:
        return NOT_NAMED
    if transmission_queue and leads_to(qmgr, target) == transmission_queue:
        return LEADS_BACK
    reason = PutPreview(qmgr).put(target, "", descriptor, length + mqdlh.LENGTH).reason
    return 0 if reason in _PUT else reason

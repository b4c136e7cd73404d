"""Binding of the two ends of a channel: they find each other, agree, and resolve a batch in
doubt.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from msgspec.structs import replace

from mqsc.channels.end import APPLICATION, RECEIVER, ChannelEnd, Reporter, start_figures, text
from mqsc.channels.link import Link
from mqsc.channels.partner import Partner
from mqsc.channels.receiver import Receiver
from mqsc.channels.run_failures import QUEUE_MANAGER_ENDS, ChannelEndedError, StoppedError
from mqsc.channels.sync_record import SyncRecord, SyncRecords
from mqsc.console.parameters import iso
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel import run_events, sequence_reset, status, sync_records
from mqsc.store.catalog import Stored
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS
from mqsc.store.engine import inbound
from mqsc.store.error import ChannelInUseError, MQError, StoreError
from mqsc.store.rules.channel import batch_identifier
from mqsc.store.rules.channel.agreement import Agreement, Offer, agree, may_call
from mqsc.store.rules.channel.partner import PartnerIdentity, is_another
from mqsc.store.rules.channel.sequence import SequenceRecord, SequenceStart, preceding, start
from mqsc.store.rules.channel_auth import ConnectingClient
from mqsc.store.rules.channel_auth_patterns import is_host_name
from mqsc.store.sqlite.database import Reading

# EXPIRE events of messages that a channel meets have this cause.
AGENT = "channel"
# VERSION and product of the queue managers here.
VERSION, PRODUCT = "09040200", "MQMM"
_RECEIVING = ("RCVR", "RQSTR")


def definition_of(qmgr: QueueManager, name: str) -> Mapping[str, Stored]:
    """Every attribute of a channel, none when it does not exist; ChannelEndedError unless the
    queue manager runs.
    """
    return qmgr.store.read(status.definition, qmgr.name, name)


@contextmanager
def connected(qmgr: QueueManager) -> Iterator[Connection]:
    """A connection of a channel program. Leaving by an exception backs out the unit of work."""
    connection = qmgr.connect(APPLICATION, agent=AGENT)
    try:
        yield connection
    except (ChannelEndedError, StoppedError, MQError, StoreError):
        # The program goes on, so its unit of work is not that of one that has died.
        with suppress(MQError, StoreError):
            connection.back()
        raise
    finally:
        if connection.is_connected:
            try:
                connection.abend()
            except (MQError, StoreError):
                # The queue manager has ended, or the disk is full.
                connection.give_up()


@contextmanager
def receiver_of(end: ChannelEnd, link: Link, sender: ChannelEnd) -> Iterator[Receiver]:
    """The receiving end with a connection; ChannelEndedError when its queue manager does not
    admit it.
    """
    with ExitStack() as stack:
        try:
            connection = end.connection = stack.enter_context(connected(end.qmgr))
            receiver = Receiver(end, connection, link, sender.identity, sender.stop_requested)
        except MQError as error:
            name = end.qmgr.name
            if error.reason in QUEUE_MANAGER_ENDS:
                failed = text("AMQ9524E", name=end.channel, partner=name)
                raise ChannelEndedError(
                    failed,
                    text("AMQ9542W", name=name),
                    int(error.reason),
                ) from error
            detail = error_text(error).rstrip(".")
            failed = text("AMQ9202E", partner=name, detail=detail)
            own = text("AMQ9509E", object=error.object_name, detail=detail)
            raise ChannelEndedError(failed, own, int(error.reason)) from error
        yield receiver
        connection.disconnect()


@contextmanager
def called_end(sender: ChannelEnd, partner: Partner, report: Reporter) -> Iterator[ChannelEnd]:
    """The receiving end of the channel at the partner that answers a call of the sender, claimed
    for this process.

    ChannelEndedError when it does not answer.
    """
    name = sender.channel
    qmgr = partner.qmgr
    caller = sender.qmgr.name
    try:
        if not qmgr.is_running:
            raise ChannelEndedError(text("AMQ9524E", name=name, partner=qmgr.name))
        end = _called_end(sender, partner, report)
        try:
            figures = {"CONNAME": f"local({caller})", "SUBSTATE": "RECEIVE", "MCAUSER": end.user}
            end.claim(
                MQCHS.BINDING,
                start_figures(end, "CHLTYPE", "BATCHSZ", "HBINT", "NPMSPEED", **figures),
            )
        except ChannelInUseError as error:
            raise ChannelEndedError(text("AMQ9558E", name=name, partner=partner.address)) from error
    except (MQError, StoreError) as error:
        raise ChannelEndedError(
            text("AMQ9202E", partner=partner.address, detail=str(error).rstrip(".")),
        ) from error
    starting = text("AMQ9002I", name=name)
    end.report(starting)
    end.record("starting", starting)
    try:
        yield end
    except (ChannelEndedError, StoppedError, MQError, StoreError):
        # `attempt` reports the failure and changes the status.
        raise
    except BaseException:
        with suppress(MQError, StoreError):
            if _is_claimed(end, caller):
                end.forget()
        raise


def _is_claimed(end: ChannelEnd, caller: str) -> bool:
    instances = status.instances(end.qmgr, end.channel)
    return any(each.partner == caller and each.process is not None for each in instances)


def _called_end(sender: ChannelEnd, partner: Partner, report: Reporter) -> ChannelEnd:
    name = sender.channel
    qmgr = partner.qmgr
    caller = sender.qmgr.name
    definition = definition_of(qmgr, name)
    called_from = f"local({caller})"
    if not definition and run_events.define_automatically(qmgr, name, called_from):
        definition = definition_of(qmgr, name)
    if not definition:
        report(f"{qmgr.name}: {text('AMQ9519E', name=name)}")
        raise ChannelEndedError(text("AMQ9520E", name=name))
    own, other = str(sender.definition["CHLTYPE"]), str(definition["CHLTYPE"])
    if not may_call(own, other) or other not in _RECEIVING:
        raise ChannelEndedError(
            text("AMQ9547E", name=name, detail=f"{own} here, {other} at the partner"),
        )
    end = ChannelEnd(qmgr, name, RECEIVER, definition, report, key=caller)
    stopped = [
        instance for instance in status.instances(qmgr, name) if instance.status == MQCHS.STOPPED
    ]
    if any(each.partner in ("", caller) for each in stopped):
        end.report(text("AMQ9534E", name=name))
        raise ChannelEndedError(text("AMQ9558E", name=name, partner=partner.address))
    end.user = _user_of(end, caller, str(sender.definition.get("LOCLADDR", "")), partner.address)
    return end


def _user_of(end: ChannelEnd, caller: str, address: str, answers_at: str) -> str:
    """The user of a receiving end (authority §6.3); ChannelEndedError if a channel
    authentication record blocks it.
    """
    qmgr, local = end.qmgr, address if address and not is_host_name(address) else "127.0.0.1"
    client = ConnectingClient(
        end.channel,
        local,
        queue_manager=caller,
        channel_user=str(end.definition.get("MCAUSER", "")),
        is_message_channel=True,
    )
    with qmgr.transaction() as (tx, call):
        verdict = inbound.verdict(tx, qmgr.store, call.qmgr, client)
        if verdict is None:
            return ""
        inbound.record(tx, replace(call, application=APPLICATION), client, verdict)
    if verdict.refused:
        end.report(text("AMQ9777E", name=end.channel, partner=caller))
        raise ChannelEndedError(text("AMQ9558E", name=end.channel, partner=answers_at))
    return verdict.user


def agreed(sender: ChannelEnd, receiver: ChannelEnd) -> Agreement:
    """What the two ends agree on; ChannelEndedError when they cannot."""
    own, other = offer(sender.qmgr, sender.definition), offer(receiver.qmgr, receiver.definition)
    agreement = agree(own, other)
    if isinstance(agreement, Agreement):
        return agreement
    raise ChannelEndedError(
        disagreement(agreement, own, other), disagreement(agreement, other, own)
    )


def disagreement(message: str, own: Offer, other: Offer) -> str:
    """The message about a failed negotiation, of the end that made the offer `own`."""
    return text(message, own=own.sequence_wrap, other=other.sequence_wrap)


def offer(qmgr: QueueManager, definition: Mapping[str, Stored]) -> Offer:
    """The offer of an end with that definition, for the negotiation."""
    compression = definition["COMPMSG"]
    ways = [str(each) for each in compression] if isinstance(compression, list) else ("NONE",)
    sizes = (int(str(definition[word])) for word in ("BATCHSZ", "HBINT", "MAXMSGL", "SEQWRAP"))
    batch_size, heartbeat, longest, wrap = sizes
    most, fast = qmgr.row().max_uncommitted, definition["NPMSPEED"] == "FAST"
    return Offer(batch_size, most, heartbeat, longest, wrap, fast, ways)


def partner_ccsid(definition: Mapping[str, Stored], partner: QueueManager) -> int:
    """The CCSID that a sending end converts to: that of the partner if CONVERT(YES), else 0."""
    return partner.row().ccsid if definition["CONVERT"] == "YES" else 0


def resynchronize(sender: ChannelEnd, connection: Connection, receiver: Receiver) -> None:
    """Resolve a batch in doubt: commit it if it is the last that the receiver has committed, else
    back it out.

    ChannelEndedError 9507 when it is in doubt with another queue manager, even one of the same
    name, because only that one knows what became of it, and when the receiver has lost its record.
    """
    for unit in sender.qmgr.in_doubt():
        if unit.name != sender.channel:
            continue
        sender.show(SUBSTATE="RESYNCH")
        with Reading(sender.qmgr.store.database) as reading:
            record = sync_records.record_in_doubt(reading, sender.qmgr.name, unit)
            messages = sync_records.messages_in_doubt(reading, sender.qmgr.name, unit)
            size = sync_records.bytes_in_doubt(reading, sender.qmgr.name, unit)
        caller = receiver.end.qmgr.store.read(
            sync_records.caller_of_last,
            receiver.end.qmgr.name,
            sender.channel,
            sender.qmgr.name,
        )
        why = why_unknown(
            PartnerIdentity("") if record is None else record.identity,
            receiver.end.identity,
            caller,
            sender.identity,
            is_kept=receiver.record.is_kept,
        )
        if why:
            raise ChannelEndedError(text("AMQ9507E", name=sender.channel, detail=why))
        commit = unit.luwid == receiver.record.luwid
        decision = "commit" if commit else "backout"
        detail: dict[str, Any] = {
            "luwid": unit.luwid,
            "decision": decision,
            "messages": messages,
            "bytes": size,
        }
        if record is not None:
            detail["sequence"] = record.sequence
        noted = sender.event("resolved", detail=detail)
        connection.resolve(sender.channel, unit.luwid, commit=commit, noted=[noted])
        sender.show(CURMSGS=0)


def why_unknown(
    sent_to: PartnerIdentity,
    partner: PartnerIdentity,
    caller: PartnerIdentity,
    own: PartnerIdentity,
    *,
    is_kept: bool,
) -> str:
    """Why the partner `found` cannot tell what became of a batch in doubt; blank if it can.

    `sent_to` is the queue manager that the batch was sent to, `caller` the one that the record of
    the partner is about; `is_kept`: there is such a record, as there was when the batch was sent.
    """
    if is_another(sent_to, partner):
        if sent_to.name != partner.name:
            return f"the batch was sent to {sent_to.name}"
        return f"the batch was sent to {_described(sent_to)}, and this is {_described(partner)}"
    if not is_kept:
        return f"{partner.name} no longer has its record of the channel"
    if is_another(caller, own):
        return (
            f"the record at {partner.name} is about {_described(caller)}, and this is "
            f"{_described(own)}"
        )
    return ""


def _described(partner: PartnerIdentity) -> str:
    return (
        partner.name
        if partner.created_at is None
        else f"a {partner.name} created at {iso(partner.created_at)}"
    )


def begin_numbers(
    sender: ChannelEnd,
    connection: Connection,
    records: SyncRecords,
    receiver: Receiver,
) -> SyncRecord:
    """The record with which the sender begins: the numbers of both ends agree, if need be by a
    RESET CHANNEL.

    ChannelEndedError 9526 when they do not.
    """
    own = records.read()
    here = sequence_reset.pending_reset(sender.definition)
    there = sequence_reset.pending_reset(receiver.end.definition)
    wrap = sender.number("SEQWRAP")
    sequence_start = start(
        SequenceRecord(own.sequence, here),
        SequenceRecord(receiver.record.sequence, there),
        wrap,
    )
    if not sequence_start.agrees:
        failed = numbers_differ(sender.channel, sequence_start)
        raise ChannelEndedError(failed, failed)
    if not receiver.record.is_kept:
        receiver.use_number(receiver.record.sequence)
    if here or there:
        last = preceding(sequence_start.sent, wrap)
        receiver.use_number(last)
        own = SyncRecord(own.luwid, last)
        records.replace(own, sender.qmgr.now())
        connection.commit()
    for end, reset in ((sender, here), (receiver.end, there)):
        if reset:
            sequence_reset.reset_used(end.qmgr, end.channel)
    return own


def numbers_differ(name: str, sequence_start: SequenceStart) -> str:
    """The message about ends whose numbers differ."""
    return text("AMQ9526E", name=name, sent=sequence_start.sent, expected=sequence_start.expected)


def show_bound(
    end: ChannelEnd,
    partner: str,
    agreement: Agreement,
    record: SyncRecord,
    link: Link,
    luwid: str,
) -> None:
    """Both ends show what they agreed on; `luwid` is that of the first batch."""
    end.partner = partner
    counters = link.receiver if end.role == RECEIVER else link.sender
    speed = "FAST" if agreement.fast else "NORMAL"
    substate = "RECEIVE" if end.role == RECEIVER else "MQGET"
    agreed_on = {"BATCHSZ": agreement.batch_size, "HBINT": agreement.heartbeat}
    numbers = {"LSTSEQNO": record.sequence, "CURSEQNO": record.sequence, "CURMSGS": 0}
    texts = {
        "RQMNAME": partner,
        "RVERSION": VERSION,
        "RPRODUCT": PRODUCT,
        "NPMSPEED": speed,
        "SUBSTATE": substate,
    }
    units = {"LSTLUWID": record.luwid or batch_identifier.NONE, "CURLUWID": luwid}
    end.show(MQCHS.RUNNING, **texts, **agreed_on, **numbers, **units, **counters)
    end.record("bound")

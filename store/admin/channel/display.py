"""DISPLAY CHSTATUS, and the explanation of the state of a channel."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.store.admin.channel import starts, status
from mqsc.store.admin.channel.commands import initiators
from mqsc.store.admin.channel.status import STOPS, ChannelInstance, definition, instances, owner
from mqsc.store.admin.channel.sync_records import (
    SavedRecord,
    messages_in_doubt,
    partner_in_doubt,
    saved_records,
)
from mqsc.store.catalog import Stored
from mqsc.store.constants import MQCHS, MQRCCF
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import refuse_if
from mqsc.store.headers import layout, mqxqh
from mqsc.store.rules.channel import command_refusals, injected_faults
from mqsc.store.rules.channel.batch_identifier import NONE as NO_BATCH
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.rules.monitoring import effective_level
from mqsc.store.rules.names import matches
from mqsc.store.sql import channels, history, objects, queues, units_of_work
from mqsc.store.sql.rows import ChannelFaultRow, MessageState, QueueRow
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.owners import Owner

# DISPLAY CHSTATUS: the instances of channels, and how far each end has come (channel-commands §2).

SENDER, RECEIVER = "sender", "receiver"
OFF = "OFF"
_NO_JOB = "0" * 16
# The thread that runs a channel is the only one of its process that other programs know of.
_THREAD = 1
# The values before a program has measured others.
_INITIAL: Mapping[str, Any] = {
    **dict.fromkeys(
        ("BATCHES", "BUFSRCVD", "BUFSSENT", "BYTSRCVD", "BYTSSENT", "MSGS", "SSLRKEYS"),
        0,
    ),
    **dict.fromkeys(("COMPRATE", "COMPTIME", "EXITTIME", "NETTIME", "XBATCHSZ", "XQTIME"), "0,0"),
    **dict.fromkeys(
        (
            "CHSTADA",
            "CHSTATI",
            "LOCLADDR",
            "LSTMSGDA",
            "LSTMSGTI",
            "RPRODUCT",
            "RQMNAME",
            "RVERSION",
        ),
        "",
    ),
    **dict.fromkeys(("SSLCERTI", "SSLCIPH", "SSLKEYDA", "SSLKEYTI", "SSLPEER", "SUBSTATE"), ""),
    "COMPHDR": ["NONE", "NONE"],
    "COMPMSG": ["NONE", "NONE"],
    "SECPROT": "NONE",
    "STATCHL": "OFF",
}
# Values of the definition, shown until the two ends have agreed.
_DEFINED = ("BATCHSZ", "CONNAME", "HBINT", "KAINT", "MAXMSGL", "NPMSPEED")
_OF_SENDERS = frozenset({"LONGRTS", "SHORTRTS", "NETTIME", "XMITQ", "XQMSGSA", "XQTIME"})
_OF_RECEIVERS = frozenset({"MCAUSER"})
_SAVED = frozenset(
    "CHANNEL CHLTYPE CONNAME CURLUWID CURMSGS CURSEQNO INDOUBT LSTLUWID LSTSEQNO RQMNAME STATUS "
    "XMITQ".split(),
)
_SHORT = frozenset("CHANNEL CHLTYPE CONNAME QMNAME RQMNAME STATUS XMITQ".split())


class _Facts(NamedTuple):
    """The facts that the rows of a queue manager show, besides the instances."""

    units: list[units_of_work.UnitInDoubt]
    records: list[SavedRecord]
    monitoring: str


def current_status(qmgr: QueueManagerState, pattern: str) -> list[DisplayedValues]:
    """CURRENT: every instance of the channels whose name matches."""
    found = instances(qmgr, pattern)
    facts = _facts(qmgr)
    return [{**_values_of(qmgr, facts, each), "CURRENT": "CURRENT"} for each in found]


def short_status(qmgr: QueueManagerState, pattern: str) -> list[DisplayedValues]:
    """SHORT: the same instances, with less of each."""
    return [{**_reduced(row, _SHORT), "SHORT": "SHORT"} for row in current_status(qmgr, pattern)]


def saved_status(qmgr: QueueManagerState, pattern: str) -> list[DisplayedValues]:
    """SAVED: every end of a channel that has a synchronization record."""
    running = {(each.channel, each.partner): each for each in instances(qmgr, pattern)}
    facts = _facts(qmgr)
    rows = {}
    for record in facts.records:
        key = (record.channel, "" if record.role == SENDER else record.partner)
        instance = running.get(key) or ChannelInstance(*key, MQCHS.INACTIVE, "", "", None, None, {})
        if matches(pattern, record.channel) and (
            record.state != MessageState.PUT or _unit(facts, record)
        ):
            row = _values_of(qmgr, facts, instance)
            if not row["CHLTYPE"]:
                continue
            numbers = _numbers(facts, record.channel, record.role, record.partner)
            if row["INDOUBT"] == "NO":
                numbers["CURLUWID"] = numbers["LSTLUWID"]
            elif "CURMSGS" in instance.figures:
                numbers["CURMSGS"] = instance.figures["CURMSGS"]
            saved = _reduced({**row, **numbers, "RQMNAME": record.partner}, _SAVED)
            rows[record.channel, record.role, record.partner] = {**saved, "SAVED": "SAVED"}
    return [rows[key] for key in sorted(rows)]


def _facts(qmgr: QueueManagerState) -> _Facts:
    with Reading(qmgr.store.database) as reading:
        return _Facts(
            units_of_work.in_doubt(reading, qmgr.name),
            saved_records(reading, qmgr.name),
            str(objects.attribute(reading, qmgr.name, "qmgr", qmgr.name, "MONCHL") or OFF),
        )


def _values_of(
    qmgr: QueueManagerState, facts: _Facts, instance: ChannelInstance
) -> DisplayedValues:
    """Every value of an instance that its type has."""
    with Reading(qmgr.store.database) as reading:
        attributes = definition(reading, qmgr.name, instance.channel)
        queue = queues.by_name(reading, qmgr.name, str(attributes.get("XMITQ", "")))
        process = (
            None
            if instance.process is None
            else owner(reading, qmgr.store, instance.process).process
        )
    sends = attributes.get("CHLTYPE") in command_refusals.SENDING
    figures = instance.figures
    partner = str(figures.get("RQMNAME", "")) or instance.partner
    values = {
        **_INITIAL,
        **{word: attributes[word] for word in _DEFINED if word in attributes},
        "LONGRTS": attributes.get("LONGRTY", 0),
        "SHORTRTS": attributes.get("SHORTRTY", 0),
        **_numbers(facts, instance.channel, SENDER if sends else RECEIVER, partner),
        **figures,
        **_program(instance, process),
        "CHANNEL": instance.channel,
        "CHLTYPE": attributes.get("CHLTYPE", ""),
        "INDOUBT": "YES"
        if sends and any(unit.name == instance.channel for unit in facts.units)
        else "NO",
        "MCAUSER": figures.get("MCAUSER") or attributes.get("MCAUSER", ""),
        "MONCHL": effective_level(str(attributes.get("MONCHL", OFF)), facts.monitoring),
        "QMNAME": qmgr.name,
        "RQMNAME": figures.get("RQMNAME", ""),
        "STATUS": instance.status.name,
        "STOPREQ": "YES" if instance.requested in STOPS else "NO",
        "XMITQ": attributes.get("XMITQ", ""),
        "XQMSGSA": 0 if queue is None else queue.depth,
    }
    return _reduced(values, frozenset(values) - (_OF_RECEIVERS if sends else _OF_SENDERS))


def _program(instance: ChannelInstance, process: int | None) -> DisplayedValues:
    """The values about the program that runs the instance."""
    if process is None:
        return {"JOBNAME": _NO_JOB, "MCASTAT": "NOT RUNNING", "SUBSTATE": ""}
    job = instance.figures.get("JOBNAME") or f"{process:08X}{_THREAD:08X}"
    substate = (
        instance.figures.get("SUBSTATE", "") if instance.status in command_refusals.ACTIVE else ""
    )
    return {"JOBNAME": job, "MCASTAT": "RUNNING", "SUBSTATE": substate}


def _numbers(facts: _Facts, channel: str, role: str, partner: str) -> DisplayedValues:
    """The last committed batch of an end, and the one in doubt, from the synchronization records.

    A blank `partner` is any: before a sender has reached its partner, its last record counts.
    """
    own = [each for each in facts.records if (each.channel, each.role) == (channel, role)]
    own = [each for each in own if partner in ("", each.partner)]
    last = next((each for each in reversed(own) if each.state != MessageState.PUT), None)
    luwid, sequence = (last.luwid or NO_BATCH, last.sequence) if last is not None else (NO_BATCH, 0)
    numbers = {
        "LSTLUWID": luwid,
        "LSTSEQNO": sequence,
        "CURLUWID": NO_BATCH,
        "CURSEQNO": sequence,
        "CURMSGS": 0,
    }
    for record in own:
        unit = _unit(facts, record)
        if unit is not None and record.state == MessageState.PUT:
            # The unit also got the record that this one replaces.
            gone = unit.gets - (last is not None)
            numbers.update({"CURLUWID": record.luwid, "CURSEQNO": record.sequence, "CURMSGS": gone})
    return numbers


def _unit(facts: _Facts, record: SavedRecord) -> units_of_work.UnitInDoubt | None:
    """The unit in doubt that has put the record."""
    wanted = (record.channel, record.luwid)
    return next(
        (
            unit
            for unit in facts.units
            if record.role == SENDER and (unit.name, unit.luwid) == wanted
        ),
        None,
    )


def _reduced(row: DisplayedValues, words: frozenset[str]) -> DisplayedValues:
    return {word: value for word, value in row.items() if word in words}


# The explanation of a channel's status, and the replies that commands would get; changes nothing.

COMMANDS = ("START", "STOP", "RESET", "RESOLVE", "PING", "DELETE")
# The history is searched backwards, as far as this.
_EVENTS = 1_000_000
# The messages of a batch in doubt that are shown.
MOST_MESSAGES = 10
# Refusals whose message names the transmission queue.
_ABOUT_THE_QUEUE = frozenset({MQRCCF.MQOPEN_FAILED, MQRCCF.NOT_XMIT_Q})


class Instance(NamedTuple):
    """An instance of the channel, and the process that runs it, None for nobody."""

    instance: ChannelInstance
    process: Owner | None


class LastEnd(NamedTuple):
    """The end of the last attempt: when (microseconds UTC), the cause, the message, and the MQRC or
    0.

    The message is blank when the program that ran the channel was killed.
    """

    at: int
    cause: str
    message: str
    reason: int


class DoubtfulMessage(NamedTuple):
    """A message of a batch in doubt: its MsgId and where it is to go; blanks when it has no
    transmission header.
    """

    msg_id: bytes
    queue: str
    queue_manager: str
    length: int


class BatchInDoubt(NamedTuple):
    """A batch in doubt: since when (microseconds UTC), with whom, how many messages, and the first
    of them.

    The name of `partner` is blank when no record has it.
    """

    luwid: str
    since: int
    partner: PartnerIdentity
    messages: int
    first: tuple[DoubtfulMessage, ...]


class CommandForecast(NamedTuple):
    """The reply to a command here: None for success, and the name in its message. PING also asks
    the partner.
    """

    command: str
    refusal: MQRCCF | None
    name: str


class ChannelFacts(Struct, frozen=True):
    """A channel at a moment (microseconds UTC). `queue` is the transmission queue, None for other
    ends, or if missing.

    `initiation_queue` is blank for a channel that no initiator starts; `initiators` are the
    processes that read it. `sequence` is the number of the last message of the last committed
    batch, None before there was one.
    """

    name: str
    qmgr: str
    at: int
    manual_clock: bool
    running: bool
    definition: Mapping[str, Stored]
    instances: tuple[Instance, ...]
    doubt: tuple[BatchInDoubt, ...]
    last_end: LastEnd | None
    queue: QueueRow | None
    initiation_queue: str
    initiators: tuple[Owner, ...]
    answers: tuple[CommandForecast, ...]
    faults: tuple[ChannelFaultRow, ...]
    sequence: int | None

    @property
    def type(self) -> str:
        return str(self.definition["CHLTYPE"])

    @property
    def sends(self) -> bool:
        """Whether this end reads a transmission queue."""
        return self.type in command_refusals.SENDING

    @property
    def runs_here(self) -> bool:
        """Whether a program here can run the channel from this end."""
        return self.type in command_refusals.RUN_HERE

    @property
    def own(self) -> Instance | None:
        """The instance of a sending end or a requester."""
        return next((each for each in self.instances if not each.instance.partner), None)

    @property
    def status(self) -> MQCHS:
        return MQCHS.INACTIVE if self.own is None else self.own.instance.status


def explain(qmgr: QueueManagerState, name: str) -> ChannelFacts:
    """Collect the facts about a channel, after settling those of dead programs; MQError 4032 if
    it does not exist.
    """
    channel_instances = status.instances(qmgr, name)
    reading_processes = initiators(qmgr)
    with qmgr.reading(running=False) as (reading, call):
        definition = status.definition(reading, qmgr.name, name)
        refuse_if(not definition, MQRCCF.CHANNEL_NOT_FOUND, name)
        sends = definition["CHLTYPE"] in command_refusals.SENDING
        queue = (
            queues.by_name(reading, qmgr.name, str(definition.get("XMITQ", ""))) if sends else None
        )
        initq = status.initiation_queue(reading, qmgr.name, queue.name if queue else "")
        doubt = _doubt(reading, qmgr.name, name, queue)
        records = saved_records(reading, qmgr.name)
        return ChannelFacts(
            name,
            qmgr.name,
            call.now,
            call.qmgr.clock_at is not None,
            call.qmgr.state == "RUNNING",
            definition,
            tuple(_instance(reading, qmgr, each) for each in channel_instances),
            doubt,
            _last_end(reading, qmgr.name, name),
            queue,
            initq if definition["CHLTYPE"] in command_refusals.RUN_HERE else "",
            tuple(each.owner for each in reading_processes if each.queue == initq),
            _answers(name, definition, queue, channel_instances, in_doubt=bool(doubt)),
            tuple(
                each for each in starts.faults(qmgr, name) if injected_faults.lasts(each, call.now)
            ),
            next(
                (
                    each.sequence
                    for each in records
                    if each.channel == name and each.state != MessageState.PUT
                ),
                None,
            ),
        )


def _instance(reading: Reading, qmgr: QueueManagerState, row: ChannelInstance) -> Instance:
    if row.process is None:
        return Instance(row, None)
    return Instance(row, owner(reading, qmgr.store, row.process))


def _doubt(
    reading: Reading,
    qmgr: str,
    name: str,
    queue: QueueRow | None,
) -> tuple[BatchInDoubt, ...]:
    batches = []
    for unit in units_of_work.in_doubt(reading, qmgr):
        if unit.name != name:
            continue
        row = units_of_work.prepared(reading, qmgr, name, unit.luwid)
        messages: list[units_of_work.GotMessage] = []
        if row is not None and queue is not None:
            messages = units_of_work.got_messages(
                reading,
                row.number,
                queue.id,
                MOST_MESSAGES,
                mqxqh.LENGTH,
            )
        count = messages_in_doubt(reading, qmgr, unit)
        partner = partner_in_doubt(reading, qmgr, unit)
        batches.append(
            BatchInDoubt(
                unit.luwid,
                unit.prepared_at,
                partner,
                count,
                tuple(map(_doubtful, messages)),
            ),
        )
    return tuple(batches)


def _doubtful(message: units_of_work.GotMessage) -> DoubtfulMessage:
    try:
        header = mqxqh.unpack(message.body or b"", message.encoding, message.coded_char_set_id)
    except layout.HeaderError:
        return DoubtfulMessage(b"", "", "", message.length)
    length = message.length - mqxqh.LENGTH
    return DoubtfulMessage(
        header.descriptor.msg_id,
        header.remote_q_name,
        header.remote_q_mgr_name,
        length,
    )


def _last_end(reading: Reading, qmgr: str, name: str) -> LastEnd | None:
    row = channels.last_end(reading, qmgr, name, history.bound(reading)[0] - _EVENTS)
    if row is None:
        return None
    detail = json.loads(row.detail or "{}")
    return LastEnd(row.at, row.cause, str(detail.get("message", "")), row.reason or 0)


def _answers(
    name: str,
    definition: Mapping[str, Stored],
    queue: QueueRow | None,
    channel_instances: list[ChannelInstance],
    *,
    in_doubt: bool,
) -> tuple[CommandForecast, ...]:
    type = str(definition["CHLTYPE"])
    status = max(
        (each.status for each in channel_instances),
        key=lambda each: each in command_refusals.ACTIVE,
        default=MQCHS.INACTIVE,
    )
    now = command_refusals.ChannelSituation(status, in_doubt)
    answers = []
    for command in COMMANDS:
        if type not in command_refusals.COMMAND_TYPES.get(command, frozenset({type})):
            answers.append(CommandForecast(command, MQRCCF.WRONG_CHANNEL_TYPE, name))
            continue
        refusal = command_refusals.refusal(command, now)
        if command == "START" and refusal is None:
            usage = "" if queue is None else "XMITQ" if queue.is_transmission else "NORMAL"
            wanted = str(definition.get("XMITQ", "")) if type in command_refusals.SENDING else None
            refusal = command_refusals.start_fault(
                type, str(definition.get("CONNAME", "")), wanted, usage
            )
        about = str(definition["XMITQ"]) if refusal in _ABOUT_THE_QUEUE else name
        answers.append(CommandForecast(command, refusal, about))
    return tuple(answers)

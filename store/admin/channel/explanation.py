"""The explanation of a channel's status, and the replies that commands would get; changes nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.admin.channel import faults, status
from mqsc.store.admin.channel.client_instances import client_instances
from mqsc.store.admin.channel.initiators import initiators
from mqsc.store.admin.channel.status import ChannelInstance, owner
from mqsc.store.admin.channel.sync_records import messages_in_doubt, partner_in_doubt, saved_records
from mqsc.store.catalog import Stored
from mqsc.store.constants import MQCHS, MQRCCF
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import refuse_if
from mqsc.store.headers import layout, mqxqh
from mqsc.store.rules.channel import command_refusals, injected_faults
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.sql import channels, history, queues, units_of_work
from mqsc.store.sql.rows import ChannelFaultRow, MessageState, QueueRow
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.owners import Owner

COMMANDS = ("START", "STOP", "RESET", "RESOLVE", "PING", "DELETE")
# The history is searched backwards, as far as this.
_EVENTS = 1_000_000
# The messages of a batch in doubt that are shown.
MOST_MESSAGES = 10
# Refusals whose message names the transmission queue.
_ABOUT_THE_QUEUE = frozenset({MQRCCF.MQOPEN_FAILED, MQRCCF.NOT_XMIT_Q})


class Instance(NamedTuple):
    """An instance of the channel, and the process that runs it, or None."""

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
    clients = client_instances(qmgr, name)
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
            tuple(_instance(reading, qmgr, each) for each in (*channel_instances, *clients)),
            doubt,
            _last_end(reading, qmgr.name, name),
            queue,
            initq if definition["CHLTYPE"] in command_refusals.RUN_HERE else "",
            tuple(each.owner for each in reading_processes if each.queue == initq),
            _answers(
                name,
                definition,
                queue,
                channel_instances,
                in_doubt=bool(doubt),
                has_clients=bool(clients),
            ),
            tuple(
                each for each in faults.faults(qmgr, name) if injected_faults.lasts(each, call.now)
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


def usage_of_queue(queue: QueueRow) -> str:
    """USAGE as MQSC has it."""
    return "XMITQ" if queue.is_transmission else "NORMAL"


def _answers(
    name: str,
    definition: Mapping[str, Stored],
    queue: QueueRow | None,
    channel_instances: list[ChannelInstance],
    *,
    in_doubt: bool,
    has_clients: bool,
) -> tuple[CommandForecast, ...]:
    type = str(definition["CHLTYPE"])
    current_status = max(
        (each.status for each in channel_instances),
        key=lambda each: each in command_refusals.ACTIVE,
        default=MQCHS.INACTIVE,
    )
    now = command_refusals.ChannelSituation(current_status, in_doubt)
    answers = []
    for command in COMMANDS:
        if type not in command_refusals.COMMAND_TYPES.get(command, frozenset({type})):
            answers.append(CommandForecast(command, MQRCCF.WRONG_CHANNEL_TYPE, name))
            continue
        # Of the commands, only STOP concerns the connections of clients.
        stops_clients = command == "STOP" and has_clients
        refusal = None if stops_clients else command_refusals.refusal(command, now)
        if command == "START" and refusal is None:
            usage = "" if queue is None else usage_of_queue(queue)
            wanted = str(definition.get("XMITQ", "")) if type in command_refusals.SENDING else None
            refusal = command_refusals.start_fault(
                type, str(definition.get("CONNAME", "")), wanted, usage
            )
        about = str(definition["XMITQ"]) if refusal in _ABOUT_THE_QUEUE else name
        answers.append(CommandForecast(command, refusal, about))
    return tuple(answers)

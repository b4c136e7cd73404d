"""The commands on channels and on the channel initiator."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any, NamedTuple

from mqsc.store.admin.channel import client_instances, status as channel_status
from mqsc.store.admin.channel.sequence_reset import set_reset
from mqsc.store.admin.channel.status import CHANNEL, INACTIVE, ChannelInstance, definition
from mqsc.store.admin.channel.sync_records import (
    bytes_in_doubt,
    forget_records,
    messages_in_doubt,
    record_in_doubt,
)
from mqsc.store.catalog import Stored
from mqsc.store.constants import MQCHS, MQRCCF
from mqsc.store.engine import channel_event
from mqsc.store.engine.channel_event import ChannelEvent, note
from mqsc.store.engine.definitions import Attributes, complete, differences
from mqsc.store.engine.inbound import SVRCONN
from mqsc.store.engine.prepared_units import resolve_prepared
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import ChannelInUseError, refuse_for, refuse_if, required
from mqsc.store.rules.channel import command_refusals
from mqsc.store.sql import channels, connections, objects, units_of_work
from mqsc.store.sql.rows import ChannelStatusRow
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.owners import Owner, kill_owner, owner_of
from mqsc.store.sqlite.queries import Queries

# START, STOP, RESET and RESOLVE CHANNEL, STOP CHINIT: the program that runs the channel carries out
# these requests.
#
# Each is one transaction. `store.rules.channel.command_refusals` says what a command answers in
# which status.

# Values that a new attempt keeps of an earlier one: the retries left, and the numbers of batches.
_KEPT = ("SHORTRTS", "LONGRTS", "CURMSGS", "CURSEQNO", "LSTSEQNO", "CURLUWID", "LSTLUWID")
_RETRIES = ("SHORTRTS", "LONGRTS")


class Started(NamedTuple):
    """An accepted START of a channel of that type. `runs`: a program here will run it, or can.

    `unread` is the initiation queue that no initiator reads, blank if an initiator will start the
    channel.
    """

    type: str
    runs: bool
    unread: str = ""


class Stopped(NamedTuple):
    """An accepted STOP: how many instances it ends, and how many were stopped already."""

    ended: int
    already: int


class Resolved(NamedTuple):
    """The units in doubt that RESOLVE ended, and how many messages they held."""

    units: int
    messages: int


def start(qmgr: QueueManagerState, name: str) -> Started:
    """START CHANNEL: request a run of the channel, and undo what a stop changed in the transmission
    queue.

    MQError 4032 when it is missing, 4041 when its type cannot be started, 4031 when it is active or
    starting, 4027 and 4037 for its transmission queue.
    """
    # A dead initiator must not count as one.
    recover(qmgr.store)
    channel_status.settle(qmgr, name)
    with qmgr.transaction() as (tx, call):
        attributes = _suitable(tx, qmgr.name, name, "START")
        rows = channels.of_channel(tx, qmgr.name, name)
        for instance_row in rows:
            _check(tx, qmgr, "START", instance_row)
        type = str(attributes["CHLTYPE"])
        if type not in command_refusals.RUN_HERE:
            for instance_row in rows:
                channels.drop(tx, qmgr.name, name, instance_row.partner)
            return Started(type, runs=False)
        queue = str(attributes["XMITQ"]) if type in command_refusals.SENDING else None
        _check_start(tx, qmgr.name, name, attributes, queue)
        _request_start(tx, call, name, next((row for row in rows if not row.partner), None))
        initq = channel_status.initiation_queue(tx, qmgr.name, queue or "")
        return Started(type, True, "" if channel_status.is_read(tx, qmgr.name, initq) else initq)


def _check_start(
    tx: Transaction,
    owner: str,
    name: str,
    attributes: Attributes,
    queue: str | None,
) -> None:
    usage = usage_of(tx, owner, queue) if queue else ""
    fault = command_refusals.start_fault(
        str(attributes["CHLTYPE"]),
        str(attributes.get("CONNAME", "")),
        queue,
        usage,
    )
    refuse_for(fault, name if fault == MQRCCF.WRONG_CHANNEL_TYPE else queue or "XMITQ(' ')")


def usage_of(tx: Queries, owner: str, queue: str) -> str:
    """USAGE of the queue of that name, blank when there is none."""
    found = objects.by_name(tx, owner, "queue", queue)
    return "" if found is None else str(found.attributes.get("USAGE", "NORMAL"))


def _request_start(
    tx: Transaction,
    call: CallContext,
    name: str,
    instance_row: ChannelStatusRow | None,
) -> None:
    figures: dict[str, Any] = {}
    if instance_row is not None:
        instance = channel_status.instance_of(instance_row)
        channel_status.give_back(tx, call, instance)
        figures = {word: value for word, value in instance.figures.items() if word in _KEPT}
    starting = ChannelInstance(name, "", MQCHS.STARTING, "START", "", None, None, figures)
    channels.write(tx, channel_status.row_of(call.qmgr.name, starting))


def stop(
    qmgr: QueueManagerState,
    name: str,
    mode: str = "QUIESCE",
    status: str = "STOPPED",
    *,
    connection_name: str = "",
    partner: str = "",
) -> Stopped:
    """STOP CHANNEL: end the instances that match; those that no process runs end at once, and so do
    the connections of clients, whose calls answer 2009.

    MQError 4032 when the channel is missing, 4041 when its type cannot be stopped.
    """
    channel_status.settle(qmgr, name)
    with qmgr.transaction(durable=True) as (tx, call):
        attributes = _suitable(tx, qmgr.name, name, "STOP")
        if attributes["CHLTYPE"] == SVRCONN and not partner:
            ended = client_instances.end_clients(tx, call, name, connection_name)
            if ended:
                _note_clients_stopped(tx, call, name, status)
                return Stopped(ended, 0)
        found = channels.of_channel(tx, qmgr.name, name)
        rows = [row for row in found if _matches(row, attributes, connection_name, partner)]
        ending = [row for row in rows if _can_stop(row)]
        for instance_row in ending:
            _request_stop(tx, call, attributes, instance_row, mode, status)
        if ending:
            channel_event.stopped_by_user(tx, call, name)
        return Stopped(len(ending), len(rows) - len(ending))


def _note_clients_stopped(tx: Transaction, call: CallContext, name: str, status: str) -> None:
    if status == channel_status.STOPPED:
        stopped = ChannelInstance(name, "", MQCHS.STOPPED, "", "", None, None, {})
        channels.write(tx, channel_status.row_of(call.qmgr.name, stopped))
    channel_event.stopped_by_user(tx, call, name)
    note(tx, call, [ChannelEvent("stopped", name, "", detail={"role": "receiver"})], None)


def _can_stop(instance_row: ChannelStatusRow) -> bool:
    return (
        command_refusals.refusal(
            "STOP", command_refusals.ChannelSituation(MQCHS(instance_row.status))
        )
        is None
    )


def running(qmgr: QueueManagerState, name: str, mode: str) -> frozenset[int]:
    """The other processes that run instances of a channel for which this mode of STOP was asked."""
    found = [each for each in channel_status.instances(qmgr, name) if each.requested == mode]
    return frozenset(each.process for each in found if each.process is not None) - {
        qmgr.store.process,
    }


class Survival(Enum):
    """Why a process was not killed."""

    DOES_OTHER_WORK = auto()
    # Its number is valid in another container, or on another machine.
    IS_ELSEWHERE = auto()
    # This user may not kill it, or it is not certain that a process of this number is the one that
    # runs the channel.
    IS_UNCERTAIN = auto()


class Survivor(NamedTuple):
    """A process that still runs a channel, and why."""

    owner: Owner
    why: Survival


def kill(qmgr: QueueManagerState, name: str, processes: frozenset[int]) -> tuple[Survivor, ...]:
    """Kill those of the processes that do nothing else than run the channel, and run here;
    return the others.
    """
    if qmgr.store.path is None:
        return ()
    folder = liveness.folder_beside(qmgr.store.path)
    survivors = []
    with Reading(qmgr.store.database) as reading:
        others = [
            each
            for each in connections.other_processes(reading, qmgr.store.process)
            if each[0] in processes
        ]
        runs_more = {number for number, _ in others if _runs_more(reading, number, name)}
    for number, file in others:
        owner = owner_of(folder, file)
        if number in runs_more:
            survivors.append(Survivor(owner, Survival.DOES_OTHER_WORK))
        elif owner.place:
            survivors.append(Survivor(owner, Survival.IS_ELSEWHERE))
        elif not kill_owner(folder, file):
            survivors.append(Survivor(owner, Survival.IS_UNCERTAIN))
    return tuple(survivors)


def _runs_more(reading: Reading, process: int, name: str) -> bool:
    """Whether a process runs other channels, or has connections that are not those of a channel:
    an initiator has.
    """
    applications = {row.application for row in connections.of_process(reading, process)}
    return bool(
        {*channels.of_process(reading, process)} - {name}
        or applications - {command_refusals.CHANNEL_APPLICATION},
    )


def _matches(
    instance_row: ChannelStatusRow,
    attributes: Attributes,
    connection_name: str,
    partner: str,
) -> bool:
    figures = channel_status.instance_of(instance_row).figures
    shown = str(figures.get("CONNAME", attributes.get("CONNAME", "")))
    return connection_name in ("", shown) and partner in (
        "",
        instance_row.partner,
        str(figures.get("RQMNAME", "")),
    )


def _request_stop(
    tx: Transaction,
    call: CallContext,
    attributes: Attributes,
    instance_row: ChannelStatusRow,
    mode: str,
    status: str,
) -> None:
    if instance_row.status in command_refusals.ACTIVE:
        stopping = instance_row._replace(requested=mode, requested_status=status)
        channel_status.write(tx, call, stopping, MQCHS.STOPPING, {})
        return
    figures = {
        word: attributes[word[:-1] + "Y"] for word in _RETRIES if word[:-1] + "Y" in attributes
    }
    reached = MQCHS.INACTIVE if status == INACTIVE else MQCHS.STOPPED
    channel_status.write(tx, call, instance_row, reached, figures)  # type: ignore[arg-type]
    queue = str(attributes.get("XMITQ", ""))
    role = "sender" if attributes["CHLTYPE"] in command_refusals.SENDING else "receiver"
    note(
        tx,
        call,
        [ChannelEvent("stopped", instance_row.channel, queue, detail={"role": role})],
        None,
    )


def stop_all(qmgr: QueueManagerState) -> int:
    """STOP CHINIT: end every instance that is current; none becomes STOPPED. How many there
    were.
    """
    channel_status.settle(qmgr)
    with qmgr.transaction() as (tx, call):
        rows = channels.of_queue_manager(tx, qmgr.name)
        ending = [row for row in rows if _can_stop(row)]
        for instance_row in ending:
            attributes = definition(tx, qmgr.name, instance_row.channel)
            mode = command_refusals.mode_of_chinit(str(attributes.get("CHLTYPE", "")))
            _request_stop(tx, call, attributes, instance_row, mode, INACTIVE)
        return len(ending)


def reset(qmgr: QueueManagerState, name: str, number: int) -> None:
    """RESET CHANNEL: set the message sequence number that the channel starts with next.

    RESETSEQ shows it until the channel has used it. MQError 4032 when the channel is missing, 4041
    when its type has no numbers, 4025 when a batch is in doubt.
    """
    with qmgr.transaction() as (tx, call):
        _suitable(tx, qmgr.name, name, "RESET")
        _check_doubt(tx, qmgr.name, "RESET", name)
        set_reset(tx, call, name, str(number))


def resolve(qmgr: QueueManagerState, name: str, *, commit: bool) -> Resolved:
    """RESOLVE CHANNEL: commit or back out the batch that is in doubt, if there is one.

    MQError 4032 when the channel is missing, 4041 when its type is never in doubt, 4031 while it is
    active.
    """
    channel_status.settle(qmgr, name)
    with qmgr.transaction(durable=True) as (tx, call):
        attributes = _suitable(tx, qmgr.name, name, "RESOLVE")
        instance_row = channels.instance(tx, qmgr.name, name, "")
        if instance_row is not None:
            _check(tx, qmgr, "RESOLVE", instance_row)
        units = in_doubt(tx, qmgr.name, name)
        messages = [messages_in_doubt(tx, qmgr.name, unit) for unit in units]
        for unit, count in zip(units, messages, strict=True):
            size = bytes_in_doubt(tx, qmgr.name, unit)
            record = record_in_doubt(tx, qmgr.name, unit)
            number = resolve_prepared(tx, call, name, unit.luwid, commit=commit)
            decision = "commit" if commit else "backout"
            detail: dict[str, Any] = {
                "role": "sender",
                "luwid": unit.luwid,
                "decision": decision,
                "messages": count,
                "bytes": size,
            }
            if record is not None:
                detail |= {"partner": record.partner, "sequence": record.sequence}
            note(
                tx,
                call,
                [ChannelEvent("resolved", name, str(attributes["XMITQ"]), detail=detail)],
                number,
            )
        if instance_row is not None and units:
            channel_status.write(
                tx,
                call,
                instance_row,
                instance_row.status,
                _after_resolve(instance_row, commit=commit),
            )
        return Resolved(len(units), sum(messages))


def _after_resolve(instance_row: ChannelStatusRow, *, commit: bool) -> dict[str, int | str]:
    """The figures of an instance whose batch was resolved: the last batch is this one, or the
    one before it.
    """
    figures = channel_status.instance_of(instance_row).figures
    last, current = ("LSTSEQNO", "CURSEQNO") if commit else ("CURSEQNO", "LSTSEQNO")
    changed: dict[str, int | str] = {"CURMSGS": 0}
    if current in figures:
        changed[last] = figures[current]
    if commit and "CURLUWID" in figures:
        changed["LSTLUWID"] = figures["CURLUWID"]
    return changed


def check_change(
    tx: Transaction,
    qmgr: str,
    name: str,
    before: Attributes,
    after: Attributes,
) -> None:
    """MQError 4025 when a channel in doubt would get another partner, transmission queue or
    wrapping of numbers.
    """
    sends = after.get("CHLTYPE") in command_refusals.SENDING
    if sends and command_refusals.FIXED_IN_DOUBT & differences(before, after).keys():
        _check_doubt(tx, qmgr, "ALTER", name)


def delete_status(tx: Transaction, qmgr: QueueManagerState, deleted: objects.ObjectRow) -> None:
    """Forget the status of a channel that is deleted; MQError 4031 while it is active, 4025
    while it is in doubt.
    """
    if deleted.namespace != CHANNEL.namespace:
        return
    name = deleted.name
    for instance_row in channels.of_channel(tx, qmgr.name, name):
        _check(tx, qmgr, "DELETE", instance_row)
    _check_doubt(tx, qmgr.name, "DELETE", name)
    channels.drop_channel(tx, qmgr.name, name)
    forget_records(tx, qmgr.call_context(tx, running=False), name)


def in_doubt(tx: Transaction | Reading, qmgr: str, channel: str) -> list[units_of_work.UnitInDoubt]:
    """The units that the channel has prepared."""
    return [unit for unit in units_of_work.in_doubt(tx, qmgr) if unit.name == channel]


def check_ping(qmgr: QueueManagerState, name: str) -> Mapping[str, Stored]:
    """The attributes of a channel for PING CHANNEL; MQError 2059, 4032, 4041, and 4031 while it
    is active.
    """
    channel_status.settle(qmgr, name)
    with qmgr.reading() as (reading, _):
        attributes = _suitable(reading, qmgr.name, name, "PING")
        for instance_row in channels.of_channel(reading, qmgr.name, name):
            _check(reading, qmgr, "PING", instance_row)
        return attributes


def _suitable(tx: Transaction | Reading, owner: str, name: str, command: str) -> dict[str, Stored]:
    """A client connection channel is considered only if no other channel has the name."""
    spaces: Sequence[str] = (CHANNEL.namespace, CHANNEL.namespace_of("CLNTCONN"))
    found = next(
        (row for space in spaces if (row := objects.by_name(tx, owner, space, name)) is not None),
        None,
    )
    attributes = complete(CHANNEL, required(found, MQRCCF.CHANNEL_NOT_FOUND, name).attributes)
    refuse_if(
        attributes["CHLTYPE"] not in command_refusals.COMMAND_TYPES[command],
        MQRCCF.WRONG_CHANNEL_TYPE,
        name,
    )
    return attributes


def _check(
    tx: Transaction | Reading,
    qmgr: QueueManagerState,
    command: str,
    instance_row: ChannelStatusRow,
) -> None:
    reason = command_refusals.refusal(
        command, command_refusals.ChannelSituation(MQCHS(instance_row.status))
    )
    if reason == MQRCCF.CHANNEL_IN_USE and instance_row.process is not None:
        raise ChannelInUseError(
            instance_row.channel, str(channel_status.owner(tx, qmgr.store, instance_row.process))
        )
    refuse_for(reason, instance_row.channel)


def _check_doubt(tx: Transaction, qmgr: str, command: str, name: str) -> None:
    refuse_for(
        command_refusals.refusal(
            command,
            command_refusals.ChannelSituation(in_doubt=bool(in_doubt(tx, qmgr, name))),
        ),
        name,
    )

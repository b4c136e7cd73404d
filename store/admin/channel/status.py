"""The status of channels as it is claimed and changed."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mqsc.store.admin.channel.transmission_queue import inhibit, release
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.constants import MQCHS, MQRCCF
from mqsc.store.engine import channel_event, inbound, recovery
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.error import ChannelInUseError, required
from mqsc.store.rules.channel import killed_program
from mqsc.store.rules.channel.command_refusals import ACTIVE, SENDING
from mqsc.store.rules.channel.retries import RetriesLeft, RetryAttributes, all_retries, next_retry
from mqsc.store.rules.names import matches
from mqsc.store.sql import channels, connections, managers, queues
from mqsc.store.sql.rows import ChannelStatusRow
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.owners import Owner, owner_of

# The instances of channels: each has a row from START, or the call of its partner, until it is
# inactive.
#
# The process that runs an instance changes its row. A row whose process is dead is settled by the
# next program that looks at it: retrying where an initiator can start the channel again, stopped if
# that was asked for, else inactive.

CHANNEL = KINDS["CHANNEL"]
definition = inbound.definition_of
# What STOP CHANNEL can ask for, and the status after it.
STOPS = frozenset({"QUIESCE", "FORCE", "TERMINATE"})
STOPPED, INACTIVE = "STOPPED", "INACTIVE"
# No process runs an instance in these states.
_NOT_RUN = frozenset({MQCHS.INACTIVE, MQCHS.STARTING, MQCHS.RETRYING, MQCHS.STOPPED})
INITIATION_QUEUE = "SYSTEM.CHANNEL.INITQ"
# A figure that is not displayed: the attributes of the transmission queue that a stop has switched
# off.
_TAKEN = "TAKEN"

Figures = Mapping[str, int | str]


class ChannelInstance(NamedTuple):
    """An instance of a channel, and the request of a command: START, a mode of STOP, or blank for
    none.

    `partner` is blank at the sending end, else the queue manager that called. `process` is the
    number of the process that runs it, None if there is none. `figures` are the values that DISPLAY
    CHSTATUS shows, by keyword.
    """

    channel: str
    partner: str
    status: MQCHS
    requested: str
    requested_status: str
    process: int | None
    retry_at: int | None
    figures: Figures


def instances(qmgr: QueueManagerState, channel: str = "*") -> list[ChannelInstance]:
    """The instances of the channels whose name matches, by channel and partner; those of dead
    processes are settled.
    """
    settle(qmgr, channel)
    return [instance_of(row) for row in _rows(qmgr, channel)]


def claim(
    qmgr: QueueManagerState,
    channel: str,
    partner: str,
    status: MQCHS,
    figures: Figures,
) -> ChannelInstance:
    """Make this process the one that runs the instance; `figures` are merged into those of an
    earlier attempt.

    ChannelInUseError (4031) while a living process, this one included, runs it.
    """
    store = qmgr.store
    process = store.database.with_reserve(store.register_process)
    settle(qmgr, channel)
    key = (qmgr.name, channel, partner)
    with qmgr.transaction() as (tx, call):
        instance_row = channels.instance(tx, *key) or ChannelStatusRow(
            *key,
            int(MQCHS.INACTIVE),
            "",
            "",
            None,
            None,
            "",
        )
        if instance_row.process is not None:
            raise ChannelInUseError(channel, str(owner(tx, store, instance_row.process)))
        if instance_row.status == MQCHS.STOPPED:
            give_back(tx, call, instance_of(instance_row))
            figures = {**figures, _TAKEN: ""}
        claimed = instance_row._replace(
            status=int(status),
            requested="",
            requested_status="",
            process=process,
            retry_at=None,
        )
        # Before others can see the row. When the commit fails, there is no row that it could be
        # wrong about.
        store.running.add(key)
        return _write_status(tx, claimed, figures)


def let_go(qmgr: QueueManagerState, channel: str, partner: str) -> None:
    """Note that this process no longer runs the instance, even if a full disk prevented a change
    of its row.
    """
    qmgr.store.running.discard((qmgr.name, channel, partner))


def change(
    qmgr: QueueManagerState,
    channel: str,
    partner: str,
    *,
    status: MQCHS | None = None,
    figures: Figures | None = None,
    retry_at: int | None = None,
    requested: tuple[str, str] | None = None,
) -> ChannelInstance:
    """Change what is given, merge the figures, and return the instance as it is then; MQError 3065
    when it is inactive.

    In the status RETRYING or STOPPED no process runs it. After a STOP, RETRYING becomes what
    it asked for, and an active status STOPPING. The transmission queue of a sending end that
    becomes STOPPED gets GET(DISABLED) and NOTRIGGER.
    """
    with qmgr.transaction(running=False) as (tx, call):
        instance_row = required(
            channels.instance(tx, qmgr.name, channel, partner),
            MQRCCF.CHL_STATUS_NOT_FOUND,
            channel,
        )
        mode, after = requested or (instance_row.requested, instance_row.requested_status)
        instance_row = instance_row._replace(
            requested=mode, requested_status=after, retry_at=retry_at
        )
        return write(
            tx, call, instance_row, instance_row.status if status is None else status, figures or {}
        )


def write(
    tx: Transaction,
    call: CallContext,
    instance_row: ChannelStatusRow,
    status: int,
    figures: Figures,
) -> ChannelInstance:
    """Give an instance a status, in the caller's transaction; see `change`."""
    if status == MQCHS.RETRYING and instance_row.requested in STOPS:
        status = MQCHS.INACTIVE if instance_row.requested_status == INACTIVE else MQCHS.STOPPED
    elif status in ACTIVE and instance_row.requested in STOPS:
        status = MQCHS.STOPPING
    if status == MQCHS.INACTIVE:
        channels.drop(tx, instance_row.qmgr, instance_row.channel, instance_row.partner)
        return instance_of(
            instance_row._replace(status=status, process=None, requested="", retry_at=None)
        )
    if status in _NOT_RUN:
        requested = instance_row.requested if status == MQCHS.STARTING else ""
        instance_row = instance_row._replace(process=None, requested=requested, requested_status="")
    if status == MQCHS.STOPPED and instance_row.status != status:
        attributes = definition(tx, instance_row.qmgr, instance_row.channel)
        if attributes.get("CHLTYPE") in SENDING:
            taken = inhibit(tx, call, str(attributes.get("XMITQ", "")))
            figures = {**figures, _TAKEN: taken}
    retry_at = instance_row.retry_at if status == MQCHS.RETRYING else None
    return _write_status(tx, instance_row._replace(status=int(status), retry_at=retry_at), figures)


def give_back(tx: Transaction, call: CallContext, instance: ChannelInstance) -> None:
    """Restore the attributes of the transmission queue that the stop of the instance has
    switched off.
    """
    name = str(definition(tx, call.qmgr.name, instance.channel).get("XMITQ", ""))
    release(tx, call, name, str(instance.figures.get(_TAKEN, "")))


def requested(qmgr: QueueManagerState, channel: str, partner: str) -> tuple[str, str]:
    """The request of a command, and the status after a stop; cheap enough to call for each
    message.
    """
    return qmgr.store.read(channels.requested, qmgr.name, channel, partner)


def forget(qmgr: QueueManagerState, channel: str, partner: str) -> None:
    """Remove the instance, which is inactive from now on."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        channels.drop(tx, qmgr.name, channel, partner)


def settle(qmgr: QueueManagerState, channel: str = "*") -> None:
    """Set the next status of instances whose rows name a process that no longer runs them."""
    rows = _rows(qmgr, channel)
    dead = _dead(qmgr.store, {row.process for row in rows if row.process is not None})
    if dead:
        # A dead initiator must not count as one.
        recovery.recover(qmgr.store)
    if any(_is_lost(qmgr.store, row, dead) for row in rows):
        qmgr.store.database.with_reserve(lambda: settle_lost(qmgr, dead))


def settle_lost(qmgr: QueueManagerState, processes: frozenset[int]) -> None:
    """Settle the instances that these processes ran, which are dead, and those that this one has
    let go of.
    """
    with qmgr.transaction(running=False) as (tx, call):
        for instance_row in channels.of_queue_manager(tx, qmgr.name):
            if _is_lost(qmgr.store, instance_row, processes):
                _settle(tx, call, instance_row)


def _is_lost(store: StoreState, instance_row: ChannelStatusRow, dead: frozenset[int]) -> bool:
    if instance_row.process != store.process:
        return instance_row.process in dead
    return (instance_row.qmgr, instance_row.channel, instance_row.partner) not in store.running


def _settle(tx: Transaction, call: CallContext, instance_row: ChannelStatusRow) -> None:
    attributes = definition(tx, instance_row.qmgr, instance_row.channel)
    sends = attributes.get("CHLTYPE") in SENDING
    queue = str(attributes.get("XMITQ", "")) if sends else ""
    figures: Figures = {}
    status = MQCHS.INACTIVE
    if instance_row.requested in STOPS:
        status = MQCHS.INACTIVE if instance_row.requested_status == INACTIVE else MQCHS.STOPPED
    elif sends and is_read(tx, instance_row.qmgr, initiation_queue(tx, instance_row.qmgr, queue)):
        status, instance_row, figures = _retried(call, instance_row, attributes)
    shown, stop_requested = instance_of(instance_row).figures, instance_row.requested in STOPS
    partner = instance_row.partner or shown.get("RQMNAME", "")
    address = str(shown.get("CONNAME", attributes.get("CONNAME", "")))
    after = write(tx, call, instance_row, status, figures)
    cause = {MQCHS.RETRYING: "retry", MQCHS.STOPPED: "stopped"}.get(after.status, "failed")
    message = killed_program.killed(instance_row.channel, instance_row.partner or address)
    detail: dict[str, Any] = {
        "partner": partner,
        "role": "sender" if sends else "receiver",
        "message": message,
    }
    if after.retry_at is not None:
        detail["retry_at"] = after.retry_at
    channel_event.note(
        tx,
        call,
        [channel_event.ChannelEvent(cause, instance_row.channel, queue, detail=detail)],
        None,
    )
    # Only a channel that was bound has raised the event about its start.
    if shown.get("RQMNAME") and call.qmgr.state == managers.RUNNING:
        end = channel_event.EventEnd(instance_row.channel, address, queue if sends else None)
        qualifier = killed_program.qualifier(after.status, stop_requested=stop_requested)
        channel_event.stopped(tx, call, end, qualifier, channel_event.Cause(killed_program.MESSAGE))


def _retried(
    call: CallContext,
    instance_row: ChannelStatusRow,
    attributes: Mapping[str, Stored],
) -> tuple[MQCHS, ChannelStatusRow, Figures]:
    """A failed attempt: it is retried while retries are left, else the channel is stopped."""
    words = RetryAttributes(
        *(int(str(attributes[word])) for word in ("SHORTRTY", "SHORTTMR", "LONGRTY", "LONGTMR")),
    )
    figures = instance_of(instance_row).figures
    every = all_retries(words)
    left = RetriesLeft(
        int(figures.get("SHORTRTS", every.short)),
        int(figures.get("LONGRTS", every.long)),
    )
    retry = next_retry(words, left, call.now)
    if retry is None:
        return MQCHS.STOPPED, instance_row, {}
    left = retry.left
    return (
        MQCHS.RETRYING,
        instance_row._replace(retry_at=retry.at),
        {"SHORTRTS": left.short, "LONGRTS": left.long},
    )


def initiation_queue(tx: Transaction | Reading, qmgr: str, transmission_queue: str) -> str:
    """The queue whose initiator starts the channels of a transmission queue: its INITQ, or the
    default.
    """
    found = queues.by_name(tx, qmgr, transmission_queue) if transmission_queue else None
    return (found.initiation_queue if found is not None else "") or INITIATION_QUEUE


def is_read(tx: Transaction | Reading, qmgr: str, queue: str) -> bool:
    """Whether a program, which is taken for a channel initiator, has the initiation queue open
    for input.
    """
    found = queues.by_name(tx, qmgr, queue)
    return found is not None and found.input_handles > 0


def owner(tx: Transaction | Reading, store: StoreState, process: int) -> Owner:
    """A living process, and where its number is valid."""
    files = dict(connections.other_processes(tx, store.process))
    return owner_of(liveness.folder_beside(store.path or ""), files.get(process, ""))


def _dead(store: StoreState, processes: Iterable[int]) -> frozenset[int]:
    """Those of the processes that have ended. A store in memory belongs to this process alone."""
    numbers = frozenset(processes) - {store.process}
    if store.path is None or not numbers:
        return frozenset()
    folder = liveness.folder_beside(store.path)
    files = dict(store.read(connections.other_processes, store.process))
    return frozenset(
        each for each in numbers if each not in files or liveness.is_dead(folder, files[each])
    )


def _rows(qmgr: QueueManagerState, channel: str) -> list[ChannelStatusRow]:
    found = qmgr.store.read(channels.of_queue_manager, qmgr.name)
    return [row for row in found if matches(channel, row.channel)]


def _write_status(
    tx: Transaction, instance_row: ChannelStatusRow, figures: Figures
) -> ChannelInstance:
    merged = instance_of(instance_row)._replace(
        figures={**_figures(instance_row.figures), **figures}
    )
    channels.write(tx, row_of(instance_row.qmgr, merged))
    return merged


def row_of(qmgr: str, instance: ChannelInstance) -> ChannelStatusRow:
    figures = json.dumps(dict(instance.figures), ensure_ascii=False)
    return ChannelStatusRow(qmgr, *instance._replace(status=int(instance.status))[:-1], figures)  # type: ignore[arg-type]


def instance_of(instance_row: ChannelStatusRow) -> ChannelInstance:
    status, figures = MQCHS(instance_row.status), _figures(instance_row.figures)
    return ChannelInstance._make(
        (instance_row.channel, instance_row.partner, status, *instance_row[4:8], figures)
    )


def _figures(text: str) -> dict[str, int | str]:
    return json.loads(text) if text else {}

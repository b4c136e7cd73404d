"""Starting and ending a queue manager (design §3.11)."""

from __future__ import annotations

from mqsc.store.admin import expiry, group_copies, running_objects
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQCHS, MQRC, MQRQ
from mqsc.store.engine import closing, delivery, depth, expiry_owner, queue_events, recovery
from mqsc.store.engine.history import message_event, record_event
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.rules.event_message import Facts
from mqsc.store.sql import (
    channels,
    connections,
    history,
    managers,
    messages,
    objects,
    queues,
    statistics,
    triggers,
)
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Transaction

# Messages dropped or discarded in one transaction, so that no program waits long.
BATCH = 1000


def start(qmgr: QueueManagerState, *, with_services: bool = True) -> bool:
    """Start a queue manager; False when it was already running. MQError 2058 when it does not
    exist. Without services, its command server, listeners and services do not start, whatever
    SCMDSERV and CONTROL say.

    When several processes start it at once, the first to finish has started it and the others
    change nothing more.
    """
    # The last program that a quiescing queue manager waits for may be dead.
    recovery.recover(qmgr.store)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if call.qmgr.state != managers.ENDED:
            return False
        for row in connections.of_queue_manager(tx, qmgr.name):
            closing.end_connection(tx, call, row.id, "restart")
    run = call.qmgr.run
    last = 0
    while last := _drop_batch(qmgr, run, last):
        continue
    # Of queues that may hold expired messages (expiry X12); of shared ones if no other member runs.
    for queue in expiry.expiring_queues(qmgr, "restart"):
        expiry.scan_queue(qmgr, queue, "restart", running=False)
    group_copies.refresh_at_start(qmgr)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if not _is_ended(call, run):
            return False
        triggers.forget(tx, qmgr.name)
        statistics.reset_all(tx, qmgr.name, call.now)
        # STOPPED and RETRYING outlive the end of a queue manager, a request to start does not.
        channels.drop_in_status(tx, qmgr.name, int(MQCHS.STARTING))
        defined = objects.by_name(tx, qmgr.name, KINDS["QMGR"].namespace, qmgr.name)
        by_hand = defined is not None and defined.attributes.get("SCMDSERV") == "MANUAL"
        started = {
            "state": managers.RUNNING,
            "run": run + 1,
            "started_at": call.now,
            "commands_stopped": int(by_hand or not with_services),
        }
        managers.set_columns(tx, qmgr.name, started)
        record_event(tx, call, "START")
        running_objects.forget_earlier_run(tx, call)
        if with_services:
            running_objects.start_with_manager(tx, call)
        expiry_owner.settle_expiry_owner(tx, call, "start")
        facts: Facts = {
            "HostName": call.environment.host,
            "ReasonQualifier": int(MQRQ.FAILOVER_NOT_PERMITTED),
        }
        _raise(tx, call, int(MQRC.Q_MGR_ACTIVE), facts)
    return True


def _raise(tx: Transaction, call: CallContext, reason: int, facts: Facts) -> None:
    """Put the event about a start or an end, if STRSTPEV is enabled."""
    if queue_events.switch(tx, call.qmgr.name, "STRSTPEV") == "ENABLED":
        name = call.qmgr.name
        delivery.deliver(
            tx,
            call,
            queue_events.event(tx, call, reason, {"QMgrName": name, **facts}, name),
        )


def _is_ended(call: CallContext, run: int) -> bool:
    """Whether no other process has started it since the run of that number ended."""
    return call.qmgr.state == managers.ENDED and call.qmgr.run == run


def _drop_batch(qmgr: QueueManagerState, run: int, after: int) -> int:
    """Drop non-persistent messages of queues with NPMCLASS(NORMAL) after `after`; the last one
    dropped, 0 for none.
    """
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if not _is_ended(call, run):
            return 0
        dropped = messages.nonpersistent(tx, qmgr.name, after, BATCH)
        _forget(tx, call, dropped)
    return dropped[-1].id if dropped else 0


def _forget(tx: Transaction, call: CallContext, dropped: list[StoredMessage]) -> None:
    by_queue: dict[int, list[StoredMessage]] = {}
    for message in dropped:
        by_queue.setdefault(message.queue, []).append(message)
    messages.remove_all(tx, [message.id for message in dropped])
    for number, gone in by_queue.items():
        queue = queues.by_id(tx, number, call.qmgr.name)
        if queue is not None:
            depth.corrected(tx, number, -len(gone))
            rows = [
                message_event(call, "DISCARD", queue.name, each, cause="nonpersistent")
                for each in gone
            ]
            history.append_all(tx, rows)


def end(qmgr: QueueManagerState, *, immediate: bool) -> str:
    """End a queue manager; its state then: QUIESCING while connections remain and the end is
    controlled, else ENDED.
    """
    recovery.recover(qmgr.store)
    with qmgr.transaction(durable=True) as (tx, call):
        if immediate or call.qmgr.state != managers.QUIESCING:
            qualifier = MQRQ.Q_MGR_STOPPING if immediate else MQRQ.Q_MGR_QUIESCING
            _raise(tx, call, int(MQRC.Q_MGR_NOT_ACTIVE), {"ReasonQualifier": int(qualifier)})
        remaining = connections.of_queue_manager(tx, qmgr.name)
        if remaining and not immediate:
            managers.set_columns(tx, qmgr.name, {"state": managers.QUIESCING})
            return managers.QUIESCING
        for row in remaining:
            closing.end_connection(tx, call, row.id, "broken")
        managers.set_columns(tx, qmgr.name, {"state": managers.ENDED})
        record_event(tx, call, "END", cause="immediate" if immediate else "controlled")
        expiry_owner.settle_expiry_owner(tx, call, "end")
    return managers.ENDED

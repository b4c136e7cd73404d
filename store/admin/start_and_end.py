"""strmqm and endmqm: what a start drops, and what an end waits for or breaks (design §3.11)."""

from __future__ import annotations

from store.admin import copies
from store.admin.expiry import expiring_queues, scan_queue
from store.catalog import KINDS
from store.constants import MQCHS, MQRC, MQRQ
from store.engine import closing, depth, event_messages, expiry_owner
from store.engine.call_context import CallContext
from store.engine.deliver import deliver
from store.engine.history import message_event
from store.engine.recovery import recover
from store.engine.state import QueueManagerState
from store.rules.event_message import Facts
from store.sql import channels, connections, history, managers, messages, objects, queues, statistics, triggers
from store.sql.managers import ENDED, QUIESCING, RUNNING
from store.sql.rows import StoredMessage
from store.sqlite.database import Transaction

# Messages dropped or discarded in one transaction, so that no program waits long.
BATCH = 1000


def start(qmgr: QueueManagerState) -> bool:
    """Start a queue manager; False when it was already running. MQError 2058 when it does not exist.

    When several processes start it at once, the first to finish has started it and the others change nothing more.
    """
    # The last program that a quiescing queue manager waits for may be dead.
    recover(qmgr.store)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if call.qmgr.state != ENDED:
            return False
        for row in connections.of_queue_manager(tx, qmgr.name):
            closing.end_connection(tx, call, row.id, "restart")
    run = call.qmgr.run
    last = 0
    while last := _drop_batch(qmgr, run, last):
        continue
    # Of queues that may hold expired messages (expiry X12); of shared ones if no other member runs.
    for queue in expiring_queues(qmgr, "restart"):
        scan_queue(qmgr, queue, "restart", running=False)
    copies.refresh_at_start(qmgr)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if not _is_ended(call, run):
            return False
        triggers.forget(tx, qmgr.name)
        statistics.reset_all(tx, qmgr.name, call.now)
        # STOPPED and RETRYING outlive the end of a queue manager, a request to start does not.
        channels.drop_in_status(tx, qmgr.name, int(MQCHS.STARTING))
        defined = objects.by_name(tx, qmgr.name, KINDS["QMGR"].namespace, qmgr.name)
        by_hand = int(defined is not None and defined.attributes.get("SCMDSERV") == "MANUAL")
        started = {"state": RUNNING, "run": run + 1, "started_at": call.now, "commands_stopped": by_hand}
        managers.set_columns(tx, qmgr.name, started)
        history.append(tx, call.event("START"))
        expiry_owner.settle(tx, call, "start")
        facts: Facts = {"HostName": call.environment.host, "ReasonQualifier": int(MQRQ.FAILOVER_NOT_PERMITTED)}
        _raise(tx, call, int(MQRC.Q_MGR_ACTIVE), facts)
    return True


def _raise(tx: Transaction, call: CallContext, reason: int, facts: Facts) -> None:
    """Put the event about a start or an end, if STRSTPEV is enabled."""
    if event_messages.switch(tx, call.qmgr.name, "STRSTPEV") == "ENABLED":
        name = call.qmgr.name
        deliver(tx, call, event_messages.event(tx, call, reason, {"QMgrName": name, **facts}, name))


def _is_ended(call: CallContext, run: int) -> bool:
    """Whether no other process has started it since the run of that number ended."""
    return call.qmgr.state == ENDED and call.qmgr.run == run


def _drop_batch(qmgr: QueueManagerState, run: int, after: int) -> int:
    """Drop non-persistent messages of queues with NPMCLASS(NORMAL) after `after`; the last one dropped, 0 for none."""
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
            depth.dropped(tx, number, len(gone))
            rows = [message_event(call, "DISCARD", queue.name, each, cause="nonpersistent") for each in gone]
            history.append_all(tx, rows)


def end(qmgr: QueueManagerState, *, immediate: bool) -> str:
    """End a queue manager; its state then: QUIESCING while connections remain and the end is controlled, else ENDED."""
    recover(qmgr.store)
    with qmgr.transaction(durable=True) as (tx, call):
        if immediate or call.qmgr.state != QUIESCING:
            qualifier = MQRQ.Q_MGR_STOPPING if immediate else MQRQ.Q_MGR_QUIESCING
            _raise(tx, call, int(MQRC.Q_MGR_NOT_ACTIVE), {"ReasonQualifier": int(qualifier)})
        remaining = connections.of_queue_manager(tx, qmgr.name)
        if remaining and not immediate:
            managers.set_columns(tx, qmgr.name, {"state": QUIESCING})
            return QUIESCING
        for row in remaining:
            closing.end_connection(tx, call, row.id, "broken")
        managers.set_columns(tx, qmgr.name, {"state": ENDED})
        history.append(tx, call.event("END", cause="immediate" if immediate else "controlled"))
        expiry_owner.settle(tx, call, "end")
    return ENDED

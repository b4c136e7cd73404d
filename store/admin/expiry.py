"""Expired messages: REFRESH QMGR TYPE(EXPIRY), the scan every EXPRYINT seconds, and a preview
(expiry A6, X11, E24).
"""

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct, structs

from mqsc.store.admin.subscription_expiry import end_expired_subscriptions
from mqsc.store.engine import delivery, depth, dequeue, expiry_owner, history, name_resolution
from mqsc.store.engine.state import CallContext, QueueManagerState, time_of
from mqsc.store.environment import MICROSECONDS, pause_a_moment
from mqsc.store.rules.names import prefix_range
from mqsc.store.rules.report_message import EXPIRATION
from mqsc.store.sql import expiry, managers, queues, rows
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.locks import is_held, lock_beside

# A transaction of this many takes a few milliseconds, which puts of other programs do not notice.
BATCH = 500
PAGE = 1000
# The purpose of the lock that `mqsc serve` holds for each queue manager.
SERVE = "serve"
# A scan that is due is caused by no application, whichever process makes it.
UNASKED = frozenset({"interval"})


class ExpiryScan(NamedTuple):
    """The result of scanning one queue: messages examined, discarded, and reports requested."""

    queue: str
    examined: int
    discarded: int
    reports: int


def refresh_expiry(
    qmgr: QueueManagerState,
    pattern: str = "*",
    *,
    shared: bool = True,
) -> list[ExpiryScan]:
    """Scan every local queue whose name matches the generic `pattern`; a row for each, in order of
    name.

    With `shared` also the shared queues of its group. Each batch is a transaction of its own: the
    next scan continues where a killed one stopped.
    """
    with qmgr.reading() as (_, call):
        now = call.now
    scans = []
    for queue in matching_queues(qmgr, pattern, shared=shared):
        if _may_hold_expired(queue, now):
            scans.append(scan_queue(qmgr, queue, "refresh"))
        else:
            scans.append(ExpiryScan(queue.name, queue.depth, 0, 0))
    if pattern == "*":
        end_expired_subscriptions(qmgr)
    return scans


def _may_hold_expired(queue: queues.LocalQueue, now: int) -> bool:
    """Whether a scan is worth a transaction; most queues hold no message that expires."""
    return queue.earliest_expiry is not None and queue.earliest_expiry <= now


def matching_queues(
    qmgr: QueueManagerState,
    pattern: str,
    *,
    shared: bool = True,
) -> Iterator[queues.LocalQueue]:
    """The local queues, `shared` ones too, whose name matches a generic name, by name, read a
    page at a time.
    """
    group = qmgr.row().sharing_group if shared else ""
    if not group:
        return _matching(qmgr, qmgr.name, pattern)
    return heapq.merge(
        _matching(qmgr, qmgr.name, pattern),
        _matching(qmgr, group, pattern),
        key=lambda each: each.name,
    )


def _matching(qmgr: QueueManagerState, owner: str, pattern: str) -> Iterator[queues.LocalQueue]:
    low, high = prefix_range(pattern)
    after = ""
    while True:
        page = qmgr.store.read(queues.local_page, owner, low, high, after, PAGE)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].name


def scan_queue(
    qmgr: QueueManagerState,
    queue: queues.LocalQueue | rows.QueueRow,
    cause: str,
    *,
    running: bool = True,
) -> ExpiryScan:
    """Discard the expired messages of one queue, batch by batch."""
    discarded = reports = 0
    is_over = False
    while not is_over:
        batch = qmgr.store.database.with_reserve(
            lambda: _scan_batch(qmgr, queue.id, cause, running),
        )
        discarded += batch.discarded
        reports += batch.reports
        is_over = batch.is_last
        if not is_over:
            # Let other writers in between two batches.
            pause_a_moment()
    return ExpiryScan(queue.name, queue.depth, discarded, reports)


class _Batch(NamedTuple):
    discarded: int
    reports: int
    is_last: bool


def _scan_batch(qmgr: QueueManagerState, queue: int, cause: str, running: bool) -> _Batch:
    with qmgr.transaction(running=running) as (tx, call):
        if cause in UNASKED:
            call = structs.replace(call, application="", user="")
        there = queues.by_id(tx, queue, qmgr.name)
        if there is None or there.earliest_expiry is None or there.earliest_expiry > call.now:
            return _Batch(0, 0, is_last=True)
        # Another member may have become the owner since the last batch.
        if there.owner != qmgr.name and not expiry_owner.may_scan(tx, call.qmgr, cause):
            return _Batch(0, 0, is_last=True)
        discard = _discard_with_header if there.is_transmission else _discard
        batch = discard(tx, call, there, cause)
        if batch.is_last:
            expiry.set_earliest_expiry(tx, there.id)
    return batch


def _discard(tx: Transaction, call: CallContext, queue: rows.QueueRow, cause: str) -> _Batch:
    member = history.member_of(call, queue.owner)
    silent = expiry.discard_silently(
        tx,
        history.cause_of(call, queue),
        cause,
        queue.id,
        BATCH,
        member=member,
    )
    effects = depth.removed(tx, call, queue.id, silent) if silent else []
    asking = expiry.asking_for_report(tx, queue.id, call.now, BATCH) if silent < BATCH else []
    if asking:
        effects += dequeue.expire(tx, call, queue, asking, cause)
    delivery.deliver(tx, call, effects)
    return _Batch(silent + len(asking), len(asking), silent < BATCH and len(asking) < BATCH)


def _discard_with_header(
    tx: Transaction,
    call: CallContext,
    queue: rows.QueueRow,
    cause: str,
) -> _Batch:
    """Discard messages of a transmission queue, whose headers the history needs."""
    found = expiry.discardable(tx, queue.id, call.now, BATCH)
    if found:
        delivery.deliver(tx, call, dequeue.expire(tx, call, queue, found, cause))
    asking = sum(EXPIRATION.is_requested(each.report) for each in found)
    return _Batch(len(found), asking, len(found) < BATCH)


class ScanTimer(NamedTuple):
    """EXPRYINT in seconds (None: OFF) and when the next scan is due, microseconds on the queue
    manager's clock.
    """

    interval: int | None
    due: int | None


def timer(qmgr: QueueManagerState) -> ScanTimer:
    """When the next scan is due: EXPRYINT after the last one, or after the start if there was none
    since.

    A time in the future does not count, so setting the clock back does not delay the scan.
    """
    manager = qmgr.row()
    if manager.expiry_interval is None:
        return ScanTimer(None, None)
    now = qmgr.now()
    since = max(
        (
            at
            for at in (manager.started_at, manager.last_expiry_scan)
            if at is not None and at <= now
        ),
        default=None,
    )
    return ScanTimer(
        manager.expiry_interval,
        now if since is None else since + manager.expiry_interval * MICROSECONDS,
    )


def expiring_queues(qmgr: QueueManagerState, cause: str) -> list[queues.LocalQueue]:
    """The queues that may hold an expired message and that the queue manager may scan for that
    cause of EXPIRE.
    """
    with qmgr.reading(running=False) as (reading, call):
        found = queues.expiring(reading, qmgr.name, call.now)
        if call.qmgr.sharing_group and expiry_owner.may_scan(reading, call.qmgr, cause):
            found += queues.expiring(reading, call.qmgr.sharing_group, call.now)
    return found


def scan(qmgr: QueueManagerState) -> list[ExpiryScan]:
    """Scan the queues that are known to hold expired messages, and only those; a row for each
    (expiry E24).

    The shared queues of its group too if the queue manager owns them, or takes over from an owner
    for which no `mqsc serve` runs. The next interval starts when this scan was due, so that a late
    or long scan does not delay those after it. Costs one look at an index when nothing has expired.
    """
    now = qmgr.now()
    began = _latest_due(timer(qmgr), now)
    if qmgr.row().sharing_group:
        _take_over(qmgr)
    scans = [scan_queue(qmgr, queue, "interval") for queue in expiring_queues(qmgr, "interval")]
    end_expired_subscriptions(qmgr)
    with Transaction(qmgr.store.database, durable=False) as tx:
        managers.set_columns(tx, qmgr.name, {"last_expiry_scan": began})
    return scans


def scanned_group(qmgr: QueueManagerState) -> str:
    """The group whose shared queues the queue manager scans; blank if another member does, or
    outside a group.
    """
    group = qmgr.row().sharing_group
    if not group:
        return ""
    return group if qmgr.store.read(managers.expiry_owner, group) == qmgr.name else ""


def _take_over(qmgr: QueueManagerState) -> None:
    """Become the owner of the shared queues if no `mqsc serve` runs for the one that they have."""
    with qmgr.reading() as (reading, call):
        row = call.qmgr
        owner = managers.expiry_owner(reading, row.sharing_group)
    if owner == qmgr.name or (owner and _serves(qmgr, owner)):
        return
    with qmgr.transaction() as (tx, call):
        expiry_owner.tick_of_expiry(
            tx,
            structs.replace(call, application="", user=""),
            lambda name: _serves(qmgr, name),
        )


def _serves(qmgr: QueueManagerState, name: str) -> bool:
    path = qmgr.store.path
    return path is not None and is_held(lock_beside(path, SERVE, name))


def _latest_due(timer: ScanTimer, now: int) -> int:
    """The latest moment up to now when a scan was due; now when none was."""
    if timer.interval is None or timer.due is None or timer.due > now:
        return now
    return now - (now - timer.due) % (timer.interval * MICROSECONDS)


NEXT_MOMENTS = 5


class ExpiryPreview(Struct, frozen=True):
    """The expired messages of a queue at `now` (all times microseconds UTC).

    `expired` counts towards the depth and includes locked and uncommitted messages. `get_discards`
    is the number that a get of any message would discard before it finds one (all of them when
    `get_finds` is false); `scan_discards` and `scan_reports` are those of a scan. `next` holds
    (moment, messages) of the next expiries, `putters` (application, user, messages). `group` is the
    queue-sharing group of a shared queue, else blank. `scanned_by` is the queue manager that scans
    it every `interval` seconds; blank and None while EXPRYINT(OFF) applies.
    """

    queue: str
    now: int
    depth: int
    expired: int
    expired_bytes: int
    expired_since: int | None
    get_discards: int
    get_finds: bool
    scan_discards: int
    scan_reports: int
    next: tuple[tuple[int, int], ...]
    putters: tuple[tuple[str, str, int], ...]
    group: str = ""
    scanned_by: str = ""
    interval: int | None = None


def expiry_preview(qmgr: QueueManagerState, pattern: str = "*") -> Iterator[ExpiryPreview]:
    """The local queues whose name matches, by name; a name that is not generic may be an alias or a
    remote queue.

    It stands for the local queue that it resolves to. MQError 2058 when the queue manager is gone.
    """
    manager = qmgr.row()
    now = time_of(manager, qmgr.store.environment)
    with Reading(qmgr.store.database) as reading:
        owner = managers.by_name(reading, managers.expiry_owner(reading, manager.sharing_group))
    for queue in (
        matching_queues(qmgr, pattern) if pattern.endswith("*") else resolved_queue(qmgr, pattern)
    ):
        group = "" if queue.owner == qmgr.name else queue.owner
        scanner = owner if group else manager
        preview = _preview(qmgr, queue, now)
        if scanner is not None and scanner.expiry_interval is not None:
            preview = structs.replace(
                preview,
                scanned_by=scanner.name,
                interval=scanner.expiry_interval,
            )
        yield structs.replace(preview, group=group)


def resolved_queue(qmgr: QueueManagerState, name: str) -> list[queues.LocalQueue]:
    """The local queue that a name resolves to, as a list of one; empty if there is none."""
    manager = qmgr.row()
    _, destination = qmgr.store.read(name_resolution.destination, manager, name, "")
    if destination is None:
        return []
    queue = destination.queue
    return [
        queues.LocalQueue(queue.id, queue.name, queue.depth, queue.earliest_expiry, queue.owner),
    ]


def _preview(qmgr: QueueManagerState, queue: queues.LocalQueue, now: int) -> ExpiryPreview:
    if queue.earliest_expiry is None:
        return ExpiryPreview(
            queue.name,
            now,
            queue.depth,
            0,
            0,
            None,
            0,
            queue.depth > 0,
            0,
            0,
            (),
            (),
        )
    with Reading(qmgr.store.database) as reading:
        counts = expiry.expired_counts(reading, queue.id, now)
        front = expiry.count_before_first_live(reading, queue.id, now)
        coming = expiry.next_expiries(reading, queue.id, now, NEXT_MOMENTS)
        by = expiry.putters(reading, queue.id, now) if counts.expired else []
    return ExpiryPreview(
        queue.name,
        now,
        queue.depth,
        counts.expired,
        counts.length,
        counts.since,
        counts.scannable if front is None else front,
        front is not None,
        counts.scannable,
        counts.reporting,
        tuple((at, count) for at, count in coming),
        tuple((application, user, count) for application, user, count, _ in by),
    )

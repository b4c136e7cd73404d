"""DISPLAY QSTATUS and RESET QSTATS: depth, handles and traffic of queues (mqi-semantics §7).

Rows are by MQSC keyword and read a page at a time; dead processes are recovered first.
"""

import heapq
from collections.abc import Callable, Iterator

from mqsc.store.admin.connection_status import (
    ADDRESS_LENGTH,
    CHANNEL_LENGTH,
    NO_EXTERNAL_UNIT,
    consumption,
    process_here,
)
from mqsc.store.admin.inquiring import check_running, inquire_queue_manager
from mqsc.store.engine.displayed_definition import DisplayedValues, date_and_time
from mqsc.store.engine.history import on_object_of
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules import monitoring, names, opening, sharing
from mqsc.store.sql import connections, expiry, history, queues, statistics
from mqsc.store.sql.statistics import QueueLoad as QueueLoad
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.queries import Queries

PAGE = 200
# The monitored attributes while monitoring is off.
_UNKNOWN: DisplayedValues = dict.fromkeys(
    ("LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MSGAGE"), ""
) | {
    "QTIME": " , ",
}
_ORDER = (
    "QUEUE TYPE CURDEPTH EXPIRED CURFSIZE CURMAXFS IPPROCS LGETDATE LGETTIME LPUTDATE LPUTTIME "
    "MEDIALOG MONQ MSGAGE"
    " OPPROCS QTIME UNCOM"
).split()


def queue_status(qmgr: QueueManagerState, pattern: str) -> Iterator[DisplayedValues]:
    """DISPLAY QSTATUS TYPE(QUEUE): the local queues whose name matches, by name; a trailing
    asterisk is generic.

    UNCOM is NO or the number of messages that open units of work have put or got. LPUTDATE to QTIME
    are blank unless monitoring is on (MONQ of the queue or of the queue manager); MSGAGE is in
    seconds, QTIME in microseconds. EXPIRED counts expired messages that are still on the queue.
    MQError 2059 when the queue manager does not run.
    """
    return _of_owners(qmgr, lambda owner, group: _status(qmgr, owner, group, pattern))


def _of_owners(
    qmgr: QueueManagerState, read: Callable[[str, str], Iterator[DisplayedValues]]
) -> Iterator[DisplayedValues]:
    """The rows of the queue manager's own queues and of the shared ones, by name; `read` takes
    their owner and the group.
    """
    group = check_running(qmgr).sharing_group
    recover(qmgr.store)
    if not group:
        return read(qmgr.name, "")
    return heapq.merge(
        *(read(owner, group) for owner in (qmgr.name, group)),
        key=lambda row: str(row["QUEUE"]),
    )


def _status(
    qmgr: QueueManagerState, owner: str, group: str, pattern: str
) -> Iterator[DisplayedValues]:
    everywhere = str(inquire_queue_manager(qmgr)["MONQ"])
    low, high = _range(pattern)
    while True:
        now = qmgr.now()
        with Reading(qmgr.store.database) as reading:
            page = statistics.page(reading, owner, low, high, PAGE, qmgr.name)
            pending = statistics.uncommitted(reading, [queue.id for queue in page])
            if owner != qmgr.name:
                page = [_share(reading, qmgr.name, queue) for queue in page]
            rows = [
                _status_row(reading, queue, everywhere, pending.get(queue.id, 0), now)
                for queue in page
            ]
            if group:
                own = [_in_group(reading, qmgr.name, queue) for queue in page]
                rows = [{**row, **more} for row, more in zip(rows, own, strict=True)]
        yield from rows
        if len(page) < PAGE:
            return
        low = page[-1].name + "\0"


def _status_row(
    reading: Reading,
    queue: statistics.QueueStatisticsRow,
    everywhere: str,
    pending: int,
    now: int,
) -> DisplayedValues:
    level = monitoring.effective_level(queue.monitoring, everywhere)
    values: DisplayedValues = {
        "QUEUE": queue.name,
        "TYPE": "QUEUE",
        "CURDEPTH": queue.depth,
        "EXPIRED": expiry.count_expired(reading, queue.id, now),
        # A queue has no file of its own.
        "CURFSIZE": "",
        "CURMAXFS": "",
        "IPPROCS": queue.input_handles,
        # The store has no log extents with names.
        "MEDIALOG": "",
        "MONQ": level,
        "OPPROCS": queue.output_handles,
        "UNCOM": pending or "NO",
        **(_UNKNOWN if level == monitoring.OFF else _monitored(reading, queue, now)),
    }
    return {word: values[word] for word in _ORDER}


def _in_group(
    reading: Reading, member: str, queue: statistics.QueueStatisticsRow
) -> DisplayedValues:
    """What only members of a group show of a queue; of a shared queue UNCOM counts the member's
    own units of work.
    """
    if queue.disposition != sharing.SHARED:
        return {"QSGDISP": queue.disposition}
    input_handles, _, output_handles = queues.handles_of_all(reading, queue.id)
    uncommitted = statistics.uncommitted_of_member(reading, queue.id, member) or "NO"
    return {
        "QSGDISP": sharing.SHARED,
        "UNCOM": uncommitted,
        "IPGROUP": input_handles,
        "OPGROUP": output_handles,
    }


def _monitored(reading: Reading, queue: statistics.QueueStatisticsRow, now: int) -> DisplayedValues:
    put_date, put_time = _moment(queue.last_put_at)
    get_date, get_time = _moment(queue.last_get_at)
    return {
        "LGETDATE": get_date,
        "LGETTIME": get_time,
        "LPUTDATE": put_date,
        "LPUTTIME": put_time,
        "MSGAGE": monitoring.age(statistics.oldest_put(reading, queue.id), now),
        "QTIME": monitoring.queue_times(queue.short_queue_time, queue.long_queue_time),
    }


def queue_handles(qmgr: QueueManagerState, pattern: str) -> Iterator[DisplayedValues]:
    """DISPLAY QSTATUS TYPE(HANDLE): the handles open on the local queues whose name matches, by
    queue.

    A handle opened through an alias is listed under the queue it resolves to. INPUT is NO, SHARED
    or EXCL; PID is that of the program, 0 if it runs in another container or on another machine.
    MQError 2059 when the queue manager does not run.
    """
    return _of_owners(qmgr, lambda owner, group: _handles(qmgr, owner, group, pattern))


def _handles(
    qmgr: QueueManagerState, owner: str, group: str, pattern: str
) -> Iterator[DisplayedValues]:
    low, high = _range(pattern)
    after = 0
    while True:
        page = qmgr.store.read(connections.handles_page, owner, low, high, after, PAGE, qmgr.name)
        for handle in page:
            yield {
                **_handle_row(qmgr.store, handle),
                **({"QSGDISP": handle.disposition} if group else {}),
            }
        if len(page) < PAGE:
            return
        low, after = page[-1].queue_name, page[-1].id


def _handle_row(store: StoreState, handle: connections.OpenHandle) -> DisplayedValues:
    options = handle.options
    input_mode = "EXCL" if handle.exclusive else "SHARED"
    return {
        "QUEUE": handle.queue_name,
        "TYPE": "HANDLE",
        "APPLDESC": "",
        "APPLTAG": handle.application[:28],
        "APPLTYPE": "USER",
        "ASTATE": consumption(handle),
        "BROWSE": _yes(options & opening.BROWSE),
        "CHANNEL": handle.channel[:CHANNEL_LENGTH],
        "CONNAME": handle.address[:ADDRESS_LENGTH],
        "HSTATE": "INACTIVE",
        "INPUT": input_mode if options & opening.INPUT else "NO",
        "INQUIRE": _yes(options & opening.INQUIRE),
        "OUTPUT": _yes(options & opening.OUTPUT),
        "PID": process_here(store, handle.file),
        "QMURID": "",
        "SET": _yes(options & opening.SET),
        "TID": "",
        "URID": NO_EXTERNAL_UNIT,
        "URTYPE": "QMGR",
        "USERID": handle.user,
    }


def reset_queue_statistics(qmgr: QueueManagerState, pattern: str) -> Iterator[DisplayedValues]:
    """RESET QSTATS: return and reset the statistics of the local queues whose name matches, by
    name.

    HIQDEPTH is the greatest depth; MSGSIN and MSGSOUT count puts and gets, including uncommitted
    and backed-out ones; RESETINT is the seconds since the last reset, or performance event. Those
    of a shared queue are the queue manager's own, and HIQDEPTH is the greatest depth that it saw at
    a put. Each page is reset before it is returned, so a caller that stops early leaves the rest
    unchanged. MQError 2059.
    """
    group = check_running(qmgr).sharing_group
    owners = (qmgr.name, group) if group else (qmgr.name,)
    return heapq.merge(
        *(_reset(qmgr, owner, group, pattern) for owner in owners),
        key=lambda row: str(row["QSTATS"]),
    )


def _reset(
    qmgr: QueueManagerState, owner: str, group: str, pattern: str
) -> Iterator[DisplayedValues]:
    low, high = _range(pattern)
    disposition = {}
    if group:
        disposition["QSGDISP"] = "SHARED" if owner == group else "QMGR"
    while True:
        with qmgr.transaction() as (tx, call):
            now = call.now
            page = statistics.page(tx, owner, low, high, PAGE, qmgr.name)
            if owner == qmgr.name:
                statistics.reset(tx, [queue.id for queue in page], now)
            else:
                page = [_share(tx, qmgr.name, queue) for queue in page]
                for queue in page:
                    statistics.reset_member(tx, queue.id, qmgr.name, now)
            history.append_all(
                tx,
                [on_object_of(call, owner, _reset_event(call, queue)) for queue in page],
            )
        for queue in page:
            yield {
                "QSTATS": queue.name,
                **disposition,
                "HIQDEPTH": queue.high_depth,
                "MSGSIN": min(queue.puts, monitoring.HIGHEST),
                "MSGSOUT": min(queue.gets, monitoring.HIGHEST),
                "RESETINT": min(
                    max(0, now - queue.statistics_since) // MICROSECONDS,
                    monitoring.HIGHEST,
                ),
            }
        if len(page) < PAGE:
            return
        low = page[-1].name + "\0"


def _share(
    tx: Queries,
    member: str,
    queue: statistics.QueueStatisticsRow,
) -> statistics.QueueStatisticsRow:
    """The member's own statistics of a shared queue."""
    counted = statistics.of_member(tx, queue.id, member)
    own = counted._asdict()
    since = own.pop("since")
    return queue._replace(
        **own,
        statistics_since=queue.statistics_since if since is None else since,
    )


def _reset_event(call: CallContext, queue: statistics.QueueStatisticsRow) -> DisplayedValues:
    """The event that records the statistics before and after."""
    changes = {
        "HIQDEPTH": [queue.high_depth, queue.depth],
        "MSGSIN": [queue.puts, 0],
        "MSGSOUT": [queue.gets, 0],
    }
    return call.event("SET", cause="reset", queue=queue.name, target="QLOCAL", detail=changes)


def _range(pattern: str) -> tuple[str, str]:
    low, high = names.prefix_range(pattern)
    return low, high or names.LAST


def _moment(at: int | None) -> tuple[str, str]:
    return ("", "") if at is None else date_and_time(at)


def _yes(bit: int) -> str:
    return "YES" if bit else "NO"

"""Uncommitted work that matters to the triggering of a queue, and the programs that hold it."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin.connection_status import connection_id, unit_id
from mqsc.store.admin.peeking import local_queue
from mqsc.store.constants import MQFMT
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.headers import mqdlh
from mqsc.store.rules.trigger.trigger_message import TRIGGER_FORMAT, start_of_data
from mqsc.store.sql import units_of_work
from mqsc.store.sql.rows import MessageState, QueueRow
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.owners import Owner, owner_of
from mqsc.store.sqlite.queries import Queries

TRIGGER_MESSAGE = "trigger message"
PUT = "put"
GET = "get"


class UncommittedWork(NamedTuple):
    """Messages of one queue that one unit of work holds.

    `what`: trigger messages that wait for the end of the unit; messages that it put, which count
    although they cannot be got yet; or messages that it got, which do not count unless it is backed
    out. `since`: microseconds UTC, None if the history does not say it. `kept`: a backout leaves
    the trigger messages there. `connection` and `unit` are CONN and QMURID of DISPLAY CONN.
    `in_doubt` is the name of a unit in doubt, which has no connection and no process.
    `process_place` says where `process_id` is valid, blank if it is here.
    """

    what: str
    queue: str
    messages: int
    since: int | None
    kept: bool
    application: str
    user: str
    connection: str
    unit: str
    process_id: int
    process_place: str
    in_doubt: str


def uncommitted_work(
    store: StoreState,
    reading: Queries,
    call: CallContext,
    queue: QueueRow,
    lowest_priority: int,
) -> tuple[UncommittedWork, ...]:
    """The trigger messages for a queue that wait for a commit, then the uncommitted puts and gets
    of the queue.

    Only messages of effective priority `lowest_priority` or higher count.
    """
    start = start_of_data(queue.name, call.qmgr.ccsid)
    wanted = units_of_work.StartOfData(
        start,
        TRIGGER_FORMAT,
        mqdlh.MQDLH_LENGTH,
        str(MQFMT.DEAD_LETTER_HEADER),
    )
    waiting = units_of_work.held_trigger_messages(reading, call.qmgr.name, wanted)
    held = units_of_work.held_on_queue(reading, queue.id, lowest_priority)
    puts = [each for each in held if each.state == MessageState.PUT]
    gets = [each for each in held if each.state == MessageState.GOT]
    return (
        *(_work(store, TRIGGER_MESSAGE, each, each.first_put_at) for each in waiting),
        *(_work(store, PUT, each, each.first_put_at) for each in puts),
        *(_work(store, GET, each, _first_get(reading, each)) for each in gets),
    )


def work_on(qmgr: QueueManagerState, queue: str) -> tuple[UncommittedWork, ...]:
    """What open units of work put on a local queue and got from it; an alias stands for its
    queue. Errors as `peek`.
    """
    found = local_queue(qmgr, queue)
    with qmgr.reading() as (reading, call):
        every = uncommitted_work(qmgr.store, reading, call, found, lowest_priority=0)
    return tuple(each for each in every if each.what != TRIGGER_MESSAGE)


def _first_get(reading: Queries, held: units_of_work.Held) -> int | None:
    return units_of_work.first_get(reading, held.queue, held.unit, held.messages)


def _work(
    store: StoreState,
    what: str,
    held: units_of_work.Held,
    since: int | None,
) -> UncommittedWork:
    owner = Owner(0) if held.in_doubt else owner_of(folder_beside(store.path or ""), held.file)
    return UncommittedWork(
        what=what,
        queue=held.queue,
        messages=held.messages,
        since=since,
        kept=bool(held.kept),
        application=held.application,
        user=held.user,
        connection=connection_id(held.connection),
        unit=unit_id(held.unit),
        process_id=owner.process,
        process_place=owner.place,
        in_doubt=held.in_doubt,
    )

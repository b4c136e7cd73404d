"""Uncommitted work that matters to the triggering of a queue, and the programs that hold it."""

from __future__ import annotations

from typing import NamedTuple

from store.admin.connection_status import connection_id, unit_id
from store.constants import MQFMT
from store.engine.call_context import CallContext
from store.headers import mqdlh
from store.rules.trigger.message import TRIGGER_FORMAT, start_of_data
from store.sql import units_of_work
from store.sql.rows import MessageState, QueueRow
from store.sql.units_of_work import Held, StartOfData
from store.sqlite.database import Queries
from store.sqlite.liveness import process_id

TRIGGER_MESSAGE, PUT, GET = "trigger message", "put", "get"


class UncommittedWork(NamedTuple):
    """Messages of one queue that one unit of work holds.

    `what`: trigger messages that wait for the end of the unit; messages that it put, which count although they cannot
    be got yet; or messages that it got, which do not count unless it is backed out. `since`: microseconds UTC, None if
    the history does not say it. `kept`: a backout leaves the trigger messages there. `connection` and `unit` are CONN
    and QMURID of DISPLAY CONN. `in_doubt` is the name of a unit in doubt, which has no connection and no process.
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
    in_doubt: str


def uncommitted_work(
    reading: Queries, call: CallContext, queue: QueueRow, lowest_priority: int
) -> tuple[UncommittedWork, ...]:
    """The trigger messages for a queue that wait for a commit, then the uncommitted puts and gets of the queue.

    Only messages of effective priority `lowest_priority` or higher count.
    """
    start = start_of_data(queue.name, call.qmgr.ccsid)
    wanted = StartOfData(start, TRIGGER_FORMAT, mqdlh.LENGTH, str(MQFMT.DEAD_LETTER_HEADER))
    waiting = units_of_work.held_trigger_messages(reading, call.qmgr.name, wanted)
    held = units_of_work.held_on_queue(reading, queue.id, lowest_priority)
    puts = [each for each in held if each.state == MessageState.PUT]
    gets = [each for each in held if each.state == MessageState.GOT]
    return (
        *(_work(TRIGGER_MESSAGE, each, each.first_put_at) for each in waiting),
        *(_work(PUT, each, each.first_put_at) for each in puts),
        *(_work(GET, each, units_of_work.first_get(reading, each.queue, each.unit, each.messages)) for each in gets),
    )


def _work(what: str, held: Held, since: int | None) -> UncommittedWork:
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
        process_id=0 if held.in_doubt else process_id(held.file),
        in_doubt=held.in_doubt,
    )

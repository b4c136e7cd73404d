"""Listeners and services as they are started and stopped. Only their state is kept: no program runs
for them.

CONTROL(QMGR) and CONTROL(STARTONLY) start them with their queue manager; when it ends, all have
ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.store.admin.inquiring import check_running, inquire
from mqsc.store.catalog import Kind
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine.definitions import Attributes, complete, find
from mqsc.store.engine.displayed_definition import DisplayedValues, date_and_time
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import refuse_if
from mqsc.store.rules.names import matches
from mqsc.store.sql import running
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction

# The reasons to refuse a start and a stop, because the object is in that state already.
_RUNNING = {"LISTENER": MQRCCF.LISTENER_RUNNING, "SERVICE": MQRCCF.SERVICE_RUNNING}
_STOPPED = {"LISTENER": MQRCCF.LISTENER_STOPPED, "SERVICE": MQRCCF.SERVICE_STOPPED}
# The process that runs a listener or a service: there is none.
_NO_PROCESS = 0


def start(qmgr: QueueManagerState, kind: Kind, name: str) -> None:
    """START of a listener or a service.

    MQError 2085 if it does not exist, 3249 (LISTENER) or 3251 (SERVICE) if it is running, 3262 for
    a service without STARTCMD. Services of type COMMAND have no state: each start is another run.
    """
    with qmgr.transaction() as (tx, call):
        found = complete(kind, find(tx, qmgr.name, kind, name).attributes)
        refuse_if(_is_running(tx, qmgr, kind, name), _RUNNING[kind.keyword], name)
        refuse_if(_lacks(kind, found, "STARTCMD"), MQRCCF.NO_START_CMD, name)
        if _has_state(kind, found):
            running.add(tx, qmgr.name, kind.keyword, name, call.now)


def stop(qmgr: QueueManagerState, kind: Kind, name: str) -> None:
    """STOP of a listener or a service.

    MQError 2085 if it does not exist, 3234 (LISTENER) or 3253 (SERVICE) if it is not running, 3263
    for a service without STOPCMD.
    """
    with qmgr.transaction() as (tx, _):
        found = complete(kind, find(tx, qmgr.name, kind, name).attributes)
        is_stopped = _has_state(kind, found) and not _is_running(tx, qmgr, kind, name)
        refuse_if(is_stopped, _STOPPED[kind.keyword], name)
        refuse_if(_lacks(kind, found, "STOPCMD"), MQRCCF.NO_STOP_CMD, name)
        running.remove(tx, qmgr.name, kind.keyword, name)


def status(qmgr: QueueManagerState, kind: Kind, pattern: str) -> Iterator[DisplayedValues]:
    """The status of the running objects of a kind whose name matches, with the attributes of
    their definitions.
    """
    check_running(qmgr)
    started = {row.name: row for row in qmgr.store.read(running.of_kind, qmgr.name, kind.keyword)}
    names = [name for name in started if matches(pattern, name)]
    if not names:
        return
    for definition in inquire(qmgr, (kind,), pattern):
        row = started.get(str(definition[kind.keyword]))
        if row is not None:
            date, time = date_and_time(row.started_at)
            yield {
                **definition,
                "STATUS": "RUNNING",
                "PID": _NO_PROCESS,
                "STARTDA": date,
                "STARTTI": time,
            }


def check_stopped(tx: Transaction, definition: ObjectRow) -> None:
    """MQError 2042 for the definition of a listener or a service that is running."""
    is_running = running.by_name(tx, definition.owner, definition.type, definition.name) is not None
    refuse_if(is_running, MQRC.OBJECT_IN_USE, definition.name)


def forget_earlier_run(tx: Transaction, call: CallContext) -> None:
    """Note that nothing runs that an earlier run of the queue manager has left."""
    running.remove_all(tx, call.qmgr.name)


def start_with_manager(tx: Transaction, call: CallContext) -> None:
    """Start what starts with the queue manager."""
    running.add_automatic(tx, call.qmgr.name, call.now)


def _is_running(tx: Transaction, qmgr: QueueManagerState, kind: Kind, name: str) -> bool:
    return running.by_name(tx, qmgr.name, kind.keyword, name) is not None


def _has_state(kind: Kind, attributes: Attributes) -> bool:
    return kind.keyword == "LISTENER" or attributes["SERVTYPE"] == "SERVER"


def _lacks(kind: Kind, attributes: Attributes, keyword: str) -> bool:
    """Whether a service has no command of that keyword."""
    return kind.keyword == "SERVICE" and not attributes[keyword]

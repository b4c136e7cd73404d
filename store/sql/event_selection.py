"""SELECTs of events whose conditions a search chooses, composed of texts as those of messages
(`selection.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mqsc.store.published import EVENT_COLUMNS
from mqsc.store.sql.rows import UNIT_BITS

ALL_COLUMNS = tuple(column.name for column in EVENT_COLUMNS)


def _named(column: str) -> str:
    # A blank upper limit is none.
    return f"({column} >= :low AND ({column} < :high OR :high = ''))"


# Events whose `queue` may be another object, and those whose `target` is a queue.
_QUEUE_IS_NAMED = (
    f"{_named('event.queue')} AND (event.kind NOT IN ('DEFINE', 'ALTER', 'SET', 'DELETE')"
    " OR event.target IN ('QLOCAL', 'QALIAS', 'QREMOTE', 'QMODEL'))"
)
_TARGET_IS_NAMED = (
    f"{_named('event.target')} AND event.kind IN ('TRIGGER', 'TRIGGER_LOST', 'DEAD_LETTER', "
    "'REQUEUE', 'FORWARD',"
    " 'REPORT', 'REPORT_LOST', 'MOVE')"
)
# A backout tells of each queue how many puts and gets were undone. The other keys of its detail
# have blanks, as no queue has, or no object as their value.
_BACKED_OUT = (
    "event.kind = 'BACKOUT' AND EXISTS (SELECT 1 FROM json_each(event.detail) AS undone"
    f" WHERE {_named('undone.key')} AND undone.type = 'object' AND instr(undone.key, ' ') = 0)"
)
# By what is searched for. `low` and `high` are one condition.
CONDITIONS: Mapping[str, str] = {
    "low": f"({_QUEUE_IS_NAMED} OR {_TARGET_IS_NAMED} OR {_BACKED_OUT})",
    # An event of a shared queue has the group as its queue manager.
    "qmgr": "(event.qmgr = :qmgr OR json_extract(event.detail, '$.member') = :qmgr)",
    "unit": "event.unit = :unit",
    "connection": f"(event.connection = :connection OR event.unit >> {UNIT_BITS} = :connection)",
    "since": "event.at >= :since",
    "until": "event.at < :until",
    "kinds": "event.kind IN (SELECT value FROM json_each(:kinds))",
    "causes": "event.cause IN (SELECT value FROM json_each(:causes))",
    "numbers": "event.seq IN (SELECT value FROM json_each(:numbers))",
}


@lru_cache(maxsize=16)
def event_selection(wanted: tuple[str, ...], newest_first: bool) -> str:
    """Return the SELECT of up to :most events numbered :first to :last that meet the conditions
    of these names.
    """
    columns = ", ".join(f"event.{name}" for name in ALL_COLUMNS)
    conditions = [CONDITIONS[name] for name in wanted if name in CONDITIONS]
    where = " AND ".join(["event.seq BETWEEN :first AND :last", *conditions])
    order = "event.seq DESC" if newest_first else "event.seq"
    return f"SELECT {columns} FROM event WHERE {where} ORDER BY {order} LIMIT :most"

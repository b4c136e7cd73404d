"""A history of any length, made at once: programs that put a message and get it, as recorded for
one of them.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from mqsc import run
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.environment import Environment
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql.rows import UNIT_BITS

START = 1_772_355_600_000_000  # 2026-03-01T09:00
SECOND = 1_000_000
_AGAIN = f"""WITH RECURSIVE program (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM program WHERE n < :programs)
INSERT INTO event (at, qmgr, kind, queue, msg_id, priority, persistence, length, put_at, put_application, put_user,
  unit, connection, application, user, detail)
SELECT at + n * {SECOND}, qmgr, kind, queue,
  CASE WHEN msg_id IS NOT NULL THEN CAST(printf('MESSAGE %016d', n) AS BLOB) END,
  priority, persistence, length, put_at + n * {SECOND}, put_application, put_user,
  unit + (n << {UNIT_BITS}), connection + n, application, user, replace(detail, '"handle": 1', '"handle": ' || (n + 1))
FROM program, event WHERE seq > :first ORDER BY n, seq"""


def make(file: Path, programs: int) -> tuple[int, int]:
    """Make a store in which so many programs did that, one each second; the numbers of the events
    before and after.
    """
    environment = Environment.frozen(at=START, user="anna", application="shop")
    with open_store(f"sqlite:///{file}", environment) as store:
        qmgr = store.create_queue_manager("SHOP", manual_clock_at=START)
        run(qmgr, "DEFINE QLOCAL(ORDERS)", check=True)
        first = store.bound().seq
        with qmgr.connect("billing") as connection:
            message = Message(b"0123456789")
            connection.put1("ORDERS", message, PutMessageOptions(int(MQPMO.SYNCPOINT)))
            connection.commit()
            source = connection.open("ORDERS", int(MQOO.INPUT_SHARED))
            source.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
            connection.commit()
    with closing(sqlite3.connect(file)) as connected:
        connected.execute(_AGAIN, {"programs": programs - 1, "first": first})
        connected.execute("UPDATE queue_manager SET clock_at = clock_at + ?", (programs * SECOND,))
        (last,) = connected.execute("SELECT max(seq) FROM event").fetchone()
        connected.commit()
    return first, last

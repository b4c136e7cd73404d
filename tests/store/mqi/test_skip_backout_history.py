"""The history of MQGMO_MARK_SKIP_BACKOUT: which message was marked, and to which unit a backout moved it."""

from __future__ import annotations

import json

import mqsc
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO
from store.message import GetMessageOptions, Message
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

_EVENTS = Statement(event.select().with_only_columns(event.c.kind, event.c.unit, event.c.detail).order_by(event.c.seq))


def told(qmgr: QueueManager, *kinds: str) -> list[tuple[str, int | None, object]]:
    with Reading(qmgr.store.database) as reading:
        rows = reading.all(_EVENTS)
    return [(kind, unit, detail and json.loads(detail)) for kind, unit, detail in rows if kind in kinds]


def test_a_marked_message_and_its_new_unit_of_work_are_recorded(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        first, _ = queue.put([Message(b"marked"), Message(b"other")])
        queue.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT))
        queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
        unit = connection.unit.number
        connection.back()
        connection.commit()
    marked, plain, backout, commit = told(qmgr, "GET", "BACKOUT", "COMMIT")
    assert marked == ("GET", unit, {"mark": "skip backout"})
    assert plain == ("GET", unit, None)
    skipped = {"msg_id": first.msg_id.hex(), "unit": unit + 1}
    assert backout == ("BACKOUT", unit, {"Q": {"puts": 0, "gets": 1}, "skipped message": skipped})
    assert commit == ("COMMIT", unit + 1, None)

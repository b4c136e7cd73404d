"""Poison messages on shared queues: the history belongs to the group, and any member finds it there."""

from __future__ import annotations

import json

from sqlalchemy import select

import mqsc
from store.admin.history import times_moved
from store.admin.put_preview import poison_preview
from store.client.api import Store
from store.descriptor import MessageDescriptor
from store.message import Message
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

_MOVED = Statement(select(event.c.qmgr, event.c.queue, event.c.target, event.c.detail).where(event.c.kind == "REQUEUE"))


def test_a_consumer_of_a_shared_queue(store: Store) -> None:
    first, second = (store.create_queue_manager(name, group="QSG1") for name in ("QM1", "QM2"))
    shared = "QSGDISP(SHARED) CFSTRUCT(APPL1)"
    mqsc.run(
        first,
        f"DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)\nDEFINE QLOCAL(BOQ) {shared}\n"
        f"DEFINE QLOCAL(SQ) {shared} BOTHRESH(2) BOQNAME(BOQ)",
        check=True,
    )
    connection = first.connect()
    sent = connection.put1("SQ", Message(b"bad", MessageDescriptor(persistence=1)))
    with connection.consumer("SQ") as consumer:
        for _ in range(2):
            assert consumer.receive() is not None
            connection.back()
    seen = poison_preview(second, "SQ")
    assert seen is not None
    (foreseen,) = seen
    assert foreseen.last is not None
    with second.connect() as other, other.consumer("SQ", wait=0) as consumer:
        assert consumer.receive() is None
    with Reading(store.database) as reading:
        ((qmgr, queue, target, detail),) = reading.all(_MOVED)
    assert (qmgr, queue, target) == ("QSG1", "SQ", "BOQ")
    assert json.loads(detail) == {"member": "QM2", "backout_count": 2, "threshold": 2, "backout_queue": "BOQ"}
    assert [times_moved(each, "SQ", sent) for each in (first, second)] == [1, 1]

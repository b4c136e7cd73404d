"""Synchronization records are found among other messages on their queue."""

from __future__ import annotations

import json

from store.admin.channel.display import saved_status
from store.admin.channel.sync_records import QUEUE, forget_records, saved_records
from store.client.api import QueueManager, Store
from store.message import Message
from store.sqlite.database import Reading, Transaction
from tests.store.admin.looking import events, queue_row

RECORD = {"channel": "C", "partner": "QM2", "role": "sender", "luwid": "654A2B3C00010010", "sequence": 3}


def put(qmgr: QueueManager, *bodies: bytes) -> None:
    with qmgr.connect() as connection:
        for body in bodies:
            connection.put1(QUEUE, Message(body))


def found(qmgr: QueueManager) -> list[tuple[str, int]]:
    with Reading(qmgr.store.database) as reading:
        return [(each.channel, each.sequence) for each in saved_records(reading, qmgr.name)]


def test_what_is_no_record_is_ignored(qmgr: QueueManager) -> None:
    junk = (b"", b"\xff\xfe", b"[1]", b"7", b'{"channel": "C"}', b'{"sequence": "x"}', b"[" * 3000, b"{" * 9000)
    wrong: tuple[dict[str, object], ...] = (
        {"sequence": []}, {"sequence": float("inf")}, {"sequence": -1}, {"sequence": 10**9}, {"luwid": "x"},
        {"role": "both"}, {"partner": "a b"}, {"channel": "\x1b[31m"}, {"channel": ""},
    )  # fmt: skip
    put(qmgr, *junk, *(json.dumps({**RECORD, **each}).encode() for each in wrong))
    assert found(qmgr) == []
    put(qmgr, *(json.dumps({**RECORD, **each}).encode() for each in ({}, {"luwid": "", "sequence": 4})))
    assert found(qmgr) == [("C", 3), ("C", 4)]
    # The channel is not defined.
    assert saved_status(qmgr, "*") == []


def test_only_the_records_of_the_channel_are_forgotten(store: Store, qmgr: QueueManager) -> None:
    put(qmgr, b"junk", *(json.dumps({**RECORD, "channel": name}).encode() for name in ("C", "D", "C")))
    with Transaction(store.database, durable=False) as tx:
        forget_records(tx, qmgr.call_context(tx), "C")
    assert found(qmgr) == [("D", 3)]
    assert queue_row(qmgr, QUEUE).depth == 2
    (cleared,) = events(store, "CLEAR")
    assert (cleared.cause, cleared.queue, cleared.detail) == ("channel", QUEUE, {"messages": 2})

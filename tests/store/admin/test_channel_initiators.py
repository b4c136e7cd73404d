"""Which programs are channel initiators."""

from __future__ import annotations

import os

from store.admin.channel.commands import Initiator, initiators, is_queue
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO

QLOCAL = KINDS["QLOCAL"]


def test_readers_of_the_initiation_queues_of_transmission_queues(qmgr: QueueManager) -> None:
    for name in ("I", "J"):
        create(qmgr, QLOCAL, name, {})
    create(qmgr, QLOCAL, "X", {"USAGE": "XMITQ", "INITQ": "I"})
    create(qmgr, QLOCAL, "Q", {"INITQ": "J"})
    with qmgr.connect() as connection:
        for name in ("I", "J", "SYSTEM.CHANNEL.INITQ"):
            connection.open(name, MQOO.BROWSE)
        assert initiators(qmgr) == []
        for name in ("I", "I", "J", "SYSTEM.CHANNEL.INITQ"):
            connection.open(name, MQOO.INPUT_SHARED)
        found = [Initiator(name, os.getpid()) for name in ("I", "SYSTEM.CHANNEL.INITQ")]
        assert initiators(qmgr) == found
    assert initiators(qmgr) == []


def test_whether_there_is_a_queue(qmgr: QueueManager) -> None:
    assert [is_queue(qmgr, name) for name in ("SYSTEM.CHANNEL.INITQ", "NOPE")] == [True, False]

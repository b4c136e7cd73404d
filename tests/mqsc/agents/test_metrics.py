"""Metrics: what is counted for queues that come and go."""

from __future__ import annotations

from contextlib import suppress

import mqsc
from mqsc.agents.metrics import QueueManagerMetrics
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import Message

SOON = MessageDescriptor(expiry=1)


def let_a_message_expire(connection: Connection, queue: str) -> str:
    """Open a queue, or a temporary dynamic queue, for a message that expires; returns its name."""
    opened = connection.open(queue, int(MQOO.INPUT_SHARED | MQOO.OUTPUT), dynamic_name="REPLY.*")
    opened.put(Message(b"reply", SOON.copy()))
    clock = connection.qmgr.store.environment.clock
    assert isinstance(clock, FrozenClock)
    clock.advance(1)
    with suppress(MQError):
        opened.get()
    opened.close()
    return opened.name


def counted(metrics: QueueManagerMetrics) -> set[str]:
    """The queues that have a counter."""
    families = [each for each in metrics.collect() if each.type == "counter"]
    return {sample.labels["queue"] for each in families for sample in each.samples}


def test_counters_of_deleted_queues_are_forgotten(qmgr: QueueManager) -> None:
    """Each dynamic queue has a new name: a program that runs for months would keep all of them."""
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)\nDEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)")
    metrics = QueueManagerMetrics(lambda: [qmgr])
    with qmgr.connect() as connection:
        let_a_message_expire(connection, "ORDERS")
        names = {let_a_message_expire(connection, "TEMP") for _ in range(20)}
    assert len(names) == 20
    assert counted(metrics) == {"ORDERS"}
    mqsc.run(qmgr, "DELETE QLOCAL(ORDERS)")
    assert counted(metrics) == set()

"""Two queue managers in two stores, and a program that carries messages between them as a
channel does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mqsc
from mqsc.store import (
    Environment,
    GetMessageOptions,
    Message,
    MessageDescriptor,
    MQError,
    PutMessageOptions,
)
from mqsc.store.admin.history import record
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.headers import mqxqh

# Each queue manager has a transmission queue and a channel to the other; QM1 also has a remote
# queue.
OBJECTS = {
    "QM1": """
        DEFINE QLOCAL(QM2) USAGE(XMITQ)
        DEFINE QREMOTE(FAR) RNAME(ORDERS) RQMNAME(QM2) XMITQ(QM2)
        DEFINE QLOCAL(ANSWERS)
        DEFINE QLOCAL(LOCAL) STREAMQ(COPIES)
        DEFINE QLOCAL(COPIES)
        DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) TRPTYPE(TCP) XMITQ(QM2) CONNAME('{other}')
    """,
    "QM2": """
        DEFINE QLOCAL(QM1) USAGE(XMITQ)
        DEFINE QLOCAL(ORDERS)
        DEFINE QLOCAL(DLQ)
        ALTER QMGR DEADQ(DLQ)
        DEFINE CHANNEL(QM2.QM1) CHLTYPE(SDR) TRPTYPE(TCP) XMITQ(QM1) CONNAME('{other}')
    """,
}


@dataclass(frozen=True)
class TwoStores:
    """The queue managers by name, each in a store of its own."""

    qmgrs: dict[str, QueueManager]

    def put(self, qmgr: str, queue: str, body: bytes = b"x", **fields: object) -> bytes:
        """Put a message; return its MsgId."""
        with self.qmgrs[qmgr].connect("orders.py", "anna") as connection:
            return connection.put1(queue, Message(body, MessageDescriptor(**fields))).msg_id  # type: ignore[arg-type]

    def get(self, qmgr: str, queue: str) -> Message:
        with self.qmgrs[qmgr].connect("service.py", "berta") as connection:
            return connection.open(queue, MQOO.INPUT_SHARED).get()

    def carry(self, sender: str, receiver: str) -> int:
        """Carry all messages for the receiver in one batch; return their number."""
        number = 0
        near, far = (self.qmgrs[name].connect("runmqchl", "mca") for name in (sender, receiver))
        with near, far:
            queue = near.open(receiver, MQOO.INPUT_EXCLUSIVE)
            while (message := _next(queue.get)) is not None:
                number += 1
                _arrive(far, message)
            for connection, role in ((far, "receiver"), (near, "sender")):
                connection.commit()
                _batch(connection, role, sender, receiver, number)
        return number


def _next(get: object) -> Message | None:
    try:
        return get(GetMessageOptions(MQGMO.SYNCPOINT))  # type: ignore[operator, no-any-return]
    except MQError:
        return None


def _arrive(connection: Connection, message: Message) -> None:
    header = mqxqh.unpack(message.body)
    carried = Message(message.body[mqxqh.LENGTH :], header.descriptor)
    options = MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT
    handle = connection.open(header.remote_q_name, options, queue_manager=header.remote_q_mgr_name)
    handle.put(carried, PutMessageOptions(MQPMO.SYNCPOINT | MQPMO.SET_ALL_CONTEXT))


def _batch(connection: Connection, role: str, sender: str, receiver: str, messages: int) -> None:
    partner = receiver if role == "sender" else sender
    detail = {"role": role, "partner": partner, "luwid": "0A0B", "messages": messages}
    who = {"target": f"{sender}.{receiver}", "connection": connection.number}
    queue = receiver if role == "sender" else ""
    record(connection.qmgr, "CHANNEL", "batch", detail=detail, queue=queue, **who)


def two_stores(folder: Path, *environments: Environment[Any]) -> Iterator[TwoStores]:
    """Yield QM1 in one.db and QM2 in two.db, each in its environment and with a channel to the
    other's store.
    """
    paths = {"QM1": folder / "one.db", "QM2": folder / "two.db"}
    with ExitStack() as stack:
        qmgrs: dict[str, QueueManager] = {}
        for (name, path), environment in zip(paths.items(), environments, strict=True):
            store = stack.enter_context(open_store(f"sqlite:///{path}", environment))
            qmgrs[name] = store.create_queue_manager(name)
            other = next(each for other, each in paths.items() if other != name)
            mqsc.run(qmgrs[name], OBJECTS[name].format(other=f"sqlite:///{other}"), check=True)
        yield TwoStores(qmgrs)

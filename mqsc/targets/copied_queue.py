"""A queue of the copy of a queue manager elsewhere: it takes its messages, whatever its attributes,
and has the depth, the handles and the times that it has there (targets §3).
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mqsc.imports.qload import Position, read_qload
from mqsc.language.request import Request
from mqsc.scripts.export import definitions
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine import depth
from mqsc.store.headers import mqdlh
from mqsc.store.headers.layout import HeaderError
from mqsc.store.message import Message
from mqsc.store.message_times import put_moment
from mqsc.store.sql import messages, queues
from mqsc.store.sqlite.database import Transaction
from mqsc.verbs import perform_request

_DEAD_LETTER = "MQDEAD"
# What could keep a message of the queue elsewhere from being put on the copy, or would have
# effects here that were had there long ago.
_OPENED = {
    "PUT": "ENABLED",
    "MAXDEPTH": 999_999_999,
    "MAXMSGL": 104_857_600,
    "TRIGGER": "NOTRIGGER",
    "STREAMQ": "",
}


@contextmanager
def taking_everything(qmgr: QueueManager, queue: str) -> Iterator[None]:
    """Let a queue of the copy take any message for the block."""
    kind = KINDS["QLOCAL"]
    definition = next(definitions(qmgr, kind, queue), None)
    if definition is None:
        yield
        return
    before = {word: definition.values[word] for word in _OPENED}
    _alter(qmgr, queue, _OPENED)
    try:
        yield
    finally:
        _alter(qmgr, queue, before)


def set_arrivals(qmgr: QueueManager, name: str, content: bytes) -> None:
    """Set when the messages came to the queue, as far as they say it: to hundredths of a second."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue = queues.by_name(tx, qmgr.name, name)
        if queue is None:
            return
        for read_messages in read_qload(io.BytesIO(content), Position()):
            for message in read_messages.messages:
                arrived = _arrival(message)
                if arrived is not None:
                    messages.set_put_at(tx, queue.id, message.descriptor.msg_id, arrived)


def _arrival(message: Message) -> int | None:
    """When a message was put: a dead letter by its dead-letter header, because its context is that
    of the first put.
    """
    descriptor = message.descriptor
    if descriptor.format.strip() == _DEAD_LETTER:
        try:
            header = mqdlh.unpack_mqdlh(
                message.body,
                descriptor.encoding,
                descriptor.coded_char_set_id,
            )
        except HeaderError:
            pass
        else:
            return put_moment(header.put_date, header.put_time)
    return put_moment(descriptor.put_date, descriptor.put_time)


def set_depth(qmgr: QueueManager, name: str, number: int) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue = queues.by_name(tx, qmgr.name, name)
        if queue is not None:
            depth.corrected(tx, queue.id, number - queue.depth)


def _alter(qmgr: QueueManager, queue: str, values: Mapping[str, object]) -> None:
    answer = perform_request(
        qmgr,
        Request("ALTER", "QLOCAL", (KINDS["QLOCAL"],), queue, dict(values)),  # type: ignore[arg-type]
    )
    assert answer.completion != 2, answer.text


def set_states(
    qmgr: QueueManager,
    depths: Mapping[str, int],
    handles: Mapping[str, tuple[int, int]],
) -> None:
    """Set the depth of each queue, and the number of its handles for input and for output."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        for name, (for_input, for_output) in handles.items():
            queue = queues.by_name(tx, qmgr.name, name)
            if queue is not None:
                queues.count_handles(tx, queue.id, qmgr.name, for_input, 0, for_output)
                depth.corrected(tx, queue.id, depths[name] - queue.depth)

"""What triggering reads: a member of a group reads no more for its own queues than any queue manager."""

from __future__ import annotations

from collections.abc import Callable

from mqsc import run
from store.client.api import QueueManager, Store
from store.constants import MQOO, MQPMO
from store.message import Message, PutMessageOptions

IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


def statements(store: Store, call: Callable[[], object]) -> int:
    """How many statements a call executes."""
    connection = store.database.acquire_connection()
    store.database.release_connection(connection)
    log: list[str] = []
    connection._raw.set_trace_callback(log.append)
    call()
    connection._raw.set_trace_callback(None)
    assert log
    return len(log)


def counts(store: Store, qmgr: QueueManager) -> list[int]:
    """Of a put outside and inside a unit of work, a commit, an open and a get, on a queue with TRIGGER."""
    run(qmgr, "DEFINE QLOCAL(INIT)\nDEFINE PROCESS(P)\nDEFINE QLOCAL(Q) TRIGGER PROCESS(P) INITQ(INIT)")
    monitor, connection = qmgr.connect(), qmgr.connect()
    handles = [monitor.open("INIT", MQOO.INPUT_SHARED)]
    queue = connection.open("Q", MQOO.OUTPUT)
    queue.put(Message(b"first"))

    def opened() -> None:
        handles.append(connection.open("Q", MQOO.INPUT_SHARED))

    return [
        statements(store, lambda: queue.put(Message(b"x"))),
        statements(store, lambda: queue.put(Message(b"x"), IN_UNIT)),
        statements(store, connection.commit),
        statements(store, opened),
        statements(store, lambda: handles[-1].get()),
    ]


def test_a_group_costs_the_own_queues_of_its_members_no_statement(store: Store) -> None:
    alone = counts(store, store.create_queue_manager("ALONE"))
    members = [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)]
    in_group = counts(store, members[0])
    # A name may be that of a shared queue too, which MQOPEN looks for.
    opened = 3
    assert in_group[opened] <= alone[opened] + 1
    assert in_group[:opened] + in_group[opened + 1 :] == alone[:opened] + alone[opened + 1 :]

"""REFRESH scans queues for expired messages; other types of REFRESH and RESET have no effect."""

from __future__ import annotations

import mqsc
from mqsc.store import Environment, Message, MessageDescriptor
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQRCCF
from mqsc.store.environment import FrozenClock
from tests.mqsc.verbs.asking import answer, check, last_line, put, set_up, values


def test_the_scan_discards_expired_messages_of_the_named_queues(
    qmgr: QueueManager,
    environment: Environment[FrozenClock],
) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    for queue in ("A", "B"):
        put_expiring(qmgr, queue, 10, 1000)
    environment.clock.advance(seconds=2)
    (reply,) = mqsc.run(qmgr, "REFRESH QMGR TYPE(EXPIRY) NAME(A*)")
    assert (reply.message_id, reply.text) == (
        "MQSC0001I",
        "Expired messages discarded: 1 from 1 queue (A 1).",
    )
    assert [(row["QUEUE"], row["DISCARDED"], row["REPORTS"]) for row in reply.rows] == [("A", 1, 0)]
    found = values(qmgr, "DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0)", "QUEUE", "CURDEPTH")
    assert [row for row in found if not str(row[0]).startswith("SYSTEM.")] == [("A", 1), ("B", 2)]
    assert sum(row["DISCARDED"] for row in mqsc.run(qmgr, "REFRESH QMGR TYPE(EXPIRY)")[0].rows) == 1


def put_expiring(qmgr: QueueManager, queue: str, *expiries: int) -> None:
    with qmgr.connect() as connection:
        connection.open(queue, MQOO.OUTPUT).put(
            [Message(b"x", MessageDescriptor(expiry=each)) for each in expiries],
        )


def test_the_reply_counts_and_names_the_queues_that_lost_messages(
    qmgr: QueueManager,
    environment: Environment[FrozenClock],
) -> None:
    def refreshed(name: str) -> tuple[str, str, int, list[str]]:
        (reply,) = mqsc.run(qmgr, f"REFRESH QMGR TYPE(EXPIRY) NAME({name})")
        return reply.message_id, reply.text, reply.completion, [row["QUEUE"] for row in reply.rows]

    set_up(qmgr, "\n".join(f"DEFINE QLOCAL(A{n})" for n in range(10)))
    for n in range(7):
        put_expiring(qmgr, f"A{n}", *[n + 1] * (n + 1))
    put(qmgr, "A7", b"x")
    environment.clock.advance(seconds=0.2)
    assert refreshed("A*")[:3] == (
        "MQSC0001I",
        "Expired messages discarded: 3 from 2 queues (A0 1, A1 2).",
        0,
    )
    environment.clock.advance(seconds=2)
    for name in ("A7", "A0"):
        assert refreshed(name) == ("MQSC0001I", "Expired messages discarded: 0.", 0, [name])
    assert refreshed("A6")[1] == "Expired messages discarded: 7 from 1 queue (A6 7)."
    for n in (0, 1, 8, 9):
        put_expiring(qmgr, f"A{n}", 1)
    environment.clock.advance(seconds=2)
    assert refreshed("*")[1] == "Expired messages discarded: 22 from 8 queues."
    for name in ("AP*", "NONE"):
        assert refreshed(name) == (
            "MQSC0021W",
            f"No local queue matches NAME({name}): nothing was scanned.",
            0,
            [],
        )


def test_other_types(qmgr: QueueManager) -> None:
    """They have no effect or are refused."""
    wanted = {
        "RESET CLUSTER(C) ACTION(FORCEREMOVE) QMNAME(Q)": ("AMQ8559I", 0),
        "RESET QMGR TYPE(STATISTICS)": ("AMQ8649I", 0),
        "RESET QMGR TYPE(ADVANCELOG)": ("MQSC0003E", 0),
        "RESET QMGR TYPE(REDUCELOG) REDUCE(1)": ("MQSC0003E", 0),
        "REFRESH QMGR TYPE(PROXYSUB)": ("AMQ8724I", 0),
        "REFRESH QMGR TYPE(EARLY)": ("MQSC0003E", 0),
        "REFRESH QMGR TYPE(CONFIGEV)": ("AMQ8425E", MQRCCF.EVENTS_DISABLED),
        "REFRESH QMGR TYPE(EXPIRY) INCLINT(5)": ("AMQ8425E", MQRCCF.PARM_CONFLICT),
        "REFRESH SECURITY": ("AMQ8560I", 0),
        "REFRESH SECURITY(*) TYPE(SSL)": ("AMQ8560I", 0),
        "REBUILD SECURITY(MXTOPIC) TYPE(CLASSES)": ("AMQ8560I", 0),
        "REFRESH SECURITY(QUEUES)": ("AMQ8424E", MQRCCF.OBJECT_NAME_ERROR),
        "REBUILD QMGR TYPE(EXPIRY)": ("AMQ8405I", 0),
        "REFRESH CLUSTER(*)": ("AMQ8558I", 0),
        "REFRESH QMGR": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    check(qmgr, wanted)
    line = last_line(qmgr, "REFRESH QMGR TYPE(EXPIRY) INCLINT(5) OBJECT(QLOCAL)")
    assert line == "REFRESH QMGR TYPE(EXPIRY) does not take INCLINT and OBJECT."
    set_up(qmgr, "ALTER QMGR CONFIGEV(ENABLED)")
    assert answer(qmgr, "REFRESH QMGR TYPE(CONFIGEV)") == ("AMQ8724I", 0)
    assert last_line(qmgr, "REFRESH QMGR TYPE(CONFIGEV) OBJECT(QMGR)") == "Configuration events: 1."

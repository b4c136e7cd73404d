"""REFRESH: TYPE(EXPIRY) scans queues; the other types have no effect or are refused."""

from __future__ import annotations

import mqsc
from store import Environment, Message, MessageDescriptor, PutMessageOptions, open_store
from store.client.api import QueueManager
from store.constants import MQOO, MQPMO, MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, last_line, rows, set_up


def test_the_scan_discards_expired_messages_of_the_named_queues() -> None:
    environment = Environment.frozen(at=1_700_000_000_000_000)
    with open_store("sqlite://", environment=environment) as store:
        qmgr = store.create_queue_manager("QM1")
        set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
        with qmgr.connect() as connection:
            for queue in ("A", "B"):
                handle = connection.open(queue, MQOO.OUTPUT)
                for expiry in (10, 1000):
                    handle.put(Message(b"x", MessageDescriptor(expiry=expiry)), PutMessageOptions(MQPMO.NO_SYNCPOINT))
        environment.clock.advance(seconds=2)
        (reply,) = mqsc.run(qmgr, "REFRESH QMGR TYPE(EXPIRY) NAME(A*)")
        assert (reply.message_id, reply.text) == ("MQSC0001I", "Expired messages discarded: 1 from 1 queue (A 1).")
        assert [(row["QUEUE"], row["DISCARDED"], row["REPORTS"]) for row in reply.rows] == [("A", 1, 0)]
        found = rows(qmgr, "DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0)", "QUEUE", "CURDEPTH")
        assert [row for row in found if not str(row[0]).startswith("SYSTEM.")] == [("A", 1), ("B", 2)]
        assert sum(row["DISCARDED"] for row in mqsc.run(qmgr, "REFRESH QMGR TYPE(EXPIRY)")[0].rows) == 1


def test_the_reply_counts_and_names_the_queues_that_lost_messages() -> None:
    environment = Environment.frozen(at=1_700_000_000_000_000)
    with open_store("sqlite://", environment=environment) as store:
        qmgr = store.create_queue_manager("QM1")
        set_up(qmgr, "\n".join(f"DEFINE QLOCAL(A{n})" for n in range(8)))
        with qmgr.connect() as connection:
            for n in range(7):
                connection.open(f"A{n}", MQOO.OUTPUT).put([Message(b"x", MessageDescriptor(expiry=n + 1))] * (n + 1))
            connection.open("A7", MQOO.OUTPUT).put(Message(b"x"))

        def refreshed(name: str) -> tuple[str, str, int, list[str]]:
            (reply,) = mqsc.run(qmgr, f"REFRESH QMGR TYPE(EXPIRY) NAME({name})")
            return reply.message_id, reply.text, reply.completion, [row["QUEUE"] for row in reply.rows]

        environment.clock.advance(seconds=0.2)
        assert refreshed("A*")[:3] == ("MQSC0001I", "Expired messages discarded: 3 from 2 queues (A0 1, A1 2).", 0)
        environment.clock.advance(seconds=2)
        assert refreshed("A7") == ("MQSC0001I", "Expired messages discarded: 0.", 0, ["A7"])
        assert refreshed("A0") == ("MQSC0001I", "Expired messages discarded: 0.", 0, ["A0"])
        assert refreshed("A6")[1] == "Expired messages discarded: 7 from 1 queue (A6 7)."
        set_up(qmgr, "DEFINE QLOCAL(A8)\nDEFINE QLOCAL(A9)")
        with qmgr.connect() as connection:
            for n in (0, 1, 8, 9):
                connection.open(f"A{n}", MQOO.OUTPUT).put(Message(b"x", MessageDescriptor(expiry=1)))
        environment.clock.advance(seconds=2)
        assert refreshed("*")[1] == "Expired messages discarded: 22 from 8 queues."
        for name in ("AP*", "NONE"):
            says = f"No local queue matches NAME({name}): nothing was scanned."
            assert refreshed(name) == ("MQSC0021W", says, 0, [])


def test_other_types(qmgr: QueueManager) -> None:
    assert answers(
        qmgr,
        "REFRESH QMGR TYPE(PROXYSUB)",
        "REFRESH QMGR TYPE(EARLY)",
        "REFRESH QMGR TYPE(CONFIGEV)",
        "REFRESH QMGR TYPE(EXPIRY) INCLINT(5)",
        "REFRESH SECURITY",
        "REFRESH SECURITY(*) TYPE(SSL)",
        "REBUILD SECURITY(MXTOPIC) TYPE(CLASSES)",
        "REFRESH SECURITY(QUEUES)",
        "REBUILD QMGR TYPE(EXPIRY)",
        "REFRESH CLUSTER(*)",
        "REFRESH QMGR",
    ) == {
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
    line = last_line(qmgr, "REFRESH QMGR TYPE(EXPIRY) INCLINT(5) OBJECT(QLOCAL)")
    assert line == "REFRESH QMGR TYPE(EXPIRY) does not take INCLINT and OBJECT."
    set_up(qmgr, "ALTER QMGR CONFIGEV(ENABLED)")
    assert answer(qmgr, "REFRESH QMGR TYPE(CONFIGEV)") == ("AMQ8724I", 0)
    command = "REFRESH QMGR TYPE(CONFIGEV) OBJECT(QMGR)"
    assert last_line(qmgr, command) == "Configuration events: 1."


def test_a_queue_manager_that_is_not_running_is_not_refreshed(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    assert answer(qmgr, "REFRESH QMGR TYPE(EXPIRY)") == ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE)

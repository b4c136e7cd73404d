"""Verbs on what runs: objects are checked, statistics restart, and queue managers are refreshed."""

from __future__ import annotations

import pytest

import mqsc
from mqsc.store import Environment, Message, MessageDescriptor, MQError
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import MQOO, MQRC, MQRCCF
from mqsc.store.environment import FrozenClock
from mqsc.verbs.running import PING
from tests.mqsc.verbs.asking import answer, bodies, check, last_line, names, put, set_up, values
from tests.rows import rows

SET_UP = """
DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h')
DEFINE CHANNEL(V) CHLTYPE(SVRCONN)
DEFINE CHANNEL(O) CHLTYPE(SDR) XMITQ(X) CONNAME('h')
DEFINE LISTENER(L) TRPTYPE(TCP)
DEFINE SERVICE(S)
DEFINE SERVICE(R) SERVTYPE(SERVER) STARTCMD('/bin/true')
DEFINE SERVICE(T) SERVTYPE(COMMAND) STARTCMD('/bin/true') STOPCMD('/bin/true')
"""
ANSWERS = {
    "START CHANNEL(O)": ("AMQ9509E", MQRCCF.MQOPEN_FAILED),
    "START CHANNEL(C)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
    "START CHANNEL(NONE)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
    "STOP LISTENER(L)": ("AMQ8731W", MQRCCF.LISTENER_STOPPED),
    "STOP LISTENER(L) IGNSTATE(NO)": ("AMQ8731W", MQRCCF.LISTENER_STOPPED),
    "STOP LISTENER(L) IGNSTATE(YES)": ("AMQ8706I", 0),
    "START LISTENER(L)": ("AMQ8021I", 0),
    "START LISTENER(L) IGNSTATE(NO)": ("AMQ8730W", MQRCCF.LISTENER_RUNNING),
    "START LISTENER(L) IGNSTATE(YES)": ("AMQ8021I", 0),
    "DELETE LISTENER(L)": ("AMQ8148E", MQRC.OBJECT_IN_USE),
    "START LISTENER TRPTYPE(TCP)": ("AMQ8021I", 0),
    "START LISTENER(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    "START LISTENER(NONE) IGNSTATE(YES)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    "START SERVICE(S)": ("AMQ8101S", MQRCCF.NO_START_CMD),
    "START SERVICE(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    "STOP SERVICE(R)": ("AMQ8738W", MQRCCF.SERVICE_STOPPED),
    "STOP SERVICE(R) IGNSTATE(YES)": ("AMQ8732I", 0),
    "START SERVICE(R)": ("AMQ8733I", 0),
    "START SERVICE(R) IGNSTATE(NO)": ("AMQ8737W", MQRCCF.SERVICE_RUNNING),
    "START SERVICE(R) IGNSTATE(YES)": ("AMQ8733I", 0),
    "STOP SERVICE(R) IGNSTATE(NO)": ("AMQ8101S", MQRCCF.NO_STOP_CMD),
    "ALTER SERVICE(R) STOPCMD('/bin/true')": ("AMQ8622I", 0),
    "DELETE SERVICE(R)": ("AMQ8148E", MQRC.OBJECT_IN_USE),
    # A command has no state.
    "START SERVICE(T)": ("AMQ8733I", 0),
    "START SERVICE(T) IGNSTATE(NO)": ("AMQ8733I", 0),
    "STOP SERVICE(T)": ("AMQ8732I", 0),
    "STOP SERVICE(T) IGNSTATE(NO)": ("AMQ8732I", 0),
    "START CHINIT": ("AMQ8024I", 0),
    "START CMDSERV": ("MQSC0004I", 0),
    "START QMGR": ("MQSC0003E", 0),
    "STOP CHANNEL(O)": ("AMQ9533W", MQRCCF.CHANNEL_NOT_ACTIVE),
    "STOP CHANNEL(O) IGNSTATE(YES)": ("AMQ8019I", 0),
    "STOP CHANNEL(O) IGNSTATE(NO)": ("AMQ9533W", MQRCCF.CHANNEL_NOT_ACTIVE),
    "STOP CHANNEL(C)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
    "STOP CHANNEL(NONE) IGNSTATE(YES)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
    "STOP  LISTENER(L)": ("AMQ8706I", 0),
    "DELETE  LISTENER(L)": ("AMQ8628I", 0),
    "STOP LISTENER": ("AMQ8706I", 0),
    "STOP LISTENER(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    "STOP SERVICE(S)": ("AMQ8101S", MQRCCF.NO_STOP_CMD),
    "STOP  SERVICE(R)": ("AMQ8732I", 0),
    "DELETE  SERVICE(R)": ("AMQ8627I", 0),
    "STOP SERVICE(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    "STOP CHINIT": ("MQSC0004I", 0),
    "STOP CMDSERV": ("MQSC0004I", 0),
    "PING QMGR": ("AMQ8415I", 0),
    "PING CHANNEL(NONE)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
    "PING CHANNEL(V)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
    "PING CHANNEL(O)": ("AMQ9202E", MQRCCF.HOST_NOT_AVAILABLE),
    "SUSPEND QMGR CLUSTER(C)": ("AMQ8557I", 0),
    "SUSPEND QMGR CLUSNL(N) MODE(FORCE)": ("AMQ8557I", 0),
    "RESUME QMGR CLUSTER(C)": ("AMQ8556I", 0),
    "SUSPEND QMGR": ("AMQ8421E", MQRCCF.PARM_MISSING),
    "RESUME QMGR CLUSTER(C) CLUSNL(N)": ("AMQ8433E", MQRCCF.CLUSTER_NAME_CONFLICT),
    "SUSPEND QMGR LOG": ("MQSC0003E", 0),
    "RESUME QMGR FACILITY(DB2)": ("MQSC0003E", 0),
    "RESUME QMGR CLUSTER(C) MODE(FORCE)": ("AMQ8405I", 0),
    # A refusal of the store is the answer.
    "DELETE QLOCAL(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    "ALTER CHANNEL(NONE) CHLTYPE(SDR) DESCR('x')": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
    "DEFINE BUFFPOOL(1)": ("MQSC0003E", 0),
}


def test_objects_are_checked_and_what_runs_is_told(qmgr: QueueManager) -> None:
    set_up(qmgr, SET_UP)
    check(qmgr, ANSWERS)
    assert (
        last_line(qmgr, "START SERVICE(T)")
        == "Services do not run here: no program will be started."
    )
    set_up(qmgr, "DEFINE CHANNEL(P) CHLTYPE(SDR) XMITQ(X) CONNAME('h')")
    assert last_line(qmgr, "STOP CHANNEL(P) IGNSTATE(YES)").startswith("The channel was not active")
    assert last_line(qmgr, "SUSPEND QMGR CLUSTER(C)").startswith(
        "There is no cluster repository here",
    )


CONTROLLED = """
DEFINE LISTENER(A) TRPTYPE(TCP) CONTROL(QMGR) PORT(1415)
DEFINE LISTENER(B) TRPTYPE(TCP) CONTROL(STARTONLY)
DEFINE LISTENER(C) TRPTYPE(TCP)
DEFINE SERVICE(A) SERVTYPE(SERVER) CONTROL(QMGR) STARTCMD('/bin/true')
DEFINE SERVICE(B) SERVTYPE(SERVER) CONTROL(STARTONLY) STARTCMD('/bin/true')
DEFINE SERVICE(C) SERVTYPE(SERVER) STARTCMD('/bin/true')
DEFINE SERVICE(D) SERVTYPE(SERVER) CONTROL(QMGR)
DEFINE SERVICE(E) SERVTYPE(COMMAND) CONTROL(QMGR) STARTCMD('/bin/true')
"""


def test_listeners_and_services_start_and_end_with_the_queue_manager(qmgr: QueueManager) -> None:
    set_up(qmgr, CONTROLLED)
    assert answer(qmgr, "DISPLAY LSSTATUS(*)") == ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME)
    set_up(qmgr, "START LISTENER(C)\nSTART SERVICE(C)")
    assert (names(qmgr, "DISPLAY LSSTATUS(*)"), names(qmgr, "DISPLAY SVSTATUS(*)")) == (
        ["C"],
        ["C"],
    )
    qmgr.end(immediate=True)
    qmgr.start()
    assert (names(qmgr, "DISPLAY LSSTATUS(*)"), names(qmgr, "DISPLAY SVSTATUS(*)")) == (
        ["A", "B"],
        ["A", "B"],
    )
    check(
        qmgr,
        {
            "START LISTENER(A)": ("AMQ8730W", MQRCCF.LISTENER_RUNNING),
            "START LISTENER(C)": ("AMQ8021I", 0),
        },
    )


def test_status_of_listeners_and_services(qmgr: QueueManager) -> None:
    set_up(qmgr, f"{CONTROLLED}\nSTART LISTENER(A)\nSTART SERVICE(A)")
    assert values(qmgr, "DISPLAY LSSTATUS(A)", "LISTENER", "STATUS", "PORT", "CONTROL") == [
        ("A", "RUNNING", 1415, "QMGR"),
    ]
    shown = ("SERVICE", "STATUS", "STARTDA", "STARTCMD")
    assert values(qmgr, "DISPLAY SVSTATUS(A)", *shown) == [
        ("A", "RUNNING", "2023-11-14", "/bin/true"),
    ]
    assert names(qmgr, "DISPLAY LSSTATUS(*) WHERE(PORT EQ 1415)") == ["A"]
    assert answer(qmgr, "DISPLAY LSSTATUS(B)") == ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME)


def test_nothing_is_done_while_the_queue_manager_is_not_running(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    commands = ("START CHANNEL(NONE)", "STOP CHINIT", "PING QMGR", "SUSPEND QMGR CLUSTER(C)")
    for command in (*commands, "REFRESH QMGR TYPE(EXPIRY)", "RESET QMGR TYPE(STATISTICS)"):
        assert (command, answer(qmgr, command)) == (command, ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE))


def test_a_connection_is_broken_and_the_others_stay(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    one = qmgr.connect(application="one")
    with qmgr.connect(application="two") as two:
        ((identifier,),) = values(qmgr, "DISPLAY CONN(*) WHERE(APPLTAG EQ 'one')", "CONN")
        assert answer(qmgr, "STOP CONN(FFFFFFFFFFFFFFFF)") == (
            "AMQ8155E",
            MQRCCF.CONNECTION_ID_ERROR,
        )
        assert answer(qmgr, f"STOP CONN({identifier})") == ("AMQ8457I", 0)
        two.open("A", MQOO.OUTPUT)
        with pytest.raises(MQError, match="2009 MQRC_CONNECTION_BROKEN"):
            one.open("A", MQOO.OUTPUT)


def test_the_default_length_of_a_ping() -> None:
    (length,) = (each.row.default for each in PING.options if each.row.keyword == "DATALEN")
    assert length == 16


# (value of CMDEV, command, whether it causes an event)
@rows(
    *(
        ("ENABLED", command, True)
        for command in ("DEFINE QLOCAL(NEW)", "DISPLAY QLOCAL(A)", "ALTER QMGR CMDEV(DISABLED)")
    ),
    *(("ENABLED", command, False) for command in ("DEFINE QLOCAL(A)", "DELETE QLOCAL(NONE)")),
    *(("NODISPLAY", "DISPLAY QLOCAL(A)", False), ("NODISPLAY", "DEFINE QLOCAL(NEW)", True)),
    *(("DISABLED", "DEFINE QLOCAL(NEW)", False), ("DISABLED", "ALTER QMGR CMDEV(ENABLED)", True)),
)
def test_a_command_that_succeeds_is_an_event_if_cmdev_says_so(
    qmgr: QueueManager,
    cmdev: str,
    command: str,
    is_event: bool,
) -> None:
    set_up(qmgr, f"DEFINE QLOCAL(A)\nALTER QMGR CMDEV({cmdev})")
    bodies(qmgr, "SYSTEM.ADMIN.COMMAND.EVENT")
    answer(qmgr, command)
    assert len(bodies(qmgr, "SYSTEM.ADMIN.COMMAND.EVENT")) == is_event


def test_queue_statistics_are_shown_and_restart(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nRESET QSTATS(A)")
    put(qmgr, "A", b"1", b"2")
    bodies(qmgr, "A")
    shown = ("MSGSIN", "MSGSOUT", "HIQDEPTH")
    assert (values(qmgr, "RESET QSTATS(A)", *shown), values(qmgr, "RESET QSTATS(A*)", *shown)) == (
        [(2, 2, 2)],
        [(0, 0, 0)],
    )
    assert answer(qmgr, "RESET QSTATS(NONE)") == ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME)


def test_a_channel_gets_its_next_message_number_or_is_resolved(qmgr: QueueManager) -> None:
    set_up(
        qmgr,
        "DEFINE CHANNEL(S) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(O) CHLTYPE(SDR) XMITQ(X) CONNAME('h')",
    )
    set_up(qmgr, "DEFINE CHANNEL(R) CHLTYPE(RCVR)")
    wanted = {
        "RESET CHANNEL(NONE)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "RESET CHANNEL(S)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "RESET CHANNEL(O) SEQNUM(7)": ("AMQ8023I", 0),
        "RESOLVE CHANNEL(NONE) ACTION(COMMIT)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "RESOLVE CHANNEL(R) ACTION(COMMIT)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "RESOLVE CHANNEL(O) ACTION(BACKOUT)": ("AMQ8025I", 0),
        "RESOLVE CHANNEL(O)": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    check(qmgr, wanted)
    assert values(qmgr, "DISPLAY CHANNEL(O) RESETSEQ", "RESETSEQ") == [("7",)]
    set_up(qmgr, "RESET CHANNEL(O)")
    assert values(qmgr, "DISPLAY CHANNEL(O) RESETSEQ", "RESETSEQ") == [("1",)]


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

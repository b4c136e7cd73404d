"""START and STOP of channels, listeners and services: objects are checked."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, check, last_line, names, set_up, values

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
        == "Services do not run here: no program will be started. `mqsc trigger run` is a "
        "trigger monitor, and `mqsc serve` runs channels."
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

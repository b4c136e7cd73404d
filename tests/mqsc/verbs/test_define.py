"""DEFINE: attributes come from the command, LIKE or the defaults; replies by kind of object."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, bodies, check, names, put, set_up, values


def test_attributes_come_from_the_command_then_like_then_the_default_object(
    qmgr: QueueManager,
) -> None:
    set_up(
        qmgr,
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXMSGL(77) MAXDEPTH(50)\n"
        "DEFINE QLOCAL(A)\n"
        "ALTER QLOCAL(A) MAXDEPTH(5) DESCR('a')\n"
        "DEFINE QLOCAL(B) LIKE(A) DESCR('b')",
    )
    assert names(qmgr, "DISPLAY QLOCAL(*) WHERE(MAXMSGL EQ 77)") == [
        "A",
        "B",
        "SYSTEM.DEFAULT.LOCAL.QUEUE",
    ]
    assert values(qmgr, "DISPLAY QLOCAL(B)", "DESCR", "MAXDEPTH", "MAXMSGL") == [("b", 5, 77)]


def test_an_existing_object_needs_replace_and_keeps_its_messages(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A) DESCR('old')")
    put(qmgr, "A", b"kept")
    wanted = {
        "DEFINE QLOCAL(A)": ("AMQ8150E", MQRCCF.OBJECT_ALREADY_EXISTS),
        "DEFINE QLOCAL(A) NOREPLACE": ("AMQ8150E", MQRCCF.OBJECT_ALREADY_EXISTS),
        "DEFINE QLOCAL(A) MAXDEPTH(9) REPLACE": ("AMQ8006I", 0),
    }
    check(qmgr, wanted)
    assert (values(qmgr, "DISPLAY QLOCAL(A)", "MAXDEPTH"), bodies(qmgr, "A")) == ([(9,)], [b"kept"])


def test_refused_definitions_and_alterations(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QALIAS(A) TARGET(B)")
    wanted = {
        "DEFINE QLOCAL(A)": ("AMQ8150E", MQRCCF.OBJECT_ALREADY_EXISTS),
        "DEFINE QLOCAL(A) REPLACE": ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE),
        "DEFINE QLOCAL(C) LIKE(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X)": ("AMQ8214E", MQRCCF.MISSING_CONN_NAME),
        "DEFINE BUFFPOOL(1)": ("MQSC0003E", 0),
        "ALTER QLOCAL(NONE) MAXDEPTH(1)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "ALTER QLOCAL(A) MAXDEPTH(1)": ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE),
    }
    check(qmgr, wanted)


def test_every_kind_of_object_has_its_own_message(qmgr: QueueManager) -> None:
    commands = {
        "DEFINE QLOCAL(X)": "AMQ8006I",
        "DEFINE PROCESS(X)": "AMQ8010I",
        "DEFINE CHANNEL(X) CHLTYPE(SVRCONN)": "AMQ8014I",
        "DEFINE NAMELIST(X)": "AMQ8552I",
        "DEFINE AUTHINFO(X) AUTHTYPE(IDPWOS)": "AMQ8563I",
        "DEFINE LISTENER(X) TRPTYPE(TCP)": "AMQ8626I",
        "DEFINE SERVICE(X)": "AMQ8625I",
        "DEFINE COMMINFO(X)": "AMQ8858I",
        "ALTER COMMINFO(X) PORT(1500)": "MQSC0051I",
        "DISPLAY COMMINFO(X) PORT": "MQSC0002I",
        "DELETE COMMINFO(X) IGNSTATE(YES)": "MQSC0052I",
        "DEFINE TOPIC(X) TOPICSTR('x')": "AMQ8690I",
        "DEFINE SUB('X') TOPICSTR('x') DEST(X)": "AMQ8094I",
        "DEFINE STGCLASS(X) PSID(1)": "MQSC0009I",
        "DEFINE CFSTRUCT(X)": "MQSC0012I",
    }
    assert {command: answer(qmgr, command)[0] for command in commands} == commands

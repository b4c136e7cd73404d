"""ALTER: changes only the given attributes; refuses missing objects, other types, and open objects without FORCE."""

from __future__ import annotations

import pytest

from mqsc import run
from store.client.api import QueueManager
from store.constants import MQOO, MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, rows, set_up


def test_only_the_given_attributes_change(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A) DESCR('kept') MAXDEPTH(5)\nALTER QLOCAL(A) MAXDEPTH(7) NOTRIGGER")
    assert rows(qmgr, "DISPLAY QLOCAL(A)", "DESCR", "MAXDEPTH") == [("kept", 7)]


def test_the_queue_manager_has_no_name(qmgr: QueueManager) -> None:
    assert answer(qmgr, "ALTER QMGR DESCR('ours') MAXUMSGS(9)") == ("AMQ8005I", 0)
    assert rows(qmgr, "DISPLAY QMGR DESCR MAXUMSGS", "DESCR", "MAXUMSGS") == [("ours", 9)]


def test_a_subscription_is_found_by_its_identifier(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE SUB('s') TOPICSTR('t') DEST(A)")
    ((identifier,),) = rows(qmgr, "DISPLAY SUB('s') SUBID", "SUBID")
    assert answers(
        qmgr, f"ALTER SUB SUBID({identifier}) USERDATA('x')", f"ALTER SUB SUBID({'F' * 48})", "ALTER SUB"
    ) == {
        f"ALTER SUB SUBID({identifier}) USERDATA('x')": ("AMQ8095I", 0),
        f"ALTER SUB SUBID({'F' * 48})": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "ALTER SUB": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    assert rows(qmgr, "DISPLAY SUB('s') USERDATA", "USERDATA") == [("x",)]


def test_refusals(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QALIAS(A) TARGET(B)")
    assert answers(qmgr, "ALTER QLOCAL(NONE) MAXDEPTH(1)", "ALTER QLOCAL(A) MAXDEPTH(1)") == {
        "ALTER QLOCAL(NONE) MAXDEPTH(1)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "ALTER QLOCAL(A) MAXDEPTH(1)": ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE),
    }


def test_an_open_queue_needs_force(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    with qmgr.connect() as connection:
        connection.open("A", MQOO.INPUT_SHARED)
        assert answer(qmgr, "ALTER QLOCAL(A) USAGE(XMITQ)") == ("AMQ8148E", MQRCCF.OBJECT_OPEN_FORCE)
        assert answer(qmgr, "ALTER QLOCAL(A) USAGE(XMITQ) FORCE") == ("AMQ8008I", 0)
    assert rows(qmgr, "DISPLAY QLOCAL(A) USAGE", "USAGE") == [("XMITQ",)]


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("M", "2057 MQRC_Q_TYPE_ERROR"),
        ("SYSTEM.DEFAULT.MODEL.QUEUE", "2057 MQRC_Q_TYPE_ERROR"),
        ("A", "2082 MQRC_UNKNOWN_ALIAS_BASE_Q"),
        ("LATER", ""),
        ("Q", ""),
        ("", ""),
    ],
)
def test_a_dead_letter_queue_that_takes_no_messages(qmgr: QueueManager, name: str, detail: str) -> None:
    set_up(qmgr, "DEFINE QMODEL(M)\nDEFINE QALIAS(A) TARGET(NONE)\nDEFINE QLOCAL(Q)")
    (reply,) = run(qmgr, f"ALTER QMGR DEADQ('{name}')")
    warned = [f"MQSC0047W: The dead-letter queue {name} takes no messages: {detail}."] if detail else []
    assert (reply.completion, reply.text.splitlines()[1:]) == (0, warned)

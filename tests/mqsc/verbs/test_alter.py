"""ALTER: only the given attributes change; what is in use needs FORCE."""

from __future__ import annotations

from mqsc import run
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, check, set_up, values
from tests.rows import rows


def test_only_the_given_attributes_change(qmgr: QueueManager) -> None:
    """The queue manager has no name."""
    set_up(
        qmgr,
        "DEFINE QLOCAL(A) DESCR('kept') MAXDEPTH(5)\nALTER QLOCAL(A) MAXDEPTH(7) NOTRIGGER",
    )
    assert values(qmgr, "DISPLAY QLOCAL(A)", "DESCR", "MAXDEPTH") == [("kept", 7)]
    assert answer(qmgr, "ALTER QMGR DESCR('ours') MAXUMSGS(9)") == ("AMQ8005I", 0)
    assert values(qmgr, "DISPLAY QMGR DESCR MAXUMSGS", "DESCR", "MAXUMSGS") == [("ours", 9)]


def test_a_subscription_is_found_by_its_identifier(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE SUB('s') TOPICSTR('t') DEST(A)")
    ((identifier,),) = values(qmgr, "DISPLAY SUB('s') SUBID", "SUBID")
    wanted = {
        f"ALTER SUB SUBID({identifier}) USERDATA('x')": ("AMQ8095I", 0),
        f"ALTER SUB SUBID({'F' * 48})": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "ALTER SUB": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    check(qmgr, wanted)
    assert values(qmgr, "DISPLAY SUB('s') USERDATA", "USERDATA") == [("x",)]


def test_an_open_queue_needs_force(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    with qmgr.connect() as connection:
        connection.open("A", MQOO.INPUT_SHARED)
        assert answer(qmgr, "ALTER QLOCAL(A) USAGE(XMITQ)") == (
            "AMQ8148E",
            MQRCCF.OBJECT_OPEN_FORCE,
        )
        assert answer(qmgr, "ALTER QLOCAL(A) USAGE(XMITQ) FORCE") == ("AMQ8008I", 0)
    assert values(qmgr, "DISPLAY QLOCAL(A) USAGE", "USAGE") == [("XMITQ",)]


@rows(
    ("M", "2057 MQRC_Q_TYPE_ERROR"),
    ("SYSTEM.DEFAULT.MODEL.QUEUE", "2057 MQRC_Q_TYPE_ERROR"),
    ("A", "2082 MQRC_UNKNOWN_ALIAS_BASE_Q"),
    ("LATER", ""),
    ("Q", ""),
    ("", ""),
)
def test_a_dead_letter_queue_that_takes_no_messages(
    qmgr: QueueManager,
    name: str,
    detail: str,
) -> None:
    set_up(qmgr, "DEFINE QMODEL(M)\nDEFINE QALIAS(A) TARGET(NONE)\nDEFINE QLOCAL(Q)")
    (reply,) = run(qmgr, f"ALTER QMGR DEADQ('{name}')")
    warned = (
        [f"MQSC0047W: The dead-letter queue {name} takes no messages: {detail}."] if detail else []
    )
    assert (reply.completion, reply.text.splitlines()[1:]) == (0, warned)

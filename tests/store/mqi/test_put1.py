"""MQPUT1: open, put, close in one call."""

from __future__ import annotations

from store.client.api import QueueManager
from tests.scenarios.play import Play
from tests.store.admin.looking import history
from tests.store.tables import rows

OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QALIAS(AL) TARGET(Q)
    DEFINE QLOCAL(XQ) USAGE(XMITQ)
    DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ)
    DEFINE QMODEL(TEMP)
    DEFINE QLOCAL(SHUT) PUT(DISABLED)
    DEFINE QLOCAL(FULL) MAXDEPTH(0)
"""
# (the words of the call, completion and reason)
PUTS = [
    ("m on Q", "0/0"),
    ("m on AL", "0/0"),
    ("m on FAR", "0/0"),
    ("m on Z at=XQ", "0/0"),
    ("m on Q at=QM1", "0/0"),
    ("m on NONE", "2/2085"),
    ("m on TEMP", "2/2057"),
    ("m on Z at=QM9", "2/2087"),
    ("m on A?B", "2/2085"),
    ("m on Q at=Q?M", "2/2086"),
    ("m on SHUT", "2/2051"),
    ("m on FULL", "2/2053"),
    ("m on Q expiry=0", "2/2013"),
    ("m on Q priority=10", "1/2049"),
    ("m on Q syncpoint no-syncpoint", "2/2046"),
    ("m on Q logical-order", "2/2046"),
    ("m on NONE syncpoint no-syncpoint", "2/2046"),
]


def test_put1(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS)
    wrong = []
    for words, expected in PUTS:
        try:
            play.run(f"put1 {words} => {expected}")
        except AssertionError as came:
            wrong.append(str(came))
    assert wrong == []
    play.run("on Q => m m m m\ndepth XQ => 2")


def test_it_opens_no_handle(qmgr: QueueManager) -> None:
    Play(qmgr).run(OBJECTS + "put1 m on Q")
    assert [each.kind for each in history(qmgr.store, "Q")] == ["DEFINE", "PUT"]


def test_it_joins_the_unit_of_work_if_asked(qmgr: QueueManager) -> None:
    Play(qmgr).run(OBJECTS + "put1 m1 on Q syncpoint\nput1 m2 on Q\nback\non Q => m2")


@rows(("alternate-user-authority", "bob"), ("", "a"))
def test_an_alternate_user(qmgr: QueueManager, options: str, user: str) -> None:
    Play(qmgr).run(OBJECTS + f"put1 m on Q {options} alternate=bob\nget => user_identifier={user}")


def test_context_needs_no_open_option(qmgr: QueueManager) -> None:
    Play(qmgr).run(OBJECTS + "put1 m on Q set-all-context user_identifier=carol\nget => user_identifier=carol")

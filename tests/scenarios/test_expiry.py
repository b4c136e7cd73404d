"""Expiry, scenario by scenario: what a put accepts, what a get returns, skips and discards, and who hears of it."""

from __future__ import annotations

import pytest

from store.constants import MQRC
from store.queue_manager import QueueManager
from tests.scenarios.play import Play
from tests.scenarios.waiting import NoticedClock, Waiter

OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(R)
    DEFINE QLOCAL(DLQ)
    DEFINE QLOCAL(XQ) USAGE(XMITQ)
    ALTER QMGR DEADQ(DLQ)
"""
ASKING = "report=EXPIRATION reply_to_q=R"

# Expired messages are called exp..., those still good live...
SCENARIOS = (
    (
        "E01",
        """
        put m1 expiry=0 report=EXPIRATION reply_to_q=R => 2/2013
        on Q => nothing
        on R => nothing
        """,
    ),
    ("E02", "put m1 expiry=-2 => 2/2013"),
    (
        "E03",
        """
        put m1 expiry=50
        advance 2.0
        get => m1 expiry=30
        """,
    ),
    (
        "E04",
        """
        put m1 expiry=50
        advance 4.999999
        get browse-first => m1 expiry=1
        advance 0.000001
        get => 2/2033
        depth Q => 0
        """,
    ),
    (
        "E05",
        """
        put m1
        advance 315576000
        get => m1 expiry=-1
        """,
    ),
    (
        "E06",
        """
        ALTER QLOCAL(Q) MSGDLVSQ(FIFO)
        put exp1 expiry=10
        put exp2 expiry=10 priority=9
        put live3
        put exp4 expiry=10
        advance 1
        get => live3
        on Q => exp4
        depth Q => 1
        """,
    ),
    (
        "E07",
        """
        put exp1 expiry=10 priority=1
        put exp5a expiry=10 priority=5
        put live5b priority=5
        put exp5c expiry=10 priority=5
        put exp9 expiry=10 priority=9
        advance 1
        get => live5b
        on Q => exp5c exp1
        depth Q => 2
        """,
    ),
    (
        "E08",
        """
        put exp1 expiry=10
        put live2 msg_id=B
        advance 1
        get msg_id=B => live2
        on Q => exp1
        """,
    ),
    (
        "E09",
        """
        put exp1 expiry=10
        advance 1
        get browse-first => 2/2033
        depth Q => 0
        """,
    ),
    (
        "E10",
        """
        ALTER QLOCAL(Q) MAXDEPTH(3)
        put exp*3 expiry=10
        advance 1
        put m4 => 2/2053
        depth Q => 3
        """,
    ),
    (
        "E11",
        """
        put exp*3 expiry=10
        advance 1
        DISPLAY QLOCAL(Q) CURDEPTH => CURDEPTH=3
        """,
    ),
    (
        "E12",
        """
        put exp1 expiry=10 report=EXPIRATION_WITH_DATA reply_to_q=R length=250
        advance 1
        get => 2/2033
        get from R => feedback=EXPIRATION msg_type=REPORT length=100 correl_id=exp1
        """,
    ),
    (
        "E13",
        f"""
        put exp1 expiry=10 {ASKING}
        advance 3600
        on R => nothing
        depth Q => 1
        """,
    ),
    (
        "E14",
        f"""
        put exp1 expiry=10 {ASKING}
        advance 1
        get syncpoint => 2/2033
        back
        on Q => nothing
        depth R => 1
        get from R => feedback=EXPIRATION
        """,
    ),
    (
        "E15",
        """
        put m1 expiry=20
        advance 1
        get syncpoint => m1 expiry=10
        advance 2
        back
        get => 2/2033
        depth Q => 0
        """,
    ),
    (
        "E16",
        """
        put m1 expiry=20
        advance 1
        get browse-first lock => m1
        advance 2
        get msg-under-cursor => 2/2034
        depth Q => 0
        """,
    ),
    (
        "E17",
        """
        put m1 expiry=10 syncpoint
        advance 2
        commit
        get => 2/2033
        """,
    ),
    (
        "E18",
        f"""
        put exp1 expiry=10 syncpoint {ASKING}
        advance 2
        commit
        on R => nothing
        get => 2/2033
        get from R => feedback=EXPIRATION correl_id=exp1
        """,
    ),
    (
        "E20",
        """
        DEFINE QALIAS(AL) TARGET(Q) CAPEXPRY(100)
        ALTER QLOCAL(Q) CAPEXPRY(50)
        put m1 on AL expiry=-1
        get => m1 expiry=50
        """,
    ),
    (
        "E20 of the alias",
        """
        DEFINE QALIAS(AL) TARGET(Q) CAPEXPRY(40)
        ALTER QLOCAL(Q) CAPEXPRY(50)
        put m1 on AL expiry=-1
        put m2 on Q expiry=-1
        get => m1 expiry=40
        get => m2 expiry=50
        """,
    ),
    (
        "E20 on the way to another queue manager",
        """
        DEFINE QREMOTE(FAR) RNAME(T) RQMNAME(QM2) XMITQ(XQ) CAPEXPRY(70)
        DEFINE QALIAS(AL) TARGET(FAR)
        ALTER QLOCAL(XQ) CAPEXPRY(60)
        put m1 on AL expiry=-1
        get from XQ => expiry=60 embedded=60
        """,
    ),
    (
        "E21",
        """
        ALTER QLOCAL(Q) CAPEXPRY(100)
        put m1 expiry=30
        get => m1 expiry=30
        """,
    ),
    (
        "E22",
        """
        put m1 expiry=-1
        ALTER QLOCAL(Q) CAPEXPRY(10)
        advance 10
        get => m1 expiry=-1
        """,
    ),
    (
        "E23",
        """
        ALTER QLOCAL(Q) CUSTOM('CAPEXPRY(600)')
        put m1 expiry=6000
        get => m1 expiry=600
        """,
    ),
    (
        "E23 both forms",
        """
        ALTER QLOCAL(Q) CUSTOM('CAPEXPRY(600)') CAPEXPRY(500)
        put m1 expiry=6000
        ALTER QLOCAL(Q) CUSTOM('CAPEXPRY(400)')
        put m2 expiry=6000
        get => m1 expiry=500
        get => m2 expiry=400
        """,
    ),
    (
        "E24",
        f"""
        ALTER QMGR EXPRYINT(5)
        put exp*98 expiry=10
        put asking*2 expiry=10 {ASKING}
        advance 4.9
        tick
        depth Q => 100
        advance 0.1
        tick
        depth Q => 0
        depth R => 2
        """,
    ),
    (
        "E25",
        """
        DEFINE QLOCAL(APP.ONE)
        DEFINE QLOCAL(APP.TWO)
        put exp1 on APP.ONE expiry=10
        put exp2 on APP.TWO expiry=10
        put live3 on APP.TWO
        put exp4 expiry=10
        advance 1
        REFRESH QMGR TYPE(EXPIRY) NAME(APP*) => QUEUE=APP.ONE,APP.TWO EXAMINED=1,2 DISCARDED=1,1 REPORTS=0,0
        on APP.ONE => nothing
        on APP.TWO => live3
        on Q => exp4
        """,
    ),
    (
        "E31",
        """
        put m1 on XQ expiry=100 embedded=20
        advance 5
        get from XQ => expiry=50 embedded=0
        """,
    ),
    ("E32", "put m1 on XQ expiry=100 embedded=0 => 2/2013"),
    ("E33", "put m1 on XQ expiry=-1 embedded=50 => 2/2013"),
    ("E34", "put m1 on XQ embedded=-1 cut=60 => 2/2260"),
    ("E34 whole but for a byte", "put m1 on XQ embedded=-1 cut=427 => 2/2260"),
    (
        "E35",
        """
        put m1 expiry=100 embedded=20 cut=100
        advance 1
        get => length=100 expiry=90
        """,
    ),
    (
        "E35 with the field",
        """
        put m1 expiry=100 embedded=20 cut=124
        advance 1
        get => length=124 expiry=90 embedded=10
        """,
    ),
    (
        "E38",
        f"""
        ALTER QLOCAL(R) MAXDEPTH(0)
        put exp1 expiry=10 {ASKING}
        advance 1
        get => 2/2033
        on R => nothing
        get from DLQ => format=MQDEAD reason=2053 feedback=EXPIRATION
        """,
    ),
    (
        "E38 without a dead-letter queue",
        f"""
        ALTER QMGR DEADQ(' ')
        ALTER QLOCAL(R) MAXDEPTH(0)
        put exp1 expiry=10 {ASKING}
        advance 1
        get => 2/2033
        on R => nothing
        on DLQ => nothing
        depth Q => 0
        """,
    ),
    (
        "E40",
        f"""
        ALTER QMGR MAXUMSGS(1)
        put exp1 expiry=10 {ASKING}
        put live2
        advance 1
        get syncpoint => live2
        depth R => 1
        """,
    ),
    (
        "E41",
        """
        put m1 expiry=1000000000
        get => m1 expiry=1000000000
        """,
    ),
    ("E42", "put m1 on XQ expiry=50 embedded=-1 => 2/2013"),
    (
        "E45",
        """
        put m1 expiry=50
        advance 1
        get syncpoint => m1 expiry=40
        advance 0.5
        back
        advance 2.5
        get => m1 expiry=10
        """,
    ),
    (
        "A5 an application's expiry decides, not the capped one",
        """
        ALTER QLOCAL(XQ) CAPEXPRY(30)
        put m1 on XQ expiry=-1 embedded=-1
        get from XQ => expiry=30 embedded=-1
        """,
    ),
    (
        "A5 another format",
        """
        put m1 on XQ
        get from XQ => m1
        """,
    ),
    (
        "A5 both on a remote put",
        """
        DEFINE QREMOTE(FAR) RNAME(T) RQMNAME(QM2) XMITQ(XQ)
        put m1 on FAR expiry=100
        advance 3
        get from XQ => expiry=70 embedded=70
        """,
    ),
    (
        "A5 both unlimited",
        """
        put m1 on XQ expiry=-1 embedded=-1
        advance 3
        get from XQ => expiry=-1 embedded=-1
        """,
    ),
    (
        "A4 of a transmission queue, by the embedded descriptor",
        f"""
        DEFINE QREMOTE(FAR) RNAME(T) RQMNAME(QM2) XMITQ(XQ)
        put exp1 on FAR expiry=10 {ASKING}
        advance 1
        get from XQ => 2/2033
        get from R => feedback=EXPIRATION correl_id=exp1
        """,
    ),
)


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS, ids=[id for id, _ in SCENARIOS])
def test_scenario(qmgr: QueueManager, id: str, scenario: str) -> None:
    Play(qmgr).run(OBJECTS + scenario)


def test_e19_a_reply_may_copy_what_remains_of_the_request(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + "put m1 expiry=100 msg_type=REQUEST reply_to_q=R\nadvance 4\nget => m1 expiry=60")

    request = play.last["A"].descriptor
    play.run(f"put reply on R expiry={request.expiry} correl_id=m1\nget from R => reply expiry=60")


def test_e39_a_message_that_expires_uncommitted_ends_no_wait(qmgr: QueueManager, clock: NoticedClock) -> None:
    play = Play(qmgr)
    play.run(OBJECTS)
    waiter = Waiter(qmgr, wait_interval=10_000)
    clock.somebody_looked()

    play.run("put exp1 expiry=1 syncpoint\nadvance 2\ncommit")
    clock.somebody_looked()
    assert waiter.is_waiting
    play.run("depth Q => 0\nadvance 7.999")
    clock.somebody_looked()
    assert waiter.is_waiting
    play.run("advance 0.001")
    assert waiter.outcome() == MQRC.NO_MSG_AVAILABLE

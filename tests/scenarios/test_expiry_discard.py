"""Which expired messages go, when, outside whose unit of work: rows X1 to X15."""

from __future__ import annotations

import pytest

from store.queue_manager import QueueManager
from tests.scenarios.looking import happened
from tests.scenarios.play import Play
from tests.scenarios.test_expiry import ASKING, OBJECTS
from tests.scenarios.waiting import NoticedClock, Waiter

# (row, scenario, causes that the history tells of the discarded messages)
SCENARIOS: tuple[tuple[str, str, list[str]], ...] = (
    (
        "X1",
        f"""
        put exp1 expiry=10 {ASKING}
        put live2
        advance 1
        get syncpoint => live2
        back
        on Q => live2
        depth R => 1
        """,
        ["get"],
    ),
    (
        "X1 browse",
        f"""
        put exp1 expiry=10 {ASKING}
        put live2
        advance 1
        get browse-first => live2
        on Q => live2
        depth R => 1
        """,
        ["browse"],
    ),
    (
        "X2",
        """
        put exp1 expiry=10 correl_id=X
        put exp2 expiry=10 correl_id=Y
        put live3 correl_id=Y
        advance 1
        get correl_id=Y => live3
        on Q => exp1
        """,
        ["get"],
    ),
    (
        "X3",
        """
        put live1
        put exp2 expiry=10
        advance 1
        get => live1
        on Q => exp2
        """,
        [],
    ),
    (
        "X3 browse next",
        """
        put exp1 expiry=15
        put live2
        put exp3 expiry=10
        put live4
        get browse-first => exp1
        advance 2
        get browse-next => live2
        on Q => exp1 live2 exp3 live4
        get browse-next => live4
        on Q => exp1 live2 live4
        """,
        ["browse"],
    ),
    (
        "X4",
        """
        put exp1 expiry=10 priority=1
        put live5 priority=5
        advance 1
        get => live5
        on Q => exp1
        """,
        [],
    ),
    (
        "X5",
        """
        put exp5 expiry=10 priority=5
        put live5 priority=5
        put exp9 expiry=10 priority=9
        put exp6 expiry=10 priority=5
        advance 1
        get => live5
        on Q => exp6
        """,
        ["get", "get"],
    ),
    (
        "X6",
        """
        put exp1 expiry=10 syncpoint
        B: put exp2 expiry=10 syncpoint
        advance 2
        get => 2/2033
        REFRESH QMGR TYPE(EXPIRY)
        depth Q => 2
        B: commit
        on Q => exp2
        get => 2/2033
        depth Q => 1
        """,
        ["get"],
    ),
    (
        "X6 by a scan after the commit",
        """
        put exp1 expiry=10 syncpoint
        advance 2
        REFRESH QMGR TYPE(EXPIRY) NAME(Q) => DISCARDED=0
        commit
        REFRESH QMGR TYPE(EXPIRY) NAME(Q) => DISCARDED=1
        depth Q => 0
        """,
        ["refresh"],
    ),
    (
        "X7",
        f"""
        put exp1 expiry=10 {ASKING}
        get syncpoint => exp1
        advance 2
        B: get => 2/2033
        REFRESH QMGR TYPE(EXPIRY) NAME(Q) => DISCARDED=0
        on R => nothing
        back
        on Q => exp1
        REFRESH QMGR TYPE(EXPIRY) NAME(Q) => DISCARDED=1 REPORTS=1
        on Q => nothing
        """,
        ["refresh"],
    ),
    (
        "X8",
        f"""
        put exp1 expiry=10 {ASKING}
        get browse-first lock => exp1
        advance 1
        get msg-under-cursor syncpoint => 2/2034
        back
        depth Q => 0
        depth R => 1
        """,
        ["get"],
    ),
    (
        "X8 browsed again",
        """
        put exp1 expiry=10
        get browse-first lock => exp1
        advance 1
        get browse-msg-under-cursor => 2/2034
        depth Q => 0
        """,
        ["browse"],
    ),
    (
        "X9",
        """
        put exp1 expiry=10
        put live2
        get browse-first lock => exp1
        advance 1
        B: get => live2
        REFRESH QMGR TYPE(EXPIRY) NAME(Q) => DISCARDED=0
        on Q => exp1
        get unlock
        REFRESH QMGR TYPE(EXPIRY) NAME(Q) => DISCARDED=1
        """,
        ["refresh"],
    ),
    (
        "X10",
        f"""
        ALTER QMGR EXPRYINT(1)
        put live1
        put exp2 expiry=10 {ASKING}
        put live3
        put exp4 expiry=10
        B: get browse-first syncpoint => 2/2046
        B: put other on R syncpoint
        advance 1
        tick
        B: back
        on Q => live1 live3
        depth R => 1
        """,
        ["interval", "interval"],
    ),
    (
        "X11",
        f"""
        put live1
        put exp2 expiry=10 {ASKING}
        advance 1
        REFRESH QMGR TYPE(EXPIRY) NAME(Q*) => QUEUE=Q EXAMINED=2 DISCARDED=1 REPORTS=1
        on Q => live1
        depth R => 1
        """,
        ["refresh"],
    ),
    (
        "X12",
        f"""
        put exp1 expiry=10 persistence=1 {ASKING}
        put live2 persistence=1
        advance 1
        restart
        on Q => live2
        depth R => 1
        """,
        ["restart"],
    ),
    (
        "X13 depth trigger and counts",
        """
        DEFINE PROCESS(P)
        DEFINE QLOCAL(INITQ)
        ALTER QLOCAL(Q) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(3) PROCESS(P) INITQ(INITQ)
        B: get from INITQ => 2/2033
        put exp*2 expiry=10
        advance 1
        DISPLAY QLOCAL(Q) CURDEPTH => CURDEPTH=2
        put live3
        depth INITQ => 1
        depth Q => 3
        """,
        [],
    ),
    (
        "X13 depth event",
        """
        ALTER QMGR PERFMEV(ENABLED)
        ALTER QLOCAL(Q) MAXDEPTH(5) QDEPTHHI(80) QDPHIEV(ENABLED)
        put exp*3 expiry=10
        advance 1
        depth SYSTEM.ADMIN.PERFM.EVENT => 0
        put live4
        depth SYSTEM.ADMIN.PERFM.EVENT => 1
        """,
        [],
    ),
    (
        "X14",
        """
        ALTER QLOCAL(Q) MAXDEPTH(2)
        put exp*2 expiry=10
        advance 1
        put live3 => 2/2053
        on Q => exp1 exp2
        """,
        [],
    ),
)


@pytest.mark.parametrize(("row", "scenario", "causes"), SCENARIOS, ids=[row for row, *_ in SCENARIOS])
def test_row(qmgr: QueueManager, row: str, scenario: str, causes: list[str]) -> None:
    Play(qmgr).run(OBJECTS + scenario)

    assert [cause for _, cause, queue, _ in happened(qmgr.store, "EXPIRE") if queue == "Q"] == causes


def test_x1_more_expired_messages_than_fit_in_one_transaction(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(f"{OBJECTS}\nput exp*2002 expiry=10\nput live\nput exp9 expiry=10\nadvance 1")

    play.run("get => live\ndepth Q => 1")
    assert len(happened(qmgr.store, "EXPIRE")) == 2002


@pytest.mark.parametrize("wait_interval", [10_000, -1])
def test_x15_a_waiting_get_discards_what_is_expired_and_waits_on(
    qmgr: QueueManager, clock: NoticedClock, wait_interval: int
) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + "put exp*3 expiry=10\nadvance 1")
    waiter = Waiter(qmgr, wait_interval=wait_interval)

    clock.somebody_looked()
    play.run("depth Q => 0\nput live4")
    assert waiter.outcome() == b"live4"

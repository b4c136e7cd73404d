"""Backout, scenario by scenario: what returns, what is gone, how often it was backed out."""

from __future__ import annotations

import pytest

from store.queue_manager import QueueManager
from tests.scenarios.play import Play

OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(OUT)
    DEFINE QLOCAL(ERR)
    put m1 m2 m3
"""
MARKED = "get syncpoint mark-skip-backout"
# m1 is got to skip backout, m2 like any other, r1 is put; then the unit of work is backed out.
SKIPPED = f"""
    {MARKED} => m1
    get syncpoint => m2
    put r1 on OUT syncpoint
    back
"""

SCENARIOS = (
    (
        "B01",
        """
        get syncpoint => m1 bc=0
        back
        get browse-first => m1 bc=1
        on Q => m1 m2 m3
        """,
    ),
    (
        "B01 in its place among priorities",
        """
        put high priority=9
        put low priority=1
        put middle priority=5
        get syncpoint => high
        get syncpoint => middle
        put later priority=9
        back
        on Q => high later middle low m1 m2 m3
        """,
    ),
    (
        "B02",
        """
        get syncpoint => m1
        back
        get syncpoint => m1
        back
        get syncpoint => m1
        back
        get => m1 bc=3
        """,
    ),
    (
        "B03",
        """
        get browse-first => m1
        back
        get => m1 bc=0
        """,
    ),
    (
        "B04",
        """
        get syncpoint => m1
        abend
        B: get => m1 bc=1
        """,
    ),
    (
        "B05",
        """
        put r1 on OUT syncpoint
        B: get from OUT => 2/2033
        disconnect
        B: get from OUT => r1
        """,
    ),
    (
        "B05 what it got is gone",
        """
        get syncpoint => m1
        disconnect
        on Q => m2 m3
        """,
    ),
    (
        "B06",
        """
        put r1 on OUT syncpoint
        abend
        B: get from OUT => 2/2033
        depth OUT => 0
        """,
    ),
    (
        "B07",
        """
        get no-syncpoint => m1
        back
        on Q => m2 m3
        """,
    ),
    (
        "B08",
        f"""
        {MARKED} => m1
        commit
        on Q => m2 m3
        B: get => m2
        """,
    ),
    (
        "B09",
        f"""
        {SKIPPED}
        on Q => m2 m3
        on OUT => nothing
        B: get => m2 bc=1
        """,
    ),
    (
        "B10",
        f"""
        {SKIPPED}
        put e1 on ERR syncpoint
        commit
        on ERR => e1
        on Q => m2 m3
        """,
    ),
    (
        "B11",
        f"""
        {SKIPPED}
        put e1 on ERR syncpoint
        back
        on ERR => nothing
        on Q => m1 m2 m3
        get => m1 bc=1
        """,
    ),
    (
        "B12",
        f"""
        {SKIPPED}
        abend
        B: get => m1 bc=1
        """,
    ),
    (
        "B13",
        f"""
        {MARKED} => m1
        {MARKED} => 2/2062
        get syncpoint => m2
        commit
        on Q => m3
        """,
    ),
    (
        "B14",
        f"""
        ALTER QLOCAL(Q) NPMCLASS(HIGH)
        {MARKED} => m1
        broken
        commit => 2/2009
        B: get => m1 bc=1
        """,
    ),
    ("B15", "get mark-skip-backout => 2/2046"),
    ("B16", "get syncpoint mark-skip-backout browse-first => 2/2046"),
    (
        "B17",
        f"""
        {MARKED} from OUT => 2/2033
        {MARKED} => m1
        back
        on Q => m2 m3
        """,
    ),
    (
        "B19",
        f"""
        {MARKED} => m1
        back
        {MARKED} => m2
        back
        on Q => m1 m3
        B: get => m1 bc=1
        commit
        on Q => m3
        """,
    ),
    (
        "B20",
        f"""
        {SKIPPED}
        B: get browse-first => m2
        B: get browse-next => m3
        B: get browse-next => 2/2033
        depth Q => 2
        """,
    ),
    (
        "B26",
        """
        ALTER QLOCAL(Q) BOTHRESH(1) BOQNAME(ERR)
        get syncpoint => m1
        back
        get syncpoint => m1
        back
        get syncpoint => m1
        back
        get syncpoint => m1
        back
        get syncpoint => m1
        back
        on Q => m1 m2 m3
        on ERR => nothing
        get => m1 bc=5
        """,
    ),
    # There is one profile: being in syncpoint without saying so does not exist, on z/OS it would not be enough.
    ("B29", "get mark-skip-backout no-syncpoint => 2/2046"),
    # B1, the table of plain backout.
    (
        "B1 MQBACK",
        """
        get syncpoint => m1
        put r1 on OUT syncpoint
        back
        on OUT => nothing
        on Q => m1 m2 m3
        """,
    ),
    (
        "B1 MQCMIT",
        """
        get syncpoint => m1
        put r1 on OUT syncpoint
        commit
        back
        on OUT => r1
        on Q => m2 m3
        """,
    ),
    (
        "B1 the queue manager stops and starts again",
        """
        put kept persistence=1
        get syncpoint => m1
        get syncpoint => m2
        get syncpoint => m3
        get syncpoint => kept
        put r1 on OUT syncpoint persistence=1
        restart
        on OUT => nothing
        get => kept bc=1
        """,
    ),
    (
        "B1 NPMCLASS(HIGH)",
        """
        ALTER QLOCAL(Q) NPMCLASS(HIGH)
        get syncpoint => m1
        restart
        get => m1 bc=1
        on Q => m2 m3
        """,
    ),
    (
        "B1 a put starts at nought whatever its descriptor says",
        """
        put again on OUT bc=7
        get from OUT => again bc=0
        """,
    ),
)


@pytest.mark.parametrize(("id", "scenario"), SCENARIOS, ids=[id for id, _ in SCENARIOS])
def test_scenario(qmgr: QueueManager, id: str, scenario: str) -> None:
    Play(qmgr).run(OBJECTS + scenario)


SKIP_ROWS = (
    (
        "K1",
        f"""
        {MARKED} => m1 bc=0
        back
        on Q => m2 m3
        """,
    ),
    (
        "K2",
        f"""
        {MARKED} => m1
        {MARKED} => 2/2062
        on Q => m2 m3
        put r1 on OUT syncpoint
        commit
        on OUT => r1
        """,
    ),
    (
        "K3",
        f"""
        {MARKED} => m1
        get syncpoint => m2
        get syncpoint => m3
        back
        on Q => m2 m3
        """,
    ),
    ("K4 alone", "get mark-skip-backout => 2/2046"),
    ("K4 NO_SYNCPOINT", "get mark-skip-backout no-syncpoint => 2/2046"),
    ("K4 SYNCPOINT_IF_PERSISTENT", "get mark-skip-backout syncpoint-if-persistent => 2/2046"),
    ("K4 BROWSE_FIRST", "get mark-skip-backout browse-first => 2/2046"),
    ("K4 BROWSE_NEXT", "get mark-skip-backout browse-next => 2/2046"),
    ("K4 BROWSE_MSG_UNDER_CURSOR", "get mark-skip-backout browse-msg-under-cursor => 2/2046"),
    ("K4 LOCK", "get mark-skip-backout browse-first lock => 2/2046"),
    ("K4 UNLOCK", "get mark-skip-backout unlock => 2/2046"),
    ("K4 SYNCPOINT with BROWSE_FIRST", f"{MARKED} browse-first => 2/2046"),
    ("K4 SYNCPOINT with UNLOCK", f"{MARKED} unlock => 2/2046"),
    (
        "K7 2033",
        f"""
        {MARKED} msg_id=ABSENT => 2/2033
        {MARKED} => m1
        back
        on Q => m2 m3
        """,
    ),
    (
        "K7 2080",
        f"""
        {MARKED} buffer=1 => 1/2080
        on Q => m1 m2 m3
        {MARKED} => m1
        back
        on Q => m2 m3
        """,
    ),
    (
        "K8",
        f"""
        {MARKED} buffer=1 accept-truncated-msg => 1/2079 m
        {MARKED} => 2/2062
        back
        on Q => m2 m3
        """,
    ),
    (
        "K9",
        f"""
        {MARKED} => m1
        get syncpoint => m2
        commit
        on Q => m3
        {MARKED} => m3
        back
        on Q => nothing
        """,
    ),
    (
        "K10",
        f"""
        {SKIPPED}
        depth Q => 2
        on OUT => nothing
        B: get => m2 bc=1
        back
        B: get => m1 bc=1
        """,
    ),
    (
        "K11",
        f"""
        {SKIPPED}
        put e1 on ERR syncpoint
        get syncpoint => m2
        on ERR => nothing
        back
        on ERR => nothing
        B: get => m1 bc=1
        B: get => m2 bc=2
        """,
    ),
    (
        "K12",
        f"""
        {SKIPPED}
        put e1 on ERR syncpoint
        commit
        on ERR => e1
        back
        on Q => m2 m3
        """,
    ),
    (
        "K13",
        f"""
        {SKIPPED}
        put e1 on ERR syncpoint
        back
        on ERR => nothing
        on Q => m1 m2 m3
        B: get => m1 bc=1
        """,
    ),
    (
        "K14",
        f"""
        {MARKED} => m1
        back
        {MARKED} => m2
        {MARKED} => 2/2062
        back
        on Q => m1 m3
        back
        on Q => m1 m2 m3
        """,
    ),
    (
        "K15 abend",
        f"""
        {MARKED} => m1
        abend
        B: get => m1 bc=1
        """,
    ),
    (
        "K15 connection lost",
        f"""
        ALTER QLOCAL(Q) NPMCLASS(HIGH)
        {MARKED} => m1
        broken
        get => 2/2009
        B: get => m1 bc=1
        """,
    ),
    (
        "K15 queue manager stopped",
        f"""
        ALTER QLOCAL(Q) NPMCLASS(HIGH)
        {MARKED} => m1
        restart
        get => m1 bc=1
        """,
    ),
    (
        "K16",
        f"""
        {SKIPPED}
        disconnect
        on Q => m2 m3
        """,
    ),
    (
        "K17",
        f"""
        {SKIPPED}
        abend
        on Q => m1 m2 m3
        """,
    ),
    (
        "K18",
        f"""
        {MARKED} => m1
        back
        on Q => m2 m3
        begin => 2/2128
        back
        on Q => m1 m2 m3
        """,
    ),
    (
        "K19",
        f"""
        ALTER QMGR MAXUMSGS(2)
        {MARKED} => m1
        back
        put e1 on ERR syncpoint
        put e2 on ERR syncpoint => 2/2024
        commit
        on ERR => e1
        """,
    ),
    (
        "K20",
        f"""
        put exp1 priority=9 expiry=10
        {MARKED} => exp1
        back
        advance 1
        REFRESH QMGR TYPE(EXPIRY) NAME(Q) => DISCARDED=0
        back
        on Q => exp1 m1 m2 m3
        B: get => m1
        on Q => m2 m3
        """,
    ),
)


@pytest.mark.parametrize(("row", "scenario"), SKIP_ROWS, ids=[row for row, _ in SKIP_ROWS])
def test_skip_backout(qmgr: QueueManager, row: str, scenario: str) -> None:
    Play(qmgr).run(OBJECTS + scenario)

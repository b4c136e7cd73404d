"""Triggering by puts, scenario by scenario: rows P1 to P13, the gate, counting, units of work (triggering §3)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.trigger_play import TriggerPlay

# What makes the gate G false, a row for each thing that C5 to C10 ask (P13).
GATE = {
    "C5": "ALTER QLOCAL(APPQ) GET(DISABLED)",
    "C5 on a transmission queue": "ALTER QLOCAL(APPQ) GET(DISABLED) USAGE(XMITQ) PROCESS(' ')",
    "C6 no such process": "ALTER QLOCAL(APPQ) PROCESS(NOPROC)",
    "C6 blank": "ALTER QLOCAL(APPQ) PROCESS(' ')",
    "C6 no such process, on a transmission queue": "ALTER QLOCAL(APPQ) PROCESS(NOPROC) USAGE(XMITQ)",
    "C7 blank": "ALTER QLOCAL(APPQ) INITQ(' ')",
    "C7 no such queue": "ALTER QLOCAL(APPQ) INITQ(NOQ)",
    "C7 an alias of it": """DEFINE QALIAS(ALIAS) TARGET(INIT1)
                            ALTER QLOCAL(APPQ) INITQ(ALIAS)""",
    "C7 get disabled": "ALTER QLOCAL(INIT1) GET(DISABLED)",
    "C7 put disabled": "ALTER QLOCAL(INIT1) PUT(DISABLED)",
    "C8": "M: close INIT1",
    "C8 open for browse only": """M: close INIT1
                                  M: open INIT1 browse""",
    "C9": "ALTER QLOCAL(APPQ) NOTRIGGER",
    "C10": "ALTER QLOCAL(APPQ) TRIGTYPE(NONE)",
}
PUT_ONE = """
    put m1 on APPQ
    new INIT1 => nothing
    depth APPQ => 1
    TRIGGER_LOST => nothing
"""

ROWS = (
    *(
        (
            f"P1 {trigger_type}",
            f"""
            ALTER QLOCAL(APPQ) TRIGTYPE({trigger_type}) TRIGMPRI(5)
            put m1 on APPQ priority=4
            new INIT1 => nothing
            put m2 on APPQ priority=5
            new INIT1 => APPQ
            """,
        )
        for trigger_type in ("FIRST", "EVERY", "DEPTH")
    ),
    ("P2", "ALTER QLOCAL(APPQ) TRIGTYPE(NONE)" + PUT_ONE),
    (
        "P3",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        TRIGGER => put/APPQ/0
        """,
    ),
    ("P4", "S: open APPQ input-shared" + PUT_ONE),
    (
        "P5",
        """
        ALTER QMGR TRIGINT(5000)
        put m1 on APPQ
        advance 5
        new INIT1 => APPQ
        put m2 on APPQ
        new INIT1 => APPQ
        TRIGGER => put/APPQ/0 interval/APPQ/0
        """,
    ),
    (
        "P6",
        """
        ALTER QMGR TRIGINT(5000)
        put m1 on APPQ
        advance 4.999999
        new INIT1 => APPQ
        put m2 on APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "P7",
        """
        ALTER QMGR TRIGINT(5000)
        put m1 on APPQ
        new INIT1 => APPQ
        S: open APPQ input-shared
        advance 9
        put m2 on APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "P8",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)
        put m*2 on APPQ
        new INIT1 => APPQ APPQ
        S: open APPQ input-shared
        put m3 on APPQ
        new INIT1 => APPQ
        """,
    ),
    (
        "P9",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2)
        put m1 on APPQ
        new INIT1 => nothing
        put m2 on APPQ
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    (
        "P10",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2)
        M: close INIT1
        put m*3 on APPQ
        S: open APPQ input-shared
        M: open INIT1 input-shared
        get from APPQ => m1
        A: close APPQ
        new INIT1 => nothing
        S: close APPQ
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    (
        "P10 more than TRIGDPTH before the put",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2) PROCESS(LATER)
        put m*3 on APPQ
        DEFINE PROCESS(LATER)
        new INIT1 => nothing
        put m4 on APPQ
        new INIT1 => APPQ
        TRIGGER => put/APPQ/0
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    (
        "P11",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3)
        put m1 on APPQ
        put m2 on APPQ
        new INIT1 => nothing
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=TRIGGER
        """,
    ),
    (
        "P12",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2)
        S: open APPQ input-exclusive
        put m*3 on APPQ
        new INIT1 => nothing
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=TRIGGER
        """,
    ),
    *(
        (f"P13 {trigger_type} {name}", f"ALTER QLOCAL(APPQ) TRIGTYPE({trigger_type})\n{away}" + PUT_ONE)
        for trigger_type in ("FIRST", "EVERY", "DEPTH")
        for name, away in GATE.items()
        if (trigger_type, name) != ("FIRST", "C10")
    ),
    (
        "C11 nothing is remembered of what the gate refused",
        """
        M: close INIT1
        put m1 on APPQ
        M: open INIT1 input-shared
        new INIT1 => APPQ
        TRIGGER => monitor-opened/APPQ/0
        """,
    ),
    (
        "TRIGINT(0) makes FIRST like EVERY while nobody serves",
        """
        ALTER QMGR TRIGINT(0)
        put m*3 on APPQ
        new INIT1 => APPQ APPQ APPQ
        S: open APPQ input-shared
        put m4 on APPQ
        new INIT1 => nothing
        """,
    ),
)

SCENARIOS = (
    (
        "T01",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        """,
    ),
    (
        "T02",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        put m2 on APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "T03",
        """
        put m1 on APPQ syncpoint
        new INIT1 => nothing
        depth INIT1 => 1
        commit
        new INIT1 => APPQ
        """,
    ),
    (
        "T04",
        """
        put m1 on APPQ syncpoint
        back
        new INIT1 => APPQ
        depth APPQ => 0
        """,
    ),
    (
        "T05",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)
        put m1 on APPQ syncpoint
        depth INIT1 => 1
        back
        new INIT1 => nothing
        depth INIT1 => 0
        """,
    ),
    (
        "T06",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)
        S: open APPQ input-shared
        put m*3 on APPQ
        new INIT1 => APPQ APPQ APPQ
        """,
    ),
    (
        "T07",
        """
        A: put m1 on APPQ syncpoint
        B: put m2 on APPQ
        new INIT1 => nothing
        A: commit
        new INIT1 => APPQ
        """,
    ),
    (
        "T08",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3)
        put m1 on APPQ
        put m2 on APPQ
        new INIT1 => nothing
        put m3 on APPQ
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    (
        "T09",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3)
        put m*3 on APPQ
        new INIT1 => APPQ
        put n*5 on APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "T12",
        """
        ALTER QLOCAL(APPQ) TRIGMPRI(5) DEFPRTY(0) MSGDLVSQ(PRIORITY)
        put m*100 on APPQ priority=2
        new INIT1 => nothing
        put n1 on APPQ priority=5
        new INIT1 => APPQ
        """,
    ),
    (
        "T13",
        """
        ALTER QLOCAL(APPQ) TRIGMPRI(5) DEFPRTY(0) MSGDLVSQ(PRIORITY)
        put m*100 on APPQ priority=2
        put n1 on APPQ priority=5
        new INIT1 => APPQ
        put n2 on APPQ priority=9
        new INIT1 => nothing
        """,
    ),
    (
        "T14",
        """
        ALTER QLOCAL(APPQ) MSGDLVSQ(FIFO) DEFPRTY(3) TRIGMPRI(5)
        put m1 on APPQ priority=9
        new INIT1 => nothing
        """,
    ),
    (
        "T15",
        """
        ALTER QLOCAL(APPQ) MSGDLVSQ(FIFO) DEFPRTY(5) TRIGMPRI(5)
        put m1 on APPQ priority=0
        new INIT1 => APPQ
        get from APPQ => m1 priority=0
        """,
    ),
    (
        "C14: DEFPRTY counts as it was at arrival",
        """
        ALTER QLOCAL(APPQ) MSGDLVSQ(FIFO) DEFPRTY(5) TRIGMPRI(5) TRIGTYPE(DEPTH) TRIGDPTH(2)
        put m1 on APPQ
        ALTER QLOCAL(APPQ) DEFPRTY(4)
        put m2 on APPQ
        new INIT1 => nothing
        ALTER QLOCAL(APPQ) DEFPRTY(6)
        put m3 on APPQ
        new INIT1 => APPQ
        """,
    ),
    ("T16", "S: open APPQ input-shared" + PUT_ONE),
    (
        "T17",
        """
        S: open APPQ browse
        put m1 on APPQ
        new INIT1 => APPQ
        """,
    ),
    ("T18", "ALTER QLOCAL(APPQ) GET(DISABLED)" + PUT_ONE),
    ("T20", "ALTER QLOCAL(APPQ) PROCESS(NOPROC)" + PUT_ONE),
    ("T21", "ALTER QLOCAL(APPQ) PROCESS(' ') USAGE(NORMAL)" + PUT_ONE),
    (
        "T23",
        """
        M: close INIT1
        DELETE QLOCAL(INIT1)
        put m1 on APPQ
        depth APPQ => 1
        TRIGGER => nothing
        TRIGGER_LOST => nothing
        """,
    ),
    (
        "T24",
        """
        DEFINE QLOCAL(DLQ)
        ALTER QMGR DEADQ(DLQ)
        ALTER QLOCAL(INIT1) PUT(DISABLED)
        put m1 on APPQ
        new INIT1 => nothing
        depth DLQ => 0
        """,
    ),
    ("T26", "ALTER QLOCAL(INIT1) GET(DISABLED)" + PUT_ONE),
    (
        "T27",
        """
        M: close INIT1
        DELETE QLOCAL(INIT1)
        DEFINE QLOCAL(INIT1) USAGE(XMITQ)
        M: open INIT1 input-shared
        """
        + PUT_ONE,
    ),
    (
        "T28",
        """
        M: close INIT1
        put m*3 on APPQ
        new INIT1 => nothing
        """,
    ),
    ("T32", "ALTER QLOCAL(APPQ) NOTRIGGER" + PUT_ONE),
    ("T33", "ALTER QLOCAL(APPQ) TRIGTYPE(NONE) TRIGGER" + PUT_ONE),
    (
        "T34",
        """
        ALTER QMGR TRIGINT(5000)
        put m1 on APPQ
        new INIT1 => APPQ
        advance 4.999
        put m2 on APPQ
        new INIT1 => nothing
        advance 0.001
        put m3 on APPQ
        new INIT1 => APPQ
        """,
    ),
    (
        "T35",
        """
        ALTER QMGR TRIGINT(5000)
        put m1 on APPQ
        new INIT1 => APPQ
        S: open APPQ input-shared
        advance 6
        put m2 on APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "T48",
        """
        DEFINE PROCESS(P2)
        put m1 on APPQ syncpoint
        ALTER QLOCAL(APPQ) PROCESS(P2) NOTRIGGER
        commit
        new INIT1 => APPQ
        """,
    ),
    (
        "T51",
        """
        put m1 on APPQ expiry=10
        new INIT1 => APPQ
        advance 9
        put m2 on APPQ
        new INIT1 => nothing
        depth APPQ => 2
        """,
    ),
    (
        "T51 of sufficient priority",
        """
        ALTER QLOCAL(APPQ) TRIGMPRI(5)
        put low on APPQ priority=1
        put m1 on APPQ expiry=10 priority=5
        new INIT1 => APPQ
        advance 9
        put m2 on APPQ priority=5
        new INIT1 => nothing
        """,
    ),
    (
        "T52",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY) MAXMSGL(32)
        put s1 on APPQ msg_flags=SEGMENTATION_ALLOWED length=96
        depth APPQ => 3
        new INIT1 => APPQ
        """,
    ),
    (
        "T52 DEPTH: each segment counts afterwards",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3) MAXMSGL(32)
        put s1 on APPQ msg_flags=SEGMENTATION_ALLOWED length=64
        depth APPQ => 2
        new INIT1 => nothing
        put s2 on APPQ
        new INIT1 => APPQ
        """,
    ),
    (
        "T53",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)
        put s1 on APPQ msg_flags=SEGMENT group_id=G offset=0
        put s2 on APPQ msg_flags=SEGMENT group_id=G offset=2
        put s3 on APPQ msg_flags=LAST_SEGMENT group_id=G offset=4
        new INIT1 => APPQ APPQ APPQ
        """,
    ),
    (
        "T62",
        """
        A: put m1 on APPQ syncpoint
        B: put m2 on APPQ
        new INIT1 => nothing
        A: back
        new INIT1 => APPQ
        on APPQ => m2
        """,
    ),
    (
        "T63",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2)
        put m1 on APPQ
        put m2 on APPQ syncpoint
        new INIT1 => nothing
        back
        new INIT1 => APPQ
        depth APPQ => 1
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    (
        "T66",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3) TRIGMPRI(5) MSGDLVSQ(PRIORITY)
        put m*5 on APPQ priority=2
        put n1 on APPQ priority=7
        put n2 on APPQ priority=7
        new INIT1 => nothing
        put n3 on APPQ priority=7
        new INIT1 => APPQ
        """,
    ),
    (
        "an uncommitted get is not counted",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        S: get from APPQ syncpoint => m1
        S: close APPQ
        put m2 on APPQ
        new INIT1 => APPQ
        """,
    ),
    (
        "uncommitted puts of sufficient priority count",
        """
        ALTER QLOCAL(APPQ) TRIGMPRI(5)
        A: put m1 on APPQ priority=5 syncpoint
        B: put m2 on APPQ priority=5
        new INIT1 => nothing
        """,
    ),
    (
        "an abend backs out the put and keeps the trigger message of FIRST",
        """
        put m1 on APPQ syncpoint
        abend
        new INIT1 => APPQ
        depth APPQ => 0
        """,
    ),
    (
        "a put through an alias tells the local queue",
        """
        DEFINE QALIAS(FRONT) TARGET(APPQ)
        put m1 on FRONT
        new INIT1 => APPQ
        """,
    ),
    (
        "MAXUMSGS: trigger messages of puts under syncpoint count",
        """
        ALTER QMGR MAXUMSGS(2)
        put m1 on APPQ syncpoint
        put m2 on APPQ syncpoint => 2/2024
        commit
        put m3 on APPQ
        put m4 on APPQ syncpoint
        put m5 on APPQ syncpoint
        put m6 on APPQ syncpoint => 2/2024
        """,
    ),
)


@pytest.mark.parametrize(("id", "text"), ROWS + SCENARIOS, ids=[id for id, _ in ROWS + SCENARIOS])
def test_a_put(qmgr: QueueManager, id: str, text: str) -> None:
    TriggerPlay(qmgr).run(text)

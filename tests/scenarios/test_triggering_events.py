"""Triggering by what is no put: close, attributes, initiation queue, gets, monitors, restart (triggering §4)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.trigger_play import TriggerPlay

# After T08: three messages, TRIGGER off, the trigger message seen.
AFTER_T08 = """
    ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3)
    put m*3 on APPQ
    new INIT1 => APPQ
"""
# One message on APPQ that brought no trigger message about, although the monitor is there and TRIGGER is on.
ONE_MESSAGE = """
    ALTER QLOCAL(APPQ) GET(DISABLED)
    put m1 on APPQ
    new INIT1 => nothing
"""
SERVED = """
    S: open APPQ input-shared
    put m*3 on APPQ
    new INIT1 => nothing
"""
DEPTH_3 = "ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3)"
APPQ2 = "DEFINE QLOCAL(APPQ2) TRIGGER TRIGTYPE(EVERY) PROCESS(P1) INITQ(INIT1)"
T28 = """
    M: close INIT1
    put m*3 on APPQ
    new INIT1 => nothing
"""
T29 = f"""
    {APPQ2}
    {T28}
    put n*5 on APPQ2
    M1: open INIT1 input-shared
    new INIT1 => APPQ APPQ2
"""
T31 = """
    M: close INIT1
    ALTER QLOCAL(APPQ) NOTRIGGER
    put m*2 on APPQ
    ALTER QLOCAL(APPQ) TRIGGER
    new INIT1 => APPQ
"""

CLOSES = (
    (
        "O-CLOSE FIRST",
        f"""
        {SERVED}
        S: close APPQ
        new INIT1 => APPQ
        TRIGGER => close/APPQ/0
        """,
    ),
    (
        "O-CLOSE DEPTH",
        f"""
        {DEPTH_3}
        {SERVED}
        S: close APPQ
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    (
        "O-CLOSE DEPTH, too few",
        f"""
        {DEPTH_3}
        {SERVED}
        S: get from APPQ => m1
        S: close APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "O-CLOSE of a browser is none",
        """
        S: open APPQ browse
        put m1 on APPQ
        new INIT1 => APPQ
        S: close APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "O-CLOSE by MQDISC",
        f"""
        {SERVED}
        S: disconnect
        new INIT1 => APPQ
        """,
    ),
    (
        "O-CLOSE by an abend",
        f"""
        {SERVED}
        S: abend
        new INIT1 => APPQ
        """,
    ),
    (
        "O-CLOSE does not ask C5",
        f"""
        {SERVED}
        ALTER QLOCAL(APPQ) GET(DISABLED)
        S: close APPQ
        new INIT1 => APPQ
        """,
    ),
    *(
        (f"O-CLOSE asks {condition}", f"{SERVED}\n{away}\nS: close APPQ\nnew INIT1 => nothing")
        for condition, away in (
            ("C6", "ALTER QLOCAL(APPQ) PROCESS(NOPROC)"),
            ("C7", "ALTER QLOCAL(INIT1) PUT(DISABLED)"),
            ("C8", "M: close INIT1"),
            ("C9", "ALTER QLOCAL(APPQ) NOTRIGGER"),
            ("C10", "ALTER QLOCAL(APPQ) TRIGTYPE(NONE)"),
            ("C2", "ALTER QLOCAL(APPQ) TRIGMPRI(1)"),
        )
    ),
    (
        "T10",
        f"""
        {AFTER_T08}
        S: open APPQ input-shared set
        S: get from APPQ => m1
        S: get from APPQ => m2
        S: get from APPQ => m3
        S: set APPQ TRIGGER_CONTROL=1
        new INIT1 => nothing
        S: close APPQ
        new INIT1 => nothing
        """,
    ),
    (
        "T36",
        f"""
        {DEPTH_3}
        ALTER QLOCAL(APPQ) TRIGDPTH(2) NOTRIGGER
        put m*5 on APPQ
        S: open APPQ input-shared
        A: set APPQ TRIGGER_CONTROL=1
        new INIT1 => nothing
        S: close APPQ
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    (
        "T37",
        """
        S: get from APPQ => 2/2033
        put m1 on APPQ
        new INIT1 => nothing
        S: close APPQ
        new INIT1 => APPQ
        """,
    ),
    (
        "T38",
        """
        S1: open APPQ input-shared
        S2: open APPQ input-shared
        put m1 on APPQ
        S1: close APPQ
        new INIT1 => nothing
        S2: close APPQ
        new INIT1 => APPQ
        """,
    ),
    (
        "T39",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        S: get from APPQ syncpoint => m1
        S: back
        new INIT1 => nothing
        S: close APPQ
        new INIT1 => APPQ
        get from APPQ browse-first => m1 bc=1
        """,
    ),
    (
        "T40",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        S: get from APPQ syncpoint => m1
        S: close APPQ
        new INIT1 => nothing
        S: back
        new INIT1 => nothing
        on APPQ => m1
        """,
    ),
    (
        "T41 in one process",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        S: get from APPQ syncpoint => m1
        S: abend
        new INIT1 => APPQ
        get from APPQ browse-first => m1 bc=1
        """,
    ),
    (
        "T42",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)
        S: open APPQ input-shared
        put m*3 on APPQ
        new INIT1 => APPQ APPQ APPQ
        S: close APPQ
        new INIT1 => nothing
        """,
    ),
)

CHANGES = (
    (
        "O-ALTER FIRST",
        """
        ALTER QLOCAL(APPQ) NOTRIGGER
        put m*2 on APPQ
        ALTER QLOCAL(APPQ) TRIGGER
        new INIT1 => APPQ
        TRIGGER => alter/APPQ/0
        """,
    ),
    (
        "O-ALTER by MQSET",
        """
        ALTER QLOCAL(APPQ) NOTRIGGER
        put m*2 on APPQ
        S: set APPQ TRIGGER_CONTROL=1
        new INIT1 => APPQ
        S: set APPQ TRIGGER_CONTROL=1
        new INIT1 => nothing
        S: set APPQ TRIGGER_DATA=other
        new INIT1 => nothing
        S: set APPQ TRIGGER_TYPE=2
        new INIT1 => APPQ
        """,
    ),
    (
        "O-ALTER of several criteria is one event",
        """
        put m*2 on APPQ
        new INIT1 => APPQ
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2) TRIGMPRI(0)
        new INIT1 => APPQ
        """,
    ),
    (
        "O-ALTER by DEFINE REPLACE",
        """
        ALTER QLOCAL(APPQ) NOTRIGGER
        put m1 on APPQ
        DEFINE QLOCAL(APPQ) REPLACE TRIGGER PROCESS(P1) INITQ(INIT1)
        new INIT1 => APPQ
        """,
    ),
    *(
        (
            f"O-ALTER asks {condition}",
            f"""
            ALTER QLOCAL(APPQ) NOTRIGGER
            put m*2 on APPQ
            {away}
            ALTER QLOCAL(APPQ) TRIGGER
            new INIT1 => nothing
            """,
        )
        for condition, away in (
            ("C4", "S: open APPQ input-shared"),
            ("C5", "ALTER QLOCAL(APPQ) GET(DISABLED)"),
            ("C6", "ALTER QLOCAL(APPQ) PROCESS(' ')"),
            ("C7", "ALTER QLOCAL(INIT1) GET(DISABLED)"),
            ("C10", "ALTER QLOCAL(APPQ) TRIGTYPE(NONE)"),
            ("C13", "A: close APPQ\nCLEAR QLOCAL(APPQ)"),
        )
    ),
    (
        "O-ALTER EVERY does not ask C4",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY) NOTRIGGER
        S: open APPQ input-shared
        put m*3 on APPQ
        ALTER QLOCAL(APPQ) TRIGGER
        new INIT1 => APPQ
        """,
    ),
    (
        "T11",
        f"""
        {AFTER_T08}
        ALTER QLOCAL(APPQ) TRIGGER
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    ("T31", T31),
    (
        "T43",
        """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)
        put m*3 on APPQ priority=1
        new INIT1 => APPQ APPQ APPQ
        ALTER QLOCAL(APPQ) TRIGMPRI(1)
        new INIT1 => APPQ
        """,
    ),
    (
        "T44",
        """
        put m*3 on APPQ
        new INIT1 => APPQ
        ALTER QLOCAL(APPQ) TRIGDPTH(2)
        new INIT1 => nothing
        """,
    ),
    (
        "T45",
        """
        put m1 on APPQ
        new INIT1 => APPQ
        ALTER QLOCAL(APPQ) TRIGGER
        new INIT1 => nothing
        """,
    ),
    (
        "O-ALTER is not part of a unit of work",
        """
        ALTER QLOCAL(APPQ) NOTRIGGER
        put m1 on APPQ syncpoint
        set APPQ TRIGGER_CONTROL=1
        new INIT1 => APPQ
        back
        new INIT1 => nothing
        depth INIT1 => 1
        """,
    ),
    ("O-GET, T19", f"{ONE_MESSAGE}\nALTER QLOCAL(APPQ) GET(ENABLED)\nnew INIT1 => APPQ\nTRIGGER => get-enabled/APPQ/0"),
    ("O-GET by MQSET", f"{ONE_MESSAGE}\nset APPQ INHIBIT_GET=0\nnew INIT1 => APPQ"),
    (
        "O-GET EVERY once",
        """
        ALTER QLOCAL(APPQ) GET(DISABLED) TRIGTYPE(EVERY)
        put m*3 on APPQ
        new INIT1 => nothing
        ALTER QLOCAL(APPQ) GET(ENABLED)
        new INIT1 => APPQ
        """,
    ),
    (
        "O-GET DEPTH",
        f"""
        {DEPTH_3} GET(DISABLED)
        put m*3 on APPQ
        ALTER QLOCAL(APPQ) GET(ENABLED)
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    *(
        (f"O-GET asks {condition}", f"{ONE_MESSAGE}\n{away}\nALTER QLOCAL(APPQ) GET(ENABLED)\nnew INIT1 => nothing")
        for condition, away in (
            ("C4", "S: open APPQ input-shared"),
            ("C6", "DELETE PROCESS(P1)"),
            ("C7", "ALTER QLOCAL(INIT1) PUT(DISABLED)"),
            ("C8", "M: close INIT1"),
            ("C9", "ALTER QLOCAL(APPQ) NOTRIGGER"),
            ("C13", "A: close APPQ\nCLEAR QLOCAL(APPQ)"),
        )
    ),
    (
        "T25",
        f"""
        ALTER QLOCAL(INIT1) PUT(DISABLED)
        put m1 on APPQ
        {APPQ2} REPLACE
        put n*4 on APPQ2
        new INIT1 => nothing
        ALTER QLOCAL(INIT1) PUT(ENABLED)
        new INIT1 => APPQ APPQ2
        TRIGGER => initq-enabled/APPQ/0 initq-enabled/APPQ2/0
        ALTER QLOCAL(INIT1) PUT(ENABLED)
        new INIT1 => nothing
        """,
    ),
    (
        "O-INITQ-PUT by MQSET",
        """
        ALTER QLOCAL(INIT1) PUT(DISABLED)
        put m1 on APPQ
        set INIT1 INHIBIT_PUT=0
        new INIT1 => APPQ
        """,
    ),
    *(
        (
            f"O-INITQ-PUT asks {condition}",
            f"""
            ALTER QLOCAL(INIT1) PUT(DISABLED)
            put m1 on APPQ
            {away}
            ALTER QLOCAL(INIT1) PUT(ENABLED)
            new INIT1 => nothing
            """,
        )
        for condition, away in (
            ("C4", "S: open APPQ input-shared"),
            ("C5", "ALTER QLOCAL(APPQ) GET(DISABLED)"),
            ("C6", "DELETE PROCESS(P1)"),
            ("C7", "ALTER QLOCAL(INIT1) GET(DISABLED)"),
            ("C8", "M: close INIT1"),
            ("C9", "ALTER QLOCAL(APPQ) NOTRIGGER"),
        )
    ),
    (
        "T61",
        """
        ALTER QLOCAL(INIT1) GET(DISABLED)
        put m1 on APPQ
        ALTER QLOCAL(INIT1) GET(ENABLED)
        new INIT1 => nothing
        M: close INIT1
        M: open INIT1 input-shared
        new INIT1 => APPQ
        """,
    ),
    (
        "no event: defining the missing initiation queue or process",
        """
        ALTER QLOCAL(APPQ) INITQ(INIT2) PROCESS(P2)
        put m1 on APPQ
        DEFINE QLOCAL(INIT2)
        DEFINE PROCESS(P2)
        depth INIT2 => 0
        M: open INIT2 input-shared
        new INIT2 => APPQ
        """,
    ),
    (
        "no event: room on a full initiation queue",
        """
        ALTER QLOCAL(INIT1) MAXDEPTH(0)
        put m1 on APPQ
        TRIGGER_LOST => put/APPQ/2053
        ALTER QLOCAL(INIT1) MAXDEPTH(5)
        new INIT1 => nothing
        """,
    ),
)

MONITORS = (
    ("T29", T29),
    ("T30", f"{T29}\nM2: open INIT1 input-shared\nnew INIT1 => nothing"),
    (
        "T49",
        """
        put m1 on APPQ persistence=1
        put m2 on APPQ persistence=1
        new INIT1 => APPQ
        A: restart
        depth INIT1 => 0
        depth APPQ => 2
        new INIT1 => nothing
        M: open INIT1 input-shared
        new INIT1 => APPQ
        """,
    ),
    (
        "TRIGINT is reset by a restart",
        """
        M: close INIT1
        DEFINE QLOCAL(INIT2)
        M: open INIT2 input-shared
        ALTER QLOCAL(APPQ) INITQ(INIT2)
        put m1 on APPQ persistence=1
        new INIT2 => APPQ
        A: restart
        ALTER QLOCAL(INIT2) PUT(DISABLED)
        M: open INIT2 input-shared
        ALTER QLOCAL(APPQ) GET(DISABLED)
        ALTER QLOCAL(INIT2) PUT(ENABLED)
        ALTER QLOCAL(APPQ) PROCESS(NOPROC)
        ALTER QLOCAL(APPQ) GET(ENABLED)
        ALTER QLOCAL(APPQ) PROCESS(P1)
        new INIT2 => nothing
        put m2 on APPQ
        new INIT2 => APPQ
        """,
    ),
    ("T64", f"{T31}\nM: open INIT1 input-shared\nnew INIT1 => APPQ\ndepth INIT1 => 2"),
    (
        "O-OPEN DEPTH",
        f"""
        M: close INIT1
        {DEPTH_3}
        put m*3 on APPQ
        M: open INIT1 input-shared
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        """,
    ),
    ("O-OPEN for browse is none", f"{T28}\nB: open INIT1 browse\nnew INIT1 => nothing"),
    (
        "O-OPEN through an alias",
        f"""
        DEFINE QALIAS(DOOR) TARGET(INIT1)
        {T28}
        B: open DOOR input-shared
        new INIT1 => APPQ
        """,
    ),
    *(
        (f"O-OPEN asks {condition}", f"{T28}\n{away}\nM: open INIT1 input-shared\nnew INIT1 => nothing")
        for condition, away in (
            ("C4", "S: open APPQ input-shared"),
            ("C5", "ALTER QLOCAL(APPQ) GET(DISABLED)"),
            ("C6", "DELETE PROCESS(P1)"),
            ("C7", "ALTER QLOCAL(INIT1) PUT(DISABLED)"),
            ("C9", "ALTER QLOCAL(APPQ) NOTRIGGER"),
            ("C10", "ALTER QLOCAL(APPQ) TRIGTYPE(NONE)"),
            ("C13", "A: close APPQ\nCLEAR QLOCAL(APPQ)"),
        )
    ),
    (
        "these events take no heed of TRIGINT and start it anew",
        """
        ALTER QMGR TRIGINT(5000)
        put m1 on APPQ
        new INIT1 => APPQ
        advance 4
        S: open APPQ input-shared
        S: close APPQ
        new INIT1 => APPQ
        advance 1.5
        put m2 on APPQ
        new INIT1 => nothing
        advance 3.5
        put m3 on APPQ
        new INIT1 => APPQ
        """,
    ),
)

ALL = (*CLOSES, *CHANGES, *MONITORS)


@pytest.mark.parametrize(("id", "text"), ALL, ids=[id for id, _ in ALL])
def test_an_event(qmgr: QueueManager, id: str, text: str) -> None:
    TriggerPlay(qmgr).run(text)

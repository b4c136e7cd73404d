"""An open handle notices what has changed since its last call."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.client.api import QueueManager
from store.client.open_store import open_store
from tests.conftest import START
from tests.scenarios.play import Play

OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(R)
    DEFINE QALIAS(AL) TARGET(Q)
    DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)
    put m0
    put a0 on AL
"""
SCENARIOS = {
    "attributes": """
        ALTER QLOCAL(Q) DEFPRTY(7)
        put m1
        get => m1 priority=7
        ALTER QLOCAL(Q) PUT(DISABLED)
        put m2 => 2/2051
        put a2 on AL => 2/2051
        ALTER QLOCAL(Q) PUT(ENABLED)
        ALTER QALIAS(AL) PUT(DISABLED)
        put m2
        put a2 on AL => 2/2051
    """,
    "depth and room": """
        ALTER QLOCAL(Q) MAXDEPTH(3)
        B: put m1
        put m2 => 2/2053
        get => m0
        put m2
    """,
    "a change with FORCE": """
        ALTER QALIAS(AL) TARGET(R) FORCE
        put a1 on AL => 2/2041
        put m1
        ALTER QLOCAL(Q) USAGE(XMITQ) FORCE
        put m1 => 2/2041
    """,
    "a deleted queue": """
        open PERM output dynamic=D as D
        B: open D output as D
        B: close D delete
        put m on D => 2/2052
    """,
    "a queue manager that ended": """
        broken
        put m => 2/2009
    """,
    "MAXUMSGS of the queue manager": """
        ALTER QMGR MAXUMSGS(1)
        put m1 syncpoint
        put m2 syncpoint => 2/2024
    """,
    "a quiescing queue manager": """
        end
        put m1
        put m2 fail-if-quiescing => 2/2161
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_what_a_handle_notices(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run(OBJECTS + text)


def test_a_manual_clock_that_another_program_moved_counts_at_once(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'manual.db'}") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        play = Play(qmgr)
        play.run(OBJECTS + "put e expiry=10 on R\nput f expiry=20 on R")
        with open_store(f"sqlite:///{store.path}") as program:
            program.queue_manager("QM1").advance_clock(1_000_000)
        play.run("get from R => f expiry=10")

"""MQCLOSE and its options (mqi-semantics §2.4)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.play import Play

OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QALIAS(AL) TARGET(Q)
    DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)
    DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)
"""
SCENARIOS = {
    "a closed handle answers 2019": """
        open Q input-shared output inquire as X
        close X
        again X => 2/2019
    """,
    "options that no close has": """
        open Q output as X
        close X delete delete-purge => 2/2046
        close X 0x100 => 2/2046
        put m on X
        close X quiesce
    """,
    "only a dynamic queue can be deleted": """
        open Q output as X
        close X delete => 2/2045
        open AL output as Y
        close Y delete-purge => 2/2045
        put m on X
    """,
    "a permanent dynamic queue": """
        open PERM output input-shared dynamic=P as X
        put m on X
        close X delete => 2/2055
        get from X => m
        close X delete
        open P output => 2/2085
    """,
    "purge takes the messages along, but not uncommitted ones": """
        open PERM output dynamic=P as X
        put m1 on X
        put m2 on X syncpoint
        close X delete-purge => 2/2055
        commit
        close X delete-purge
        open P output => 2/2085
        history DELETE P => dynamic
    """,
    "any handle may delete a permanent dynamic queue, which goes with its last handle": """
        open PERM output dynamic=P as X
        B: open P output as X
        B: close X delete
        put m on X => 2/2052
        close X delete
        open P output => 2/2085
    """,
    "only its creator deletes a temporary dynamic queue": """
        open TEMP output dynamic=T as X
        B: open T output as X
        B: close X delete => 2/2045
        put m on X
        close X delete
        B: put m on X => 2/2052
    """,
    "a handle that closes inside a group warns": """
        open Q output as X
        put m1 on X flags=MSG_IN_GROUP logical-order
        close X => 1/2241
        open Q output as Y
        put s1 on Y flags=SEGMENT logical-order
        close Y => 1/2242
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_close(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run(OBJECTS + text)

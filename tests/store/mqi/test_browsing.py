"""Browse cursors, locks and marks (mqi-semantics §4.1)."""

from __future__ import annotations

import pytest

from store.admin.altering import change_queue_manager
from store.client.api import QueueManager
from tests.scenarios.play import Play
from tests.store.tables import rows

SCENARIOS = {
    "a lock keeps a message from others until the next browse with a lock": """
        get browse-first lock => m1
        B: get => m2
        get browse-next lock => m3
        B: get => m1
        B: get => 2/2033
    """,
    "a browse without LOCK releases the lock too": """
        get browse-first lock => m1
        get browse-next => m2
        B: get => m1
    """,
    "UNLOCK releases it, and warns when there is nothing to release": """
        get unlock => 1/2209
        get browse-first lock => m1
        get unlock => 0/0
        B: get => m1
        get unlock => 1/2209
    """,
    "the own lock is no obstacle, and getting the message releases it": """
        get browse-first lock => m1
        get msg-under-cursor => m1
        get unlock => 1/2209
    """,
    "a browse that finds a message too long locks it, but leaves the cursor": """
        get browse-first lock buffer=1 => 1/2080
        B: get => m2
        get browse-msg-under-cursor => 2/2034
    """,
    "a mark of the handle hides a message from that handle": """
        get browse-first mark-browse-handle => m1
        get browse-first unmarked-browse-msg => m2
        B: get browse-first unmarked-browse-msg => m1
        get browse-first => m1
        get browse-msg-under-cursor unmark-browse-handle => m1
        get browse-first unmarked-browse-msg => m1
    """,
    "a co-operative mark hides it from every handle": """
        get browse-first mark-browse-co-op => m1
        B: get browse-first unmarked-browse-msg => m2
        B: get browse-first => m1
        get browse-first unmark-browse-co-op => m1
        B: get browse-first unmarked-browse-msg => m1
    """,
    "a message that was too long is not marked": """
        get browse-first mark-browse-co-op buffer=1 => 1/2080
        get browse-first mark-browse-handle buffer=1 => 1/2080
        get browse-first unmarked-browse-msg => m1
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_cursors_locks_and_marks(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q)\nput m1 m2 m3\n" + text)


@rows((5000, 4.999, "m2"), (5000, 5, "m1"), ("NOLIMIT", 10**9, "m2"))
def test_a_co_operative_mark_lasts_for_markint(
    qmgr: QueueManager, interval: int | str, seconds: float, found: str
) -> None:
    change_queue_manager(qmgr, {"MARKINT": interval})
    Play(qmgr).run(f"""
        DEFINE QLOCAL(Q)
        put m1 m2
        get browse-first mark-browse-co-op => m1
        advance {seconds}
        B: get browse-first unmarked-browse-msg => {found}
    """)

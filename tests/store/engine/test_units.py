"""Units of work are committed or backed out: depths, counts, trigger messages, history."""

from __future__ import annotations

import pytest

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine import units
from mqsc.store.sqlite.database import Transaction
from tests.rows import rows
from tests.scenarios.looking import happened
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import Happened, history
from tests.store.plays import plays


def backouts(qmgr: QueueManager) -> list[Happened]:
    """Return the BACKOUT events, which do not name a queue."""
    return [each for each in history(qmgr.store, None) if each.kind == "BACKOUT"]


SCENARIOS = {
    "a commit makes puts available and gets final": """
        put m1 · get syncpoint => m1
        put m2 syncpoint · depth Q => 1
        commit · on Q => m2 · depth Q => 1
    """,
    "a backout returns gets in their place and withdraws puts": """
        put m1 m2 · get syncpoint => m1
        put m3 syncpoint · depth Q => 2
        back · on Q => m1 m2 · depth Q => 2 · get => m1 bc=1
    """,
    "every backout counts": """
        put m1 · get syncpoint => m1
        back · get syncpoint => m1 bc=1
        back · get => m1 bc=2
    """,
    "a unit of work is its connection's own": """
        put m1 · A: get syncpoint => m1
        B: put m2 syncpoint · B: back · depth Q => 0
        A: back · on Q => m1
    """,
    "depths may rise above MAXDEPTH": """
        ALTER QLOCAL(Q) MAXDEPTH(1) · put m1 · get syncpoint => m1
        put m2 · back · depth Q => 2 · put m3 => 2/2053
    """,
    "a message skipped by the backout is got again in the next unit of work": """
        put m1 m2 · get syncpoint mark-skip-backout => m1 · get syncpoint => m2
        back · on Q => m2 · depth Q => 1
        back · on Q => m1 m2 · get => m1 bc=1
    """,
    "several queues": """
        put m1 · put r1 on R · get syncpoint => m1
        put r2 on R syncpoint · get from R syncpoint => r1
        back · depth Q => 1 · depth R => 1
    """,
}

test_units_of_work = plays("DEFINE QLOCAL(Q) · DEFINE QLOCAL(R)", SCENARIOS)


def test_the_history_counts_what_was_backed_out_by_queue(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("""
        DEFINE QLOCAL(Q) · DEFINE QLOCAL(R) · put m1 m2 · get syncpoint => m1
        get syncpoint mark-skip-backout => m2
        put r1 r2 on R syncpoint · back
    """)
    (event,) = backouts(qmgr)
    assert event.cause == "application"
    assert (event.detail["Q"], event.detail["R"]) == (
        {"puts": 0, "gets": 1},
        {"puts": 2, "gets": 0},
    )
    assert event.detail["skipped message"]["msg_id"] == play.placed["m2"].msg_id.hex()


def test_an_empty_unit_of_work_leaves_no_backout_in_the_history(qmgr: QueueManager) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        units.back_out(tx, qmgr.call_context(tx), 99, "application")
    assert backouts(qmgr) == []


def test_a_backout_names_no_queue_that_is_gone(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · put m1 syncpoint")
    with Transaction(qmgr.store.database, durable=False) as tx:
        tx.execute("DELETE FROM queue WHERE name = 'Q'", ())
    # An audit finds the message that has no queue.
    play.managers.clear()
    play.run("back")
    (event,) = backouts(qmgr)
    assert event.detail == {"deleted queue": {"puts": 1, "gets": 0}}


@pytest.mark.parametrize("commit", ["commit", "prepare CH 1 · resolve CH 1 commit"])
@rows(("ON", 1), ("OFF", 0))
def test_a_commit_is_recorded_if_a_queue_wants_it(
    qmgr: QueueManager,
    commit: str,
    wanted: str,
    number: int,
) -> None:
    Play(qmgr).run(f"DEFINE QLOCAL(Q) ACCTQ({wanted}) · put m syncpoint · {commit}")
    assert len(happened(qmgr.store, "COMMIT")) == number


@pytest.mark.parametrize(
    ("prepare", "back"),
    [("depth APPQ => 1", "back"), ("prepare CH 1", "resolve CH 1 backout")],
)
@rows(("FIRST", "APPQ"), ("DEPTH", "APPQ"), ("EVERY", "nothing"))
def test_trigger_messages_wait_for_the_end_and_survive_a_backout(
    qmgr: QueueManager,
    prepare: str,
    back: str,
    kind: str,
    kept: str,
) -> None:
    TriggerPlay(qmgr).run(f"""
        ALTER QLOCAL(APPQ) TRIGTYPE({kind}) TRIGDPTH(1) · put m1 on APPQ syncpoint · {prepare} · new INIT1 => nothing
        {back} · new INIT1 => {kept} · depth APPQ => 0
    """)


def test_a_marked_message_that_went_with_its_dynamic_queue_takes_no_other_with_it(
    qmgr: QueueManager,
) -> None:
    """Another message may have reused its row number."""
    Play(qmgr).run("""
        DEFINE QLOCAL(Q) · DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN) · open TEMP input-shared output dynamic=D as D
        put gone on D · get from D syncpoint mark-skip-backout => gone
        close D · B: put m1 · back · on Q => m1
    """)


def test_nor_one_that_another_unit_of_work_holds(qmgr: QueueManager) -> None:
    Play(qmgr).run("""
        DEFINE QLOCAL(Q) · DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN) · put q1 on Q
        open TEMP input-shared output dynamic=D as D · put gone on D
        get from D syncpoint mark-skip-backout => gone · get from Q syncpoint => q1
        close D · B: put m1 on Q syncpoint · back · depth Q => 2 · on Q => q1 · B: commit · on Q => q1 m1
    """)

"""The messages that a get may select and how long it waits, browse cursors, locks and marks
(mqi-semantics §4).
"""

from __future__ import annotations

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQMO, MQOO, MQRC
from mqsc.store.engine.change_watch import NEVER
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi.get_wait import UNLIMITED, GetWait
from mqsc.store.mqi.message_choice import selection
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row
from tests.store.mqi.calls import reason_of
from tests.store.plays import failures, plays

# m1 has no CorrelId; m4 and m5 are the group G.
MESSAGES = """
    DEFINE QLOCAL(Q) · put m1 · put m2 correl_id=C priority=9 · put m3 correl_id=C
    put m4 group_id=G flags=MSG_IN_GROUP seq=1 · put m5 group_id=G flags=LAST_MSG_IN_GROUP seq=2
"""
NOT_IN_ORDER = ("seq=2 logical-order", "offset=16 logical-order")
# The words of gets, by the message that they find or the reason.
GETS = {
    "m2": (
        "",
        "msg_id=",
        "correl_id=C",
        "correl_id=",
        "group_id=",
        "offset=0",
        "seq=1 logical-order",
    ),
    "m3": ("msg_id=m3", "correl_id=C msg_id=m3"),
    "m4": ("group_id=G", "group_id=G logical-order"),
    "m5": ("group_id=G seq=2", "seq=2"),
    "2/2033": ("correl_id=C msg_id=m1", "group_id= msg_id=m4", "seq=3", "offset=16", *NOT_IN_ORDER),
}


@pytest.mark.parametrize("how", ["syncpoint", "browse-first"])
def test_match_options(qmgr: QueueManager, how: str) -> None:
    play = Play(qmgr)
    play.run(MESSAGES)
    gets = [f"get {how} {words} => {found} · back" for found, by in GETS.items() for words in by]
    assert failures(play, *gets) == []


SCENARIOS = {
    "the cursor goes on behind its message, whatever priority comes meanwhile": """
        put a b priority=5 · get browse-first => a
        put high priority=9 · put low priority=1
        get browse-next => b · get browse-next => low · get browse-next => 2/2033
        put c priority=1 · get browse-next => c · get browse-first => high
    """,
    "a cursor on a message that is gone": """
        put a b · get browse-first => a · B: get => a · get browse-msg-under-cursor => 2/2034 · get browse-next => b
    """,
    "without a cursor BROWSE_NEXT begins at the front": (
        "put a b · get browse-next => a · get browse-next => b"
    ),
    "browse next by correlation id": """
        put a correl_id=C · put b · put c correl_id=C · get browse-first correl_id=C => a
        get browse-next correl_id=C => c · get browse-next correl_id=C => 2/2033
    """,
}

test_cursors = plays("DEFINE QLOCAL(Q)", SCENARIOS)


@rows(("", 0, "get"), ("", 16, "browse"), ("channel", 16, "channel"))
def test_the_cause_recorded_for_expired_messages(
    qmgr: QueueManager,
    agent: str,
    browse: int,
    cause: str,
) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q)")
    handle = qmgr.connect(agent=agent).open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE)
    (chosen,) = selection(handle, queue_row(qmgr, "Q").id, GetMessageOptions(browse), START)
    assert (chosen.cause, chosen.conditions) == (cause, frozenset({"unlocked"}))


def test_the_lists_of_selections(qmgr: QueueManager) -> None:
    """After the cursor come the rest of its priority, then lower ones. Without a cursor, nothing
    is under it.
    """
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · put a priority=3 · open Q input-shared browse as X")
    handle, number = play.handles["A", "X", "get"], queue_row(qmgr, "Q").id
    under, after = GetMessageOptions(256), GetMessageOptions(32, match_options=MQMO.MATCH_MSG_ID)
    assert selection(handle, number, under, START) == []
    assert len(selection(handle, number, after, START)) == 1
    play.run("get from X browse-first => a")
    places = [
        (each.conditions, each.values["rank"]) for each in selection(handle, number, after, START)
    ]
    assert places == [(frozenset({"unlocked", name}), 3) for name in ("same_rank", "lower_rank")]
    (only,) = selection(handle, number, under, START)
    assert only.conditions == {"unlocked", "id"}


LOCKS = {
    "a lock keeps a message from others until the next browse with a lock": """
        get browse-first lock => m1 · B: get => m2 · get browse-next lock => m3 · B: get => m1 · B: get => 2/2033
    """,
    "a browse without LOCK releases the lock too": (
        "get browse-first lock => m1 · get browse-next => m2 · B: get => m1"
    ),
    "UNLOCK releases it, and warns when there is nothing to release": """
        get unlock => 1/2209 · get browse-first lock => m1 · get unlock => 0/0 · B: get => m1 · get unlock => 1/2209
    """,
    "the own lock is no obstacle, and getting the message releases it": """
        get browse-first lock => m1 · get msg-under-cursor => m1 · get unlock => 1/2209
    """,
    "a browse that finds a message too long does not lock it, and leaves the cursor": """
        get browse-first lock buffer=1 => 1/2080 · B: get => m1 · get browse-msg-under-cursor => 2/2034
    """,
    "a mark of the handle hides a message from that handle": """
        get browse-first mark-browse-handle => m1 · get browse-first unmarked-browse-msg => m2
        B: get browse-first unmarked-browse-msg => m1 · get browse-first => m1
        get browse-msg-under-cursor unmark-browse-handle => m1 · get browse-first unmarked-browse-msg => m1
    """,
    "a co-operative mark hides it from every co-operating handle": """
        get browse-first mark-browse-co-op => m1 · B: get browse-first unmarked-browse-msg => m2
        B: get browse-first => m1
        get browse-first unmark-browse-co-op => m1 · B: get browse-first unmarked-browse-msg => m1
    """,
    "a message that was too long is not marked": """
        get browse-first mark-browse-co-op buffer=1 => 1/2080
        get browse-first mark-browse-handle buffer=1 => 1/2080 · get browse-first unmarked-browse-msg => m1
    """,
}

test_cursors_locks_and_marks = plays("DEFINE QLOCAL(Q) · put m1 m2 m3", LOCKS)


@rows((5000, 4.999, "m2"), (5000, 5, "m1"), ("NOLIMIT", 10**9, "m2"))
def test_a_co_operative_mark_lasts_for_markint(
    qmgr: QueueManager,
    interval: object,
    wait: float,
    found: str,
) -> None:
    Play(qmgr).run(f"""
        ALTER QMGR MARKINT({interval}) · DEFINE QLOCAL(Q) · put m1 m2 · get browse-first mark-browse-co-op => m1
        advance {wait} · B: get browse-first unmarked-browse-msg => {found}
    """)


@pytest.fixture
def handle(qmgr: QueueManager) -> ObjectHandle:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr.connect().open("Q", MQOO.INPUT_SHARED)


def get_wait(handle: ObjectHandle, interval: int) -> GetWait:
    return GetWait(handle, GetMessageOptions(MQGMO.WAIT, wait_interval=interval))


# (interval in milliseconds, seconds that pass between searches, whether the wait continues after
# each)
@rows(
    (0, [0.0], [False]),
    (1000, [0.999, 0.001], [True, False]),
    (1000, [0.5, 0.5, 9], [True, False, False]),
    (1000, [-60, 0.999, 0.001], [True, True, False]),
    (UNLIMITED, [1e6, 1e6], [True, True]),
)
def test_a_wait_lasts_for_its_interval_on_the_queue_managers_clock(
    handle: ObjectHandle,
    environment: Environment[FrozenClock],
    interval: int,
    passes: list[float],
    goes_on: list[bool],
) -> None:
    """Setting the clock back does not make a wait longer."""
    wait = get_wait(handle, interval)
    # The interval begins with the first search.
    assert not interval or wait.goes_on(NEVER)
    found = []
    for seconds in passes:
        environment.clock.set(environment.clock.now() + round(seconds * 1_000_000))
        found.append(wait.goes_on(NEVER))
    assert found == goes_on


def test_a_change_of_the_store_ends_a_look(qmgr: QueueManager, handle: ObjectHandle) -> None:
    wait, seen = get_wait(handle, UNLIMITED), qmgr.store.database.data_version()
    with qmgr.connect() as program:
        program.put1("Q", Message(b"x"))
    assert wait.goes_on(seen)


def test_work_of_dead_programs_is_recovered_before_time_is_up(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    wait = get_wait(handle, 0)
    qmgr.store.abandoned.append(qmgr.connect().number)
    assert [wait.goes_on(NEVER), wait.goes_on(NEVER)] == [True, False]


def test_a_wait_ends_with_its_queue_manager(qmgr: QueueManager, handle: ObjectHandle) -> None:
    wait = get_wait(handle, UNLIMITED)
    qmgr.end(immediate=True)
    assert reason_of(lambda: wait.goes_on(NEVER)) == MQRC.CONNECTION_BROKEN

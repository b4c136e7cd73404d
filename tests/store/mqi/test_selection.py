"""The messages that a get may select (mqi-semantics §4.1, §4.2)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from store.constants import MQMO, MQOO
from store.message import GetMessageOptions
from store.mqi.message_choice import selection
from tests.conftest import START
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row
from tests.store.tables import rows

# m1 has no CorrelId; m4 and m5 are the group G.
MESSAGES = """
    DEFINE QLOCAL(Q)
    put m1
    put m2 correl_id=C priority=9
    put m3 correl_id=C
    put m4 group_id=G flags=MSG_IN_GROUP seq=1
    put m5 group_id=G flags=LAST_MSG_IN_GROUP seq=2
"""
# (the words of a get, the message or the reason)
GETS = [
    ("", "m2"),
    ("msg_id=m3", "m3"),
    ("msg_id=", "m2"),
    ("correl_id=C", "m2"),
    ("correl_id=C msg_id=m3", "m3"),
    ("correl_id=C msg_id=m1", "2/2033"),
    ("correl_id=", "m2"),
    ("group_id=G", "m4"),
    ("group_id=", "m2"),
    ("group_id= msg_id=m4", "2/2033"),
    ("group_id=G seq=2", "m5"),
    ("seq=2", "m5"),
    ("seq=3", "2/2033"),
    ("offset=0", "m2"),
    ("offset=16", "2/2033"),
    ("seq=2 logical-order", "2/2033"),
    ("seq=1 logical-order", "m2"),
    ("offset=16 logical-order", "2/2033"),
    ("group_id=G logical-order", "m4"),
]


@pytest.mark.parametrize("browse", ["", "browse-first "])
def test_match_options(qmgr: QueueManager, browse: str) -> None:
    wrong = []
    play = Play(qmgr)
    play.run(MESSAGES)
    for words, found in GETS:
        try:
            play.run(f"get syncpoint {words} => {found}" if not browse else f"get {browse}{words} => {found}")
        except AssertionError as came:
            wrong.append(str(came))
        play.run("back")
    assert wrong == []


SCENARIOS = {
    "the cursor goes on behind its message, whatever priority comes meanwhile": """
        put a b priority=5
        get browse-first => a
        put high priority=9
        put low priority=1
        get browse-next => b
        get browse-next => low
        get browse-next => 2/2033
        put c priority=1
        get browse-next => c
        get browse-first => high
    """,
    "a cursor on a message that is gone": """
        put a b
        get browse-first => a
        B: get => a
        get browse-msg-under-cursor => 2/2034
        get browse-next => b
    """,
    "without a cursor BROWSE_NEXT begins at the front": """
        put a b
        get browse-next => a
        get browse-next => b
    """,
    "browse next by correlation id": """
        put a correl_id=C
        put b
        put c correl_id=C
        get browse-first correl_id=C => a
        get browse-next correl_id=C => c
        get browse-next correl_id=C => 2/2033
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_cursors(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q)\n" + text)


@rows(("", 0, "get"), ("", 16, "browse"), ("channel", 16, "channel"))
def test_the_cause_recorded_for_expired_messages(qmgr: QueueManager, agent: str, browse: int, cause: str) -> None:
    Play(qmgr).run("DEFINE QLOCAL(Q)")
    with qmgr.connect(agent=agent) as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE)
        (chosen,) = selection(handle, queue_row(qmgr, "Q").id, GetMessageOptions(browse), START)
        assert (chosen.cause, chosen.conditions) == (cause, frozenset({"unlocked"}))


def test_the_lists_of_selections(qmgr: QueueManager) -> None:
    """After the cursor come the rest of its priority, then lower ones. Without a cursor, nothing is under it."""
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nput a priority=3\nopen Q input-shared browse as X")
    handle, number = play.handles["A", "X", "get"], queue_row(qmgr, "Q").id
    under, after = GetMessageOptions(256), GetMessageOptions(32, match_options=MQMO.MATCH_MSG_ID)
    assert selection(handle, number, under, START) == []
    assert len(selection(handle, number, after, START)) == 1
    play.run("get from X browse-first => a")
    places = [(each.conditions, each.values["rank"]) for each in selection(handle, number, after, START)]
    assert places == [(frozenset({"unlocked", name}), 3) for name in ("same_rank", "lower_rank")]
    (only,) = selection(handle, number, under, START)
    assert only.conditions == {"unlocked", "id"}

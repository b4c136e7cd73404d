"""The position of a handle in a group: moved by puts, gets and browses, restored by a backout
(mqi-semantics §4.5).
"""

from __future__ import annotations

from tests.store.plays import plays

MEMBER, LAST, SEGMENT = (
    "flags=MSG_IN_GROUP logical-order",
    "flags=LAST_MSG_IN_GROUP logical-order",
    "flags=SEGMENT",
)
GROUP = f"put a1 a2 {MEMBER}\nput a3 {LAST}\n"
SCENARIOS = {
    "a message outside any group has no place, whatever is given": """
        put m group_id=G seq=7 offset=3 original_length=5 · get => m group_id= seq=1 offset=0
    """,
    "puts in logical order count on": f"""
        put a1 {MEMBER} · put a2 {MEMBER} · put a3 {LAST} · get => a1 seq=1 group_id=a1
        get => a2 seq=2 group_id=a1 · get => a3 seq=3 group_id=a1
        put b1 {MEMBER} · get => b1 seq=1
    """,
    "a put that leaves an unfinished group is refused in logical order, else it warns": f"""
        put a1 {MEMBER} · put m logical-order => 2/2241 · put m => 1/2241
        put m · put s1 {SEGMENT} logical-order · put m logical-order => 2/2242 · put m => 1/2242
    """,
    "a refused put leaves the handle where it was": f"""
        put a1 {MEMBER} · put a2 {MEMBER} expiry=0 => 2/2013
        put a2 {MEMBER} · get => a1 seq=1 · get => a2 seq=2
    """,
    "a group in and out of a unit of work is inconsistent": (
        f"put a1 {MEMBER} syncpoint · put a2 {MEMBER} => 2/2245"
    ),
    "a backout returns the handle to where the unit of work began": f"""
        put a1 {MEMBER} · put a2 {LAST} · put b1 {MEMBER} syncpoint · put b2 {MEMBER} syncpoint · back
        put c1 {LAST} · get => a1 · get => a2 · get => c1 seq=1
    """,
    "a commit keeps it": f"""
        put b1 {MEMBER} syncpoint · commit · put b2 {LAST} syncpoint · commit · get => b1 seq=1 · get => b2 seq=2
    """,
    "gets in logical order take a group as it began": f"""
        put a1 {MEMBER} · B: put b1 {MEMBER} · B: put b2 {LAST} · put a2 {LAST} · get logical-order => a1
        get logical-order => a2 · get logical-order => b1 · get logical-order => b2
    """,
    "gets in logical order wait for the next message of their group": f"""
        put a1 {MEMBER} · B: put single · get logical-order => a1 · get logical-order => 2/2033
        B: get logical-order => single
    """,
    "a get in another order warns that a group was left": f"""
        {GROUP}put single · get logical-order => a1 · get msg_id=single => single 1/2241
        get logical-order => 2/2033
    """,
    "a backout returns the gets of a group": f"""
        {GROUP}get logical-order syncpoint => a1 · get logical-order syncpoint => a2
        back · get logical-order => a1
    """,
    "browses keep their order, or start over": f"""
        {GROUP}get browse-first logical-order => a1 · get browse-next logical-order => a2
        get browse-next => 2/2259 · get browse-first => a1 · get browse-next logical-order => 2/2259
        get browse-next => a2 · get browse-first logical-order => a1
    """,
    "browsing in logical order continues behind the first message of a group": f"""
        put a1 {MEMBER} · B: put single · put a2 {LAST} · get browse-first logical-order => a1
        get browse-next logical-order => a2 · get browse-next logical-order => single
        get browse-next logical-order => 2/2033
    """,
    "getting the message under the cursor is no order": f"""
        {GROUP}get browse-first logical-order => a1 · get msg-under-cursor => a1
        get browse-next logical-order => a2
    """,
}

test_groups = plays("DEFINE QLOCAL(Q)", SCENARIOS)

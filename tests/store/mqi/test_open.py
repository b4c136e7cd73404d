"""MQOPEN in the order of its checks, and MQCLOSE (mqi-semantics §2, §12)."""

from __future__ import annotations

import pytest

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import history, queue_row
from tests.store.plays import failures, plays

OBJECTS = """
    DEFINE QLOCAL(Q) · DEFINE QLOCAL(ALONE) NOSHARE · DEFINE QLOCAL(EXCL) DEFSOPT(EXCL)
    DEFINE QLOCAL(XQ) USAGE(XMITQ) · DEFINE QALIAS(AL) TARGET(Q) · DEFINE QALIAS(LOST) TARGET(NONE)
    DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ) · DEFINE QREMOTE(QM3) RQMNAME(QM2) XMITQ(XQ)
    DEFINE PROCESS(P) · DEFINE NAMELIST(N) · DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)
    DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)
"""
# Objects and options, by completion and reason of the call.
OPENS = {
    "0/0": (
        *(
            "Q output",
            "LOST inquire",
            "FAR output",
            "FAR inquire set",
            "FAR output inquire",
            "Z output at=QM3",
        ),
        *(
            "Q output at=QM1",
            "P inquire type=PROCESS",
            "N inquire type=NAMELIST",
            "QM1 inquire type=Q_MGR",
        ),
        "P inquire type=PROCESS at=QM1",
    ),
    "2/2043": ("P inquire type=77",),
    "2/2045": (
        *("FAR input-shared", "FAR browse", "Z output inquire at=QM3", "Z output set at=QM3"),
        *("Z input-shared at=QM3", "P output type=PROCESS", "P set type=PROCESS"),
    ),
    "2/2046": ("Q 0x0", "Q input-shared input-exclusive"),
    "2/2082": ("LOST output",),
    "2/2085": (
        *(
            "NONE output",
            "NONE inquire",
            "A?B output",
            "NONE inquire type=PROCESS",
            "P inquire type=NAMELIST",
        ),
    ),
    "2/2086": ("Q output at=Q?M", "P inquire type=PROCESS at=QM2"),
    "2/2087": ("Z output at=QM9",),
}


def test_what_can_be_opened_and_how(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS)
    assert (
        failures(
            play,
            *(f"open {each} as X => {ended}" for ended, words in OPENS.items() for each in words),
        )
        == []
    )


SCENARIOS = {
    "shared input excludes exclusive input, and exclusive input any other": """
        A: open Q input-shared as X · B: open Q input-shared as X
        C: open Q input-exclusive as X => 2/2042 · C: open AL input-exclusive as X => 2/2042
        C: open Q output browse as X · A: close X · B: close X · C: open Q input-exclusive as Y
        A: open Q input-shared as X => 2/2042 · A: open Q output as X
    """,
    "NOSHARE makes every input exclusive": """
        A: open ALONE input-shared as X · B: open ALONE input-shared as X => 2/2042
    """,
    "DEFSOPT decides input-as-q-def": """
        A: open EXCL input-as-q-def as X · B: open EXCL input-as-q-def as X => 2/2042
        A: close X · A: open EXCL input-shared as X · B: open EXCL input-as-q-def as X => 2/2042
    """,
    "a refused open leaves no handle": """
        A: open Q input-exclusive as X · B: open Q input-shared output as X => 2/2042
        DISPLAY QLOCAL(Q) OPPROCS IPPROCS => OPPROCS=0 IPPROCS=1
    """,
    "handles of a dead program are not in the way": """
        A: open Q input-exclusive as X · A: abend · B: open Q input-exclusive as X
    """,
    "a model queue makes a dynamic queue": """
        open TEMP output dynamic=D as X => name=D
        put m on X · depth D => 1 · open TEMP output dynamic=D as Y => 2/2100
        open TEMP output at=QM1 dynamic=E as Z => name=E
    """,
    "a permanent dynamic queue cannot be opened while it is deleted": """
        A: open PERM output dynamic=D as X · B: open D output as X
        A: close X delete · A: open D output => 2/2052 · A: open D inquire => 2/2052
    """,
    "a closed handle answers 2019": (
        "open Q input-shared output inquire as X · close X · again X => 2/2019"
    ),
    "options that no close has": """
        open Q output as X · close X delete delete-purge => 2/2046 · close X 0x100 => 2/2046
        put m on X · close X quiesce
    """,
    "only a dynamic queue can be deleted": """
        open Q output as X · close X delete => 2/2045
        open AL output as Y · close Y delete-purge => 2/2045 · put m on X
    """,
    "a permanent dynamic queue": """
        open PERM output input-shared dynamic=P as X · put m on X · close X delete => 2/2055 · get from X => m
        close X delete · open P output => 2/2085
    """,
    "purge takes the messages along, but not uncommitted ones": """
        open PERM output dynamic=P as X · put m1 on X · put m2 on X syncpoint · close X delete-purge => 2/2055
        commit · close X delete-purge · open P output => 2/2085 · history DELETE P => dynamic
    """,
    "any handle may delete a permanent dynamic queue, which goes with its last handle": """
        open PERM output dynamic=P as X · B: open P output as X · B: close X delete · put m on X => 2/2052
        close X delete · open P output => 2/2085
    """,
    "only its creator deletes a temporary dynamic queue": """
        open TEMP output dynamic=T as X · B: open T output as X · B: close X delete => 2/2045
        put m on X · close X delete · B: put m on X => 2/2052
    """,
    "a handle that closes inside a group warns": """
        open Q output as X · put m1 on X flags=MSG_IN_GROUP logical-order · close X => 1/2241
        open Q output as Y · put s1 on Y flags=SEGMENT logical-order · close Y => 1/2242
    """,
}

test_open_and_close = plays(OBJECTS, SCENARIOS)


@pytest.mark.parametrize("words", ["Q output", "P inquire type=PROCESS"])
def test_a_connection_has_at_most_maxhands_handles(qmgr: QueueManager, words: str) -> None:
    change_queue_manager(qmgr, {"MAXHANDS": 2})
    Play(qmgr).run(
        OBJECTS
        + (
            f"open Q output as X\nopen Q browse as Y\nopen {words} as Z => 2/2017\nclose X\nopen "
            f"{words} as Z"
        ),
    )


def test_the_first_input_handle_of_an_initiation_queue_triggers(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("""
        M: close INIT1 · put m on APPQ · N: open INIT1 browse as X · new INIT1 => nothing
        N: open INIT1 input-shared as Y · new INIT1 => APPQ
    """)


def test_handles_count_on_the_queue_that_the_name_resolves_to(qmgr: QueueManager) -> None:
    Play(qmgr).run(OBJECTS)
    with qmgr.connect(user="alice") as connection:
        handle = connection.open("AL", MQOO.OUTPUT | MQOO.INPUT_EXCLUSIVE)
        row = queue_row(qmgr, "Q")
        assert (row.input_handles, row.exclusive_handles, row.output_handles) == (1, 1, 1)
        event = next(each for each in history(qmgr.store, "Q") if each.kind == "OPEN")
        assert (event.user, event.detail) == (
            "alice",
            {"handle": handle.number, "options": handle.options},
        )


def test_an_alternate_user_is_used_only_if_its_option_is_given(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect(user="alice") as connection:
        for options, user in (
            (MQOO.OUTPUT, ""),
            (MQOO.OUTPUT | MQOO.ALTERNATE_USER_AUTHORITY, "bob"),
        ):
            assert connection.open("Q", options, alternate_user="bob").alternate_user == user

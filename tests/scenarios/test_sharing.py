"""Queue-sharing groups: shared queues, objects of the group and their copies, by the ids of
sharing.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import bindparam, select

import mqsc
from mqsc.console.answer_layout import answer_lines
from mqsc.plan import Trial
from mqsc.script import Answered, Script
from mqsc.scripts.plan_output import lines_of
from mqsc.store.admin.history import times_moved
from mqsc.store.admin.poison_messages import poison_preview
from mqsc.store.client.plan_copy import depth, tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.scenarios.group_play import GroupPlay
from tests.scenarios.pages import page


@pytest.fixture
def play(copy_of: Callable[[Callable[[Store], object]], Store]) -> GroupPlay:
    return GroupPlay(copy_of(GroupPlay))


@pytest.mark.parametrize("scenario", [*page("sharing"), *page("group_triggering")])
def test_sharing(play: GroupPlay, scenario: str) -> None:
    play.run(scenario)


def rows(qmgr: QueueManager, command: str) -> list[dict[str, Any]]:
    [reply] = mqsc.run(qmgr, command)
    return reply.rows


# Refused commands at QM1, and their replies. There are OWN, a local queue; G, a group object with
# copies; MASTER, one without a copy at QM1; BOTH, with a local queue in its way; and P, a process
# of the group.
REFUSED = {
    "AMQ8425E 2/3211": """
        DEFINE QLOCAL(A) QSGDISP(SHARED)
        DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(APPL1) INDXTYPE(MSGTOKEN)
        DEFINE QLOCAL(SYSTEM.A) QSGDISP(SHARED) CFSTRUCT(APPL1)
        DEFINE QALIAS(A) TARGET(SQ) QSGDISP(SHARED)
        DEFINE PROCESS(A) QSGDISP(SHARED)
        ALTER QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(OTHER)
        DEFINE QMODEL(A) DEFTYPE(SHAREDYN)
        DEFINE QMODEL(A) DEFTYPE(SHAREDYN) QSGDISP(GROUP)
        DEFINE QLOCAL(A) QSGDISP(GROUP) CMDSCOPE(QM2)
        DEFINE QLOCAL(A) QSGDISP(GROUP) CMDSCOPE(*)
        ALTER QLOCAL(G) QSGDISP(GROUP) CMDSCOPE(*)
        ALTER QLOCAL(SQ) QSGDISP(SHARED) CMDSCOPE(QM2)
        ALTER QLOCAL(SQ) QSGDISP(SHARED) CMDSCOPE(*)
        DELETE QLOCAL(G) QSGDISP(GROUP) CMDSCOPE(QM2)
    """,
    "AMQ8425E 2/3203": "DEFINE CFSTRUCT(B) CFLEVEL(2) RECOVER(YES)",
    "AMQ8147E 2/2085": """
        DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(NONE)
        DEFINE QLOCAL(A) QSGDISP(COPY)
        DEFINE QLOCAL(A) QSGDISP(COPY) LIKE(OWN)
        DEFINE QLOCAL(A) LIKE(MASTER)
        ALTER QLOCAL(SQ) MAXDEPTH(1)
        ALTER QLOCAL(SQ) QSGDISP(PRIVATE) MAXDEPTH(1)
        ALTER QLOCAL(SQ) QSGDISP(GROUP) MAXDEPTH(1)
        ALTER QLOCAL(G) MAXDEPTH(1)
        ALTER QLOCAL(G) QSGDISP(SHARED) MAXDEPTH(1)
        ALTER QLOCAL(OWN) QSGDISP(COPY) MAXDEPTH(1)
        ALTER QLOCAL(OWN) QSGDISP(GROUP) MAXDEPTH(1)
        DELETE QLOCAL(SQ)
        DELETE QLOCAL(SQ) QSGDISP(GROUP)
        DELETE QLOCAL(G)
        DELETE QLOCAL(G) QSGDISP(SHARED)
        DELETE QLOCAL(OWN) QSGDISP(COPY)
        DELETE QLOCAL(OWN) QSGDISP(GROUP)
        CLEAR QLOCAL(G) QSGDISP(SHARED)
        CLEAR QLOCAL(SQ)
    """,
    "AMQ8150E 2/4001": """
        DEFINE QLOCAL(OWN) QSGDISP(SHARED) CFSTRUCT(APPL1)
        DEFINE QLOCAL(OWN) QSGDISP(SHARED) CFSTRUCT(APPL1) REPLACE
        DEFINE QLOCAL(G) QSGDISP(SHARED) CFSTRUCT(APPL1)
        DEFINE QLOCAL(MASTER) QSGDISP(SHARED) CFSTRUCT(APPL1)
        DEFINE QLOCAL(MASTER) QSGDISP(SHARED) CFSTRUCT(APPL1) REPLACE
        DEFINE QLOCAL(SQ)
        DEFINE QLOCAL(SQ) REPLACE
        DEFINE QLOCAL(SQ) QSGDISP(GROUP)
        DEFINE QALIAS(SQ) TARGET(X)
        DEFINE QALIAS(SQ) TARGET(X) QSGDISP(GROUP) REPLACE
        DEFINE QLOCAL(G)
        DEFINE QLOCAL(G) REPLACE
        DEFINE QLOCAL(G) QSGDISP(GROUP)
        DEFINE QLOCAL(G) QSGDISP(COPY)
        DEFINE QLOCAL(BOTH) QSGDISP(COPY) REPLACE
        DEFINE PROCESS(P) REPLACE
    """,
    "AMQ8151E 2/4002": """
        DEFINE QALIAS(G) TARGET(X) QSGDISP(GROUP) REPLACE
        DEFINE QALIAS(G) TARGET(X) QSGDISP(COPY) REPLACE
    """,
    "AMQ8405I 2/0": """
        DEFINE QLOCAL(A) QSGDISP(PRIVATE)
        DELETE QLOCAL(G) QSGDISP(PRIVATE)
        CLEAR QLOCAL(G) QSGDISP(GROUP)
        MOVE QLOCAL(G) TOQLOCAL(OWN) QSGDISP(COPY)
        MOVE QLOCAL(OWN) TOQLOCAL(SQ) CMDSCOPE(*)
    """,
}


@pytest.mark.parametrize("reply", REFUSED)
def test_s10_every_row(play: GroupPlay, reply: str) -> None:
    play.run("""
        DEFINE QLOCAL(OWN)
        DEFINE QLOCAL(BOTH)
        DEFINE QLOCAL(G) QSGDISP(GROUP)
        DEFINE QLOCAL(MASTER) QSGDISP(GROUP)
        DELETE QLOCAL(MASTER) QSGDISP(COPY)
        DEFINE QLOCAL(BOTH) QSGDISP(GROUP) => 0/0
        DEFINE PROCESS(P) QSGDISP(GROUP)
    """)
    before = [rows(each, "DISPLAY QUEUE(*) ALL QSGDISP(ALL)") for each in play.managers.values()]
    for command in filter(None, map(str.strip, REFUSED[reply].splitlines())):
        play.run(f"{command} => {reply}")
        after = [rows(each, "DISPLAY QUEUE(*) ALL QSGDISP(ALL)") for each in play.managers.values()]
        assert after == before, command
    play.run("DEFINE QLOCAL(SYSTEM.ADMIN.A) QSGDISP(SHARED) CFSTRUCT(APPL1)")


def test_s10_outside_a_group(play: GroupPlay) -> None:
    play.run("create ALONE alone")
    for verb in ("DEFINE", "ALTER", "DELETE", "DISPLAY"):
        for disposition in ("GROUP", "COPY", "SHARED"):
            play.run(f"ALONE: {verb} QLOCAL(A) QSGDISP({disposition}) => AMQ8425E 2/3212")


def test_s10_the_513th_queue_of_a_structure(play: GroupPlay) -> None:
    shared = "QSGDISP(SHARED) CFSTRUCT(APPL1)"
    mqsc.run(
        play.qmgr,
        "\n".join(f"DEFINE QLOCAL(A{number}) {shared}" for number in range(511)),
        check=True,
    )
    play.run(f"DEFINE QLOCAL(B) {shared} => AMQ8425E 2/3209")


def test_display_all_of_a_shared_queue_adds_its_structure(play: GroupPlay) -> None:
    play.run("DEFINE QLOCAL(OWN)")
    [shared], [own] = (rows(play.qmgr, f"DISPLAY QLOCAL({name}) ALL") for name in ("SQ", "OWN"))
    assert list(shared)[:3] == list(own)[:3] == ["QUEUE", "TYPE", "QSGDISP"]
    assert set(shared) - set(own) == {"CFSTRUCT"}


def test_a_plan_knows_the_shared_queues_of_the_group(play: GroupPlay) -> None:
    play.run("QM2: list x y on SQ\nQM2: disconnect")
    with tried_out(play.qmgr) as copy:
        assert depth(copy, "SQ") == 2
        mqsc.run(copy, "ALTER QLOCAL(SQ) QSGDISP(SHARED) MAXDEPTH(1)", check=True)
        assert len(rows(copy, "DISPLAY GROUP")) == 3
        assert copy.connect().open("SQ", MQOO.OUTPUT).resolved_q_mgr_name == "QSG1"
    play.run("QM3: open SQ input-exclusive")
    with tried_out(play.qmgr) as copy:
        [reply] = mqsc.run(copy, "CLEAR QLOCAL(SQ) QSGDISP(SHARED)")
        assert (reply.message_id, reply.reason) == ("AMQ8148E", 2042)
    play.run("DISPLAY QLOCAL(SQ) MAXDEPTH => MAXDEPTH=5000")


def printed(script: Script, command: str) -> list[str]:
    """The reply to a command as runmqsc prints it."""
    [answered] = [step for step in script.steps([command]) if isinstance(step, Answered)]
    return [line.rstrip() for line in answer_lines(answered.answer)]


def test_s11_a_command_for_all_members_is_one_command(play: GroupPlay) -> None:
    changed = "AMQ8005I: IBM MQ queue manager changed."
    script = Script(play.managers["QM2"])
    assert printed(script, "ALTER QMGR TRIGINT(5) CMDSCOPE(*)") == [
        "MQSC0030I: Reply of queue manager QM2.",
        changed,
        "MQSC0030I: Reply of queue manager QM1.",
        changed,
        "MQSC0030I: Reply of queue manager QM3.",
        changed,
    ]
    assert script.tally.lines()[0] == "One MQSC command read."
    play.run("*: DISPLAY QMGR TRIGINT => TRIGINT=5,5,5")


def test_s12_members_that_are_down_or_unknown(play: GroupPlay) -> None:
    play.run("QM3: end")
    [reply] = mqsc.run(play.qmgr, "ALTER QMGR DESCR(X) CMDSCOPE(*)")
    assert [line for line in reply.text.splitlines() if "Reply" in line] == [
        "Reply of queue manager QM1.",
        "MQSC0030I: Reply of queue manager QM2.",
    ]
    play.run(
        "ALTER QMGR DESCR(X) CMDSCOPE(QM3) => AMQ8146E 2/2059\nALTER QMGR DESCR(X) CMDSCOPE(QM9) "
        "=> AMQ8425E 2/4005",
    )


def test_s13_what_one_member_refuses_the_others_have_done(play: GroupPlay) -> None:
    play.run("QM2: DEFINE QLOCAL(Z)")
    [reply] = mqsc.run(play.qmgr, "DEFINE QLOCAL(Z) CMDSCOPE(*)")
    assert (reply.completion, reply.reason) == (2, 4001)
    assert [line[:8] for line in reply.text.splitlines()] == [
        "Reply of",
        "AMQ8006I",
        "MQSC0030",
        "AMQ8150E",
        "MQSC0030",
        "AMQ8006I",
    ]
    play.run("*: DISPLAY QLOCAL(Z) => QSGDISP=QMGR,QMGR,QMGR")


def test_display_of_all_members(play: GroupPlay) -> None:
    play.run("QM3: DEFINE QLOCAL(S3)\nQM1: DEFINE QLOCAL(S3)")
    row = [
        "AMQ8409I: Display Queue details.",
        "   QUEUE(S3)                               TYPE(QLOCAL)",
        "   QSGDISP(QMGR)",
    ]
    assert printed(Script(play.managers["QM3"]), "DISPLAY QLOCAL(S3*) CMDSCOPE(*)") == [
        "MQSC0030I: Reply of queue manager QM3.",
        *row,
        "MQSC0030I: Reply of queue manager QM1.",
        *row,
    ]
    play.run("""
        DELETE QLOCAL(S3)
        QM2: DISPLAY QLOCAL(S3) CMDSCOPE(*) => qmgr=QM3 QUEUE=S3
        # Only the issuer displays shared queues.
        QM2: DISPLAY QLOCAL(SQ) CMDSCOPE(*) => qmgr=QM2
        QM2: DISPLAY QLOCAL(NONE) CMDSCOPE(*) => MQSC0030I 2/2085
    """)


def plan_of(qmgr: QueueManager, *commands: str) -> list[str]:
    """The lines of a plan: each change with its member, and errors and warnings below."""
    with tried_out(qmgr) as copy:
        trial = Trial(qmgr, copy)
        steps = Script(None, carry_out=trial.carry_out).steps(commands)
        planned = [
            each for step in steps if isinstance(step, Answered) for each in trial.planned(step)
        ]
    return [
        " ".join(line.partition("  line ")[0].split())
        for each in planned
        for line in lines_of(each)
    ]


def test_a_plan_has_the_effects_of_commands_on_other_members(play: GroupPlay) -> None:
    play.run("QM2: DEFINE QLOCAL(Z)\nQM2: put1 x on Z\nQM3: end")
    commands = [
        "DEFINE QLOCAL(Z) CMDSCOPE(*)",
        "CLEAR QLOCAL(Z) CMDSCOPE(QM2)",
        "ALTER QMGR TRIGINT(5) CMDSCOPE(QM3)",
    ]
    assert plan_of(
        play.qmgr,
        *commands,
        "ALTER QMGR EXPRYINT(5) CMDSCOPE(*)",
        "DISPLAY QLOCAL(Z) CMDSCOPE(*)",
    ) == [
        "ERROR DEFINE QLOCAL(Z) CMDSCOPE(*)",
        "MQSC0030I: Reply of queue manager QM1.",
        "AMQ8006I: IBM MQ queue created.",
        "MQSC0030I: Reply of queue manager QM2.",
        "AMQ8150E: IBM MQ object already exists.",
        "CREATE QLOCAL(Z)",
        "ACTION CLEAR QLOCAL(Z) CMDSCOPE(QM2) on QM2, 1 message",
        "ERROR ALTER QMGR TRIGINT(5) CMDSCOPE(QM3)",
        "AMQ8146E: IBM MQ queue manager 'QM3' is not available: it is not running.",
        "UPDATE QMGR(QM1)",
        "EXPRYINT OFF -> 5",
        "UPDATE QMGR(QM2)",
        "EXPRYINT OFF -> 5",
    ]
    play.run("DISPLAY QLOCAL(Z) => 2/2085")


def test_a_plan_has_the_warnings_about_members_that_cannot_follow(play: GroupPlay) -> None:
    play.run("QM2: DEFINE QLOCAL(Z)\nQM2: DEFINE QLOCAL(Y)")
    shared = "DEFINE QLOCAL(Y) QSGDISP(SHARED) CFSTRUCT(APPL1)"
    assert plan_of(
        play.qmgr,
        "DEFINE QLOCAL(Z) QSGDISP(GROUP)",
        shared,
        "ALTER QMGR EXPRYINT(9)",
    ) == [
        "CREATE QLOCAL(Z) QSGDISP(GROUP)",
        "MQSC0032W: QM2: Z not refreshed: it has one of its own.",
        "CREATE QLOCAL(Z) QSGDISP(COPY)",
        "CREATE QLOCAL(Z) QSGDISP(COPY) on QM3",
        "CREATE QLOCAL(Y) QSGDISP(SHARED)",
        "CFSTRUCT APPL1",
        "MQSC0032W: QM2: Y is not usable there, because of a queue of that name: MQOPEN answers "
        "2343.",
        "UPDATE QMGR(QM1)",
        "EXPRYINT OFF -> 9",
    ]


@pytest.mark.parametrize(
    ("defined", "changed"),
    [
        ("QLOCAL(G)", "QLOCAL(G)"),
        ("QMODEL(G)", "QMODEL(G)"),
        ("QALIAS(G) TARGET(SQ)", "QALIAS(G)"),
        ("QREMOTE(G) RNAME(R) RQMNAME(Q)", "QREMOTE(G)"),
        ("PROCESS(G)", "PROCESS(G)"),
        ("NAMELIST(G)", "NAMELIST(G)"),
        ("STGCLASS(G)", "STGCLASS(G)"),
        ("TOPIC(G) TOPICSTR('a/b')", "TOPIC(G)"),
        ("AUTHINFO(G) AUTHTYPE(CRLLDAP) CONNAME('h')", "AUTHINFO(G) AUTHTYPE(CRLLDAP)"),
        ("CHANNEL(G) CHLTYPE(SDR) CONNAME('h') XMITQ(X)", "CHANNEL(G) CHLTYPE(SDR)"),
        ("CHANNEL(G) CHLTYPE(CLNTCONN) CONNAME('h')", "CHANNEL(G) CHLTYPE(CLNTCONN)"),
    ],
)
def test_every_type_of_object_that_can_be_copied(
    play: GroupPlay,
    defined: str,
    changed: str,
) -> None:
    noun = defined.partition("(")[0]
    play.run(f"""
        ALTER QMGR CONFIGEV(ENABLED)
        DEFINE {defined} QSGDISP(GROUP)
        QM2: ALTER {changed} DESCR('X') QSGDISP(GROUP)
        QM3: DEFINE {defined} QSGDISP(GROUP) REPLACE
        QM3: ALTER {changed} DESCR('X') QSGDISP(GROUP)
        *: DISPLAY {noun}(G) ALL QSGDISP(ALL) => QSGDISP=COPY,GROUP,COPY,GROUP,COPY,GROUP DESCR=X,X,X,X,X,X
    """)
    for qmgr in play.managers.values():
        copy, master = rows(qmgr, f"DISPLAY {noun}(G) ALL QSGDISP(ALL)")
        assert {word for word in copy if copy[word] != master[word]} <= {
            "QSGDISP",
            "ALTTIME",
            "CRTIME",
        }
    play.run(
        f"DELETE {noun}(G) QSGDISP(GROUP) {'CHLTABLE(CLNTTBL)' if 'CLNTCONN' in defined else ''}",
    )
    assert [rows(qmgr, f"DISPLAY {noun}(G) QSGDISP(ALL)") for qmgr in play.managers.values()] == [
        [],
        [],
        [],
    ]


_ABOUT = text_of(
    select(event.c.qmgr, event.c.kind, event.c.cause, event.c.detail)
    .where(event.c.queue == bindparam("queue"))
    .order_by(event.c.seq),
)


def events(store: Store, queue: str, *kinds: str) -> list[tuple[Any, ...]]:
    """Queue manager, kind, cause and detail of the events about a queue; of any kind, unless
    some are given.
    """
    with Reading(store.database) as reading:
        found = [
            (*about, json.loads(detail or "{}"))
            for *about, detail in reading.all(_ABOUT, {"queue": queue})
        ]
    return [each for each in found if not kinds or each[1] in kinds]


def test_the_history_has_the_master_and_the_copies(play: GroupPlay) -> None:
    play.run("QM2: DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)")
    assert events(play.store, "G") == [
        ("QSG1", "DEFINE", None, {"member": "QM2", "disposition": "GROUP", "MAXDEPTH": [None, 9]}),
        *(
            (f"QM{n}", "DEFINE", "refresh", {"disposition": "COPY", "MAXDEPTH": [None, 9]})
            for n in (1, 2, 3)
        ),
    ]
    play.run("QM2: ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(8)")
    assert events(play.store, "G", "ALTER") == [
        ("QSG1", "ALTER", None, {"member": "QM2", "disposition": "GROUP", "MAXDEPTH": [9, 8]}),
        *(
            (f"QM{n}", "ALTER", "refresh", {"disposition": "COPY", "MAXDEPTH": [9, 8]})
            for n in (1, 2, 3)
        ),
    ]
    play.run("QM2: DELETE QLOCAL(G) QSGDISP(GROUP)")
    assert [(qmgr, cause) for qmgr, _, cause, _ in events(play.store, "G", "DELETE")] == [
        ("QSG1", None),
        ("QM1", "refresh"),
        ("QM2", "refresh"),
        ("QM3", "refresh"),
    ]


def test_the_history_has_copies_that_a_member_gives_up(play: GroupPlay) -> None:
    play.run("DEFINE QLOCAL(G) QSGDISP(GROUP)\nQM3: put1 x on G")
    play.run("QM2: end immediate\nQM2: leave\nQM3: end immediate\nQM3: leave")
    given_up = events(play.store, "G", "DELETE", "ALTER")
    assert [each[:3] for each in given_up] == [
        ("QM2", "DELETE", "leave"),
        ("QM3", "ALTER", "leave"),
    ]
    assert given_up[1][3] == {"QSGDISP": ["COPY", "QMGR"]}


def test_the_history_of_poison_messages_belongs_to_the_group_and_any_member_finds_it(
    play: GroupPlay,
) -> None:
    play.run("""
        DEFINE QLOCAL(BOQ) QSGDISP(SHARED) CFSTRUCT(APPL1)
        ALTER QLOCAL(SQ) QSGDISP(SHARED) BOTHRESH(2) BOQNAME(BOQ)
        put1 bad on SQ persistence=1
        receive from SQ => bad
        back
        receive from SQ => bad
        back
    """)
    seen = poison_preview(play.managers["QM2"], "SQ")
    assert seen is not None
    (foreseen,) = seen
    assert foreseen.last is not None
    play.run("QM2: receive from SQ => nothing")
    ((qmgr, _, _, detail),) = events(play.store, "SQ", "REQUEUE")
    moved = {"member": "QM2", "backout_count": 2, "threshold": 2, "backout_queue": "BOQ"}
    assert (qmgr, detail) == ("QSG1", moved)
    sent = play.placed["bad"]
    assert [times_moved(play.managers[name], "SQ", sent) for name in ("QM1", "QM2")] == [1, 1]

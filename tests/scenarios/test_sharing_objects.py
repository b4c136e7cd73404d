"""Objects of a queue-sharing group and their copies: the scenarios of sharing.md §1 and S49, by id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

import mqsc
from store.client.api import ObjectHandle, QueueManager, Store
from store.constants import MQOO, MQRC
from store.error import MQError
from store.message import Message
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

Members = dict[int, QueueManager]
BOTH = MQOO.INPUT_SHARED | MQOO.OUTPUT
STRUCTURE = "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)"
SHARED_QUEUE = "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)"


@pytest.fixture
def members(store: Store) -> Members:
    """QM1, QM2 and QM3 of QSG1, with the structure APPL1 and the shared queue SQ."""
    found = {number: store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)}
    run(found[1], STRUCTURE, SHARED_QUEUE)
    return found


def replies(qmgr: QueueManager, *commands: str) -> list[tuple[str, int]]:
    """Message id and reason of each command."""
    return [(each.message_id, each.reason) for each in mqsc.run(qmgr, "\n".join(commands))]


def run(qmgr: QueueManager, *commands: str) -> list[str]:
    """The texts of the replies after their first line: remarks and warnings."""
    answers = mqsc.run(qmgr, "\n".join(commands))
    assert [each.text for each in answers if each.completion] == []
    return [line for each in answers for line in each.text.splitlines()[1:]]


def rows(qmgr: QueueManager, command: str) -> list[dict[str, Any]]:
    [reply] = mqsc.run(qmgr, command)
    return reply.rows


def shown(qmgr: QueueManager, command: str) -> dict[str, Any]:
    [row] = rows(qmgr, command)
    return row


def dispositions(qmgr: QueueManager, command: str) -> list[str]:
    return [row["QSGDISP"] for row in rows(qmgr, command)]


def depths(members: Members, *attributes: str) -> list[Any]:
    """An attribute of G on every member; None where there is no G."""
    found = [rows(qmgr, "DISPLAY QUEUE(G) ALL") for qmgr in members.values()]
    return [tuple(each[0][word] for word in attributes) if each else None for each in found]


def maximum(members: Members) -> list[Any]:
    return [each and each[0] for each in depths(members, "MAXDEPTH")]


def opened(qmgr: QueueManager, options: int = BOTH, name: str = "G") -> ObjectHandle:
    return qmgr.connect().open(name, options)


def refused(call: Any, reason: int) -> None:
    with pytest.raises(MQError) as error:
        call()
    assert error.value.reason == reason


def events(store: Store, *kinds: str) -> Iterator[tuple[Any, ...]]:
    """Queue manager, kind, cause and detail of the events about G."""
    columns = event.c
    statement = Statement(
        select(columns.qmgr, columns.kind, columns.cause, columns.detail)
        .where(columns.queue == "G")
        .order_by(columns.seq)
    )
    with Reading(store.database) as reading:
        for qmgr, kind, cause, detail in reading.all(statement, {}):
            if not kinds or kind in kinds:
                yield qmgr, kind, cause, json.loads(detail or "{}")


def test_s01_a_group_object_is_copied_to_every_member(members: Members) -> None:
    assert replies(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)") == [("AMQ8006I", 0)]
    for qmgr in members.values():
        assert dispositions(qmgr, "DISPLAY QLOCAL(G)") == ["COPY"]
        assert dispositions(qmgr, "DISPLAY QUEUE(G) QSGDISP(LIVE)") == ["COPY"]
        assert dispositions(qmgr, "DISPLAY QLOCAL(G) QSGDISP(ALL)") == ["COPY", "GROUP"]
        assert dispositions(qmgr, "DISPLAY QLOCAL(G) QSGDISP(PRIVATE)") == ["COPY"]
        assert dispositions(qmgr, "DISPLAY QLOCAL(G) QSGDISP(COPY)") == ["COPY"]
        assert dispositions(qmgr, "DISPLAY QLOCAL(G) QSGDISP(GROUP)") == ["GROUP"]
        for none in ("QMGR", "SHARED"):
            assert replies(qmgr, f"DISPLAY QLOCAL(G) QSGDISP({none})") == [("AMQ8147E", 2085)]
    row = shown(members[2], "DISPLAY QLOCAL(G) CURDEPTH")
    assert list(row.items()) == [("QUEUE", "G"), ("TYPE", "QLOCAL"), ("QSGDISP", "COPY"), ("CURDEPTH", 0)]
    assert dispositions(members[2], "DISPLAY QSTATUS(G)") == ["COPY"]
    opened(members[2])
    assert dispositions(members[2], "DISPLAY QSTATUS(G) TYPE(HANDLE)") == ["COPY"]


def test_s02_each_member_has_messages_of_its_own(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    with members[1].connect() as connection:
        connection.put1("G", Message(b"x"))
    assert depths(members, "CURDEPTH") == [(1,), (0,), (0,)]
    assert shown(members[1], "DISPLAY QLOCAL(G) QSGDISP(GROUP) CURDEPTH")["CURDEPTH"] == 0


def test_s03_a_change_of_a_copy_lasts_until_the_next_refresh(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    run(members[2], "ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(7)")
    assert maximum(members) == [5000, 7, 5000]
    assert run(members[1], "ALTER QLOCAL(G) QSGDISP(GROUP) DESCR('X')") == []
    assert depths(members, "MAXDEPTH", "DESCR", "QSGDISP") == [(5000, "X", "COPY")] * 3


def test_s04_a_member_that_had_ended_follows_when_it_starts(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    members[3].end(immediate=True)
    run(members[1], "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)", "DEFINE QALIAS(NEW) TARGET(G) QSGDISP(GROUP)")
    members[3].start()
    assert maximum(members) == [9, 9, 9]
    assert dispositions(members[3], "DISPLAY QALIAS(NEW)") == ["COPY"]
    members[3].end(immediate=True)
    run(members[1], "DELETE QLOCAL(G) QSGDISP(GROUP)")
    members[3].start()
    assert maximum(members) == [None, None, None]


def test_s04_a_start_leaves_a_copy_alone_whose_master_did_not_change(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    run(members[3], "ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(7)")
    members[3].end(immediate=True)
    members[3].start()
    assert maximum(members) == [5000, 5000, 7]


def test_s05_a_copy_with_messages_is_deleted_later(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    with members[2].connect() as connection:
        connection.put1("G", Message(b"x"))
    [reply] = mqsc.run(members[1], "DELETE QLOCAL(G) QSGDISP(GROUP) PURGE")
    assert (reply.message_id, reply.completion) == ("AMQ8007I", 0)
    assert reply.text.splitlines()[1:] == ["MQSC0032W: QM2: G not refreshed: it has messages."]
    assert maximum(members) == [None, 5000, None]
    with members[2].connect() as connection:
        connection.open("G", BOTH).get()
    assert maximum(members) == [None, 5000, None]
    members[2].end(immediate=True)
    members[2].start()
    assert maximum(members) == [None, None, None]


def test_s06_a_deleted_copy_comes_back(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    run(members[2], "DELETE QLOCAL(G) QSGDISP(COPY)")
    assert maximum(members) == [5000, None, 5000]
    assert dispositions(members[2], "DISPLAY QLOCAL(G) QSGDISP(ALL)") == ["GROUP"]
    refused(lambda: opened(members[2]), MQRC.UNKNOWN_OBJECT_NAME)
    run(members[1], "ALTER QLOCAL(G) QSGDISP(GROUP) DESCR('X')")
    assert maximum(members) == [5000, 5000, 5000]


def test_s07_an_open_copy_does_not_follow_a_change_that_needs_force(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    handle = opened(members[2])
    for force in ("", " FORCE"):
        warnings = run(members[1], f"ALTER QLOCAL(G) QSGDISP(GROUP) USAGE(XMITQ) MAXDEPTH(3){force}")
        assert warnings == ["MQSC0032W: QM2: G not refreshed: it is in use, and the change needs FORCE."]
    assert depths(members, "USAGE", "MAXDEPTH") == [("XMITQ", 3), ("NORMAL", 5000), ("XMITQ", 3)]
    handle.put(Message(b"x"))
    handle.get()
    handle.close()
    assert run(members[3], "ALTER QLOCAL(G) QSGDISP(GROUP) DESCR('X')") == []
    assert depths(members, "USAGE", "DESCR") == [("XMITQ", "X")] * 3


def test_s08_a_member_keeps_an_object_of_its_own(members: Members) -> None:
    run(members[2], "DEFINE QLOCAL(G) MAXDEPTH(5)")
    warnings = run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    assert warnings == ["MQSC0032W: QM2: G not refreshed: it has one of its own."]
    assert depths(members, "MAXDEPTH", "QSGDISP") == [(5000, "COPY"), (5, "QMGR"), (5000, "COPY")]
    assert dispositions(members[2], "DISPLAY QLOCAL(G) QSGDISP(ALL)") == ["QMGR", "GROUP"]
    opened(members[2]).put(Message(b"x"))
    members[2].end(immediate=True)
    members[2].start()
    assert depths(members, "QSGDISP") == [("COPY",), ("QMGR",), ("COPY",)]


def test_s08_the_member_that_defines_keeps_its_own_too(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) MAXDEPTH(5)")
    warnings = run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)", "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(8)")
    assert warnings == ["MQSC0032W: QM1: G not refreshed: it has one of its own."] * 2
    assert maximum(members) == [5, 8, 8]
    run(members[1], "DELETE QLOCAL(G)", "DEFINE QLOCAL(G) QSGDISP(COPY)")
    assert maximum(members) == [8, 8, 8]


NOT_IN_GROUP = ("AMQ8425E", 3212)
CONFLICT, MISSING, EXISTS = ("AMQ8425E", 3211), ("AMQ8147E", 2085), ("AMQ8150E", 4001)


@pytest.mark.parametrize("verb", ["DEFINE", "ALTER", "DELETE", "DISPLAY"])
@pytest.mark.parametrize("disposition", ["GROUP", "COPY", "SHARED"])
def test_s10_outside_a_group(store: Store, verb: str, disposition: str) -> None:
    alone = store.create_queue_manager("ALONE")
    assert replies(alone, f"{verb} QLOCAL(A) QSGDISP({disposition})") == [NOT_IN_GROUP]


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("DEFINE QLOCAL(A) QSGDISP(SHARED)", CONFLICT),
        ("DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(APPL1) INDXTYPE(MSGTOKEN)", CONFLICT),
        ("DEFINE QLOCAL(SYSTEM.A) QSGDISP(SHARED) CFSTRUCT(APPL1)", CONFLICT),
        ("ALTER QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(OTHER)", CONFLICT),
        ("DEFINE QMODEL(A) DEFTYPE(SHAREDYN)", CONFLICT),
        ("DEFINE QMODEL(A) DEFTYPE(SHAREDYN) QSGDISP(GROUP)", CONFLICT),
        ("DEFINE QLOCAL(A) QSGDISP(GROUP) CMDSCOPE(QM2)", CONFLICT),
        ("DEFINE QLOCAL(A) QSGDISP(GROUP) CMDSCOPE(*)", CONFLICT),
        ("ALTER QLOCAL(G) QSGDISP(GROUP) CMDSCOPE(*)", CONFLICT),
        ("DELETE QLOCAL(G) QSGDISP(GROUP) CMDSCOPE(QM2)", CONFLICT),
        ("DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(NONE)", MISSING),
        ("ALTER QLOCAL(SQ) MAXDEPTH(1)", MISSING),
        ("ALTER QLOCAL(SQ) QSGDISP(PRIVATE) MAXDEPTH(1)", MISSING),
        ("ALTER QLOCAL(G) MAXDEPTH(1)", MISSING),
        ("ALTER QLOCAL(OWN) QSGDISP(COPY) MAXDEPTH(1)", MISSING),
        ("ALTER QLOCAL(OWN) QSGDISP(GROUP) MAXDEPTH(1)", MISSING),
        ("ALTER QLOCAL(SQ) QSGDISP(GROUP) MAXDEPTH(1)", MISSING),
        ("ALTER QLOCAL(G) QSGDISP(SHARED) MAXDEPTH(1)", MISSING),
        ("DELETE QLOCAL(G)", MISSING),
        ("DELETE QLOCAL(OWN) QSGDISP(COPY)", MISSING),
        ("DELETE QLOCAL(OWN) QSGDISP(GROUP)", MISSING),
        ("DELETE QLOCAL(G) QSGDISP(SHARED)", MISSING),
        ("DELETE QLOCAL(SQ) QSGDISP(GROUP)", MISSING),
        ("CLEAR QLOCAL(G) QSGDISP(SHARED)", MISSING),
        ("CLEAR QLOCAL(SQ)", MISSING),
        ("DEFINE QLOCAL(A) QSGDISP(COPY)", MISSING),
        ("DEFINE QLOCAL(A) QSGDISP(COPY) LIKE(OWN)", MISSING),
        ("DEFINE QLOCAL(A) LIKE(MASTER)", MISSING),
        ("DEFINE QLOCAL(OWN) QSGDISP(SHARED) CFSTRUCT(APPL1)", EXISTS),
        ("DEFINE QLOCAL(G) QSGDISP(SHARED) CFSTRUCT(APPL1)", EXISTS),
        ("DEFINE QLOCAL(MASTER) QSGDISP(SHARED) CFSTRUCT(APPL1)", EXISTS),
        ("DEFINE QLOCAL(MASTER) QSGDISP(SHARED) CFSTRUCT(APPL1) REPLACE", EXISTS),
        ("DEFINE QLOCAL(SQ)", EXISTS),
        ("DEFINE QLOCAL(SQ) REPLACE", EXISTS),
        ("DEFINE QALIAS(SQ) TARGET(X)", EXISTS),
        ("DEFINE QLOCAL(SQ) QSGDISP(GROUP)", EXISTS),
        ("DEFINE QALIAS(SQ) TARGET(X) QSGDISP(GROUP) REPLACE", EXISTS),
        ("DEFINE QLOCAL(G)", EXISTS),
        ("DEFINE QLOCAL(G) REPLACE", EXISTS),
        ("DEFINE QLOCAL(G) QSGDISP(GROUP)", EXISTS),
        ("DEFINE QLOCAL(G) QSGDISP(COPY)", EXISTS),
        ("DEFINE QLOCAL(BOTH) QSGDISP(COPY) REPLACE", EXISTS),
        ("DEFINE PROCESS(P) REPLACE", EXISTS),
        ("DEFINE QALIAS(G) TARGET(X) QSGDISP(GROUP) REPLACE", ("AMQ8151E", 4002)),
        ("DEFINE QALIAS(G) TARGET(X) QSGDISP(COPY) REPLACE", ("AMQ8151E", 4002)),
        ("DEFINE QLOCAL(A) QSGDISP(PRIVATE)", ("AMQ8405I", 0)),
        ("DELETE QLOCAL(G) QSGDISP(PRIVATE)", ("AMQ8405I", 0)),
        ("CLEAR QLOCAL(G) QSGDISP(GROUP)", ("AMQ8405I", 0)),
        ("MOVE QLOCAL(G) TOQLOCAL(OWN) QSGDISP(COPY)", ("AMQ8405I", 0)),
        ("DEFINE PROCESS(A) QSGDISP(SHARED)", CONFLICT),
    ],
)
def test_s10_every_row(members: Members, command: str, reply: tuple[str, int]) -> None:
    run(members[1], "DEFINE QLOCAL(OWN)", "DEFINE QLOCAL(BOTH)", "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    run(members[1], "DEFINE QLOCAL(MASTER) QSGDISP(GROUP)", "DELETE QLOCAL(MASTER) QSGDISP(COPY)")
    run(members[1], "DEFINE QLOCAL(BOTH) QSGDISP(GROUP)", "DEFINE PROCESS(P) QSGDISP(GROUP)")
    before = [rows(each, "DISPLAY QUEUE(*) ALL QSGDISP(ALL)") for each in members.values()]
    assert replies(members[1], command) == [reply]
    assert [rows(each, "DISPLAY QUEUE(*) ALL QSGDISP(ALL)") for each in members.values()] == before


def test_s10_a_reply_names_the_other_disposition(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)", "DEFINE CHANNEL(C) CHLTYPE(RCVR) QSGDISP(GROUP)")
    run(members[1], "DELETE CHANNEL(C) QSGDISP(COPY)")
    for command, named in {
        "ALTER QLOCAL(SQ) MAXDEPTH(1)": ["SHARED"],
        "ALTER QLOCAL(G) MAXDEPTH(1)": ["COPY", "GROUP"],
        "DELETE CHANNEL(C)": ["GROUP"],
        "CLEAR QLOCAL(SQ)": ["SHARED"],
        "DEFINE QLOCAL(G) REPLACE": ["COPY"],
    }.items():
        [reply] = mqsc.run(members[1], command)
        subject = command.split("(")[1].split(")")[0]
        assert reply.text.splitlines()[1:] == [f"{subject} exists with QSGDISP({each})." for each in named]


def test_private_means_either_in_alter_and_clear(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)", "DEFINE QLOCAL(OWN)")
    run(members[1], "ALTER QLOCAL(G) QSGDISP(PRIVATE) MAXDEPTH(1)", "ALTER QLOCAL(OWN) QSGDISP(PRIVATE) MAXDEPTH(1)")
    assert maximum(members) == [1, 5000, 5000]
    with members[1].connect() as connection:
        connection.put1("G", Message(b"x"))
    run(members[1], "MOVE QLOCAL(G) TOQLOCAL(OWN)", "MOVE QLOCAL(OWN) TOQLOCAL(SQ)")
    run(members[1], "MOVE QLOCAL(SQ) TOQLOCAL(G) QSGDISP(SHARED)")
    assert depths(members, "CURDEPTH") == [(1,), (0,), (0,)]
    run(members[1], "CLEAR QLOCAL(G)", "CLEAR QLOCAL(SQ) QSGDISP(SHARED)")
    assert depths(members, "CURDEPTH") == [(0,), (0,), (0,)]


@pytest.mark.parametrize(
    ("defined", "changed"),
    [
        ("QLOCAL(G)", "QLOCAL(G) DESCR('X')"),
        ("QMODEL(G)", "QMODEL(G) DESCR('X')"),
        ("QALIAS(G) TARGET(SQ)", "QALIAS(G) DESCR('X')"),
        ("QREMOTE(G) RNAME(R) RQMNAME(Q)", "QREMOTE(G) DESCR('X')"),
        ("PROCESS(G)", "PROCESS(G) DESCR('X')"),
        ("NAMELIST(G)", "NAMELIST(G) DESCR('X')"),
        ("STGCLASS(G)", "STGCLASS(G) DESCR('X')"),
        ("TOPIC(G) TOPICSTR('a/b')", "TOPIC(G) DESCR('X')"),
        ("AUTHINFO(G) AUTHTYPE(CRLLDAP) CONNAME('h')", "AUTHINFO(G) AUTHTYPE(CRLLDAP) DESCR('X')"),
        ("CHANNEL(G) CHLTYPE(SDR) CONNAME('h') XMITQ(X)", "CHANNEL(G) CHLTYPE(SDR) DESCR('X')"),
        ("CHANNEL(G) CHLTYPE(CLNTCONN) CONNAME('h')", "CHANNEL(G) CHLTYPE(CLNTCONN) DESCR('X')"),
    ],
)
def test_every_type_of_object_that_can_be_copied(members: Members, defined: str, changed: str) -> None:
    noun = defined.partition("(")[0]
    run(members[1], "ALTER QMGR CONFIGEV(ENABLED)", f"DEFINE {defined} QSGDISP(GROUP)")
    run(members[2], f"ALTER {changed} QSGDISP(GROUP)")
    run(members[3], f"DEFINE {defined} QSGDISP(GROUP) REPLACE", f"ALTER {changed} QSGDISP(GROUP)")
    for qmgr in members.values():
        copy, master = rows(qmgr, f"DISPLAY {noun}(G) ALL QSGDISP(ALL)")
        assert (copy["QSGDISP"], master["QSGDISP"], copy["DESCR"]) == ("COPY", "GROUP", "X")
        differing = {word for word in copy if copy[word] != master[word]}
        assert differing <= {"QSGDISP", "ALTTIME", "CRTIME"}
    table = " CHLTABLE(CLNTTBL)" if "CLNTCONN" in defined else ""
    run(members[1], f"DELETE {noun}(G) QSGDISP(GROUP){table}")
    for qmgr in members.values():
        assert rows(qmgr, f"DISPLAY {noun}(G) QSGDISP(ALL)") == []


def test_objects_of_other_types_have_no_disposition(members: Members) -> None:
    for command in (
        "DEFINE LISTENER(L) TRPTYPE(TCP) QSGDISP(GROUP)",
        "DEFINE SERVICE(S) QSGDISP(COPY)",
        "DEFINE CFSTRUCT(S) QSGDISP(GROUP)",
        "DEFINE SUB(S) TOPICSTR('a') QSGDISP(GROUP)",
    ):
        assert replies(members[1], command) == [("AMQ8405I", 0)]


def test_like_finds_a_copy_and_dispositions_are_not_copied(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)", "DEFINE QLOCAL(OWN) LIKE(G)")
    row = shown(members[1], "DISPLAY QLOCAL(OWN) MAXDEPTH")
    assert (row["QSGDISP"], row["MAXDEPTH"]) == ("QMGR", 9)
    run(members[1], "DEFINE QLOCAL(G2) QSGDISP(GROUP) LIKE(OWN)")
    assert dispositions(members[2], "DISPLAY QLOCAL(G2)") == ["COPY"]


def test_define_copy_starts_from_the_group_object(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)", "DEFINE QLOCAL(OWN) DESCR('OWN')")
    run(members[2], "DEFINE QLOCAL(G) QSGDISP(COPY) LIKE(SYSTEM.DEFAULT.LOCAL.QUEUE) DESCR('X') REPLACE")
    assert depths(members, "MAXDEPTH", "DESCR") == [(9, ""), (9, "X"), (9, "")]


def test_cmdscope_performs_commands_on_copies_of_each_member(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)", "ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(3) CMDSCOPE(*)")
    assert maximum(members) == [3, 3, 3]
    assert run(members[2], "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(4) CMDSCOPE(QM2)") != []
    assert maximum(members) == [4, 4, 4]
    [reply] = mqsc.run(members[1], "DISPLAY QLOCAL(G) QSGDISP(ALL) CMDSCOPE(*)")
    assert [(row["qmgr"], row["QSGDISP"]) for row in reply.rows] == [
        ("QM1", "COPY"), ("QM1", "GROUP"), ("QM2", "COPY"), ("QM3", "COPY"),
    ]  # fmt: skip
    for disposition in ("GROUP", "SHARED"):
        [reply] = mqsc.run(members[1], f"DISPLAY QLOCAL(*) QSGDISP({disposition}) CMDSCOPE(*)")
        assert {row["qmgr"] for row in reply.rows} == {"QM1"}


def test_the_type_of_a_group_object_can_change_once_its_copies_are_gone(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    with members[2].connect() as connection:
        connection.put1("G", Message(b"x"))
    run(members[1], "DELETE QLOCAL(G) QSGDISP(GROUP)")
    warnings = run(members[1], "DEFINE QALIAS(G) TARGET(SQ) QSGDISP(GROUP)")
    assert warnings == ["MQSC0032W: QM2: G not refreshed: it has messages."]
    run(members[2], "CLEAR QLOCAL(G)")
    assert run(members[1], "ALTER QALIAS(G) QSGDISP(GROUP) DESCR('X')") == []
    assert depths(members, "TYPE", "DESCR") == [("QALIAS", "X")] * 3


def test_a_topic_string_that_a_member_uses_prevents_its_copy(members: Members) -> None:
    run(members[2], "DEFINE TOPIC(MINE) TOPICSTR('a')")
    warnings = run(members[1], "DEFINE TOPIC(G) TOPICSTR('a') QSGDISP(GROUP)")
    assert len(warnings) >= 1
    assert [each for each in warnings if each.startswith("MQSC0032W: QM2: G not refreshed: AMQ8150E")]
    assert rows(members[2], "DISPLAY TOPIC(G)") == []


def test_s49_copies_go_when_a_member_leaves(store: Store, members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)", "DEFINE PROCESS(P) QSGDISP(GROUP)")
    run(members[1], "DEFINE QLOCAL(EMPTY) QSGDISP(GROUP)", "DEFINE CHANNEL(C) CHLTYPE(RCVR) QSGDISP(GROUP)")
    with members[3].connect() as connection:
        connection.put1("G", Message(b"x"))
    members[3].end(immediate=True)
    store.leave_group("QM3")
    members[3].start()
    assert "QSGDISP" not in shown(members[3], "DISPLAY QLOCAL(G) ALL")
    run(members[3], "ALTER QLOCAL(G) MAXDEPTH(2)")
    for gone in ("QLOCAL(EMPTY)", "PROCESS(P)", "CHANNEL(C)"):
        assert rows(members[3], f"DISPLAY {gone}") == []
    refused(lambda: opened(members[3], name="SQ"), MQRC.UNKNOWN_OBJECT_NAME)
    run(members[1], "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)")
    assert maximum(members) == [9, 9, 2]
    members[3].end(immediate=True)
    store.join_group("QM3", "QSG1")
    members[3].start()
    assert depths(members, "MAXDEPTH", "QSGDISP") == [(9, "COPY"), (9, "COPY"), (2, "QMGR")]
    assert dispositions(members[3], "DISPLAY PROCESS(P)") == ["COPY"]


def test_a_new_member_gets_a_copy_of_every_group_object(store: Store, members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)")
    run(members[2], "ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(7)")
    store.create_queue_manager("QM4", group="QSG1")
    assert maximum({**members, 4: store.queue_manager("QM4")}) == [9, 7, 9, 9]


def test_the_group_keeps_its_objects_without_members(store: Store) -> None:
    only = store.create_queue_manager("QM1", group="QSG1")
    run(only, "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    only.end()
    store.leave_group("QM1")
    only.start()
    assert rows(only, "DISPLAY QLOCAL(G)") == []
    only.end()
    store.join_group("QM1", "QSG1")
    only.start()
    assert dispositions(only, "DISPLAY QLOCAL(G) QSGDISP(ALL)") == ["COPY", "GROUP"]


def test_the_history_has_the_master_and_the_copies(store: Store, members: Members) -> None:
    run(members[2], "DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)")
    assert list(events(store)) == [
        ("QSG1", "DEFINE", None, {"member": "QM2", "disposition": "GROUP", "MAXDEPTH": [None, 9]}),
        *((f"QM{n}", "DEFINE", "refresh", {"disposition": "COPY", "MAXDEPTH": [None, 9]}) for n in (1, 2, 3)),
    ]
    run(members[2], "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(8)")
    assert list(events(store, "ALTER")) == [
        ("QSG1", "ALTER", None, {"member": "QM2", "disposition": "GROUP", "MAXDEPTH": [9, 8]}),
        *((f"QM{n}", "ALTER", "refresh", {"disposition": "COPY", "MAXDEPTH": [9, 8]}) for n in (1, 2, 3)),
    ]
    run(members[2], "DELETE QLOCAL(G) QSGDISP(GROUP)")
    assert [(qmgr, cause) for qmgr, _, cause, _ in events(store, "DELETE")] == [
        ("QSG1", None), ("QM1", "refresh"), ("QM2", "refresh"), ("QM3", "refresh"),
    ]  # fmt: skip


def test_the_history_has_copies_that_a_member_gives_up(store: Store, members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    with members[3].connect() as connection:
        connection.put1("G", Message(b"x"))
    for number in (2, 3):
        members[number].end(immediate=True)
        store.leave_group(f"QM{number}")
    assert [each[:3] for each in events(store, "DELETE", "ALTER")] == [
        ("QM2", "DELETE", "leave"), ("QM3", "ALTER", "leave"),
    ]  # fmt: skip
    [kept] = events(store, "ALTER")
    assert kept[3] == {"QSGDISP": ["COPY", "QMGR"]}

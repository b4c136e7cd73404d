"""Queue-sharing groups: the scenarios of sharing.md that shared queues need, by id."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

import mqsc
from mqsc.console.tables import answer_lines
from mqsc.language.request import Request
from mqsc.plan import Trial
from mqsc.script import Answered, Script, commands_in, read_request
from mqsc.scripts.atomic_run import lines_of
from store.admin.put_preview import peek
from store.client.api import ObjectHandle, QueueManager, Store
from store.client.plan_copy import depth, tried_out
from store.constants import MQCO, MQGMO, MQMO, MQOO, MQPMO, MQRC
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.error import MQError, SharingGroupError
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

Members = dict[int, QueueManager]
BOTH = MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE
IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)
NOW = GetMessageOptions()


@pytest.fixture
def members(store: Store) -> Members:
    """QM1, QM2 and QM3 of QSG1, with the structure APPL1 and the shared queue SQ."""
    found = {number: store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)}
    run(found[1], "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)", "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    return found


def replies(qmgr: QueueManager, *commands: str) -> list[tuple[str, int]]:
    """Message id and reason of each command."""
    return [(each.message_id, each.reason) for each in mqsc.run(qmgr, "\n".join(commands))]


def run(qmgr: QueueManager, *commands: str) -> None:
    answers = mqsc.run(qmgr, "\n".join(commands))
    assert [each.text for each in answers if each.completion] == []


def shown(qmgr: QueueManager, command: str) -> dict[str, Any]:
    [reply] = mqsc.run(qmgr, command)
    [row] = reply.rows
    return row


def refused(call: Any, reason: int) -> None:
    with pytest.raises(MQError) as error:
        call()
    assert error.value.reason == reason


def opened(qmgr: QueueManager, options: int = BOTH, name: str = "SQ") -> ObjectHandle:
    return qmgr.connect().open(name, options)


def test_a_shared_queue_is_one_definition_and_one_set_of_messages(members: Members) -> None:
    opened(members[1]).put(Message(b"one"))
    for qmgr in members.values():
        row = shown(qmgr, "DISPLAY QLOCAL(SQ) CURDEPTH")
        assert list(row.items()) == [("QUEUE", "SQ"), ("TYPE", "QLOCAL"), ("QSGDISP", "SHARED"), ("CURDEPTH", 1)]
    assert opened(members[3]).get().body == b"one"
    run(members[2], "ALTER QLOCAL(SQ) QSGDISP(SHARED) MAXDEPTH(7)")
    assert shown(members[1], "DISPLAY QLOCAL(SQ) QSGDISP(SHARED) MAXDEPTH")["MAXDEPTH"] == 7


def test_a_handle_that_was_open_sees_a_change_made_on_another_member(members: Members) -> None:
    handle = opened(members[1])
    run(members[2], "ALTER QLOCAL(SQ) QSGDISP(SHARED) PUT(DISABLED)")
    refused(lambda: handle.put(Message(b"x")), MQRC.PUT_INHIBITED)


def test_s09_a_queue_of_its_own_is_in_the_way(members: Members) -> None:
    run(members[2], "DEFINE QLOCAL(Q)")
    [reply] = mqsc.run(members[1], "DEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    assert (reply.message_id, reply.completion) == ("AMQ8006I", 0)
    assert "MQSC0032W: QM2: Q is not usable there, because of a queue of that name" in reply.text
    opened(members[1], MQOO.OUTPUT, "Q")
    refused(lambda: opened(members[2], MQOO.OUTPUT, "Q"), MQRC.OBJECT_NOT_UNIQUE)
    refused(lambda: opened(members[2], MQOO.INQUIRE, "Q"), MQRC.OBJECT_NOT_UNIQUE)
    run(members[2], "DELETE QLOCAL(Q)")
    opened(members[2], MQOO.OUTPUT, "Q")


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("DEFINE QLOCAL(A) QSGDISP(SHARED)", ("AMQ8425E", 3211)),
        ("DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(APPL1) INDXTYPE(MSGTOKEN)", ("AMQ8425E", 3211)),
        ("DEFINE QLOCAL(SYSTEM.A) QSGDISP(SHARED) CFSTRUCT(APPL1)", ("AMQ8425E", 3211)),
        ("DEFINE QLOCAL(SYSTEM.ADMIN.A) QSGDISP(SHARED) CFSTRUCT(APPL1)", ("AMQ8006I", 0)),
        ("ALTER QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(OTHER)", ("AMQ8425E", 3211)),
        ("DEFINE QALIAS(A) TARGET(SQ) QSGDISP(SHARED)", ("AMQ8425E", 3211)),
        ("DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(NONE)", ("AMQ8147E", 2085)),
        ("ALTER QLOCAL(SQ) MAXDEPTH(1)", ("AMQ8147E", 2085)),
        ("DELETE QLOCAL(SQ)", ("AMQ8147E", 2085)),
        ("DEFINE QLOCAL(SQ)", ("AMQ8150E", 4001)),
        ("DEFINE QALIAS(SQ) TARGET(X)", ("AMQ8150E", 4001)),
        ("DEFINE QLOCAL(OWN) QSGDISP(SHARED) CFSTRUCT(APPL1)", ("AMQ8150E", 4001)),
        ("DEFINE QLOCAL(OWN) QSGDISP(SHARED) CFSTRUCT(APPL1) REPLACE", ("AMQ8150E", 4001)),
        ("DEFINE CFSTRUCT(B) CFLEVEL(2) RECOVER(YES)", ("AMQ8425E", 3203)),
        ("ALTER QLOCAL(SQ) QSGDISP(SHARED) CMDSCOPE(QM2)", ("AMQ8425E", 3211)),
        ("ALTER QLOCAL(SQ) QSGDISP(SHARED) CMDSCOPE(*)", ("AMQ8425E", 3211)),
        ("MOVE QLOCAL(OWN) TOQLOCAL(SQ) CMDSCOPE(*)", ("AMQ8405I", 0)),
    ],
)
def test_s10_refusals(members: Members, command: str, reply: tuple[str, int]) -> None:
    run(members[1], "DEFINE QLOCAL(OWN)")
    before = [each.rows for each in mqsc.run(members[1], "DISPLAY QUEUE(*) ALL")] if reply[1] else []
    assert replies(members[1], command) == [reply]
    assert before == [] or [each.rows for each in mqsc.run(members[1], "DISPLAY QUEUE(*) ALL")] == before


def test_s10_a_structure_that_is_recovered_needs_a_level(members: Members) -> None:
    (result,) = mqsc.run(members[1], "DEFINE CFSTRUCT(B) CFLEVEL(2) RECOVER(YES)")
    assert result.text.endswith("RECOVER(YES) needs CFLEVEL(3) or more.")


def test_s10_outside_a_group(store: Store) -> None:
    alone = store.create_queue_manager("ALONE")
    for disposition in ("GROUP", "COPY", "SHARED"):
        assert replies(alone, f"DEFINE QLOCAL(A) QSGDISP({disposition})") == [("AMQ8425E", 3212)]


def test_s10_the_513th_queue_of_a_structure(members: Members) -> None:
    run(members[1], *(f"DEFINE QLOCAL(A{number}) QSGDISP(SHARED) CFSTRUCT(APPL1)" for number in range(511)))
    assert replies(members[1], "DEFINE QLOCAL(B) QSGDISP(SHARED) CFSTRUCT(APPL1)") == [("AMQ8425E", 3209)]


def test_s14_longest_message_of_a_structure(members: Members) -> None:
    run(members[1], "DEFINE CFSTRUCT(B) CFLEVEL(3)", "DEFINE QLOCAL(B) QSGDISP(SHARED) CFSTRUCT(B)")
    handle = opened(members[2], name="B")
    # The third is like the first, whose fields the handle remembers.
    handle.put(Message(bytes(64_512)))
    refused(lambda: handle.put(Message(bytes(64_513))), MQRC.WRONG_CF_LEVEL)
    handle.put(Message(bytes(64_512)))
    run(members[1], "ALTER CFSTRUCT(B) CFLEVEL(4)")
    handle.put(Message(bytes(64_513)))


def test_s15_persistent_messages_need_recover(members: Members) -> None:
    run(members[1], "DEFINE CFSTRUCT(B) RECOVER(NO)", "DEFINE QLOCAL(B) QSGDISP(SHARED) CFSTRUCT(B)")
    handle = opened(members[2], name="B")
    refused(lambda: handle.put(Message(b"x", MessageDescriptor(persistence=1))), MQRC.PERSISTENT_NOT_ALLOWED)
    run(members[1], "ALTER QLOCAL(B) QSGDISP(SHARED) DEFPSIST(YES)")
    refused(lambda: opened(members[2], name="B").put(Message(b"x")), MQRC.PERSISTENT_NOT_ALLOWED)
    assert shown(members[1], "DISPLAY QLOCAL(B) CURDEPTH")["CURDEPTH"] == 0
    run(members[3], "ALTER CFSTRUCT(B) RECOVER(YES)")
    handle.put(Message(b"x", MessageDescriptor(persistence=1)))


def test_s16_a_structure_is_deleted_when_its_queues_are_empty_and_closed(members: Members) -> None:
    with members[1].connect() as connection:
        connection.put1("SQ", Message(b"x"))
    in_use = ("AMQ8148E", int(MQRC.OBJECT_IN_USE))
    commands = ("DELETE CFSTRUCT(APPL1)", "ALTER CFSTRUCT(APPL1) CFLEVEL(4)", "ALTER CFSTRUCT(APPL1) RECOVER(NO)")
    assert replies(members[2], *commands) == [in_use] * 3
    run(members[2], "CLEAR QLOCAL(SQ) QSGDISP(SHARED)")
    connection = members[3].connect()
    handle = connection.open("SQ", MQOO.OUTPUT)
    assert replies(members[2], "DELETE CFSTRUCT(APPL1)") == [in_use]
    handle.close()
    run(members[2], "DELETE CFSTRUCT(APPL1)")
    refused(lambda: opened(members[1]), MQRC.CF_STRUC_ERROR)
    run(members[2], "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)")
    opened(members[1])


def test_s17_the_status_of_a_structure(members: Members) -> None:
    row = shown(members[1], "DISPLAY CFSTATUS(*)")
    assert (row["STATUS"], row["ENTSUSED"], row["SIZEUSED"]) == ("NOTFOUND", 0, 0)
    opened(members[1], MQOO.OUTPUT).put(Message(bytes(100)))
    members[3].end(immediate=True)
    row = shown(members[2], "DISPLAY CFSTATUS(APPL*) TYPE(SUMMARY)")
    assert list(row.items())[:4] == [
        ("CFSTATUS", "APPL1"),
        ("TYPE", "SUMMARY"),
        ("CFTYPE", "APPL"),
        ("STATUS", "ACTIVE"),
    ]
    assert (row["ENTSUSED"], row["SIZEUSED"]) == (1, 1)
    [reply] = mqsc.run(members[1], "DISPLAY CFSTATUS(APPL1) TYPE(CONNECT)")
    assert [(each["QMNAME"], each["STATUS"]) for each in reply.rows] == [("QM1", "ACTIVE"), ("QM2", "ACTIVE")]
    assert replies(members[1], "DISPLAY CFSTATUS(*) TYPE(BACKUP)") == [("MQSC0003E", 0)]
    row = shown(members[1], "DISPLAY CFSTATUS(APPL1) BKUPDATE LOGS ACCESS STATUS")
    assert (row["BKUPDATE"], row["LOGS"], row["ACCESS"], row["STATUS"]) == ("", "", "", "ACTIVE")
    assert "BKUPDATE" not in shown(members[1], "DISPLAY CFSTATUS(APPL1) ALL")


def test_a_command_for_another_disposition_names_it(members: Members) -> None:
    [reply] = mqsc.run(members[1], "ALTER QLOCAL(SQ) MAXDEPTH(1)")
    assert reply.text.splitlines()[1:] == ["SQ exists with QSGDISP(SHARED)."]
    run(members[1], "DEFINE QLOCAL(OWN)")
    [reply] = mqsc.run(members[1], "CLEAR QLOCAL(OWN) QSGDISP(SHARED)")
    assert reply.text.splitlines()[1:] == ["OWN exists with QSGDISP(QMGR)."]
    [reply] = mqsc.run(members[1], "DELETE QLOCAL(NONE)")
    assert len(reply.text.splitlines()) == 1


def test_s18_uncommitted_messages_are_shown_by_the_member_that_has_them(members: Members) -> None:
    sender, getter = opened(members[1]), opened(members[2])
    sender.put([Message(b"a"), Message(b"b")])
    getter.get(GetMessageOptions(MQGMO.SYNCPOINT))
    told = [shown(qmgr, "DISPLAY QSTATUS(SQ) CURDEPTH UNCOM") for qmgr in members.values()]
    assert [row["CURDEPTH"] for row in told] == [1, 1, 1]
    assert [row["UNCOM"] for row in told] == ["NO", 1, "NO"]


def test_s19_handles_per_member_and_of_the_group(members: Members) -> None:
    held = [opened(members[number], MQOO.INPUT_SHARED) for number in (1, 1, 2)]
    assert len(held) == 3
    told = [shown(qmgr, "DISPLAY QSTATUS(SQ) IPPROCS IPGROUP OPGROUP") for qmgr in members.values()]
    assert [(row["IPPROCS"], row["IPGROUP"], row["OPGROUP"]) for row in told] == [(2, 3, 0), (1, 3, 0), (0, 3, 0)]
    assert [len(mqsc.run(qmgr, "DISPLAY QSTATUS(SQ) TYPE(HANDLE)")[0].rows) for qmgr in members.values()] == [2, 1, 0]
    assert [shown(qmgr, "DISPLAY QLOCAL(SQ) IPPROCS")["IPPROCS"] for qmgr in members.values()] == [2, 1, 0]


def test_s20_exclusive_input_is_exclusive_in_the_group(members: Members) -> None:
    held = members[1].connect()
    handle = held.open("SQ", MQOO.INPUT_EXCLUSIVE)
    refused(lambda: opened(members[2], MQOO.INPUT_SHARED), MQRC.OBJECT_IN_USE)
    opened(members[2], MQOO.BROWSE)
    assert replies(members[2], "DELETE QLOCAL(SQ) QSGDISP(SHARED)") == [("AMQ8148E", int(MQRC.OBJECT_IN_USE))]
    handle.close()
    opened(members[2], MQOO.INPUT_SHARED)


def selecting(msg_id: bytes = b"", correl_id: bytes = b"", browse: bool = False) -> GetMessageOptions:
    options = MQGMO.BROWSE_FIRST if browse else MQGMO.NO_WAIT
    return GetMessageOptions(
        options, match_options=MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID, msg_id=msg_id, correl_id=correl_id
    )


def test_s21_the_index_says_what_a_get_may_select_by(members: Members) -> None:
    handle = opened(members[1])
    for _ in range(2):
        handle.put(Message(b"x", MessageDescriptor(msg_id=b"M", correl_id=b"C")))
    refused(lambda: handle.get(selecting(correl_id=b"C")), MQRC.CORREL_ID_ERROR)
    refused(lambda: handle.get(selecting(correl_id=b"C", browse=True)), MQRC.CORREL_ID_ERROR)
    handle.get(selecting(msg_id=b"M"))
    refused(lambda: handle.get(selecting(b"M", b"C")), MQRC.MSG_ID_ERROR)
    handle.get(selecting())


def test_s22_the_order_is_that_of_the_puts_of_all_members(members: Members) -> None:
    connection = members[1].connect()
    connection.open("SQ", MQOO.OUTPUT).put(Message(b"a"), IN_UNIT)
    opened(members[2]).put(Message(b"b"))
    connection.commit()
    getter = opened(members[3])
    assert [getter.get().body, getter.get().body] == [b"a", b"b"]


def test_s23_nothing_committed_goes_when_members_end_and_start(members: Members) -> None:
    opened(members[1]).put(Message(b"x", MessageDescriptor(persistence=0)))
    for qmgr in members.values():
        qmgr.end(immediate=True)
    members[2].start()
    message = opened(members[2]).get()
    assert (message.body, message.descriptor.backout_count) == (b"x", 0)


def test_a_unit_of_a_member_that_ends_is_backed_out(members: Members) -> None:
    handle = opened(members[1])
    handle.put(Message(b"x"))
    handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
    members[1].end(immediate=True)
    assert opened(members[2]).get().descriptor.backout_count == 1


def test_s24_a_browse_lock_holds_on_every_member(members: Members) -> None:
    browser = opened(members[1])
    browser.put(Message(b"m1"))
    browser.get(GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK))
    getter = opened(members[3])
    refused(lambda: getter.get(NOW), MQRC.NO_MSG_AVAILABLE)
    opened(members[2]).put(Message(b"m2"))
    assert getter.get(GetMessageOptions(MQGMO.WAIT, wait_interval=60_000)).body == b"m2"
    assert browser.get(GetMessageOptions(MQGMO.MSG_UNDER_CURSOR)).body == b"m1"


def test_the_name_of_the_group_is_local_and_resolves_to_it(members: Members) -> None:
    with members[2].connect() as connection:
        handle = connection.open("SQ", MQOO.OUTPUT, queue_manager="QSG1")
        assert (handle.resolved_q_name, handle.resolved_q_mgr_name) == ("SQ", "QSG1")
        refused(lambda: connection.open("SQ", MQOO.OUTPUT, queue_manager="QM3"), MQRC.UNKNOWN_REMOTE_Q_MGR)
        run(members[2], "ALTER QMGR SQQMNAME(IGNORE)")
        assert connection.open("SQ", MQOO.OUTPUT, queue_manager="QM3").resolved_q_mgr_name == "QSG1"
        refused(lambda: connection.open("NONE", MQOO.OUTPUT, queue_manager="QM3"), MQRC.UNKNOWN_REMOTE_Q_MGR)


def test_an_alias_leads_to_a_shared_queue(members: Members) -> None:
    run(members[1], "DEFINE QALIAS(A) TARGET(SQ)")
    opened(members[1], MQOO.OUTPUT, "A").put(Message(b"x"))
    assert opened(members[2]).get().body == b"x"


def test_a_model_with_sharedyn_makes_a_shared_queue_that_any_member_deletes(members: Members) -> None:
    run(
        members[1],
        "DEFINE QMODEL(M) DEFTYPE(SHAREDYN) CFSTRUCT(APPL1)",
        "DEFINE QMODEL(N) DEFTYPE(SHAREDYN) CFSTRUCT(X)",
    )
    with members[1].connect() as connection:
        made = connection.open("M", MQOO.OUTPUT, dynamic_name="DYN")
        assert made.resolved_q_mgr_name == "QSG1"
        made.put(Message(b"x"))
        refused(lambda: connection.open("N", MQOO.OUTPUT, dynamic_name="N1"), MQRC.CF_STRUC_ERROR)
        refused(lambda: connection.open("M", MQOO.OUTPUT, dynamic_name="DYN"), MQRC.OBJECT_ALREADY_EXISTS)
    row = shown(members[2], "DISPLAY QLOCAL(DYN) DEFTYPE")
    assert (row["QSGDISP"], row["DEFTYPE"]) == ("SHARED", "SHAREDYN")
    with members[3].connect() as connection:
        connection.open("DYN", MQOO.INPUT_SHARED).close(MQCO.DELETE_PURGE)
    assert replies(members[1], "DISPLAY QLOCAL(DYN)") == [("AMQ8147E", 2085)]


def test_move_to_and_from_a_shared_queue(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(OWN)")
    with members[1].connect() as connection:
        connection.put1("OWN", Message(b"x"))
    run(members[1], "MOVE QLOCAL(OWN) TOQLOCAL(SQ)")
    assert shown(members[2], "DISPLAY QLOCAL(SQ) CURDEPTH")["CURDEPTH"] == 1
    run(members[1], "MOVE QLOCAL(SQ) QSGDISP(SHARED) TOQLOCAL(OWN)")
    assert shown(members[1], "DISPLAY QLOCAL(OWN) CURDEPTH")["CURDEPTH"] == 1


def test_display_all_of_a_shared_queue_adds_its_structure(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(OWN)")
    shared, own = (shown(members[1], f"DISPLAY QLOCAL({name}) ALL") for name in ("SQ", "OWN"))
    assert list(shared)[:3] == list(own)[:3] == ["QUEUE", "TYPE", "QSGDISP"]
    assert set(shared) - set(own) == {"CFSTRUCT"}


def test_display_by_disposition(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(A)", "DEFINE QLOCAL(Z)")

    def names(disposition: str) -> list[str]:
        [reply] = mqsc.run(members[1], f"DISPLAY QLOCAL(*) QSGDISP({disposition})")
        return [row["QUEUE"] for row in reply.rows if not row["QUEUE"].startswith("SYSTEM.")]

    assert [names(each) for each in ("LIVE", "ALL", "QMGR", "PRIVATE", "SHARED")] == [
        ["A", "SQ", "Z"], ["A", "SQ", "Z"], ["A", "Z"], ["A", "Z"], ["SQ"],
    ]  # fmt: skip
    assert replies(members[1], "DISPLAY QLOCAL(SQ) QSGDISP(QMGR)") == [("AMQ8147E", 2085)]


def test_s49_and_s50_a_queue_manager_that_left_sees_no_shared_queue(members: Members, store: Store) -> None:
    opened(members[1]).put(Message(b"x"))
    for qmgr in members.values():
        qmgr.end(immediate=True)
        store.leave_group(qmgr.name)
    members[3].start()
    refused(lambda: opened(members[3]), MQRC.UNKNOWN_OBJECT_NAME)
    store.join_group("QM1", "QSG1")
    members[1].start()
    assert opened(members[1]).get().body == b"x"


_ABOUT_SQ = Statement(
    select(event.c.kind, event.c.qmgr, event.c.detail).where(event.c.queue == "SQ").order_by(event.c.seq)
)


def test_the_history_of_a_shared_queue_names_the_group_and_the_member(members: Members) -> None:
    opened(members[1]).put(Message(b"x"))
    opened(members[2]).get()
    with Reading(members[1].store.database) as reading:
        found = reading.all(_ABOUT_SQ)
    assert {qmgr for _, qmgr, _ in found} == {"QSG1"}
    told = [(kind, json.loads(detail)["member"]) for kind, _, detail in found]
    assert told == [("DEFINE", "QM1"), ("OPEN", "QM1"), ("PUT", "QM1"), ("OPEN", "QM2"), ("GET", "QM2")]


def test_s28_a_unit_in_doubt_keeps_its_messages_when_its_member_ends(members: Members) -> None:
    opened(members[2]).put(Message(b"m1"))
    connection = members[1].connect()
    connection.open("SQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
    assert connection.prepare("CH", "1")
    members[1].end(immediate=True)
    refused(lambda: opened(members[2]).get(), MQRC.NO_MSG_AVAILABLE)
    with pytest.raises(SharingGroupError, match="in doubt on a shared queue"):
        members[1].store.leave_group("QM1")
    members[3].resolve("CH", "1", commit=True)
    assert shown(members[2], "DISPLAY QLOCAL(SQ) CURDEPTH")["CURDEPTH"] == 0


def test_the_structures_of_a_queue_manager_that_joins_become_the_groups(members: Members, store: Store) -> None:
    joining = store.create_queue_manager("QM4")
    run(joining, "DEFINE CFSTRUCT(NEW) CFLEVEL(4)", "DEFINE CFSTRUCT(APPL1) CFLEVEL(1)")
    joining.end()
    store.join_group("QM4", "QSG1")
    joining.start()
    assert shown(members[1], "DISPLAY CFSTRUCT(NEW) CFLEVEL")["CFLEVEL"] == 4
    assert shown(joining, "DISPLAY CFSTRUCT(APPL1) CFLEVEL")["CFLEVEL"] == 5


def test_a_consumer_of_a_shared_queue_moves_poison_messages(members: Members) -> None:
    run(members[1], "DEFINE QLOCAL(BO) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    run(members[1], "ALTER QLOCAL(SQ) QSGDISP(SHARED) BOTHRESH(1) BOQNAME(BO)")
    opened(members[2], MQOO.OUTPUT).put(Message(b"poison"))
    with members[1].connect() as connection:
        connection.open("SQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.back()
    with members[3].connect() as connection, connection.consumer("SQ", wait=0) as consumer:
        assert list(consumer) == []
    assert [each.body for each in peek(members[2], "BO")] == [b"poison"]


def test_a_plan_knows_the_shared_queues_of_the_group(members: Members) -> None:
    opened(members[2], MQOO.OUTPUT).put([Message(b"x")] * 2)
    with tried_out(members[1]) as copy:
        assert depth(copy, "SQ") == 2
        run(copy, "ALTER QLOCAL(SQ) QSGDISP(SHARED) MAXDEPTH(1)", "DISPLAY GROUP")
        assert len(mqsc.run(copy, "DISPLAY GROUP")[0].rows) == 3
        handle = opened(copy, MQOO.OUTPUT)
        assert handle.resolved_q_mgr_name == "QSG1"
    held = opened(members[3], MQOO.INPUT_EXCLUSIVE)
    with tried_out(members[1]) as copy:
        assert replies(copy, "CLEAR QLOCAL(SQ) QSGDISP(SHARED)") == [("AMQ8148E", int(MQRC.OBJECT_IN_USE))]
    assert held.is_open
    assert shown(members[1], "DISPLAY QLOCAL(SQ) MAXDEPTH")["MAXDEPTH"] == 5000


def printed(qmgr: QueueManager, command: str) -> list[str]:
    """The reply to a command as runmqsc prints it."""
    [answered] = [step for step in Script(qmgr).steps([command]) if isinstance(step, Answered)]
    return [line.rstrip() for line in answer_lines(answered.answer)]


def test_s11_a_command_for_all_members_is_one_command(members: Members) -> None:
    changed = "AMQ8005I: IBM MQ queue manager changed."
    script = Script(members[2])
    [step] = [each for each in script.steps(["ALTER QMGR TRIGINT(5) CMDSCOPE(*)"]) if isinstance(each, Answered)]
    assert list(answer_lines(step.answer)) == [
        "MQSC0030I: Reply of queue manager QM2.", changed,
        "MQSC0030I: Reply of queue manager QM1.", changed,
        "MQSC0030I: Reply of queue manager QM3.", changed,
    ]  # fmt: skip
    assert script.tally.lines()[0] == "One MQSC command read."
    assert [shown(each, "DISPLAY QMGR TRIGINT")["TRIGINT"] for each in members.values()] == [5, 5, 5]


def test_s12_members_that_are_down_or_unknown(members: Members) -> None:
    members[3].end()
    [reply] = mqsc.run(members[1], "ALTER QMGR DESCR(X) CMDSCOPE(*)")
    assert [line for line in reply.text.splitlines() if "Reply" in line] == [
        "Reply of queue manager QM1.", "MQSC0030I: Reply of queue manager QM2.",
    ]  # fmt: skip
    assert replies(members[1], "ALTER QMGR DESCR(X) CMDSCOPE(QM3)", "ALTER QMGR DESCR(X) CMDSCOPE(QM9)") == [
        ("AMQ8146E", int(MQRC.Q_MGR_NOT_AVAILABLE)),
        ("AMQ8425E", 4005),
    ]


def test_s13_what_one_member_refuses_the_others_have_done(members: Members) -> None:
    run(members[2], "DEFINE QLOCAL(Z)")
    [reply] = mqsc.run(members[1], "DEFINE QLOCAL(Z) CMDSCOPE(*)")
    assert (reply.completion, reply.reason) == (2, 4001)
    assert [line[:8] for line in reply.text.splitlines()] == [
        "Reply of", "AMQ8006I", "MQSC0030", "AMQ8150E", "MQSC0030", "AMQ8006I",
    ]  # fmt: skip
    assert [shown(each, "DISPLAY QLOCAL(Z)")["QSGDISP"] for each in members.values()] == ["QMGR"] * 3


def test_display_of_all_members(members: Members) -> None:
    run(members[3], "DEFINE QLOCAL(S3)")
    run(members[1], "DEFINE QLOCAL(S3)")
    row = [
        "AMQ8409I: Display Queue details.",
        "   QUEUE(S3)                               TYPE(QLOCAL)",
        "   QSGDISP(QMGR)",
    ]
    assert printed(members[3], "DISPLAY QLOCAL(S3*) CMDSCOPE(*)") == [
        "MQSC0030I: Reply of queue manager QM3.", *row,
        "MQSC0030I: Reply of queue manager QM1.", *row,
    ]  # fmt: skip
    run(members[1], "DELETE QLOCAL(S3)")
    [reply] = mqsc.run(members[2], "DISPLAY QLOCAL(S3) CMDSCOPE(*)")
    assert [(row["qmgr"], row["QUEUE"]) for row in reply.rows] == [("QM3", "S3")]
    # Only the issuer displays shared queues.
    [reply] = mqsc.run(members[2], "DISPLAY QLOCAL(SQ) CMDSCOPE(*)")
    assert [row["qmgr"] for row in reply.rows] == ["QM2"]
    assert replies(members[2], "DISPLAY QLOCAL(NONE) CMDSCOPE(*)") == [("MQSC0030I", 2085)]


def plan_of(qmgr: QueueManager, *commands: str) -> list[str]:
    """The lines of a plan: each change with its member, and errors and warnings below."""
    with tried_out(qmgr) as copy:
        trial = Trial(qmgr, copy)
        steps = Script(None, carry_out=trial.carry_out).steps(commands)
        planned = [each for step in steps if isinstance(step, Answered) for each in trial.planned(step)]
    return [" ".join(line.partition("  line ")[0].split()) for each in planned for line in lines_of(each)]


def test_a_plan_has_the_effects_of_commands_on_other_members(members: Members) -> None:
    mqsc.run(members[2], "DEFINE QLOCAL(Z)")
    members[2].connect().put1("Z", Message(b""))
    members[3].end()
    commands = ["DEFINE QLOCAL(Z) CMDSCOPE(*)", "CLEAR QLOCAL(Z) CMDSCOPE(QM2)", "ALTER QMGR TRIGINT(5) CMDSCOPE(QM3)"]
    assert plan_of(members[1], *commands, "ALTER QMGR EXPRYINT(5) CMDSCOPE(*)", "DISPLAY QLOCAL(Z) CMDSCOPE(*)") == [
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
    assert mqsc.run(members[1], "DISPLAY QLOCAL(Z)")[0].completion == 2


def test_a_plan_has_the_warnings_about_members_that_cannot_follow(members: Members) -> None:
    mqsc.run(members[2], "DEFINE QLOCAL(Z)\nDEFINE QLOCAL(Y)")
    shared = "DEFINE QLOCAL(Y) QSGDISP(SHARED) CFSTRUCT(APPL1)"
    assert plan_of(members[1], "DEFINE QLOCAL(Z) QSGDISP(GROUP)", shared, "ALTER QMGR EXPRYINT(9)") == [
        "CREATE QLOCAL(Z) QSGDISP(GROUP)",
        "MQSC0032W: QM2: Z not refreshed: it has one of its own.",
        "CREATE QLOCAL(Z) QSGDISP(COPY)",
        "CREATE QLOCAL(Z) QSGDISP(COPY) on QM3",
        "CREATE QLOCAL(Y) QSGDISP(SHARED)",
        "CFSTRUCT APPL1",
        "MQSC0032W: QM2: Y is not usable there, because of a queue of that name: MQOPEN answers 2343.",
        "UPDATE QMGR(QM1)",
        "EXPRYINT OFF -> 9",
    ]


def request(command: str) -> Request:
    [line] = commands_in([command])
    found = read_request(line)
    assert isinstance(found, Request)
    return found


def test_s46_the_member_that_reads_refresh_scans_the_shared_queues_once(
    members: Members, environment: Environment[FrozenClock]
) -> None:
    opened(members[1], MQOO.OUTPUT).put([Message(b"x", MessageDescriptor(expiry=10)), Message(b"y")])
    environment.clock.advance(seconds=2)
    [reply] = mqsc.run(members[3], "REFRESH QMGR TYPE(EXPIRY) CMDSCOPE(*)")
    assert [(row["qmgr"], row["DISCARDED"]) for row in reply.rows if row["QUEUE"] == "SQ"] == [("QM3", 1)]
    assert shown(members[1], "DISPLAY QLOCAL(SQ) CURDEPTH")["CURDEPTH"] == 1
    with Reading(members[1].store.database) as reading:
        [expired] = [row for row in reading.all(_ABOUT_SQ) if row[0] == "EXPIRE"]
    assert tuple(expired) == ("EXPIRE", "QSG1", '{"member": "QM3"}')


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("START CHANNEL(C) CHLDISP(SHARED)", "CHLDISP(SHARED)"),
        ("START CHANNEL(C) CHLDISP(FIXSHARED)", "CHLDISP(FIXSHARED)"),
        ("STOP CHANNEL(C) CHLDISP(SHARED)", "CHLDISP(SHARED)"),
        ("ALTER QMGR IGQ(ENABLED)", "IGQ(ENABLED)"),
        ("DEFINE QLOCAL(SYSTEM.QSG.TRANSMIT.QUEUE)", "DEFINE QLOCAL(SYSTEM.QSG.TRANSMIT.QUEUE)"),
    ],
)
def test_shared_channels_and_intra_group_queuing_are_refused_by_name(members: Members, command: str, what: str) -> None:
    mqsc.run(members[1], "DEFINE CHANNEL(C) CHLTYPE(RCVR)")
    (answer,) = mqsc.run(members[1], command)
    assert answer.message_id == "MQSC0003E"
    assert answer.text.startswith(f"{what} is not supported here: nothing was done.")


def test_igq_disabled_is_accepted(members: Members) -> None:
    assert mqsc.run(members[1], "ALTER QMGR IGQ(DISABLED)")[0].message_id == "AMQ8005I"
    assert mqsc.run(members[1], "DISPLAY QMGR IGQ")[0].rows == [{"QMNAME": "QM1", "IGQ": "DISABLED"}]

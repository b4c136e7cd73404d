"""DELETE: objects, and the authority records that go with them."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO, MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, check, last_line, names, put, set_up, values

RECORD = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)"
RECORDS = "DISPLAY AUTHREC PROFILE(A) OBJTYPE(QUEUE)"


def test_a_queue_with_messages_needs_purge(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    put(qmgr, "A", b"x")
    wanted = {
        "DELETE QLOCAL(A) NOPURGE": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
        "DELETE QLOCAL(A) PURGE": ("AMQ8007I", 0),
        "DELETE QLOCAL(A)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
    }
    check(qmgr, wanted)


def test_an_open_queue_and_another_type_are_not_deleted(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QALIAS(B) TARGET(A)")
    with qmgr.connect() as connection:
        connection.open("A", MQOO.OUTPUT)
        assert answer(qmgr, "DELETE QLOCAL(A)") == ("AMQ8148E", MQRC.OBJECT_IN_USE)
    assert answer(qmgr, "DELETE QLOCAL(B)") == ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE)
    assert names(qmgr, "DISPLAY QUEUE(*) WHERE(QUEUE NL 'SYSTEM*')") == ["A", "B"]


def test_the_authority_records_of_a_queue_are_deleted_with_it(qmgr: QueueManager) -> None:
    for option, left in (("", 0), ("AUTHREC(YES)", 0), ("AUTHREC(NO)", 1)):
        set_up(qmgr, f"DEFINE QLOCAL(A)\n{RECORD}\nDELETE QLOCAL(A) {option}")
        assert (option, len(values(qmgr, RECORDS, "PROFILE"))) == (option, left)


def test_the_authority_records_of_copies_go_or_stay_with_those_of_the_group_object(
    store: Store,
) -> None:
    master, member = (store.create_queue_manager(name, group="QSG1") for name in ("QM1", "QM2"))
    for option, left in (("AUTHREC(YES)", 0), ("AUTHREC(NO)", 1)):
        set_up(master, "DEFINE QLOCAL(A) QSGDISP(GROUP)")
        set_up(member, RECORD)
        set_up(master, f"DELETE QLOCAL(A) QSGDISP(GROUP) {option}")
        assert names(member, "DISPLAY QUEUE(A)") == []
        assert (option, len(values(member, RECORDS, "PROFILE"))) == (option, left)


def test_authority_records_can_be_deleted_alone(qmgr: QueueManager) -> None:
    deleting = "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE)"
    set_up(qmgr, f"DEFINE QLOCAL(A)\n{RECORD}")
    wanted = {
        deleting: ("AMQ8421E", MQRCCF.ENTITY_NAME_MISSING),
        f"{deleting} PRINCIPAL('ann')": ("AMQ8958E", MQRCCF.PROFILE_NAME_ERROR),
        f"{deleting} PRINCIPAL('joe')": ("AMQ8863I", 0),
    }
    check(qmgr, wanted)
    assert (values(qmgr, RECORDS, "PROFILE"), names(qmgr, "DISPLAY QLOCAL(A)")) == ([], ["A"])


def test_ignstate_accepts_that_the_object_is_missing_or_of_another_type(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(FULL)\nDEFINE QALIAS(B)")
    put(qmgr, "FULL", b"x")
    wanted = {
        "DELETE QLOCAL(A) IGNSTATE(YES)": ("AMQ8007I", 0),
        "DELETE CHANNEL(A) IGNSTATE(YES)": ("AMQ8015I", 0),
        "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') IGNSTATE(YES)": ("AMQ8863I", 0),
        "DELETE QLOCAL(A) IGNSTATE(NO)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "DELETE QLOCAL(FULL) IGNSTATE(YES)": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
        "DELETE QLOCAL(B)": ("AMQ8151E", MQRCCF.OBJECT_WRONG_TYPE),
        "DELETE QLOCAL(B) IGNSTATE(YES)": ("AMQ8007I", 0),
    }
    check(qmgr, wanted)
    success = "IGNSTATE(YES) counts this as success."
    assert last_line(qmgr, "DELETE QLOCAL(A) IGNSTATE(YES)") == f"A did not exist; {success}"
    assert last_line(qmgr, "DELETE QMODEL(B) IGNSTATE(YES)") == f"B was not a QMODEL; {success}"
    assert names(qmgr, "DISPLAY QALIAS(B)") == ["B"]


def test_chltable_selects_the_client_connection(qmgr: QueueManager) -> None:
    set_up(
        qmgr,
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(A) CHLTYPE(CLNTCONN) CONNAME('h')",
    )
    assert answer(qmgr, "DELETE CHANNEL(A) CHLTABLE(CLNTTBL)") == ("AMQ8015I", 0)
    assert values(qmgr, "DISPLAY CHANNEL(A) CHLTYPE", "CHLTYPE") == [("SVRCONN",)]

"""DELETE: objects with or without their messages and authority records; authority records; IGNSTATE."""

from __future__ import annotations

from store.client.api import QueueManager
from store.constants import MQOO, MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, last_line, names, put, rows, set_up

RECORD = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)"
RECORDS = "DISPLAY AUTHREC PROFILE(A) OBJTYPE(QUEUE)"


def test_a_queue_with_messages_needs_purge(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    put(qmgr, "A", b"x")
    assert answers(qmgr, "DELETE QLOCAL(A) NOPURGE", "DELETE QLOCAL(A) PURGE", "DELETE QLOCAL(A)") == {
        "DELETE QLOCAL(A)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "DELETE QLOCAL(A) NOPURGE": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
        "DELETE QLOCAL(A) PURGE": ("AMQ8007I", 0),
    }


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
        assert (option, len(rows(qmgr, RECORDS, "PROFILE"))) == (option, left)


def test_authority_records_can_be_deleted_alone(qmgr: QueueManager) -> None:
    set_up(qmgr, f"DEFINE QLOCAL(A)\n{RECORD}")
    deleting = "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE)"
    assert answers(qmgr, deleting, f"{deleting} PRINCIPAL('ann')", f"{deleting} PRINCIPAL('joe')") == {
        deleting: ("AMQ8421E", MQRCCF.ENTITY_NAME_MISSING),
        f"{deleting} PRINCIPAL('ann')": ("AMQ8958E", MQRCCF.PROFILE_NAME_ERROR),
        f"{deleting} PRINCIPAL('joe')": ("AMQ8863I", 0),
    }
    assert rows(qmgr, RECORDS, "PROFILE") == []
    assert names(qmgr, "DISPLAY QLOCAL(A)") == ["A"]


def test_deleting_records_mentions_once_that_authority_is_not_enforced(qmgr: QueueManager) -> None:
    set_up(qmgr, f"DEFINE QLOCAL(A)\n{RECORD}")
    assert last_line(qmgr, "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe')").startswith("No authority is")


def test_ignstate_accepts_that_the_object_is_missing(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(FULL)")
    put(qmgr, "FULL", b"x")
    assert answers(
        qmgr,
        "DELETE QLOCAL(A) IGNSTATE(YES)",
        "DELETE CHANNEL(A) IGNSTATE(YES)",
        "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') IGNSTATE(YES)",
        "DELETE QLOCAL(A) IGNSTATE(NO)",
        "DELETE QLOCAL(FULL) IGNSTATE(YES)",
    ) == {
        "DELETE QLOCAL(A) IGNSTATE(YES)": ("AMQ8007I", 0),
        "DELETE CHANNEL(A) IGNSTATE(YES)": ("AMQ8015I", 0),
        "DELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') IGNSTATE(YES)": ("AMQ8863I", 0),
        "DELETE QLOCAL(A) IGNSTATE(NO)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "DELETE QLOCAL(FULL) IGNSTATE(YES)": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
    }
    assert last_line(qmgr, "DELETE QLOCAL(A) IGNSTATE(YES)") == "A did not exist; IGNSTATE(YES) counts this as success."


def test_ignstate_accepts_that_the_name_is_that_of_another_type(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QALIAS(A)")
    assert answer(qmgr, "DELETE QLOCAL(A)")[1] == MQRCCF.OBJECT_WRONG_TYPE
    assert answer(qmgr, "DELETE QLOCAL(A) IGNSTATE(YES)") == ("AMQ8007I", 0)
    assert (
        last_line(qmgr, "DELETE QMODEL(A) IGNSTATE(YES)") == "A was not a QMODEL; IGNSTATE(YES) counts this as success."
    )
    assert names(qmgr, "DISPLAY QALIAS(A)") == ["A"]


def test_chltable_selects_the_client_connection(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE CHANNEL(A) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(A) CHLTYPE(CLNTCONN) CONNAME('h')")
    assert answer(qmgr, "DELETE CHANNEL(A) CHLTABLE(CLNTTBL)") == ("AMQ8015I", 0)
    assert rows(qmgr, "DISPLAY CHANNEL(A) CHLTYPE", "CHLTYPE") == [("SVRCONN",)]

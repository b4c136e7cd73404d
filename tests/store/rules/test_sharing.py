"""Shared queues and their structures: pure rules (sharing §1, §3, §4)."""

from __future__ import annotations

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.rules import sharing
from mqsc.store.rules.sharing import (
    BY_CORREL_ID,
    BY_GROUP_ID,
    BY_MSG_ID,
    DELETED,
    NO_INDEX,
    CouplingStructure,
)
from tests.rows import rows
from tests.store.tables import giving, verdicts

QLOCAL, CFSTRUCT = KINDS["QLOCAL"], KINDS["CFSTRUCT"]


@rows(
    *giving(
        "QSG1",
        (QLOCAL, "QSG1", "SHARED"),
        (QLOCAL, "QSG1", "GROUP"),
        (CFSTRUCT, "QSG1", "QMGR"),
    ),
    *giving("QM1", (QLOCAL, "QSG1", "COPY"), (QLOCAL, "QSG1", "QMGR"), (QLOCAL, "QSG1", "PRIVATE")),
    (CFSTRUCT, "", "QMGR", "QM1"),
)
def test_who_owns_an_object(kind: object, group: str, disposition: str, owner: str) -> None:
    assert sharing.owner_of(kind, "QM1", group, disposition) == owner  # type: ignore[arg-type]


test_s10_objects_of_one_name = verdicts(
    sharing.in_the_way,
    ("QMGR", ("COPY", "GROUP"), ["COPY"]),
    *giving([], ("QMGR", ("QMGR", "GROUP")), ("COPY", ("COPY", "GROUP")), ("GROUP", ("QMGR",))),
    *giving([], ("GROUP", ("COPY", "GROUP")), ("SHARED", ("SHARED",))),
    *giving(["SHARED"], ("QMGR", ("SHARED",)), ("GROUP", ("SHARED",))),
    *giving(["QMGR"], ("COPY", ("QMGR", "GROUP")), ("SHARED", ("QMGR",))),
    ("SHARED", ("COPY", "GROUP"), ["COPY", "GROUP"]),
)


@rows(
    ("A", {"CFSTRUCT": "S", "INDXTYPE": "GROUPID"}, 0),
    ("SYSTEM.ADMIN.A", {"CFSTRUCT": "S"}, 0),
    ("SYSTEM.DEFAULT.LOCAL.QUEUE", {"CFSTRUCT": "S"}, 0),
    ("SYSTEM.A", {"CFSTRUCT": "S"}, MQRCCF.DISPOSITION_CONFLICT),
    ("A", {"CFSTRUCT": ""}, MQRCCF.DISPOSITION_CONFLICT),
    ("A", {"CFSTRUCT": "S", "INDXTYPE": "MSGTOKEN"}, MQRCCF.DISPOSITION_CONFLICT),
)
def test_s10_definitions(name: str, attributes: dict[str, str], fault: int) -> None:
    assert sharing.definition_fault(name, {**attributes}) == fault


@rows(
    (CouplingStructure(1, recovers=False), 64_512, False),
    (CouplingStructure(2, recovers=False), 64_512, False),
    (CouplingStructure(3, recovers=False), 64_512, False),
    (CouplingStructure(3, recovers=True), 64_512, True),
    (CouplingStructure(4, recovers=True), 104_857_600, True),
    (CouplingStructure(5, recovers=False), 104_857_600, False),
)
def test_s14_s15_what_structures_store(
    structure: CouplingStructure,
    longest: int,
    keeps_persistent: bool,
) -> None:
    assert (structure.longest, structure.keeps_persistent) == (longest, keeps_persistent)


def test_s16_changes_that_need_unused_queues() -> None:
    before = CouplingStructure(4, recovers=True)
    changes = (
        CouplingStructure(3, recovers=True),
        CouplingStructure(4, recovers=False),
        DELETED,
        CouplingStructure(5, recovers=True),
        before,
    )
    assert [sharing.needs_unused_queues(before, after) for after in changes] == [
        True,
        True,
        True,
        False,
        False,
    ]


test_opening_a_shared_queue = verdicts(
    sharing.open_fault,
    (0, NO_INDEX, MQRC.CF_STRUC_ERROR),
    (2, BY_GROUP_ID, MQRC.WRONG_CF_LEVEL),
    (3, BY_GROUP_ID, 0),
    (1, BY_MSG_ID, 0),
)


NOTHING = {"msg_id": False, "correl_id": False, "group_id": False, "logical_order": False}


@rows(
    *giving(
        0,
        (NO_INDEX, ""),
        (NO_INDEX, "msg_id"),
        (BY_MSG_ID, "msg_id"),
        (BY_CORREL_ID, "correl_id"),
    ),
    *giving(
        0,
        (BY_MSG_ID, "msg_id correl_id"),
        (BY_CORREL_ID, "msg_id correl_id"),
        (BY_GROUP_ID, "group_id"),
    ),
    (BY_GROUP_ID, "logical_order", 0),
    *giving(
        MQRC.MSG_ID_ERROR,
        (BY_CORREL_ID, "msg_id"),
        (BY_GROUP_ID, "msg_id"),
        (NO_INDEX, "msg_id correl_id"),
    ),
    (BY_GROUP_ID, "msg_id correl_id", MQRC.MSG_ID_ERROR),
    *giving(MQRC.CORREL_ID_ERROR, (NO_INDEX, "correl_id"), (BY_MSG_ID, "correl_id")),
    (NO_INDEX, "group_id", MQRC.MATCH_OPTIONS_ERROR),
    (NO_INDEX, "logical_order", MQRC.Q_INDEX_TYPE_ERROR),
)
def test_s21_what_a_get_may_select_by(index: int, by: str, fault: int) -> None:
    assert sharing.selection_fault(index, **{**NOTHING, **dict.fromkeys(by.split(), True)}) == fault

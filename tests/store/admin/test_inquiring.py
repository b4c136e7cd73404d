"""DISPLAY of objects: names in order, rows complete, and the figures of a queue."""

from __future__ import annotations

import gc

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.admin.inquiring import PAGE, inquire, inquire_queue_manager
from mqsc.store.catalog import KINDS, QUEUES
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQRC
from tests.store.admin.looking import put, refused

QLOCAL = KINDS["QLOCAL"]
NAMES = ("A", "A%", "A.B", "A.B.C", "A.BC", "AB", "AZ", "A_", "Aa", "B", "a")


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    for name in reversed(NAMES):
        create(qmgr, QLOCAL, name, {})
    return qmgr


def test_only_a_trailing_asterisk_is_generic_and_names_come_in_order(qmgr: QueueManager) -> None:
    for pattern, found in {
        "A": ["A"],
        "A*": ["A", "A%", "A.B", "A.B.C", "A.BC", "AB", "AZ", "A_", "Aa"],
        "A.B*": ["A.B", "A.B.C", "A.BC"],
        **{"A%*": ["A%"], "A_*": ["A_"], "a*": ["a"]},
        **{"A.B.": [], "ABSENT": [], "ABSENT*": [], "A*B": []},
    }.items():
        assert [row["QUEUE"] for row in inquire(qmgr, QUEUES, pattern)] == found, pattern
    names = [row["QUEUE"] for row in inquire(qmgr, QUEUES, "*")]
    assert {*NAMES, "SYSTEM.DEFAULT.MODEL.QUEUE"} < set(names)
    assert names == sorted(names)


def test_pages_neither_lose_nor_repeat_a_name_whatever_is_defined_meanwhile(
    qmgr: QueueManager,
) -> None:
    wanted = [f"MANY.{number:04d}" for number in range(2 * PAGE)]
    for name in wanted:
        create(qmgr, QLOCAL, name, {})
    assert [row["QUEUE"] for row in inquire(qmgr, QUEUES, "MANY.*")] == wanted
    rows = inquire(qmgr, [QLOCAL], "A*")
    first = next(rows)
    create(qmgr, QLOCAL, "ZZZ", {})
    assert (first["QUEUE"], [row["QUEUE"] for row in rows][-1]) == ("A", "Aa")
    for kind, key in (("QALIAS", "QUEUE"), ("PROCESS", "PROCESS")):
        create(qmgr, KINDS[kind], f"A.{kind}", {})
        assert [row[key] for row in inquire(qmgr, [KINDS[kind]], "A*")] == [f"A.{kind}"]


def test_a_row_has_every_attribute_in_the_order_of_display(qmgr: QueueManager) -> None:
    for word in ("QLOCAL", "QMODEL", "QALIAS", "QREMOTE", "PROCESS", "NAMELIST"):
        kind = KINDS[word]
        create(qmgr, kind, f"NEW.{word}", {})
        (row,) = inquire(qmgr, [kind], f"NEW.{word}")
        hidden = {
            each
            for each in kind.display_order
            if each in kind.attributes and kind.attributes[each].is_hidden
        }
        shown = [each for each in kind.display_order if each not in hidden]
        assert [each for each in row if each in shown] == shown, word
        assert (next(iter(row.values())), row.get("TYPE", word)) == (f"NEW.{word}", word)


def test_a_local_queue_tells_its_depth_and_handles_but_not_those_of_a_lost_connection(
    qmgr: QueueManager,
) -> None:
    put(qmgr, "A", b"x")
    connection = qmgr.connect()
    connection.open("A", MQOO.INPUT_SHARED)
    connection.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
    (row,) = inquire(qmgr, [QLOCAL], "A")
    assert (row["CURDEPTH"], row["IPPROCS"], row["OPPROCS"]) == (1, 2, 1)
    del connection
    gc.collect()
    (row,) = inquire(qmgr, [QLOCAL], "A")
    assert (row["CURDEPTH"], row["IPPROCS"], row["OPPROCS"]) == (1, 0, 0)


def test_the_queue_manager_tells_what_it_is_unless_it_has_ended(qmgr: QueueManager) -> None:
    row = inquire_queue_manager(qmgr)
    assert next(iter(row)) == "QMNAME"
    given = {
        "QMNAME": "QM1",
        "QMID": "QM1_2023-11-14_22.13.20",
        "MAXPRTY": 9,
        "CERTLABL": "ibmwebspheremqqm1",
    }
    assert {**row, **given, "DEADQ": ""} == row
    assert set(KINDS["QMGR"].display_order) == set(row)
    qmgr.end()
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        inquire(qmgr, [QLOCAL], "*")
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        inquire_queue_manager(qmgr)

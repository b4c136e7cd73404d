from __future__ import annotations

import gc

import pytest

from store.admin.defining import create
from store.admin.inquiring import PAGE, inquire, inquire_queue_manager
from store.catalog import KINDS, QUEUES
from store.client.api import QueueManager
from store.constants import MQOO, MQRC
from store.message import Message
from tests.store.admin.looking import refused

QLOCAL = KINDS["QLOCAL"]
NAMES = ("A", "A%", "A.B", "A.B.C", "A.BC", "AB", "AZ", "A_", "Aa", "B", "a")


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    for name in reversed(NAMES):
        create(qmgr, QLOCAL, name, {})
    return qmgr


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("A", ["A"]),
        ("A*", ["A", "A%", "A.B", "A.B.C", "A.BC", "AB", "AZ", "A_", "Aa"]),
        ("A.B*", ["A.B", "A.B.C", "A.BC"]),
        ("A%*", ["A%"]),
        ("A_*", ["A_"]),
        ("a*", ["a"]),
        ("A.B.", []),
        ("ABSENT", []),
        ("ABSENT*", []),
        ("A*B", []),
    ],
)
def test_only_a_trailing_asterisk_is_generic_and_names_come_in_order(
    qmgr: QueueManager, pattern: str, found: list[str]
) -> None:
    assert [row["QUEUE"] for row in inquire(qmgr, QUEUES, pattern)] == found


def test_a_lone_asterisk_means_all(qmgr: QueueManager) -> None:
    names = [row["QUEUE"] for row in inquire(qmgr, QUEUES, "*")]
    assert set(NAMES) < set(names)
    assert "SYSTEM.DEFAULT.MODEL.QUEUE" in names
    assert names == sorted(names)


def test_pages_neither_lose_nor_repeat_a_name(qmgr: QueueManager) -> None:
    wanted = [f"MANY.{number:04d}" for number in range(2 * PAGE)]
    for name in wanted:
        create(qmgr, QLOCAL, name, {})
    assert [row["QUEUE"] for row in inquire(qmgr, QUEUES, "MANY.*")] == wanted


def test_a_definition_made_while_rows_are_read_is_no_hindrance(qmgr: QueueManager) -> None:
    rows = inquire(qmgr, [QLOCAL], "A*")
    first = next(rows)
    create(qmgr, QLOCAL, "ZZZ", {})
    assert (first["QUEUE"], [row["QUEUE"] for row in rows][-1]) == ("A", "Aa")


def test_only_the_kinds_asked_for_are_found(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QALIAS"], "A.ALIAS", {})
    create(qmgr, KINDS["PROCESS"], "A.PROCESS", {})
    assert [row["QUEUE"] for row in inquire(qmgr, [KINDS["QALIAS"]], "A*")] == ["A.ALIAS"]
    assert [row["PROCESS"] for row in inquire(qmgr, [KINDS["PROCESS"]], "A*")] == ["A.PROCESS"]


@pytest.mark.parametrize("word", ["QLOCAL", "QMODEL", "QALIAS", "QREMOTE", "PROCESS", "NAMELIST"])
def test_a_row_has_every_attribute_in_the_order_of_display(qmgr: QueueManager, word: str) -> None:
    kind = KINDS[word]
    create(qmgr, kind, "NEW", {})
    (row,) = inquire(qmgr, [kind], "NEW")
    shown = [each for each in kind.display_order if each not in kind.attributes or not kind.attributes[each].is_hidden]
    assert [each for each in row if each in shown] == shown
    assert next(iter(row.values())) == "NEW"
    assert row.get("TYPE", word) == word


def test_a_local_queue_tells_its_depth_and_handles(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.put1("A", Message(b"x"))
        connection.open("A", MQOO.INPUT_SHARED)
        connection.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        (row,) = inquire(qmgr, [QLOCAL], "A")
    assert (row["CURDEPTH"], row["IPPROCS"], row["OPPROCS"]) == (1, 2, 1)


def test_handles_of_a_connection_that_was_lost_do_not_count(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    connection.open("A", MQOO.INPUT_SHARED)
    del connection
    gc.collect()
    (row,) = inquire(qmgr, [QLOCAL], "A")
    assert row["IPPROCS"] == 0


def test_the_queue_manager_tells_what_it_is_and_what_it_was_given(qmgr: QueueManager) -> None:
    row = inquire_queue_manager(qmgr)
    assert next(iter(row)) == "QMNAME"
    assert (row["QMNAME"], row["QMID"], row["MAXPRTY"], row["CERTLABL"], row["DEADQ"]) == (
        "QM1",
        "QM1_2023-11-14_22.13.20",
        9,
        "ibmwebspheremqqm1",
        "",
    )
    assert set(KINDS["QMGR"].display_order) == set(row)


def test_an_ended_queue_manager_shows_nothing(qmgr: QueueManager) -> None:
    qmgr.end()
    for ask in (lambda: inquire(qmgr, [QLOCAL], "*"), lambda: inquire_queue_manager(qmgr)):
        with refused(MQRC.Q_MGR_NOT_AVAILABLE):
            ask()

"""DELETE and CLEAR: what is in the way, and what the history keeps."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.admin.clearing import BATCH, clear
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQOT, MQPMO, MQRC, MQRCCF
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.looking import history, queue_row, refused

QLOCAL, PROCESS = KINDS["QLOCAL"], KINDS["PROCESS"]


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    """QM1 with an object of every kind."""
    for kind, name, given in (
        *(("QLOCAL", "Q", {"MAXDEPTH": 999_999_999}), ("QLOCAL", "XQ", {"USAGE": "XMITQ"})),
        *(
            ("QALIAS", "ALIAS", {"TARGET": "Q"}),
            ("QMODEL", "MODEL", {}),
            ("PROCESS", "P", {}),
            ("NAMELIST", "N", {}),
        ),
        ("QREMOTE", "REMOTE", {"RNAME": "FAR", "RQMNAME": "QM2", "XMITQ": "XQ"}),
        ("CHANNEL", "C", {"CHLTYPE": "SVRCONN"}),
    ):
        create(qmgr, KINDS[kind], name, given)
    return qmgr


def put(qmgr: QueueManager, count: int, expiry: int = -1, queue: str = "Q") -> None:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT)
        handle.put([Message(b"x", MessageDescriptor(expiry=expiry)) for _ in range(count)])


def test_what_nobody_uses_is_deleted_and_may_come_again(qmgr: QueueManager) -> None:
    for kind, name in (
        *(
            ("QALIAS", "ALIAS"),
            ("QREMOTE", "REMOTE"),
            ("QLOCAL", "Q"),
            ("QMODEL", "MODEL"),
            ("PROCESS", "P"),
        ),
        *(("NAMELIST", "N"), ("CHANNEL", "C"), ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE")),
    ):
        delete(qmgr, KINDS[kind], name)
        assert list(inquire(qmgr, [KINDS[kind]], name)) == [], name
        last = history(qmgr.store, name)[-1]
        assert (last.kind, last.target, last.user) == ("DELETE", kind, "tester"), name
        create(qmgr, KINDS[kind], name, {"CHLTYPE": "CLNTCONN"} if kind == "CHANNEL" else {})


def test_delete_wants_exactly_that_kind_and_clear_a_local_queue(qmgr: QueueManager) -> None:
    for kind, name, reason in (
        ("QLOCAL", "ABSENT", MQRC.UNKNOWN_OBJECT_NAME),
        ("QLOCAL", "q", MQRC.UNKNOWN_OBJECT_NAME),
        ("QLOCAL", "ALIAS", MQRCCF.OBJECT_WRONG_TYPE),
        ("QALIAS", "Q", MQRCCF.OBJECT_WRONG_TYPE),
        ("PROCESS", "Q", MQRC.UNKNOWN_OBJECT_NAME),
        ("CHANNEL", "ABSENT", MQRCCF.CHANNEL_NOT_FOUND),
    ):
        with refused(reason, name):
            delete(qmgr, KINDS[kind], name)
    for name in ("ABSENT", "Q*"):
        with refused(MQRC.UNKNOWN_OBJECT_NAME, name):
            clear(qmgr, name)
    for name in ("ALIAS", "REMOTE", "MODEL"):
        with refused(MQRCCF.OBJECT_WRONG_TYPE, name):
            clear(qmgr, name)


@pytest.mark.parametrize(
    ("opened", "options", "kind", "name"),
    [
        ("Q", MQOO.INPUT_SHARED, "QLOCAL", "Q"),
        ("Q", MQOO.INQUIRE, "QLOCAL", "Q"),
        ("ALIAS", MQOO.OUTPUT, "QLOCAL", "Q"),
        ("ALIAS", MQOO.OUTPUT, "QALIAS", "ALIAS"),
        ("REMOTE", MQOO.OUTPUT, "QREMOTE", "REMOTE"),
        ("REMOTE", MQOO.OUTPUT, "QLOCAL", "XQ"),
        ("REMOTE", MQOO.INQUIRE, "QREMOTE", "REMOTE"),
    ],
)
def test_purge_overrides_no_handles(
    qmgr: QueueManager,
    opened: str,
    options: int,
    kind: str,
    name: str,
) -> None:
    with qmgr.connect() as connection:
        handle = connection.open(opened, options)
        with refused(MQRC.OBJECT_IN_USE, name):
            delete(qmgr, KINDS[kind], name, purge=True)
        handle.close()
        delete(qmgr, KINDS[kind], name, purge=True)


def test_an_initiation_queue_at_work_and_an_open_process_cannot_be_deleted(
    qmgr: QueueManager,
) -> None:
    create(qmgr, PROCESS, "P2", {})
    with qmgr.connect() as connection:
        connection.open("SYSTEM.DEFAULT.INITIATION.QUEUE", MQOO.INPUT_SHARED)
        connection.open("P", MQOO.INQUIRE, object_type=MQOT.PROCESS)
        for kind, name in ((QLOCAL, "SYSTEM.DEFAULT.INITIATION.QUEUE"), (PROCESS, "P")):
            with refused(MQRC.OBJECT_IN_USE):
                delete(qmgr, kind, name)
        delete(qmgr, PROCESS, "P2")
        delete(qmgr, KINDS["NAMELIST"], "N")
    delete(qmgr, PROCESS, "P")


@pytest.mark.parametrize("count", [1, BATCH, BATCH + 1])
def test_messages_go_with_purge_only_and_are_counted(qmgr: QueueManager, count: int) -> None:
    put(qmgr, count)
    with refused(MQRC.Q_NOT_EMPTY):
        delete(qmgr, QLOCAL, "Q")
    delete(qmgr, QLOCAL, "Q", purge=True)
    *cleared, deleted = [
        each for each in history(qmgr.store, "Q") if each.kind in ("CLEAR", "DELETE")
    ]
    assert {(each.kind, each.cause) for each in cleared} == {("CLEAR", "purge")}
    assert sum(each.detail["messages"] for each in cleared) == count
    assert (deleted.kind, deleted.detail["messages"]) == ("DELETE", count)
    # A queue that is made again starts empty.
    create(qmgr, QLOCAL, "Q", {})
    (row,) = inquire(qmgr, [QLOCAL], "Q")
    assert (row["CURDEPTH"], row["IPPROCS"], row["OPPROCS"]) == (0, 0, 0)


SENDER = {"CHLTYPE": "SDR", "CONNAME": "far", "XMITQ": "X", "PASSWORD": "geheim"}
WAS: list[tuple[str, dict[str, Stored], dict[str, Stored] | None]] = [
    (
        "QLOCAL",
        {"MAXDEPTH": 7, "DESCR": "Aufträge"},
        {"messages": 0, "DESCR": "Aufträge", "MAXDEPTH": 7},
    ),
    ("QLOCAL", {}, {"messages": 0}),
    ("NAMELIST", {"NAMES": ["B", "A"]}, {"NAMES": ["B", "A"]}),
    ("PROCESS", {}, None),
    ("CHANNEL", {"CHLTYPE": "SVRCONN", "MAXINST": 3}, {"CHLTYPE": "SVRCONN", "MAXINST": 3}),
    ("CHANNEL", {**SENDER}, {**SENDER, "PASSWORD": "********"}),
]


@pytest.mark.parametrize(("kind", "given", "was"), WAS)
def test_the_history_keeps_what_it_was(
    qmgr: QueueManager,
    kind: str,
    given: dict[str, Stored],
    was: dict[str, Stored] | None,
) -> None:
    create(qmgr, KINDS[kind], "NEW", given)
    delete(qmgr, KINDS[kind], "NEW")
    defined, deleted = (each.detail for each in history(qmgr.store, "NEW"))
    attributes = {word: value for word, value in (was or {}).items() if word != "messages"}
    assert (defined or {}) == {word: [None, value] for word, value in attributes.items()}
    held: dict[str, Any] = {word: [value, None] for word, value in attributes.items()}
    assert deleted == (was and {word: held.get(word, value) for word, value in was.items()})


@pytest.mark.parametrize("what", ["put", "got"])
def test_uncommitted_messages_are_in_the_way_even_of_purge(qmgr: QueueManager, what: str) -> None:
    put(qmgr, 2)
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        if what == "put":
            handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        else:
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        handle.close()
        with refused(MQRC.Q_NOT_EMPTY):
            delete(qmgr, QLOCAL, "Q", purge=True)
        with refused(MQRC.Q_NOT_EMPTY):
            clear(qmgr, "Q")
        connection.back()
    assert clear(qmgr, "Q") == 2
    put(qmgr, 1)
    delete(qmgr, QLOCAL, "Q", purge=True)


def test_clear_removes_everything_and_keeps_the_queue_and_its_statistics(
    qmgr: QueueManager,
) -> None:
    create(qmgr, QLOCAL, "OTHER", {})
    put(qmgr, 1, queue="OTHER")
    put(qmgr, 3, expiry=100)
    before = queue_row(qmgr, "Q")
    assert (clear(qmgr, "Q"), before.depth, queue_row(qmgr, "OTHER").depth) == (3, 3, 1)
    after = queue_row(qmgr, "Q")
    assert before.earliest_expiry is not None
    assert (after.depth, after.earliest_expiry) == (0, None)
    counted = [(row.puts, row.gets, row.high_depth, row.next_sequence) for row in (before, after)]
    assert counted[0] == counted[1]
    with qmgr.connect() as connection, refused(MQRC.NO_MSG_AVAILABLE):
        connection.open("Q", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_SYNCPOINT))


def test_any_handle_on_the_queue_or_resolving_to_it_is_in_the_way_of_clear(
    qmgr: QueueManager,
) -> None:
    for opened, options, cleared in (
        *(
            ("Q", options, "Q")
            for options in (MQOO.INPUT_SHARED, MQOO.OUTPUT, MQOO.BROWSE, MQOO.INQUIRE)
        ),
        *(("ALIAS", MQOO.OUTPUT, "Q"), ("REMOTE", MQOO.OUTPUT, "XQ")),
    ):
        put(qmgr, 1)
        with qmgr.connect() as connection:
            connection.open(opened, options)
            with refused(MQRC.OBJECT_IN_USE, cleared):
                clear(qmgr, cleared)
        assert queue_row(qmgr, "Q").depth == 1
        clear(qmgr, cleared)
        assert queue_row(qmgr, cleared).depth == 0


@pytest.mark.parametrize(
    ("count", "events"),
    [(0, [0]), (2, [2]), (BATCH, [BATCH]), (BATCH + 1, [BATCH, 1])],
)
def test_the_history_of_clear_tells_how_many_batch_by_batch(
    qmgr: QueueManager,
    count: int,
    events: list[int],
) -> None:
    put(qmgr, count)
    assert clear(qmgr, "Q") == count
    cleared = [each for each in history(qmgr.store, "Q") if each.kind == "CLEAR"]
    assert [each.detail["messages"] for each in cleared] == events
    assert {(each.cause, each.target, each.user) for each in cleared} == {
        (None, "QLOCAL", "tester"),
    }

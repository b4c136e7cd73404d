"""DELETE and CLEAR: what is in the way, and what the history keeps."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.defining import create
from store.admin.deleting import BATCH, clear, delete
from store.admin.inquiring import inquire
from store.admin.records import authority_records, set_authority
from store.catalog import KINDS, Stored
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQOT, MQPMO, MQRC, MQRCCF
from store.descriptor import MessageDescriptor
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.looking import history, queue_row, refused

QLOCAL, PROCESS = KINDS["QLOCAL"], KINDS["PROCESS"]


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 999_999_999})
    create(qmgr, QLOCAL, "XQ", {"USAGE": "XMITQ"})
    create(qmgr, KINDS["QALIAS"], "ALIAS", {"TARGET": "Q"})
    create(qmgr, KINDS["QREMOTE"], "REMOTE", {"RNAME": "FAR", "RQMNAME": "QM2", "XMITQ": "XQ"})
    create(qmgr, KINDS["QMODEL"], "MODEL", {})
    create(qmgr, PROCESS, "P", {})
    create(qmgr, KINDS["NAMELIST"], "N", {})
    create(qmgr, KINDS["CHANNEL"], "C", {"CHLTYPE": "SVRCONN"})
    return qmgr


def put(qmgr: QueueManager, count: int, expiry: int = -1, queue: str = "Q") -> None:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT)
        handle.put([Message(b"x", MessageDescriptor(expiry=expiry)) for _ in range(count)])


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("QLOCAL", "Q"),
        ("QALIAS", "ALIAS"),
        ("QREMOTE", "REMOTE"),
        ("QMODEL", "MODEL"),
        ("PROCESS", "P"),
        ("NAMELIST", "N"),
        ("CHANNEL", "C"),
        ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE"),
    ],
)
def test_what_nobody_uses_is_deleted_and_may_come_again(qmgr: QueueManager, kind: str, name: str) -> None:
    delete(qmgr, KINDS[kind], name)
    assert list(inquire(qmgr, [KINDS[kind]], name)) == []
    last = history(qmgr.store, name)[-1]
    assert (last.kind, last.target, last.user) == ("DELETE", kind, "tester")
    create(qmgr, KINDS[kind], name, {"CHLTYPE": "CLNTCONN"} if kind == "CHANNEL" else {})


@pytest.mark.parametrize(
    ("kind", "name", "reason"),
    [
        ("QLOCAL", "ABSENT", MQRC.UNKNOWN_OBJECT_NAME),
        ("QLOCAL", "q", MQRC.UNKNOWN_OBJECT_NAME),
        ("QLOCAL", "ALIAS", MQRCCF.OBJECT_WRONG_TYPE),
        ("QALIAS", "Q", MQRCCF.OBJECT_WRONG_TYPE),
        ("PROCESS", "Q", MQRC.UNKNOWN_OBJECT_NAME),
        ("CHANNEL", "ABSENT", MQRCCF.CHANNEL_NOT_FOUND),
    ],
)
def test_delete_wants_exactly_that_kind(qmgr: QueueManager, kind: str, name: str, reason: int) -> None:
    with refused(reason, name):
        delete(qmgr, KINDS[kind], name)


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
def test_purge_overrides_messages_but_never_open_handles(
    qmgr: QueueManager, opened: str, options: int, kind: str, name: str
) -> None:
    with qmgr.connect() as connection:
        handle = connection.open(opened, options)
        with refused(MQRC.OBJECT_IN_USE, name):
            delete(qmgr, KINDS[kind], name, purge=True)
        handle.close()
        delete(qmgr, KINDS[kind], name, purge=True)


def test_an_initiation_queue_at_work_cannot_be_deleted(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open("SYSTEM.DEFAULT.INITIATION.QUEUE", MQOO.INPUT_SHARED)
        with refused(MQRC.OBJECT_IN_USE):
            delete(qmgr, QLOCAL, "SYSTEM.DEFAULT.INITIATION.QUEUE")


def test_a_process_that_is_open_cannot_be_deleted(qmgr: QueueManager) -> None:
    create(qmgr, PROCESS, "P2", {})
    with qmgr.connect() as connection:
        connection.open("P", MQOO.INQUIRE, object_type=MQOT.PROCESS)
        with refused(MQRC.OBJECT_IN_USE):
            delete(qmgr, PROCESS, "P")
        delete(qmgr, PROCESS, "P2")
        delete(qmgr, KINDS["NAMELIST"], "N")
    delete(qmgr, PROCESS, "P")


@pytest.mark.parametrize("count", [1, BATCH, BATCH + 1])
def test_messages_go_with_purge_only_and_are_counted(qmgr: QueueManager, count: int) -> None:
    put(qmgr, count)
    with refused(MQRC.Q_NOT_EMPTY):
        delete(qmgr, QLOCAL, "Q")
    delete(qmgr, QLOCAL, "Q", purge=True)
    removals = [each for each in history(qmgr.store, "Q") if each.kind in ("CLEAR", "DELETE")]
    assert {each.cause for each in removals if each.kind == "CLEAR"} == {"purge"}
    assert sum(each.detail["messages"] for each in removals if each.kind == "CLEAR") == count
    assert (removals[-1].kind, removals[-1].detail["messages"]) == ("DELETE", count)


@pytest.mark.parametrize(
    ("kind", "given", "was"),
    [
        ("QLOCAL", {"MAXDEPTH": 7, "DESCR": "Aufträge"}, {"messages": 0, "DESCR": "Aufträge", "MAXDEPTH": 7}),
        ("QLOCAL", {}, {"messages": 0}),
        ("NAMELIST", {"NAMES": ["B", "A"]}, {"NAMES": ["B", "A"]}),
        ("PROCESS", {}, None),
        ("CHANNEL", {"CHLTYPE": "SVRCONN", "MAXINST": 3}, {"CHLTYPE": "SVRCONN", "MAXINST": 3}),
        (
            "CHANNEL",
            {"CHLTYPE": "SDR", "CONNAME": "far", "XMITQ": "X", "PASSWORD": "geheim"},
            {"CHLTYPE": "SDR", "CONNAME": "far", "PASSWORD": "********", "XMITQ": "X"},
        ),
    ],
)
def test_the_history_keeps_what_it_was_and_became(
    qmgr: QueueManager, kind: str, given: dict[str, Stored], was: dict[str, Stored] | None
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
    put(qmgr, 1)
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        if what == "put":
            handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        else:
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        handle.close()
        with refused(MQRC.Q_NOT_EMPTY):
            delete(qmgr, QLOCAL, "Q", purge=True)
        connection.back()
    delete(qmgr, QLOCAL, "Q", purge=True)


def test_a_queue_made_again_starts_empty(qmgr: QueueManager) -> None:
    put(qmgr, 2)
    delete(qmgr, QLOCAL, "Q", purge=True)
    create(qmgr, QLOCAL, "Q", {})
    (row,) = inquire(qmgr, [QLOCAL], "Q")
    assert (row["CURDEPTH"], row["IPPROCS"], row["OPPROCS"]) == (0, 0, 0)


# Kind deleted, object type of the records, whether records are deleted too, and the profiles that are left.
@pytest.mark.parametrize(
    ("kind", "type", "with_authority", "left"),
    [
        ("QLOCAL", "QUEUE", True, ["X", "X.*"]),
        ("QLOCAL", "QUEUE", False, ["X", "X", "X.*"]),
        ("PROCESS", "PROCESS", True, ["X", "X.*"]),
    ],
)
def test_authority_records_of_exactly_that_name_and_type_go_with_the_object(
    qmgr: QueueManager, kind: str, type: str, with_authority: bool, left: list[str]
) -> None:
    create(qmgr, KINDS[kind], "X", {})
    for profile, held in (("X", type), ("X.*", type), ("X", "NAMELIST")):
        set_authority(qmgr, (profile, held), [("PRINCIPAL", "joe")], ["INQ"], [])
    delete(qmgr, KINDS[kind], "X", with_authority=with_authority)
    assert sorted(str(row["PROFILE"]) for row in authority_records(qmgr, "")) == left


def test_clear_removes_everything_and_keeps_the_queue_and_its_statistics(qmgr: QueueManager) -> None:
    put(qmgr, 3, expiry=100)
    before = queue_row(qmgr, "Q")
    removed = clear(qmgr, "Q")
    after = queue_row(qmgr, "Q")
    assert (removed, before.depth, after.depth) == (3, 3, 0)
    assert before.earliest_expiry is not None
    assert after.earliest_expiry is None
    assert (after.puts, after.gets, after.high_depth, after.next_sequence) == (
        before.puts,
        before.gets,
        before.high_depth,
        before.next_sequence,
    )
    with qmgr.connect() as connection, refused(MQRC.NO_MSG_AVAILABLE):
        connection.open("Q", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_SYNCPOINT))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ABSENT", MQRC.UNKNOWN_OBJECT_NAME),
        ("ALIAS", MQRCCF.OBJECT_WRONG_TYPE),
        ("REMOTE", MQRCCF.OBJECT_WRONG_TYPE),
        ("MODEL", MQRCCF.OBJECT_WRONG_TYPE),
        ("Q*", MQRC.UNKNOWN_OBJECT_NAME),
    ],
)
def test_only_a_local_queue_can_be_cleared(qmgr: QueueManager, name: str, reason: int) -> None:
    with refused(reason, name):
        clear(qmgr, name)


@pytest.mark.parametrize(
    ("opened", "options", "cleared"),
    [
        ("Q", MQOO.INPUT_SHARED, "Q"),
        ("Q", MQOO.OUTPUT, "Q"),
        ("Q", MQOO.BROWSE, "Q"),
        ("Q", MQOO.INQUIRE, "Q"),
        ("ALIAS", MQOO.OUTPUT, "Q"),
        ("REMOTE", MQOO.OUTPUT, "XQ"),
    ],
)
def test_any_handle_on_the_queue_or_resolving_to_it_is_in_the_way(
    qmgr: QueueManager, opened: str, options: int, cleared: str
) -> None:
    put(qmgr, 1)
    with qmgr.connect() as connection:
        connection.open(opened, options)
        with refused(MQRC.OBJECT_IN_USE, cleared):
            clear(qmgr, cleared)
    assert queue_row(qmgr, "Q").depth == 1
    clear(qmgr, cleared)
    assert queue_row(qmgr, cleared).depth == 0


@pytest.mark.parametrize("what", ["put", "got"])
def test_uncommitted_messages_are_in_the_way(qmgr: QueueManager, what: str) -> None:
    put(qmgr, 2)
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        if what == "put":
            handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        else:
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        handle.close()
        with refused(MQRC.Q_NOT_EMPTY):
            clear(qmgr, "Q")
        connection.back()
    assert clear(qmgr, "Q") == 2


@pytest.mark.parametrize(("count", "events"), [(0, [0]), (2, [2]), (BATCH, [BATCH, 0]), (BATCH + 1, [BATCH, 1])])
def test_the_history_tells_how_many_batch_by_batch(qmgr: QueueManager, count: int, events: list[int]) -> None:
    put(qmgr, count)
    removed = clear(qmgr, "Q")
    cleared = [each for each in history(qmgr.store, "Q") if each.kind == "CLEAR"]
    assert removed == count
    assert [each.detail["messages"] for each in cleared] == [each for each in events if each or not count]
    assert {(each.cause, each.target, each.user) for each in cleared} == {(None, "QLOCAL", "tester")}


def test_other_queues_keep_their_messages(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "OTHER", {})
    put(qmgr, 1)
    put(qmgr, 1, queue="OTHER")
    clear(qmgr, "Q")
    assert [(each["QUEUE"], each["CURDEPTH"]) for each in inquire(qmgr, [QLOCAL], "OTHER")] == [("OTHER", 1)]

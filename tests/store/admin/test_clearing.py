from __future__ import annotations

import pytest

from store.admin.defining import create
from store.admin.deleting import BATCH, clear
from store.admin.inquiring import inquire
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQPMO, MQRC, MQRCCF
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.looking import history, queue_row

QLOCAL = KINDS["QLOCAL"]


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 999_999_999})
    create(qmgr, QLOCAL, "XQ", {"USAGE": "XMITQ"})
    create(qmgr, KINDS["QALIAS"], "ALIAS", {"TARGET": "Q"})
    create(qmgr, KINDS["QREMOTE"], "REMOTE", {"RNAME": "FAR", "RQMNAME": "QM2", "XMITQ": "XQ"})
    create(qmgr, KINDS["QMODEL"], "MODEL", {})
    return qmgr


def put(qmgr: QueueManager, count: int, expiry: int = -1, queue: str = "Q") -> None:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT)
        handle.put([Message(b"x", MessageDescriptor(expiry=expiry)) for _ in range(count)])


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
    with qmgr.connect() as connection, pytest.raises(MQError) as empty:
        connection.open("Q", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_SYNCPOINT))
    assert empty.value.reason == MQRC.NO_MSG_AVAILABLE


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
    with pytest.raises(MQError) as refused:
        clear(qmgr, name)

    assert (refused.value.reason, refused.value.object_name) == (reason, name)


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
        with pytest.raises(MQError) as refused:
            clear(qmgr, cleared)

    assert (refused.value.reason, refused.value.object_name) == (MQRC.OBJECT_IN_USE, cleared)
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
        with pytest.raises(MQError) as refused:
            clear(qmgr, "Q")
        connection.back()

    assert refused.value.reason == MQRC.Q_NOT_EMPTY
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

"""Queue-sharing groups: joining, leaving, connecting, and the copies of GROUP objects (sharing
§5, §9, §10).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from sqlalchemy import select

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.group_copies import (
    NotRefreshed,
    not_refreshed,
    refresh_at_start,
    refresh_members,
)
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.queue_managers import create_queue_manager, delete_queue_manager
from mqsc.store.admin.sharing_groups import display_group, group_of_store
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCA, MQOO, MQOT, MQRC, MQRCCF
from mqsc.store.error import SharingGroupError
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.store.admin.looking import Frozen, refused


@pytest.fixture
def group(store: Store) -> list[QueueManager]:
    """QM1, QM2 and QM3, running members of QSG1."""
    return [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)]


_EVENTS = text_of(
    select(event.c.kind, event.c.qmgr, event.c.target, event.c.detail).order_by(event.c.seq),
)


def events(store: Store) -> list[tuple[str, str, str | None, str | None]]:
    """Kind, queue manager, target and detail of every event."""
    with Reading(store.database) as reading:
        return reading.all(_EVENTS)


def states(qmgr: QueueManager) -> list[tuple[str, int, str]]:
    return [(row["QMNAME"], row["NUMBER"], row["STATUS"]) for row in display_group(qmgr)]


def test_members_are_displayed_by_number_with_their_states(
    store: Store,
    group: list[QueueManager],
) -> None:
    group[2].end()
    create_queue_manager(store, "QM0", group="QSG1")
    active = [("QM1", 1, "ACTIVE"), ("QM2", 2, "ACTIVE")]
    assert states(group[0]) == [*active, ("QM3", 3, "INACTIVE"), ("QM0", 4, "CREATED")]
    [first, *_] = display_group(group[0])
    one = {
        "QSGNAME": "QSG1",
        "QMNAME": "QM1",
        "NUMBER": 1,
        "STATUS": "ACTIVE",
        "CMDLEVEL": 942,
        "EXPSCAN": "NO",
    }
    assert first == one


def test_joining_and_leaving_a_group_that_exists(qmgr: QueueManager, store: Store) -> None:
    with refused(MQRCCF.Q_MGR_NOT_IN_QSG):
        list(display_group(qmgr))
    with refused(MQRC.Q_MGR_NAME_ERROR):
        store.join_group("QM9", "QSG1")
    with refused(MQRC.Q_MGR_NAME_ERROR):
        store.leave_group("QM9")
    with refused(MQRC.Q_MGR_NAME_ERROR):
        store.queue_manager("QSG1")
    qmgr.end()
    store.join_group("QM1", "QSG1")
    store.leave_group("QM1")
    joined, left = [each for each in events(store) if each[0] in ("JOIN", "LEAVE")]
    assert joined == ("JOIN", "QM1", "QSG1", '{"number": 1}')
    assert left == ("LEAVE", "QM1", "QSG1", None)


def test_s26_a_connection_goes_to_the_member_with_the_fewest(
    store: Store,
    group: list[QueueManager],
) -> None:
    held = [group[index].connect() for index in (0, 0, 1, 2)]
    assert store.queue_manager("QSG1").connect().qmgr.name == "QM2"
    assert group[1].end() == "QUIESCING"
    assert store.queue_manager("QSG1").name == "QM3"
    for member in (group[0], group[2]):
        member.end(immediate=True)
    with refused(MQRC.Q_MGR_QUIESCING):
        store.queue_manager("QSG1")
    group[1].end(immediate=True)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        store.queue_manager("QSG1")
    assert len(held) == 4


def test_s48_what_groups_do_not_allow(store: Store, group: list[QueueManager]) -> None:
    calls: dict[str, Callable[[], object]] = {
        "can have only one": lambda: store.create_queue_manager("QM4", group="QSG2"),
        "use the system clock": lambda: store.create_queue_manager(
            "QM4",
            group="QSG1",
            manual_clock_at=5,
        ),
        "is the name of the queue-sharing group": lambda: store.create_queue_manager("QSG1"),
        "QM2 belongs to QSG1; take it out first": lambda: delete_queue_manager(store, "QM2"),
        "QM1 has not ended": lambda: store.leave_group("QM1"),
    }
    for told, call in calls.items():
        with pytest.raises(SharingGroupError, match=told):
            call()
    assert [row.name for row in store.queue_managers()] == ["QM1", "QM2", "QM3"]


def test_a_group_stays_without_members_and_a_number_is_free_again(
    store: Store,
    group: list[QueueManager],
) -> None:
    for member in group:
        member.end()
        store.leave_group(member.name)
    assert group_of_store(store) == "QSG1"
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        store.queue_manager("QSG1")
    store.join_group("QM3", "QSG1")
    group[2].start()
    assert states(group[2]) == [("QM3", 1, "ACTIVE")]
    delete_queue_manager(store, "QM2")


def test_members_have_one_manual_clock(store: Store, environment: Frozen) -> None:
    for name, at in (("QM1", 5), ("QM2", 9)):
        create_queue_manager(store, name, manual_clock_at=at, group="QSG1")
    create_queue_manager(store, "QM3", manual_clock_at=7)
    store.queue_manager("QM2").advance_clock(10)
    assert [row.clock_at for row in store.queue_managers()] == [15, 15, 7]
    assert [qmgr for kind, qmgr, *_ in events(store) if kind == "CLOCK"] == ["QM1", "QM2"]


def test_mqinq_names_the_group(group: list[QueueManager], store: Store) -> None:
    alone = store.create_queue_manager("ALONE")
    names = []
    for member in (group[1], alone):
        with member.connect() as connection:
            handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
            names.append(handle.inquire(MQCA.QSG_NAME)[MQCA.QSG_NAME])
    assert names == ["QSG1", ""]


QLOCAL, PROCESS = KINDS["QLOCAL"], KINDS["PROCESS"]


@pytest.fixture
def pair(store: Store) -> list[QueueManager]:
    """QM1 and QM2, running members of QSG1."""
    return [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2)]


def define(
    qmgr: QueueManager,
    attributes: Mapping[str, Stored],
    disposition: str = "GROUP",
) -> None:
    create(qmgr, QLOCAL, "G", attributes, disposition=disposition)


def refresh(qmgr: QueueManager) -> list[NotRefreshed]:
    return refresh_members(qmgr, QLOCAL, "G")


def depth_limits(pair: list[QueueManager]) -> list[object]:
    return [next((row["MAXDEPTH"] for row in inquire(qmgr, (QLOCAL,), "G")), None) for qmgr in pair]


def test_a_program_that_is_killed_before_the_refresh_leaves_it_to_the_next_start(
    pair: list[QueueManager],
) -> None:
    define(pair[0], {"MAXDEPTH": 5})
    assert depth_limits(pair) == [None, None]
    pair[1].end()
    pair[1].start()
    assert depth_limits(pair) == [None, 5]
    assert refresh(pair[1]) == []
    assert depth_limits(pair) == [5, 5]


def test_a_refresh_that_is_done_is_not_done_again(pair: list[QueueManager]) -> None:
    define(pair[0], {"MAXDEPTH": 5})
    refresh(pair[0])
    change(pair[1], QLOCAL, "G", {"MAXDEPTH": 6}, disposition="COPY")
    refresh(pair[0])
    refresh_at_start(pair[1])
    assert depth_limits(pair) == [5, 6]


def test_the_reason_is_kept_until_the_member_can_follow(pair: list[QueueManager]) -> None:
    define(pair[1], {}, "QMGR")
    define(pair[0], {"MAXDEPTH": 5})
    failure = NotRefreshed("QM2", "G", MQRCCF.OBJECT_ALREADY_EXISTS)
    assert refresh(pair[0]) == [failure] == not_refreshed(pair[1])
    assert not_refreshed(pair[0]) == []
    delete(pair[1], QLOCAL, "G")
    assert depth_limits(pair) == [5, None]
    assert refresh(pair[0]) == not_refreshed(pair[1]) == []
    assert depth_limits(pair) == [5, 5]


def test_an_open_copy_is_deleted_later(pair: list[QueueManager]) -> None:
    define(pair[0], {})
    refresh(pair[0])
    handle = pair[1].connect().open("G", MQOO.INQUIRE)
    delete(pair[0], QLOCAL, "G", disposition="GROUP")
    assert refresh(pair[0]) == [NotRefreshed("QM2", "G", MQRC.OBJECT_IN_USE)]
    handle.close()
    assert depth_limits(pair) == [None, 5000]
    define(pair[0], {"MAXDEPTH": 3})
    assert refresh(pair[0]) == []
    assert depth_limits(pair) == [3, 3]


def test_missing_group_objects_and_copies_of_another_kind_in_use(pair: list[QueueManager]) -> None:
    with refused(MQRC.UNKNOWN_OBJECT_NAME):
        define(pair[0], {}, "COPY")
    with refused(MQRC.UNKNOWN_OBJECT_NAME):
        change(pair[0], QLOCAL, "G", {}, disposition="GROUP")
    with refused(MQRC.UNKNOWN_OBJECT_NAME):
        delete(pair[0], QLOCAL, "G", disposition="GROUP")
    create(pair[0], PROCESS, "P", {}, disposition="GROUP")
    refresh_members(pair[0], PROCESS, "P")
    handle = pair[1].connect().open("P", MQOO.INQUIRE, object_type=MQOT.PROCESS)
    delete(pair[0], PROCESS, "P", disposition="GROUP")
    failure = NotRefreshed("QM2", "P", MQRC.OBJECT_IN_USE)
    assert refresh_members(pair[0], PROCESS, "P") == [failure]
    handle.close()
    assert refresh_members(pair[0], PROCESS, "P") == []

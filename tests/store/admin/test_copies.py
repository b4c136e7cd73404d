"""The copies of GROUP objects: what a refresh does, and what is left of one that was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from store.admin import sharing_groups
from store.admin.altering import change
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.inquiring import inquire
from store.catalog import KINDS, Stored
from store.client.api import QueueManager, Store
from store.constants import MQOO, MQOT, MQRC, MQRCCF
from store.error import MQError

QLOCAL, PROCESS = KINDS["QLOCAL"], KINDS["PROCESS"]


@pytest.fixture
def group(store: Store) -> list[QueueManager]:
    """QM1 and QM2, running members of QSG1."""
    return [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2)]


def define(qmgr: QueueManager, attributes: Mapping[str, Stored], disposition: str = "GROUP") -> None:
    create(qmgr, QLOCAL, "G", attributes, disposition=disposition)


def refresh(qmgr: QueueManager) -> list[sharing_groups.NotRefreshed]:
    return sharing_groups.refresh_members(qmgr, QLOCAL, "G")


def depth_limits(group: list[QueueManager]) -> list[object]:
    return [next((row["MAXDEPTH"] for row in inquire(qmgr, (QLOCAL,), "G")), None) for qmgr in group]


def test_a_program_that_is_killed_before_the_refresh_leaves_it_to_the_next_start(group: list[QueueManager]) -> None:
    define(group[0], {"MAXDEPTH": 5})
    assert depth_limits(group) == [None, None]
    group[1].end()
    group[1].start()
    assert depth_limits(group) == [None, 5]
    assert refresh(group[1]) == []
    assert depth_limits(group) == [5, 5]


def test_a_refresh_that_is_done_is_not_done_again(group: list[QueueManager]) -> None:
    define(group[0], {"MAXDEPTH": 5})
    refresh(group[0])
    change(group[1], QLOCAL, "G", {"MAXDEPTH": 6}, disposition="COPY")
    refresh(group[0])
    sharing_groups.refresh_at_start(group[1])
    assert depth_limits(group) == [5, 6]


def test_the_reason_is_kept_until_the_member_can_follow(group: list[QueueManager]) -> None:
    define(group[1], {}, "QMGR")
    define(group[0], {"MAXDEPTH": 5})
    failure = sharing_groups.NotRefreshed("QM2", "G", MQRCCF.OBJECT_ALREADY_EXISTS)
    assert refresh(group[0]) == [failure] == sharing_groups.not_refreshed(group[1])
    assert sharing_groups.not_refreshed(group[0]) == []
    delete(group[1], QLOCAL, "G")
    assert depth_limits(group) == [5, None]
    assert refresh(group[0]) == sharing_groups.not_refreshed(group[1]) == []
    assert depth_limits(group) == [5, 5]


def test_an_open_copy_is_deleted_later(group: list[QueueManager]) -> None:
    define(group[0], {})
    refresh(group[0])
    handle = group[1].connect().open("G", MQOO.INQUIRE)
    delete(group[0], QLOCAL, "G", disposition="GROUP")
    assert refresh(group[0]) == [sharing_groups.NotRefreshed("QM2", "G", MQRC.OBJECT_IN_USE)]
    handle.close()
    assert depth_limits(group) == [None, 5000]
    define(group[0], {"MAXDEPTH": 3})
    assert refresh(group[0]) == []
    assert depth_limits(group) == [3, 3]


def test_a_copy_of_another_kind_of_object_is_in_use_while_it_is_open(group: list[QueueManager]) -> None:
    create(group[0], PROCESS, "P", {}, disposition="GROUP")
    sharing_groups.refresh_members(group[0], PROCESS, "P")
    handle = group[1].connect().open("P", MQOO.INQUIRE, object_type=MQOT.PROCESS)
    delete(group[0], PROCESS, "P", disposition="GROUP")
    failure = sharing_groups.NotRefreshed("QM2", "P", MQRC.OBJECT_IN_USE)
    assert sharing_groups.refresh_members(group[0], PROCESS, "P") == [failure]
    handle.close()
    assert sharing_groups.refresh_members(group[0], PROCESS, "P") == []


def test_a_missing_group_object(group: list[QueueManager]) -> None:
    calls: list[Callable[[], None]] = [
        lambda: define(group[0], {}, "COPY"),
        lambda: change(group[0], QLOCAL, "G", {}, disposition="GROUP"),
        lambda: delete(group[0], QLOCAL, "G", disposition="GROUP"),
    ]
    for call in calls:
        with pytest.raises(MQError) as error:
            call()
        assert error.value.reason == MQRC.UNKNOWN_OBJECT_NAME

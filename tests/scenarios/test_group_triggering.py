"""Triggering of shared queues in a queue-sharing group, by the ids of sharing.md and triggering.md."""

from __future__ import annotations

from store.client.api import Store
from store.constants import MQGMO, MQOO
from store.message import GetMessageOptions
from tests.scenarios.group_triggers import GroupTriggers, run

NOBODY = (0, 0, 0)
ALL = (1, 1, 1)


def test_s29_to_s33_the_other_members_are_relaxed_while_one_has_the_queue_open(store: Store) -> None:
    group = GroupTriggers(store)
    group.put(1, 5)  # S29
    assert group.new == ALL
    group.open(1)  # S30
    group.drain(1)
    group.put(2, 0)
    assert group.new == (0, 1, 1)
    group.put(3, 0)
    assert group.new == NOBODY
    group.open(2)  # S31
    group.drain(2)
    group.put(3, 0)
    assert group.new == (0, 0, 1)
    group.drain(2)  # S32
    group.close(2)
    assert group.new == NOBODY
    group.put(3, 0)
    assert group.new == (0, 1, 1)
    group.close(1)
    assert group.new == NOBODY
    group.put(2, 0)  # S33
    assert group.new == NOBODY
    group.put(2, 5)
    assert group.new == ALL


def test_s34_exclusive_input_anywhere_prevents_all(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1, MQOO.INPUT_EXCLUSIVE)
    group.put(2, 9)
    assert group.new == NOBODY
    group.alter(2, "TRIGTYPE(EVERY)")
    group.put(2, 9)
    assert group.new == NOBODY
    group.alter(2, "TRIGTYPE(FIRST)")
    assert group.new == NOBODY
    group.close(1)
    assert group.new == ALL


def test_s35_only_the_last_close_of_the_group_is_an_event(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1)
    group.open(2)
    group.put(3, 5)
    group.drain(1)
    group.put(3, 5)
    group.new  # noqa: B018
    group.close(1)
    assert group.new == NOBODY
    group.close(2)
    assert group.new == ALL


def test_s36_a_killed_program_gives_its_message_back_and_every_member_triggers(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1)
    group.put(1, 5)
    assert group.new == (0, 1, 1)
    group.servers[1][0].get(GetMessageOptions(MQGMO.SYNCPOINT))
    group.kill(1)
    message = group.members[2].connect().open("SQ", MQOO.BROWSE).get(GetMessageOptions(MQGMO.BROWSE_FIRST))
    assert message.descriptor.backout_count == 1
    assert group.new == ALL


def test_s37_t56_a_put_counts_at_its_commit(store: Store) -> None:
    group = GroupTriggers(store)
    group.put(1, 5, unit=True)
    assert group.new == NOBODY
    group.back(1)
    assert group.new == NOBODY
    group.put(1, 5, unit=True)
    assert group.new == NOBODY
    group.commit(1)
    assert group.new == ALL


def test_s38_depth_is_reached_within_a_unit_and_trigger_goes_off_once(store: Store) -> None:
    group = GroupTriggers(store)
    group.alter(1, "TRIGTYPE(DEPTH) TRIGDPTH(3)")
    group.put(1, *[5] * 5, unit=True)
    group.commit(1)
    assert group.new == ALL
    assert not group.is_on


def test_s39_t54_depth_that_triggers_as_first_stays_on(store: Store) -> None:
    group = GroupTriggers(store)
    group.alter(1, "TRIGTYPE(DEPTH) TRIGDPTH(3)")
    group.open(1)
    group.put(1, 0)
    assert group.new == (0, 1, 1)
    assert group.is_on


def test_s40_every(store: Store) -> None:
    group = GroupTriggers(store)
    group.alter(1, "TRIGTYPE(EVERY)")
    group.open(1)
    group.put(2, 5)
    assert group.new == ALL
    group.put(2, 5)
    assert group.new == (1, 0, 0)


def test_s41_each_member_has_its_own_process_monitor_and_interval(store: Store) -> None:
    group = GroupTriggers(store, monitors=(1, 2))
    run(group.members[2], "DELETE PROCESS(P1)")
    group.put(1, 5)
    assert group.new == (1, 0, 0)
    run(group.members[1], "ALTER QMGR TRIGINT(0)")
    group.put(1, 5)
    assert group.new == (1, 0, 0)


def test_s42_a_shared_initiation_queue(store: Store) -> None:
    group = GroupTriggers(store, monitors=(2, 3), shared_initq=True)
    group.put(1, 5)
    assert group.new == (2,)
    assert group.makers() == ["QM2", "QM3"]
    group.alter(1, "TRIGTYPE(EVERY)")
    # O-ALTER: of EVERY one in all.
    assert group.new == (1,)
    group.put(1, 5)
    assert group.new == (1,)
    group.put(3, 5)
    assert group.new == (1,)
    assert group.makers()[2:] == ["QM2", "QM2", "QM3"]


def test_t55_exclusive_input(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1, MQOO.INPUT_EXCLUSIVE)
    group.put(2, 9, unit=True)
    group.commit(2)
    assert group.new == NOBODY

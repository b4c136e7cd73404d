"""What each member decides about a shared queue, and whose handle relaxes it."""

from __future__ import annotations

from store.admin.trigger_explanation import Hypothetical, TriggerExplanation, explain, is_initiation_queue
from store.client.api import Store
from store.constants import MQOO
from store.rules.trigger.outlook import Outlook
from tests.scenarios.group_triggers import GroupTriggers, run

PUT = Hypothetical(5)


def outcomes(found: TriggerExplanation) -> dict[str, bool]:
    return {each.member: each.would_trigger for each in found.members}


def outlook(found: TriggerExplanation, occasion: str) -> Outlook:
    return next(each for each in found.outlooks if each.occasion == occasion)


def test_the_table_and_the_handle_that_relaxes(store: Store) -> None:
    group = GroupTriggers(store)
    group.alter(1, "TRIGTYPE(DEPTH) TRIGDPTH(2)")
    server = group.open(1)
    found = explain(group.members[2], "SQ", Hypothetical(0))
    rows = [
        (each.own_input, each.input_elsewhere, each.relaxed, each.trigger_type, each.allowed) for each in found.members
    ]
    assert rows == [(1, False, False, "DEPTH", False), (0, True, True, "FIRST", True), (0, True, True, "FIRST", True)]
    assert outcomes(found) == {"QM1": False, "QM2": True, "QM3": True}
    [handle] = found.input_handles
    assert (handle.member, handle.application, handle.exclusive) == ("QM1", "server", False)
    assert handle.connection == f"{server.connection.number:016X}"
    assert handle.relaxes == ("QM2", "QM3")
    # The conditions are those of QM2, by what is in effect there.
    assert [each.number for each in found.conditions if not each.met] == [11, 12, 13]
    assert found.forecast is not None
    assert (found.forecast.triggers, found.forecast.kept, found.forecast.trigger_off) == (True, False, False)
    assert not explain(group.members[1], "SQ", Hypothetical(0)).put_triggers


def test_exclusive_input_prevents_all(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(3, MQOO.INPUT_EXCLUSIVE)
    found = explain(group.members[1], "SQ", PUT)
    assert outcomes(found) == {"QM1": False, "QM2": False, "QM3": False}
    assert [each.obstacles for each in found.members] == [(4,)] * 3
    assert [each.relaxes for each in found.input_handles] == [()]
    assert outlook(found, "CLOSE").possible


def test_only_running_members_decide(store: Store) -> None:
    group = GroupTriggers(store, monitors=(1,))
    group.members[3].end(immediate=True)
    assert outcomes(explain(group.members[1], "SQ", PUT)) == {"QM1": True, "QM2": False}


def test_one_member_makes_the_message_of_every_for_a_shared_initiation_queue(store: Store) -> None:
    group = GroupTriggers(store, monitors=(2, 3), shared_initq=True)
    group.alter(1, "TRIGTYPE(EVERY)")
    found = explain(group.members[3], "SQ", PUT)
    assert outcomes(found) == {"QM1": False, "QM2": False, "QM3": True}
    assert [each.obstacles for each in found.members] == [(8,), (), ()]
    assert found.members[1].initq_is_shared
    assert is_initiation_queue(group.members[1], "INIT")
    [monitor] = [each for each in explain(group.members[1], "SQ", PUT).conditions if each.number == 8]
    assert monitor.reason == "IPPROCS(0) on INIT: QM1 itself must have the shared queue open"


def test_a_close_reverts_to_the_definition(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1)
    group.put(2, 0)
    close = outlook(explain(group.members[2], "SQ"), "CLOSE")
    assert (close.possible, close.would_trigger) == (True, False)
    group.put(2, 5)
    assert outlook(explain(group.members[2], "SQ"), "CLOSE").would_trigger
    group.new  # noqa: B018
    group.close(1)
    assert group.new == (1, 1, 1)


def test_uncommitted_messages_do_not_count(store: Store) -> None:
    group = GroupTriggers(store)
    group.put(1, 5, 5, unit=True)
    found = explain(group.members[1], "SQ")
    assert (found.depth, found.messages) == (2, 0)
    assert outcomes(explain(group.members[1], "SQ", PUT)) == {"QM1": True, "QM2": True, "QM3": True}


def test_a_name_that_a_member_and_the_group_have(store: Store) -> None:
    group = GroupTriggers(store, monitors=(1, 2))
    run(group.members[3], "DELETE QLOCAL(INIT)")
    run(group.members[3], "DEFINE QLOCAL(OTHER) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    run(group.members[1], "ALTER QLOCAL(SQ) QSGDISP(SHARED) INITQ(BOTH)", "DEFINE QLOCAL(BOTH)")
    run(group.members[2], "DEFINE QLOCAL(BOTH) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    [usable] = [each for each in explain(group.members[1], "SQ").conditions if each.number == 7]
    assert usable.reason == "INITQ(BOTH) on SQ: both the queue manager and its group have a queue of that name"
    [usable] = [each for each in explain(group.members[2], "SQ").conditions if each.number == 7]
    assert usable.met

"""Triggering of shared queues: the members of a group (sharing §7)."""

from __future__ import annotations

from typing import Any

from mqsc.store.rules.trigger import group_triggering, occasions
from mqsc.store.rules.trigger.facts import (
    DEPTH,
    EVERY,
    FIRST,
    NONE,
    TriggerFacts,
    criteria_for,
    with_effective_type,
)
from mqsc.store.rules.trigger.occasions import PUT
from tests.rows import rows
from tests.store.rules.trigger.test_occasions import ELSEWHERE, NOW, causes_of, facts
from tests.store.tables import named_rows, verdicts

SHARED = {"shared": True, "trigger_type": DEPTH, "trigger_depth": 10, "trigger_priority": 5}


@named_rows(
    ("T54 on QM2", {**SHARED, **ELSEWHERE}, "put"),
    ("T54 on QM1, which has it open", {**SHARED, "input_handles": 1}, ""),
    ("T54 nobody has it open", SHARED, ""),
    ("T54 not shared", {**SHARED, "shared": False, "shared_input_elsewhere": True}, ""),
    (
        "T54 in use elsewhere is FIRST",
        {**SHARED, **ELSEWHERE, "messages": 1, "last_trigger": NOW},
        "",
    ),
    ("T55", {"shared": True, "exclusive_in_group": True}, ""),
    ("T55 EVERY", {"shared": True, "exclusive_in_group": True, "trigger_type": EVERY}, ""),
    ("TRIGTYPE(NONE) stays NONE", {**ELSEWHERE, "trigger_type": NONE}, ""),
)
def test_shared_queues(changes: dict[str, Any], cause: str) -> None:
    assert occasions.fires(PUT, facts(**changes)) == cause
    assert causes_of(facts(**changes), [0]) == [cause] * bool(cause)


def test_a_shared_queue_in_use_elsewhere_counts_every_priority_and_stays_on() -> None:
    given = facts(**{**SHARED, **ELSEWHERE})
    assert occasions.counted_priority(given) == 0
    assert occasions.counted_priority(facts(**SHARED)) == 5
    assert not occasions.decide(PUT, given).switch_off


ALL_TYPES = {NONE, FIRST, EVERY, DEPTH}


@rows(
    *(
        (True, own, elsewhere, False, set[int]())
        for own in (False, True)
        for elsewhere in (False, True)
    ),
    (False, False, False, False, ALL_TYPES),
    (False, True, False, False, {NONE, EVERY}),
    (False, False, True, True, ALL_TYPES),
    (False, True, True, True, set[int]()),
)
def test_the_table(
    exclusive: bool,
    own: bool,
    elsewhere: bool,
    relaxed: bool,
    allowed: set[int],
) -> None:
    found = criteria_for(exclusive, own, elsewhere)
    assert (found.relaxed, set(found.allowed)) == (relaxed, allowed)


def test_relaxed_criteria() -> None:
    facts = TriggerFacts("SQ", True, DEPTH, 5, 10, shared=True, shared_input_elsewhere=True)
    relaxed = with_effective_type(facts)
    assert (relaxed.trigger_type, relaxed.trigger_priority) == (FIRST, 0)
    assert with_effective_type(facts._replace(trigger_type=NONE)).trigger_type == NONE
    assert with_effective_type(facts._replace(shared_input_elsewhere=False)).trigger_type == DEPTH


def test_what_each_member_sees() -> None:
    own_and_elsewhere = [
        (each.own, each.elsewhere)
        for each in group_triggering.seen_by_each([2, 1, 0], exclusive=False)
    ]
    assert own_and_elsewhere == [(True, True), (True, True), (False, True)]
    exclusive = group_triggering.seen_by_each([1, 0], exclusive=True)
    assert exclusive == [
        group_triggering.GroupInput(True, True, False),
        group_triggering.GroupInput(True, False, True),
    ]


def candidate(
    number: int,
    *,
    commands: bool = False,
    type: int = FIRST,
    shared: bool = True,
    monitors: int = 1,
) -> group_triggering.Candidate:
    return group_triggering.Candidate(number, commands, type, shared, monitors)


test_who_makes_the_message = verdicts(
    group_triggering.makers,
    ([], set()),
    ([candidate(1, shared=False, monitors=0), candidate(2, shared=False)], {1, 2}),
    ([candidate(1, type=EVERY, shared=False), candidate(2, type=EVERY, shared=False)], {1, 2}),
    ([candidate(2), candidate(3)], {2, 3}),
    ([candidate(2, type=EVERY), candidate(3, type=EVERY)], {2}),
    ([candidate(2, type=EVERY), candidate(3, type=EVERY, commands=True)], {3}),
    # A member that the handles of another relax decides as FIRST.
    ([candidate(1, type=EVERY), candidate(2), candidate(3)], {1, 2, 3}),
    # O-ALTER with no monitor.
    ([candidate(1, monitors=0), candidate(2, monitors=0, commands=True)], {2}),
    ([candidate(1, monitors=0, commands=True), candidate(2)], {2}),
    ([candidate(1, monitors=0)], set()),
)


def test_t52_a_message_that_was_split_is_one_event() -> None:
    def put(msg_id: bytes, put_at: int, offset: int) -> group_triggering.Committed:
        return group_triggering.Committed(1, 0, msg_id, put_at, offset)

    split = [put(b"a", 1, 0), put(b"a", 1, 16), put(b"a", 1, 32)]
    other, apart = put(b"b", 1, 0), put(b"a", 2, 48)
    assert group_triggering.without_further_segments([*split, other]) == [split[0], other]
    assert group_triggering.without_further_segments([split[2], apart]) == [split[2], apart]
    assert group_triggering.without_further_segments([]) == []

"""The table of sharing §7, and which members make a trigger message."""

from __future__ import annotations

from store.rules.trigger.facts import DEPTH, EVERY, FIRST, NONE, TriggerFacts, criteria_for, with_effective_type
from store.rules.trigger.occasions import (
    Candidate,
    Committed,
    GroupInput,
    makers,
    seen_by_each,
    without_further_segments,
)
from tests.store.tables import rows, verdicts

ALL_TYPES = {NONE, FIRST, EVERY, DEPTH}


@rows(
    *((True, own, elsewhere, False, set[int]()) for own in (False, True) for elsewhere in (False, True)),
    (False, False, False, False, ALL_TYPES),
    (False, True, False, False, {NONE, EVERY}),
    (False, False, True, True, ALL_TYPES),
    (False, True, True, True, set[int]()),
)
def test_the_table(exclusive: bool, own: bool, elsewhere: bool, relaxed: bool, allowed: set[int]) -> None:
    found = criteria_for(exclusive, own, elsewhere)
    assert (found.relaxed, set(found.allowed)) == (relaxed, allowed)


def test_relaxed_criteria() -> None:
    facts = TriggerFacts("SQ", True, DEPTH, 5, 10, shared=True, shared_input_elsewhere=True)
    relaxed = with_effective_type(facts)
    assert (relaxed.trigger_type, relaxed.trigger_priority) == (FIRST, 0)
    assert with_effective_type(facts._replace(trigger_type=NONE)).trigger_type == NONE
    assert with_effective_type(facts._replace(shared_input_elsewhere=False)).trigger_type == DEPTH


def test_what_each_member_sees() -> None:
    own_and_elsewhere = [(each.own, each.elsewhere) for each in seen_by_each([2, 1, 0], exclusive=False)]
    assert own_and_elsewhere == [(True, True), (True, True), (False, True)]
    assert seen_by_each([1, 0], exclusive=True) == [GroupInput(True, True, False), GroupInput(True, False, True)]


def candidate(
    number: int, *, commands: bool = False, type: int = FIRST, shared: bool = True, monitors: int = 1
) -> Candidate:
    return Candidate(number, commands, type, shared, monitors)


test_who_makes_the_message = verdicts(
    makers,
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
    def put(msg_id: bytes, put_at: int, offset: int) -> Committed:
        return Committed(1, 0, msg_id, put_at, offset)

    split = [put(b"a", 1, 0), put(b"a", 1, 16), put(b"a", 1, 32)]
    other, apart = put(b"b", 1, 0), put(b"a", 2, 48)
    assert without_further_segments([*split, other]) == [split[0], other]
    assert without_further_segments([split[2], apart]) == [split[2], apart]
    assert without_further_segments([]) == []

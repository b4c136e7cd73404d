"""The index of the history."""

from __future__ import annotations

import pytest

from mqsc.store.rules import event_index as index
from mqsc.store.rules.event_index import SEGMENT, EventFacts, SegmentEntry, Wanted
from tests.rows import rows
from tests.store.tables import giving

ID = bytes(range(24))
FACTS = [
    EventFacts("PUT", None, "ORDERS", None, 7, 8),
    EventFacts("EXPIRE", "interval", "OLD", None, None, None),
    EventFacts("CHANNEL", "batch", "XMIT", "TO.QM2", 9, None),
]
ENTRY = SegmentEntry(0, 100, 200, index.prints_of([ID], [5], FACTS, ["UNDONE"]))


@pytest.mark.parametrize("seq", [1, SEGMENT, SEGMENT + 1, 5_000_000])
def test_every_event_is_within_the_bounds_of_its_segment(seq: int) -> None:
    first, last = index.bounds_of(index.segment_of(seq))
    assert first <= seq <= last
    assert last - first + 1 == SEGMENT


PREFIXES = (index.of_prefix(ID[:length]) for length in range(index.PREFIXES[0], 25))


@pytest.mark.parametrize(
    "found",
    [
        *(
            index.of_id(ID),
            *PREFIXES,
            index.of_unit(5),
            index.of_channel_events(9),
            index.of_kind("EXPIRE"),
        ),
        *(
            index.of_connection(7),
            index.of_connection(8),
            index.of_connection(9),
            index.of_cause("interval"),
        ),
        *(
            index.of_queue("ORDERS"),
            index.of_queue("TO.QM2"),
            index.of_queue("UNDONE"),
            index.of_kind_on_queue("PUT", "ORDERS"),
        ),
    ],
)
def test_what_is_in_a_segment(found: int) -> None:
    assert ENTRY.has_any([0, found])
    assert Wanted(((found,),)).may_be_in(ENTRY)


@pytest.mark.parametrize(
    "absent",
    [
        *(
            index.of_id(bytes(24)),
            index.of_prefix(b"\1" * 6),
            index.of_unit(7),
            index.of_connection(5),
        ),
        *(
            index.of_channel_events(7),
            index.of_queue("PUT"),
            index.of_kind("ORDERS"),
            index.of_cause("PUT"),
        ),
        index.of_kind_on_queue("EXPIRE", "ORDERS"),
    ],
)
def test_what_is_not(absent: int) -> None:
    assert not ENTRY.has_any([absent])


def test_a_prefix_that_is_too_short_may_be_anywhere() -> None:
    assert index.of_prefix(ID[:5]) is None


@rows(
    *giving(True, Wanted(), Wanted(since=200), Wanted(until=101)),
    (Wanted(((index.of_unit(6), index.of_unit(5)), (index.of_kind("PUT"),))), True),
    *giving(False, Wanted(since=201), Wanted(until=100), Wanted(((),))),
    (Wanted(((index.of_unit(5),), (index.of_kind("GET"),))), False),
)
def test_times_and_groups(wanted: Wanted, expected: bool) -> None:
    assert wanted.may_be_in(ENTRY) is expected


def test_nothing_is_in_a_segment_whose_events_are_gone() -> None:
    assert not Wanted().may_be_in(SegmentEntry(0, None, None, b""))

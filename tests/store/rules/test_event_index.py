"""What an entry of the index of the history says, and what it cannot say."""

from __future__ import annotations

import pytest

from store.rules.event_index import (
    PREFIXES,
    SEGMENT,
    EventFacts,
    SegmentEntry,
    Wanted,
    bounds_of,
    of_cause,
    of_channel_events,
    of_connection,
    of_id,
    of_kind,
    of_kind_on_queue,
    of_prefix,
    of_queue,
    of_unit,
    prints_of,
    segment_of,
)
from tests.store.tables import rows

ID = bytes(range(24))
FACTS = [
    EventFacts("PUT", None, "ORDERS", None, 7, 8),
    EventFacts("EXPIRE", "interval", "OLD", None, None, None),
    EventFacts("CHANNEL", "batch", "XMIT", "TO.QM2", 9, None),
]
ENTRY = SegmentEntry(0, 100, 200, prints_of([ID], [5], FACTS))


@pytest.mark.parametrize("seq", [1, SEGMENT, SEGMENT + 1, 5_000_000])
def test_every_event_is_within_the_bounds_of_its_segment(seq: int) -> None:
    first, last = bounds_of(segment_of(seq))
    assert first <= seq <= last
    assert last - first + 1 == SEGMENT


@pytest.mark.parametrize(
    "found",
    [
        of_id(ID),
        *(of_prefix(ID[:length]) for length in range(PREFIXES[0], 25)),
        of_unit(5),
        of_connection(7),
        of_connection(8),
        of_connection(9),
        of_channel_events(9),
        of_queue("ORDERS"),
        of_queue("TO.QM2"),
        of_kind("EXPIRE"),
        of_cause("interval"),
        of_kind_on_queue("PUT", "ORDERS"),
    ],
)
def test_what_is_in_a_segment(found: int) -> None:
    assert ENTRY.has_any([0, found])
    assert Wanted(((found,),)).may_be_in(ENTRY)


@pytest.mark.parametrize(
    "absent",
    [
        of_id(bytes(24)),
        of_prefix(b"\1" * 6),
        of_unit(7),
        of_connection(5),
        of_channel_events(7),
        of_queue("PUT"),
        of_kind("ORDERS"),
        of_cause("PUT"),
        of_kind_on_queue("EXPIRE", "ORDERS"),
    ],
)
def test_what_is_not(absent: int) -> None:
    assert not ENTRY.has_any([absent])


def test_a_prefix_that_is_too_short_may_be_anywhere() -> None:
    assert of_prefix(ID[:5]) is None


@rows(
    (Wanted(), True),
    (Wanted(since=200), True),
    (Wanted(since=201), False),
    (Wanted(until=101), True),
    (Wanted(until=100), False),
    (Wanted(((of_unit(5),), (of_kind("GET"),))), False),
    (Wanted(((of_unit(6), of_unit(5)), (of_kind("PUT"),))), True),
    (Wanted(((),)), False),
)
def test_times_and_groups(wanted: Wanted, expected: bool) -> None:
    assert wanted.may_be_in(ENTRY) is expected


def test_nothing_is_in_a_segment_whose_events_are_gone() -> None:
    assert not Wanted().may_be_in(SegmentEntry(0, None, None, b""))

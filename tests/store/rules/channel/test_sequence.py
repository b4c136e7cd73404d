"""Sequence numbers of a channel: wraps, resets, and ends that disagree."""

from __future__ import annotations

from mqsc.store.rules.channel import sequence
from mqsc.store.rules.channel.sequence import SequenceRecord
from tests.rows import rows
from tests.store.tables import named_rows

WRAP = 100


@named_rows(
    ("first", SequenceRecord(), SequenceRecord(), 1, 1),
    ("H26", SequenceRecord(12), SequenceRecord(10), 13, 11),
    ("H27", SequenceRecord(100), SequenceRecord(100), 1, 1),
    ("H48-sender", SequenceRecord(7, reset=5), SequenceRecord(7), 5, 5),
    ("H48-receiver", SequenceRecord(7), SequenceRecord(7, reset=5), 8, 5),
    ("L22", SequenceRecord(0, reset=5), SequenceRecord(0), 5, 5),
    ("L23", SequenceRecord(3), SequenceRecord(3, reset=9), 4, 9),
    ("L23-cured", SequenceRecord(3, reset=9), SequenceRecord(3, reset=9), 9, 9),
    ("sender-wins", SequenceRecord(3, reset=1), SequenceRecord(3, reset=9), 1, 1),
)
def test_start(sender: SequenceRecord, receiver: SequenceRecord, sent: int, expected: int) -> None:
    found = sequence.start(sender, receiver, WRAP)
    assert found == (sent, expected)
    assert found.agrees is (sent == expected)


def test_h27_number_101_is_1() -> None:
    found = [1]
    for _ in range(100):
        found.append(sequence.following(found[-1], WRAP))
    assert found == [*range(1, 101), 1]


@rows((1, 0), (2, 1), (100, 99), (500, 99))
def test_preceding(number: int, before: int) -> None:
    assert sequence.preceding(number, WRAP) == before


def test_a_wrap_that_was_made_smaller_and_a_reset_that_is_used_first() -> None:
    assert sequence.following(500, WRAP) == 1
    assert sequence.next_number(SequenceRecord(8, reset=3), WRAP) == 3

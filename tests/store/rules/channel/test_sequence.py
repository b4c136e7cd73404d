"""Sequence numbers of messages on a channel (H26, H27, H48, L22, L23)."""

from __future__ import annotations

from store.rules.channel.numbers import SequenceRecord, following, next_number, preceding, start
from tests.store.tables import named_rows, rows

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
    found = start(sender, receiver, WRAP)
    assert found == (sent, expected)
    assert found.agrees is (sent == expected)


def test_h27_number_101_is_1() -> None:
    numbers = [1]
    for _ in range(100):
        numbers.append(following(numbers[-1], WRAP))
    assert numbers == [*range(1, 101), 1]


def test_a_wrap_that_was_made_smaller() -> None:
    assert following(500, WRAP) == 1


@rows((1, 0), (2, 1), (100, 99), (500, 99))
def test_preceding(number: int, before: int) -> None:
    assert preceding(number, WRAP) == before


def test_a_reset_is_used_first() -> None:
    assert next_number(SequenceRecord(8, reset=3), WRAP) == 3

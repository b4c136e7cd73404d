"""MQINQ and MQSET in bytes."""

from __future__ import annotations

import pytest

from store.constants import MQCA, MQIA
from tests.mqsc.clients.caller import Caller

DEPTH, MOST, INHIBIT = int(MQIA.CURRENT_Q_DEPTH), int(MQIA.MAX_Q_DEPTH), int(MQIA.INHIBIT_PUT)
NAME, TRIGGER_DATA, BASE = int(MQCA.Q_NAME), int(MQCA.TRIGGER_DATA), int(MQCA.BASE_Q_NAME)


def test_numbers_and_texts_come_in_the_order_of_their_selectors(caller: Caller) -> None:
    queue = caller.open("Q")
    answered = caller.mqi.MQINQ(caller.number, queue, [NAME, MOST, TRIGGER_DATA, DEPTH], 2, 112)
    assert answered == ([50, 0], b"Q".ljust(48) + b" " * 64, 0, 0)


@pytest.mark.parametrize(
    ("selectors", "integers", "length", "answer"),
    [
        ([DEPTH, MOST], 1, 0, ([0], b"", 1, 2022)),
        ([NAME], 0, 10, ([], b"Q".ljust(10), 1, 2008)),
        ([BASE], 0, 48, ([], b"*" * 48, 1, 2068)),
        ([], 1, 1, ([], b"", 2, 2065)),
        ([DEPTH] * 257, 257, 0, ([], b"", 2, 2066)),
        ([999999], 1, 0, ([], b"", 2, 2067)),
        ([DEPTH], -1, 0, ([], b"", 2, 2021)),
        ([DEPTH], 1, -1, ([], b"", 2, 2006)),
    ],
)
def test_room_and_selectors(
    caller: Caller, selectors: list[int], integers: int, length: int, answer: tuple[object, ...]
) -> None:
    assert caller.mqi.MQINQ(caller.number, caller.open("Q"), selectors, integers, length) == answer


def test_set(caller: Caller) -> None:
    queue = caller.open("Q")
    text = b"data".ljust(64, b"\0")
    assert caller.mqi.MQSET(caller.number, queue, [TRIGGER_DATA, INHIBIT], [1], text) == (0, 0)
    answered = caller.mqi.MQINQ(caller.number, queue, [INHIBIT, TRIGGER_DATA], 1, 64)
    assert answered == ([1], b"data".ljust(64), 0, 0)


@pytest.mark.parametrize(
    ("selectors", "integers", "texts", "reason"),
    [
        ([], [], b"", 2065),
        ([INHIBIT], [], b"", 2021),
        ([INHIBIT], [9], b"", 2020),
        ([TRIGGER_DATA], [], b"short", 2006),
        ([MOST], [9], b"", 2067),
        ([999999], [9], b"", 2067),
        ([INHIBIT] * 257, [1] * 257, b"", 2066),
    ],
)
def test_what_cannot_be_set(
    caller: Caller, selectors: list[int], integers: list[int], texts: bytes, reason: int
) -> None:
    assert caller.mqi.MQSET(caller.number, caller.open("Q"), selectors, integers, texts) == (2, reason)

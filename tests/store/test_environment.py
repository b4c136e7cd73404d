"""The environment, which provides time and user."""

from __future__ import annotations

import threading

import pytest

from mqsc.store.environment import Environment
from tests.conftest import START


def test_a_frozen_clock_moves_only_when_it_is_moved() -> None:
    clock = Environment.frozen(at=START).clock
    clock.pause(0)
    assert (clock.now(), clock.frozen) == (START, True)
    for seconds, since_start in (
        (3.3, 3_300_000),
        (0, 3_300_000),
        (0.000_000_4, 3_300_000),
        (0.000_000_6, 3_300_001),
    ):
        clock.advance(seconds)
        assert clock.now() - START == since_start
    with pytest.raises(ValueError, match="must not be negative"):
        clock.advance(-0.1)
    clock.set(START - 5)
    assert clock.now() == START - 5


def test_moving_a_frozen_clock_wakes_those_that_wait() -> None:
    clock = Environment.frozen(at=START).clock
    waiter = threading.Thread(target=clock.pause, args=(60,))
    waiter.start()
    while waiter.is_alive():
        clock.advance(0)
        waiter.join(0.01)
    assert not waiter.is_alive()


def test_a_frozen_environment_repeats_itself_and_the_real_one_does_not() -> None:
    one, other = (Environment.frozen(at=START) for _ in range(2))
    assert (one.user, one.application, one.salt) == ("tester", "mqsc", 0)
    assert [next(each.message_numbers) for each in (one, one, other)] == [1, 2, 1]
    real = Environment.system()
    assert real.salt != Environment.system().salt
    assert (real.clock.frozen, real.clock.now() > START) == (False, True)

"""By default an effect is outside any unit of work and may go to the dead-letter queue."""

from __future__ import annotations

from store.descriptor import MessageDescriptor
from store.engine.history import REPORT, Arrival, Deliver


def test_the_defaults_of_an_effect() -> None:
    made = [Deliver(REPORT, "R", "", MessageDescriptor(), b"", cause="coa", about="Q") for _ in range(2)]
    assert (made[0].unit, made[0].kept, made[0].dead_letter, made[0].reason, made[0].rule) == (
        None,
        False,
        True,
        0,
        None,
    )
    assert (made[0].detail, made[0].chain) == ({}, frozenset())
    # Effects do not share their details.
    made[0].detail["data"] = "plain"
    assert made[1].detail == {}


def test_an_arrival_is_a_whole_message_unless_it_continues_one() -> None:
    arrival = Arrival(MessageDescriptor(), b"x")
    assert not arrival.continues

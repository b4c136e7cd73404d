"""What effects are by default."""

from __future__ import annotations

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.effects import REPORT, Arrival, Deliver


def test_the_defaults_of_an_effect() -> None:
    made = [
        Deliver(REPORT, "R", "", MessageDescriptor(), b"", cause="coa", about="Q") for _ in range(2)
    ]
    plain = made[0]
    assert (plain.unit, plain.kept, plain.dead_letter, plain.reason, plain.rule) == (
        None,
        False,
        True,
        0,
        None,
    )
    assert (plain.detail, plain.chain) == ({}, frozenset())
    # Effects do not share their details.
    plain.detail["data"] = "plain"
    assert made[1].detail == {}
    # An arrival is a whole message unless it continues one.
    assert not Arrival(MessageDescriptor(), b"x").continues

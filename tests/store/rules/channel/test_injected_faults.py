"""Faults injected into channels."""

from __future__ import annotations

from typing import Any

from mqsc.store.rules.channel import injected_faults
from mqsc.store.rules.channel.injected_faults import Remaining
from mqsc.store.sql.rows import ChannelFaultRow
from tests.rows import rows
from tests.store.tables import giving


def fault(step: str, number: int = 0, action: str = "break", **given: Any) -> ChannelFaultRow:
    row = ChannelFaultRow(1, "QM1", "C", step, number, action, 0, None, None)
    return row._replace(**given)


@rows(
    *giving(True, ("S1", 0, "S1", 7), ("S1", 3, "S1", 3), ("", 0, "S5-after", 0)),
    *giving(False, ("S1", 3, "S1", 4), ("S1", 0, "S2", 1)),
)
def test_a_fault_acts_at_its_step_and_message(
    set_at: str,
    number: int,
    step: str,
    message: int,
    acts: bool,
) -> None:
    assert bool(injected_faults.acting([fault(set_at, number)], step, message, 0)) is acts


def test_a_fault_ends_at_its_time() -> None:
    limited = fault("S1", until=100)
    assert [injected_faults.lasts(limited, now) for now in (99, 100)] == [True, False]
    assert injected_faults.acting([limited], "S1", 1, 100) == []


def test_a_slow_link_is_slow_before_it_breaks() -> None:
    both = [fault("S1", id=1), fault("S1", action="slow", id=2)]
    assert [each.action for each in injected_faults.acting(both, "S1", 1, 0)] == ["slow", "break"]


def test_a_partner_goes_down_at_the_step_and_stays_down() -> None:
    down = fault("R1", 2, "down", times=3)
    assert injected_faults.unreachable([down], 0) is None
    assert injected_faults.after(down) == Remaining("", 0, 2)
    assert injected_faults.unreachable([down._replace(step="", number=0)], 0) is not None


def test_a_break_is_counted() -> None:
    assert injected_faults.after(fault("S1", 2, times=1)) == Remaining("S1", 2, 0)
    assert injected_faults.after(fault("S1", 2)) == Remaining("S1", 2, None)

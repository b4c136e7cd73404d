"""Which faults apply at a step."""

from __future__ import annotations

from typing import Any

from store.rules.channel.decisions import Remaining, acting, after, lasts, unreachable
from store.sql.rows import ChannelFaultRow
from tests.store.tables import rows


def fault(step: str, number: int = 0, action: str = "break", **given: Any) -> ChannelFaultRow:
    row = ChannelFaultRow(1, "QM1", "C", step, number, action, 0, None, None)
    return row._replace(**given)


@rows(
    ("S1", 0, "S1", 7, True),
    ("S1", 3, "S1", 3, True),
    ("S1", 3, "S1", 4, False),
    ("S1", 0, "S2", 1, False),
    ("", 0, "S5-after", 0, True),
)
def test_a_fault_acts_at_its_step_and_message(set_at: str, number: int, step: str, message: int, acts: bool) -> None:
    assert bool(acting([fault(set_at, number)], step, message, 0)) is acts


def test_a_fault_ends_at_its_time() -> None:
    limited = fault("S1", until=100)
    assert [lasts(limited, now) for now in (99, 100)] == [True, False]
    assert acting([limited], "S1", 1, 100) == []


def test_a_slow_link_is_slow_before_it_breaks() -> None:
    both = [fault("S1", id=1), fault("S1", action="slow", id=2)]
    assert [each.action for each in acting(both, "S1", 1, 0)] == ["slow", "break"]


def test_a_partner_goes_down_at_the_step_and_stays_down() -> None:
    down = fault("R1", 2, "down", times=3)
    assert unreachable([down], 0) is None
    assert after(down) == Remaining("", 0, 2)
    assert unreachable([down._replace(step="", number=0)], 0) is not None


def test_a_break_is_counted() -> None:
    assert after(fault("S1", 2, times=1)) == Remaining("S1", 2, 0)
    assert after(fault("S1", 2)) == Remaining("S1", 2, None)

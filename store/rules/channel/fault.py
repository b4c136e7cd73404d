"""Which of the faults that were set for a channel act at a step of it: facts in, verdict out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

BREAK, SLOW, DOWN = "break", "slow", "down"
# The step of a fault that acts at every step, and on the attempt to reach the partner.
EVERYWHERE = ""


class Fault(Protocol):
    """A fault as it was set; see the table `channel_fault`."""

    @property
    def id(self) -> int: ...
    @property
    def step(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def action(self) -> str: ...
    @property
    def milliseconds(self) -> int: ...
    @property
    def times(self) -> int | None: ...
    @property
    def until(self) -> int | None: ...


class Remaining(NamedTuple):
    """What is left of a fault that has acted: where it acts next, and how often; `times` 0: it is over."""

    step: str
    number: int
    times: int | None


def lasts(fault: Fault, now: int) -> bool:
    """Whether the time of a fault is not over yet (microseconds of the queue manager's clock)."""
    return fault.until is None or now < fault.until


def acting(faults: Iterable[Fault], step: str, number: int, now: int) -> list[Fault]:
    """Those that act at a step, with that message of the batch (0: none); those that slow it down come first."""
    found = [each for each in faults if lasts(each, now) and _is_at(each, step, number)]
    return sorted(found, key=lambda each: (each.action != SLOW, each.id))


def _is_at(fault: Fault, step: str, number: int) -> bool:
    return fault.step in (EVERYWHERE, step) and fault.number in (0, number)


def unreachable(faults: Iterable[Fault], now: int) -> Fault | None:
    """The fault that keeps the channel from reaching its partner, if there is one."""
    down = (each for each in faults if each.action == DOWN and each.step == EVERYWHERE and lasts(each, now))
    return next(down, None)


def after(fault: Fault) -> Remaining:
    """What is left of a fault that has acted once. A partner that is down stays down wherever the channel is."""
    times = None if fault.times is None else fault.times - 1
    if fault.action == DOWN:
        return Remaining(EVERYWHERE, 0, times)
    return Remaining(fault.step, fault.number, times)

"""Which of the faults injected into a channel act at a step of its run."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

BREAK = "break"
SLOW = "slow"
DOWN = "down"
# The step of a fault that acts at every step, and on the attempt to reach the partner.
EVERYWHERE = ""


class Fault(Protocol):
    """An injected fault; see the table `channel_fault`."""

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
    """A fault after it has acted: where it acts next, and how often; with `times` 0 it is over."""

    step: str
    number: int
    times: int | None


def lasts(fault: Fault, now: int) -> bool:
    """Whether the time of a fault is not over yet (microseconds of the queue manager's clock)."""
    return fault.until is None or now < fault.until


def acting(faults: Iterable[Fault], step: str, number: int, now: int) -> list[Fault]:
    """The faults that act at a step, for that message of the batch (0: none); delays come first."""
    here = (
        each for each in faults if each.step in (EVERYWHERE, step) and each.number in (0, number)
    )
    return sorted(
        (each for each in here if lasts(each, now)),
        key=lambda each: (each.action != SLOW, each.id),
    )


def unreachable(faults: Iterable[Fault], now: int) -> Fault | None:
    """The fault that keeps the channel from reaching its partner, if there is one."""
    down = (
        each
        for each in faults
        if each.action == DOWN and each.step == EVERYWHERE and lasts(each, now)
    )
    return next(down, None)


def after(fault: Fault) -> Remaining:
    """The fault after it has acted once. A partner that is down stays down wherever the channel
    is.
    """
    times = None if fault.times is None else fault.times - 1
    if fault.action == DOWN:
        return Remaining(EVERYWHERE, 0, times)
    return Remaining(fault.step, fault.number, times)

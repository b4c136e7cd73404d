"""How a channel is run."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from mqsc.channels.end import Reporter
from mqsc.channels.link import StepHook, no_hook


def _say_nothing(message: str) -> None:
    """For runs whose messages only the history has."""


def _go_on() -> bool:
    return False


class RunSettings(Struct, frozen=True):
    """How a channel is run.

    `until_empty`: end when the transmission queue is empty. `report` is called with every message of either end;
    `hook` at every step of a batch. `stop` says whether the program is to end: the channel then ends after its batch.
    """

    until_empty: bool = False
    report: Reporter = field(default=_say_nothing)
    hook: StepHook = field(default=no_hook)
    stop: Callable[[], bool] = field(default=_go_on)

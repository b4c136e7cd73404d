"""How a channel is run."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from mqsc.channels.end import Reporter
from mqsc.channels.link import StepHook


class RunSettings(Struct, frozen=True):
    """How a channel is run.

    `until_empty`: end when the transmission queue is empty. `report` is called with every message of either end;
    `hook` at every step of a batch. `stop` says whether the program is to end: the channel then ends after its batch.
    """

    until_empty: bool = False
    report: Reporter = lambda message: None
    hook: StepHook = lambda step, number: None
    stop: Callable[[], bool] = lambda: False

"""Times in the past, which users may give as a length of time before now."""

from __future__ import annotations

from mqsc.console.choices import Choices
from mqsc.console.parameter_types import Ago
from store.admin.reader import managers_of
from store.engine.state import StoreState


def moment(given: int | Ago | None, store: StoreState, choices: Choices) -> int | None:
    """The moment that `given` means; an Ago counts from the time of the chosen or the default queue manager."""
    return given.before(_now(store, choices)) if isinstance(given, Ago) else given


def _now(store: StoreState, choices: Choices) -> int:
    """The time of the chosen queue manager, of the default one, or of the machine."""
    managers = managers_of(store)
    return managers.now.get(choices.qmgr_name() or managers.default, store.environment.clock.now())
